'use strict';
/*
 * A storm: several users of one distributed file system at once, and nodes that are killed, cut off, or stopped for good meanwhile; the
 * server that has its log, too. In: a seed, a mode, how much. Out: what was seen, for the checks: the history of each path, what was
 * acknowledged, and how often a node died, was out of reach, or stood still until it was fenced. The same seed makes the same operations,
 * kills and cuts in the same order; when they meet is the machine's.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Courier } = require('../../lib/fs/courier');
const { Facade } = require('../../lib/fs/facade');
const { settingsOf } = require('../../lib/fs/modes');
const { until } = require('../helpers/until');
const { Random } = require('../helpers/random');

const RECIPES = {
  strong: { fs: 'strong', copies: [1, 1] },
  eventual: { fs: 'eventual', copies: [3, 3] },
  spread: { fs: 'eventual', copies: [2, 2], disks: ['.', ...['b', 'c', 'd'].map((name) => path.join('.ignis-fs', name))] },
};
/** So long the owner of a strong one may be stopped here: a cut may be longer. */
const STILL_MS = 150;
const NODES = { strong: 1, eventual: 3, spread: 4 };

/** A file system of its own in a new folder. */
function open(mode, { root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-fs-')), patienceMs, ...others } = {}) {
  const settings = settingsOf({ ...RECIPES[mode], sync: false, root, given: {}, ...others }, root);
  const courier = new Courier({ ...settings, stillMs: STILL_MS, patienceMs });
  const files = new Facade(courier).fs;
  const nodes = () => courier.ask({ op: 'nodes' });
  return { root, courier, files, nodes, at: (...parts) => path.join(root, ...parts) };
}

/** Kills the node of a folder, if it has one. @returns {Promise<boolean>} */
async function killNode(nodes, index, signal = 'SIGKILL') {
  const { pid } = (await nodes())[index] ?? {};
  if (pid === undefined) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Kills the nodes of some folders at once, and waits until others are in their places. */
async function loseNodes(nodes, ...indexes) {
  const before = await nodes();
  for (const index of indexes) process.kill(before[index].pid, 'SIGKILL');
  const areOthers = async () => {
    const now = await nodes();
    return indexes.every((index) => now[index].pid !== before[index].pid);
  };
  await until(areOthers, 'other nodes are started', 60_000);
}

/**
 * For a while nobody reaches the node of a folder, and it reaches nobody: what is said to it waits, and is there when it is back.
 *
 * @returns {Promise<boolean>}
 */
async function cutOff(nodes, index, ms) {
  const { pid, state } = (await nodes())[index];
  if (!['up', 'behind', 'serving'].includes(state)) return false;
  const tell = (signal) => {
    try {
      return process.kill(pid, signal);
    } catch {
      // It was killed meanwhile.
      return false;
    }
  };
  if (!tell('SIGSTOP')) return false;
  await new Promise((resolve) => setTimeout(resolve, ms));
  tell('SIGCONT');
  return true;
}

/** The process of a node is stopped, and nobody lets it go on. @returns {Promise<void>} when another is in its place */
async function standStill(nodes, index) {
  const { pid } = (await nodes())[index];
  await killNode(nodes, index, 'SIGSTOP');
  await until(async () => (await nodes())[index].pid !== pid, 'it is fenced, and another in its place', 60_000);
}

/** Whether an error says that a node was lost, and nothing about files. */
function isLoss(error) {
  return error.code === 'EIO' && error.cause?.code === 'IGNIS_REPLICA_LOST';
}

/**
 * @param {object} how
 * @param {'strong' | 'eventual' | 'spread'} how.mode spread: eventual, with more disks than copies
 * @param {number} how.seed
 * @param {number} [how.users] @param {number} [how.steps] of each @param {number} [how.kills] @param {number} [how.cuts] how often a node
 *   is cut off
 * @param {{url: string, kill: () => Promise<void>, restart: () => Promise<void>}} [how.server] that keeps the log; without one it is in
 *   files
 * @param {number} [how.crashes] how often the server is killed and started again with what it has on its disk
 * @param {number} [how.stops] how often a node is stopped for good; only where that is found out, as nobody else could answer
 */
async function storm({
  mode,
  seed,
  users = 4,
  steps = 12,
  kills = 3,
  cuts = 2,
  stops = mode === 'strong' && process.platform === 'linux' ? 1 : 0,
  server,
  crashes = server === undefined ? 0 : 2,
}) {
  const random = new Random(seed);
  const system = open(mode, server === undefined ? {} : { cluster: server.url });
  const { files, at } = system;
  const paths = ['a', 'b', 'c'];
  const histories = Object.fromEntries(paths.map((name) => [name, []]));
  /** numbers of lines that were acknowledged, and of those that may be there */
  const lines = { acknowledged: new Set(), maybe: new Set() };
  let clock = 0;
  let lost = 0;
  let killed = 0;
  let cut = 0;
  let stopped = 0;
  let crashed = 0;
  for (const name of paths) await files.promises.writeFile(at(name), 'first');
  await files.promises.writeFile(at('log'), '');

  const run = async (operation, history, work) => {
    const record = { ...operation, began: clock++, ended: Infinity };
    try {
      const value = await work();
      if (operation.kind === 'read') record.value = value;
      record.ended = clock++;
      history?.push(record);
      return true;
    } catch (error) {
      if (!isLoss(error)) throw error;
      lost += 1;
      // Whoever goes on at once only hears the same again.
      await until(async () => (await system.nodes()).some(({ state }) => state === 'up' || state === 'serving'), 'a node is back', 60_000);
      if (operation.kind === 'write' && error.cause.ran === 'maybe') history?.push(record);
      return error.cause.ran;
    }
  };
  // As many programs do: what is new goes from the holders of one name to another.
  const replace = async (name, value) => {
    const other = at(`${name}.${value}`);
    await files.promises.writeFile(other, value);
    await files.promises.rename(other, at(name));
  };
  const user = async (number) => {
    for (let step = 0; step < steps; step++) {
      const name = paths[random.below(paths.length)];
      const id = `${number}.${step}`;
      const choice = random.below(10);
      if (choice < 4) await run({ kind: 'read' }, histories[name], () => files.promises.readFile(at(name), 'utf8'));
      else if (choice < 8)
        await run({ kind: 'write', value: `v${id}` }, histories[name], () =>
          mode === 'spread' && step % 2 === 0 ? replace(name, `v${id}`) : files.promises.writeFile(at(name), `v${id}`),
        );
      else {
        const ran = await run({ kind: 'append' }, null, () => files.promises.appendFile(at('log'), `${id}\n`));
        if (ran === true) lines.acknowledged.add(id);
        else if (ran === 'maybe') lines.maybe.add(id);
      }
      if (random.below(3) === 0) await new Promise((resolve) => setTimeout(resolve, random.below(8)));
    }
  };
  const killer = async () => {
    for (let i = 0; i < kills; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10 + random.below(40)));
      if (await killNode(system.nodes, random.below(NODES[mode]))) killed += 1;
    }
  };
  const cutter = async () => {
    for (let i = 0; i < cuts; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10 + random.below(40)));
      const [index, ms] = [random.below(NODES[mode]), 20 + random.below(200)];
      await until(() => cutOff(system.nodes, index, ms), 'the node is there', 60_000);
      cut += 1;
    }
  };
  const stopper = async () => {
    for (let i = 0; i < stops; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10 + random.below(40)));
      await standStill(system.nodes, random.below(NODES[mode]));
      stopped += 1;
    }
  };
  const crasher = async () => {
    for (let i = 0; i < crashes; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10 + random.below(60)));
      await server.kill();
      await new Promise((resolve) => setTimeout(resolve, random.below(200)));
      await server.restart();
      crashed += 1;
    }
  };
  await Promise.all([...Array.from({ length: users }, (_, i) => user(i)), killer(), cutter(), stopper(), crasher()]);
  return { ...system, histories, lines, lost, killed, cut, stopped, crashed };
}

exports.cutOff = cutOff;
exports.isLoss = isLoss;
exports.killNode = killNode;
exports.loseNodes = loseNodes;
exports.open = open;
exports.standStill = standStill;
exports.storm = storm;
