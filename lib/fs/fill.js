'use strict';
/*
 * Brings nodes level if there are more of them than copies. In: nodes that are level with the log, and others that are not; nothing is
 * written meanwhile. Out: all have the same names, each file's contents are on as many nodes as there are copies, and the others point to
 * those. First all contents are put where they are missing; only then are unwanted ones replaced by pointers. If this stops half-way, there
 * are too many copies, never too few.
 */
const { isSame } = require('./snapshot');
const { Map, Promise, Set } = require('../engine');

/** Size of the pieces in which files go from node to node. */
const PIECE_BYTES = 1024 * 1024;

/** @typedef {import('./holder').Holder} Holder */
/** @typedef {import('./snapshot').Item} Item */
/** @typedef {Map<Holder, Map<string, Item>>} Surveys */
/**
 * @typedef {{item: Item, from: Holder[], holders: readonly string[]}} Whereabouts from: who has the right contents; holders: who is to have
 *   them
 */

class Fill {
  #spread;

  /** @param {import('./spread').Spread} spread */
  constructor(spread) {
    this.#spread = spread;
  }

  /**
   * @param {object} given
   * @param {Holder[]} given.sources level with the log; the names of the first one count as true
   * @param {Holder[]} given.targets to be changed; perhaps some of the sources
   * @param {boolean} given.mayMove whether files may get other holders than they have
   * @returns {Promise<{filled: Holder[], waiting: Map<Holder, string>}>} waiting: targets that lack contents which only absent nodes have,
   *   and a path of such contents
   * @throws when contents are nowhere
   */
  async run({ sources, targets, mayMove }) {
    const all = [...new Set([...sources, ...targets])];
    const surveyed = await Promise.all(all.map((holder) => holder.request({ kind: 'survey' })));
    // In the order of the folders: the first counts.
    /** @type {Surveys} */
    const surveys = new Map(all.map((holder, i) => [holder, byPath(surveyed[i])]));
    const truth = /** @type {Map<string, Item>} */ (surveys.get(sources[0]));
    const found = [...truth.values()].map((item) =>
      item.kind === 'file' ? this.#whereabouts(item, surveys, { sources, targets, mayMove }) : { item, from: [], holders: [] },
    );
    /** @type {Map<Holder, string>} */
    const waiting = new Map();
    for (const { item, from, holders } of found)
      for (const target of targets)
        if (item.kind === 'file' && from.length === 0 && holders.includes(target.id)) waiting.set(target, item.path);
    const filled = targets.filter((target) => !waiting.has(target));
    await Promise.all(filled.map((target) => put(target, found, sources.includes(target))));
    // All of them, before the first contents are removed.
    await Promise.all(filled.map((target) => point(target, found, /** @type {any} */ (surveys.get(target)))));
    return { filled, waiting };
  }

  /**
   * @param {Item} item
   * @param {Surveys} surveys
   * @param {{sources: Holder[], targets: Holder[], mayMove: boolean}} how
   * @returns {Whereabouts}
   */
  #whereabouts(item, surveys, { sources, targets, mayMove }) {
    const seen = [...surveys].flatMap(([holder, survey]) => {
      const own = survey.get(item.path);
      return own?.kind === 'file' ? [{ holder, own, isReal: own.holders === undefined, isLevel: sources.includes(holder) }] : [];
    });
    const real = seen.filter(({ isReal, isLevel }) => isReal && isLevel);
    const contents = { ...(real[0]?.own ?? item), holders: undefined };
    const from = seen.filter(({ isReal, own }) => isReal && isSame(own, contents)).map(({ holder }) => holder);
    const named = [...seen].sort((a, b) => Number(b.isLevel) - Number(a.isLevel)).find(({ isReal }) => !isReal)?.own.holders ?? [];
    return { item: contents, from, holders: this.#holdersOf(contents.path, { from, named, real, surveys, targets, mayMove }) };
  }

  /** @param {string} path @param {any} known @returns {readonly string[]} */
  #holdersOf(path, { from, named, real, surveys, targets, mayMove }) {
    const { copies, ids } = this.#spread;
    const own = named.filter((/** @type {string} */ id) => ids.includes(id));
    if (from.length === 0) {
      const there = [...surveys.keys()].map(({ id }) => id);
      if (own.every((/** @type {string} */ id) => there.includes(id)))
        throw new Error(`none of its folders has the contents of ${path}: name the folders that it had before, or restore them`);
      return own;
    }
    if (own.length === named.length && own.length === copies) return own;
    const having = real.map((/** @type {any} */ { holder }) => holder.id);
    if (having.length === copies) return having;
    if (mayMove) return this.#spread.chosen(path);
    // Nobody here knows who else has it: one copy too many does no harm.
    return having.length > copies ? having : [...having, ...targets.map((/** @type {Holder} */ { id }) => id)];
  }
}

/** @param {Item[]} items @returns {Map<string, Item>} */
function byPath(items) {
  return new Map(items.map((item) => [item.path, item]));
}

/** @param {Holder} target @param {Whereabouts[]} found @param {boolean} keepsHistory */
async function put(target, found, keepsHistory) {
  const items = found.map(({ item, holders }) => ({ ...item, isElsewhere: item.kind === 'file' && !holders.includes(target.id) }));
  const sourcesOf = new Map(found.map(({ item, from }) => [item.path, from]));
  const lacking = await target.request({ kind: 'level', items, keepsHistory });
  for (const item of lacking) {
    const [source] = /** @type {Holder[]} */ (sourcesOf.get(item.path));
    await copyFile(source, target, item);
  }
}

/** @param {Holder} source @param {Holder} target @param {Item} item */
async function copyFile(source, target, item) {
  for (let position = 0, isLast = false; !isLast; position += PIECE_BYTES) {
    isLast = position + PIECE_BYTES >= item.size;
    const request = { op: 'read', path: item.path, position, length: PIECE_BYTES };
    const data = await source.request({ kind: 'read', request, least: 0 });
    await target.request({ kind: 'put', item, data, position, isLast });
  }
}

/** @param {Holder} target @param {Whereabouts[]} found @param {Map<string, Item>} survey of it, before */
async function point(target, found, survey) {
  const items = found
    .filter(({ item, holders }) => item.kind === 'file' && !holders.includes(target.id))
    .map(({ item, holders }) => ({ ...item, holders: [...holders] }))
    .filter((item) => {
      const own = survey.get(item.path);
      const isThere = own?.holders !== undefined && isSame(own, item) && own.mode === item.mode;
      return !isThere || own?.holders?.join() !== item.holders.join();
    });
  if (items.length > 0) await target.request({ kind: 'stub', items });
}

exports.Fill = Fill;
exports.copyFile = copyFile;
