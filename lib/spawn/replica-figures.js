'use strict';
/*
 * The figures of one replica, for its set and for reports. In: nothing. Out: a record that its replica keeps.
 */

const { Pace } = require('./pace');

let nextId = 1;

class ReplicaFigures {
  #travelMs;
  /** its speed, from its reports */
  pace = new Pace();
  id = nextId++;
  /** whether it is on another host */
  isFar;
  /** all calls sent */
  calls = 0;
  /** when it began on what is pending, ms; meaningless while nothing is */
  busySince = 0;
  /** number of the last change that it was told to make */
  mark = 0;
  /** launch to ready, ms; a spare's own start does not count */
  startedMs = 0;
  /** @type {number | null} resident memory at the last look, bytes */
  rssBytes = null;
  /** @type {number | null} the same when it had just become ready */
  baseBytes = null;
  /** whether its memory is reported regularly, so that nobody need ask */
  tellsMemory = false;

  /** settles when its host is being stopped; undefined on this machine */
  stopping;

  /** @param {Pick<import('./launch-process').Launched, 'where' | 'travelMs' | 'stopping'>} launched */
  constructor({ where, travelMs = () => 0, stopping }) {
    this.stopping = stopping;
    this.isFar = where.startsWith('host ');
    this.#travelMs = travelMs;
  }

  /** @param {{rssBytes: number | null, limitMs: number}} pulse that has answered @param {boolean} isReady */
  noteMemory({ rssBytes, limitMs }, isReady) {
    this.rssBytes = rssBytes;
    this.tellsMemory = limitMs > 0;
    if (isReady) this.baseBytes ??= rssBytes;
  }

  /**
   * @returns {{served: number, busyMs: number, activeMs: number, waitedMs: number}} as it has reported: calls that have run, time in module
   *   code, active time of its event loop, and the part of that in which it waited for a core
   */
  get usage() {
    return this.pace;
  }
  /** How long a call has kept its event loop lately, ms; null: not known yet. */
  get meanMs() {
    return this.pace.meanMs;
  }
  /** How busy its event loop was at its last report, 0 to 1; null: not known yet. */
  get utilisation() {
    return this.pace.utilisation;
  }
  /** @returns {number} the longest call reported since the last time, ms */
  takeLongestMs() {
    return this.pace.takeLongestMs();
  }

  /** How long a question and its answer travel, ms; 0 on this machine, and while unknown. */
  get travelMs() {
    return this.#travelMs();
  }
}

exports.ReplicaFigures = ReplicaFigures;
