'use strict';
/*
 * What a person who looks at a running program may do to it: pin a module home, set the number of its replicas, take that back, have a
 * recipe proposed or applied, take a CPU profile. In: wishes from outside, of any shape. Out: plain records. What an act changes is the
 * strongest layer of recipes, as with `ignis.recipe()`, and is checked like it. The program's own live recipe is kept, and returns when the
 * act is taken back. Between the program and the person, the last word counts.
 */
const { IgnisError } = require('../errors');
const { propose } = require('./proposal');
const { Map, Object } = require('../engine');

/** How long a profile may take, s. */
const MOST_SECONDS = 120;
const SECONDS = 5;

/** What a recipe gives as its source. */
const WHERE = 'the live view';

/**
 * @typedef {import('../types').WatchedBoundary} WatchedBoundary
 * @typedef {object} ActSources
 * @property {(module: string) => Record<string, any> | undefined} liveRecipe what the program, or an act, has said of a module while it
 *   runs
 * @property {(module: string, recipe: Record<string, any> | null, where: string) => Record<string, any>} setLive gives what now holds, by
 *   boundary
 * @property {(set: string) => {allowed: boolean, why?: string}} permission
 * @property {(module: string) => any} shipped Ignis's own recipe for it; null: none
 * @property {(boundary: string) => boolean} mayDiffer whether its recipes say that it keeps no state that all callers must share
 * @property {(set: string | null, replica: string | undefined) => {name: string, profile: (ms: number) => Promise<any>}} profiled
 */

class Acts {
  #sources;
  /**
   * @type {Map<string, {before: Record<string, any> | undefined, fields: Record<string, any>, live: Record<string, any> | undefined}>} what
   *   acts have said, by module; live: the recipe that resulted
   */
  #said = new Map();

  /** @param {ActSources} sources */
  constructor(sources) {
    this.#sources = sources;
  }

  /**
   * @param {any} wish
   * @param {WatchedBoundary | null} boundary named by the wish
   * @returns {any}
   * @throws {IgnisError} IGNIS_BAD_OPTION, IGNIS_BAD_RECIPE, IGNIS_NOT_FOUND
   */
  act(wish, boundary) {
    const what = typeof wish?.what === 'string' ? wish.what : '';
    if (what === 'profile') return this.#profile(wish, boundary);
    if (boundary === null) throw new IgnisError('IGNIS_BAD_OPTION', `the act '${what}' needs a boundary`);
    if (what === 'home') return this.#say(boundary, { cold: true });
    if (what === 'unpin') return this.#takeBack(boundary);
    if (what === 'copies') return this.#copies(boundary, wish.copies);
    if (what === 'recipe') return this.#recipe(boundary, wish);
    throw new IgnisError('IGNIS_BAD_OPTION', `there is no act '${what}'; there are home, unpin, copies, recipe, profile`, {
      field: 'what',
    });
  }

  /** @param {WatchedBoundary} boundary @param {unknown} copies a number, or a range */
  #copies(boundary, copies) {
    if (copies === undefined || copies === null) throw new IgnisError('IGNIS_BAD_OPTION', 'copies needs a number, or [least, most]');
    return this.#say(boundary, { copies, cold: false });
  }

  /** @param {WatchedBoundary} boundary @param {{recipe?: unknown, apply?: unknown}} wish */
  #recipe(boundary, { recipe, apply }) {
    if (typeof recipe === 'object' && recipe !== null) return this.#say(boundary, recipe);
    const proposal = propose(boundary, this.#sources.shipped(boundary.child), this.#sources.mayDiffer(boundary.id));
    if (apply !== true) return proposal;
    if (proposal.recipe === null)
      throw new IgnisError('IGNIS_BAD_OPTION', `no recipe can be proposed for ${boundary.child}: ${proposal.why}`);
    return { ...proposal, ...this.#say(boundary, { ...proposal.recipe, cold: false }) };
  }

  /** @param {WatchedBoundary} boundary @param {Record<string, any>} fields in addition to what acts have said before */
  #say(boundary, fields) {
    const { child } = boundary;
    const known = this.#lastWord(child);
    const before = known === undefined ? this.#sources.liveRecipe(child) : known.before;
    // Earlier fields that contradict these are dropped.
    const rivals = fields.cold === true ? ['hot', 'copies'] : ['cold'];
    const said = { ...without(known?.fields, rivals), ...fields };
    const held = this.#sources.setLive(child, { ...without(before, rivals), ...said }, WHERE);
    this.#said.set(child, { before, fields: said, live: this.#sources.liveRecipe(child) });
    return this.#outcome(boundary, held);
  }

  /** @param {WatchedBoundary} boundary */
  #takeBack(boundary) {
    const { child } = boundary;
    const known = this.#lastWord(child);
    if (known === undefined) return { ...this.#outcome(boundary, {}), changed: false };
    const held = this.#sources.setLive(child, known.before ?? null, WHERE);
    this.#said.delete(child);
    return this.#outcome(boundary, held);
  }

  /**
   * @param {string} child
   * @returns what acts have said of it; undefined also if the program has said something since, which then holds
   */
  #lastWord(child) {
    const known = this.#said.get(child);
    if (known !== undefined && known.live !== this.#sources.liveRecipe(child)) this.#said.delete(child);
    return this.#said.get(child);
  }

  /** @param {WatchedBoundary} boundary @param {Record<string, any>} held recipes in effect */
  #outcome({ id, child, set }, held) {
    const { allowed, why = '' } = this.#sources.permission(set);
    return { changed: true, boundary: id, module: child, copies: held[id]?.copies ?? null, allowed, why: allowed ? '' : why };
  }

  /** @param {{seconds?: unknown, replica?: unknown}} wish @param {WatchedBoundary | null} boundary */
  async #profile({ seconds = SECONDS, replica }, boundary) {
    if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= MOST_SECONDS))
      throw new IgnisError('IGNIS_BAD_OPTION', `a profile takes more than 0 and at most ${MOST_SECONDS} seconds`, { field: 'seconds' });
    const { name, profile } = this.#sources.profiled(boundary?.set ?? null, typeof replica === 'string' ? replica : undefined);
    return { of: name, seconds, profile: await profile(seconds * 1000) };
  }
}

/** @param {Record<string, any> | undefined} recipe @param {string[]} fields @returns {Record<string, any>} */
function without(recipe, fields) {
  return Object.fromEntries(Object.entries(recipe ?? {}).filter(([field]) => !fields.includes(field)));
}

exports.Acts = Acts;
