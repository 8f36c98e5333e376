'use strict';
/*
 * Two peers joined in memory: home, and an agent that serves a module given as an object. In: the module. Out: ways to call it, and an end
 * that asserts that nothing is left over: no pending call and, after a collection, no reference on either side.
 */
const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const { MessageChannel } = require('node:worker_threads');
const { Call } = require('../../lib/session/call');
const { Peer } = require('../../lib/session/peer');
const { Skeleton } = require('../../lib/session/skeleton');
const { PortChannel } = require('../../lib/wire/port-channel');
const { StreamChannel } = require('../../lib/wire/stream-channel');
const { makeCodec } = require('../../lib/wire/codec');
const { duplexPair } = require('./streams');
const { until } = require('./until');

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

/** @type {Record<string, (limits?: {maxBlockBytes?: number}) => [any, any]>} ways to join two channels */
const JOINS = {
  port() {
    const { port1, port2 } = new MessageChannel();
    return [new PortChannel(port1, makeCodec('msgpackr')), new PortChannel(port2, makeCodec('msgpackr'))];
  },
  'stream, msgpackr': (limits) => streams('msgpackr', limits),
  'stream, msgpack-lite': (limits) => streams('msgpack-lite', limits),
};

/** @param {string} codec @param {{maxBlockBytes?: number}} [limits] @returns {[any, any]} */
function streams(codec, limits) {
  const [a, b] = duplexPair().map((stream) => new StreamChannel(/** @type {any} */ (stream), makeCodec(codec), limits));
  return [a, b];
}

class Link {
  /** @type {{error: Error | null, pending: any[]}[]} each end of home's side */
  losses = [];
  /** @type {any[]} what the agent reported */
  usage = [];
  /** @type {(Error | null)[]} */
  agentEnds = [];

  /**
   * @param {any} exports what the agent serves; a function is asked for it at each load
   * @param {{join?: string, limits?: {maxBlockBytes?: number}, hooks?: object, agentHooks?: object}} [options] limits: of a stream
   */
  constructor(exports, { join = 'port', limits, hooks = {}, agentHooks = {} } = {}) {
    [this.homeChannel, this.agentChannel] = JOINS[join](limits);
    this.skeleton = new Skeleton(async (target) => (typeof exports === 'function' ? exports(target) : exports));
    this.home = new Peer(this.homeChannel, {
      onLost: (error, pending) => this.losses.push({ error, pending }),
      onUsage: (usage) => this.usage.push(usage),
      ...hooks,
    });
    this.agent = new Peer(this.agentChannel, {
      keepsAlive: true,
      onCall: (peer, id, frame, args) => this.skeleton.serve(peer, id, frame, args),
      onAbort: (number, abort) => this.skeleton.abort(number, abort),
      onLoad: (peer, id, target) => void this.skeleton.serveLoad(peer, id, target),
      onLost: (error) => this.agentEnds.push(error),
      ...agentHooks,
    });
  }

  /** @param {any} [target] */
  load(target = {}) {
    return new Promise((resolve, reject) => {
      this.home.load(target, { id: -1, sequence: 0, finish: resolve, fail: reject });
    });
  }

  /**
   * @param {string | string[]} path
   * @param {any[]} args
   * @param {'await' | 'promise' | 'callback'} [mode]
   * @returns {{call: Call, result: Promise<any>}}
   */
  start(path, args, mode = 'promise') {
    const names = [path].flat();
    const call = new Call(
      { key: JSON.stringify(names), path: names, mode, canRerun: false, affinity: null, runAtHome: () => assert.fail('ran at home') },
      null,
      args,
    );
    const result = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    this.home.send(call);
    return { call, result };
  }

  /** @param {string | string[]} path @param {...any} args @returns {Promise<any>} */
  call(path, ...args) {
    return this.start(path, args).result;
  }

  /** Waits until neither side lends or holds anything. */
  async settle() {
    await until(() => {
      collect();
      return this.home.lent.size + this.home.held.size + this.agent.lent.size + this.agent.held.size === 0;
    }, 'all references to be given back');
  }

  /** @param {boolean} [isSettled] whether nothing may be left over */
  async close(isSettled = true) {
    try {
      if (isSettled) {
        await this.settle();
        assert.equal(this.home.pending, 0);
        assert.equal(this.agent.pending, 0);
      }
    } finally {
      this.home.destroy();
      this.agent.destroy();
    }
  }
}

exports.Link = Link;
exports.JOIN_NAMES = Object.keys(JOINS);
exports.collect = collect;
