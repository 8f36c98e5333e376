'use strict';
/*
 * The thread at home that looks after one resident replica on another host. It has the replica started there, relays between its link and
 * the line of home's main thread, continues the link with another socket if one breaks, sends code ahead of need, prints what the replica
 * writes, and says how it ended; all of that also while the main thread is blocked. In (workerData): the parts of two lines, one for
 * messages and one for questions; which hosts; who home is. Out: through the lines; to the parent, how it ended. It ends the replica when
 * told to, and lets none outlive the line.
 */
const { parentPort, workerData } = require('node:worker_threads');
const { SILENT_MS } = require('../host/control-link');
const { Hosts } = require('../host/hosts');
const { Line } = require('../wire/line');
const { BlockChannel, relayLasting } = require('../wire/lasting-relay');
const { IgnisError, detailOf } = require('../errors');
const { lodge } = require('./launch-host');
const { writeAll } = require('./output');
const { JSON, Promise, setTimeout } = require('../engine');

/** How long a replica whose line is closed may take to end by itself, and its host to say how it ended, ms. */
const CLOSE_MS = 1000;

/** @typedef {import('./launch-host').Lodger} Lodger */
/** @typedef {import('./load-target').Target} Target */
/**
 * @typedef {{destroy: (error: IgnisError) => void, sayLast: (told: () => void) => void}} Joined destroy: ends the line; sayLast: tells the
 *   replica not to wait for another socket
 */

function run() {
  const { parts, asks, last, agent, placing, options } = workerData.ignisAgent;
  const hosts = new Hosts(options, (fd, text) => writeAll(fd, Buffer.from(text)));
  let isOver = false;
  /** @type {Joined} */
  let joined = { destroy: (error) => new Line(parts).destroy(error), sayLast: (told) => told() };
  /** @param {IgnisError} error @param {string} why */
  const finish = (error, why) => {
    if (isOver) return;
    isOver = true;
    joined.destroy(error);
    parentPort?.postMessage(why);
    // Its replicas end when its link to the host does.
    void hosts.close().finally(() => process.exit());
  };
  const lose = (/** @type {string} */ why) => finish(new IgnisError('IGNIS_REPLICA_LOST', why), why);

  /** @type {Promise<Lodger> | null} */
  let lodging = null;
  /** The first module chooses the host: a host that cannot have its code is not taken. @param {Target} target */
  const lodgeFor = (target) =>
    (lodging ??= lodge({ ...placing, hosts, target }, true).then((lodger) => {
      if (!isOver) joined = join(lodger, parts, agent, lose);
      return lodger;
    }));
  const sayLast = (/** @type {() => void} */ told) => joined.sayLast(() => void hosts.sayLast().then(told));
  // Home is told first why its module is nowhere, so that the line does not end without a word.
  answer(new Line(asks), { lodgeFor, last, sayLast, onNone: (error) => finish(error, error.message) });
  parentPort?.on('message', () => {
    const kill = (/** @type {Lodger | null} */ lodger) => lodger?.host.kill(lodger.id);
    void Promise.resolve(lodging)
      .then(kill, () => {})
      .then(() => lose('home killed it'));
  });
}

/**
 * @param {Lodger} lodger
 * @param {import('../wire/line').LineParts} parts
 * @param {{maxBlockBytes?: number}} agent
 * @param {(why: string) => void} lose
 * @returns {Joined}
 */
function join({ host, id, pid, stream, exit }, parts, agent, lose) {
  const channel = new BlockChannel(stream, agent, { waitMs: SILENT_MS, ...host.wayTo(id) });
  const joined = relayLasting(parts, channel);
  joined.line.post(['wire', -1, pid]);
  const kill = () => {
    host.kill(id);
    // A host that no longer answers says nothing about it.
    setTimeout(lose, CLOSE_MS, `the link to the host ${host.title} ended`).unref();
  };
  joined.onEnd = (error) => {
    if (error !== null) joined.line.destroy(error);
    kill();
  };
  joined.onLineClosed = (error) => (error === null ? void setTimeout(kill, CLOSE_MS).unref() : kill());
  void exit.then(({ why }) => lose(why));
  return { destroy: (error) => joined.line.destroy(error), sayLast: (told) => channel.sayLast(told) };
}

/**
 * Answers home's main thread, which waits: where a module is on the host; and that home is about to end.
 *
 * @param {Line} line
 * @param {object} how
 * @param {(target: Target) => Promise<Lodger>} how.lodgeFor the replica, which is started for the first module that is asked for
 * @param {string} how.last what is asked when home is about to end, and answered when the replica was told
 * @param {Joined['sayLast']} how.sayLast
 * @param {(error: IgnisError) => void} how.onNone told once that was answered that there is no replica
 */
function answer(line, { lodgeFor, last, sayLast, onNone }) {
  let isFirst = true;
  line.onMessage = async ([number, text]) => {
    if (text === last) return sayLast(() => line.post([number, last]));
    const fail = (/** @type {IgnisError} */ error) => line.post([number, error.code, detailOf(error)]);
    const target = JSON.parse(text);
    const isChosenFor = isFirst;
    isFirst = false;
    /** @type {Lodger} */
    let lodger;
    try {
      lodger = await lodgeFor(target);
    } catch (error) {
      fail(known(error));
      return onNone(known(error));
    }
    try {
      const found = isChosenFor ? lodger.located : await lodger.ship(target);
      const { title, word } = lodger.host;
      line.post([number, '', JSON.stringify({ target: found, title, node: word.facts?.node })]);
    } catch (error) {
      fail(known(error));
    }
  };
}

/** @param {any} error @returns {IgnisError} */
function known(error) {
  return error instanceof IgnisError ? error : new IgnisError('IGNIS_START_FAILED', String(error?.message ?? error), { cause: error });
}

run();
