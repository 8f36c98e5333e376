'use strict';
/*
 * The figures of a replica set that do not depend on its replicas: what it is for, how many starts are under way, how long the last took,
 * whether and why it failed. In: its settings, its starters. Out: figures, and hooks for those who want to hear of changes.
 */
const { streamPool } = require('../wire/byte-pool');
const { threadPool } = require('../wire/shared-pool');
const { Roll } = require('./roll');

/** @typedef {import('./starters').Starters} Starters */

class ReplicaSetFigures {
  /** @protected */
  starters;
  /** @protected */
  settings;
  /** @protected */
  roll;

  /** how many replicas are wanted */
  wanted = 0;
  /** replicas that ended while they were wanted */
  lost = 0;
  /** @type {() => void} called when the number of ready replicas has changed */
  onChange = () => {};
  /** @type {(error: Error) => unknown} called when a replica cannot be started, or is lost; may say what becomes of its calls (loss.js) */
  onFail = () => {};

  /** @param {Starters} starters @param {import('./starter').SetSettings} settings */
  constructor(starters, settings) {
    this.starters = starters;
    this.settings = settings;
    this.roll = new Roll(this.module);
  }

  /** Its name: that of its module, or of its group. */
  get module() {
    return this.settings.name ?? this.settings.target.name;
  }
  /** What its module keeps as state. */
  get state() {
    return this.settings.state ?? 'none';
  }
  /** Whether its state must not be in two places, and must not be left behind. */
  get isStateful() {
    return this.state === 'keyed' || this.state === 'shared';
  }
  /** @returns {object[]} records of replicas that ended, newest last */
  get ended() {
    return this.roll.ended;
  }
  /** Where large copies for the replicas are made. */
  get pool() {
    return this.settings.launch.where === 'thread' ? threadPool : streamPool;
  }
  /** The resources, as far as known, of hosts that its replicas run on or may run on; undefined if they run on this machine. */
  get hosts() {
    const { launch, beyond = launch } = this.settings;
    const said = beyond.where === 'host' ? beyond.hosts?.offers(beyond) : undefined;
    const failure = this.starters.farFailure;
    // Hosts that just failed have nothing to offer; this machine goes on.
    return said === undefined || failure === '' ? said : { ...said, awaited: 0, offers: [], failure };
  }
  /** Its replicas on this machine, if others are on hosts; undefined if all are in one kind of place. */
  get near() {
    return this.starters.near;
  }
  /** How many this machine has before hosts get any; undefined if all are in one kind of place. */
  get here() {
    return this.near === undefined ? undefined : this.starters.here;
  }
  /** Replicas on their way. */
  get starting() {
    return this.starters.count;
  }
  /** Time from wish to ready for the last replica, ms. */
  get startMs() {
    return this.starters.startMs;
  }
  /** Why the last start failed; '' while all is well. */
  get failure() {
    return this.starters.failure;
  }
  /** Whether the last start has failed and it is too early for another. */
  get isFailing() {
    return this.starters.isFailing;
  }
}

exports.ReplicaSetFigures = ReplicaSetFigures;
