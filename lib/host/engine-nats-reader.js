'use strict';
/*
 * Reads one stream in order, for a Watch or a Feed, whatever happens to the connection or the servers. In: what to ask for, which may
 * differ each time. Out: entries. Each round has an ordered consumer of its own. A round ends when the consumer is gone, two heartbeats are
 * missed, after a reconnection, or when a number is missing; the next round asks for what is not known yet. So a lost consumer costs a
 * round, never an entry.
 */

const { IgnisError } = require('../errors.js');
const { Promise, clearTimeout, setTimeout } = require('../engine');

const EXPIRES_MS = 4000;
const HEARTBEAT_MS = 1000;
const AGAIN_MS = 200;
/** Servers log each refusal: the pause after one, ms. */
const REFUSED_MS = 2000;
/** Rounds in a row that end at the same missing number before it counts as gone. */
const MOST_HOLES = 3;
const ENDS_ROUND = ['heartbeats_missed', 'consumer_deleted', 'consumer_not_found', 'stream_not_found', 'no_responders', 'reset'];

/**
 * @typedef {object} Reading
 * @property {any} nc
 * @property {any} js
 * @property {string} stream
 * @property {import('./engine-feed.js').Watch | import('./engine-feed.js').Feed} hearing
 * @property {() => object} config of the round's consumer
 * @property {() => Promise<void>} [ahead] runs before each round; if it throws, other than because the engine is down, reading ends
 * @property {() => void} [begin] the round's consumer is there
 * @property {(entry: any) => boolean} take false: numbers before it are missing
 * @property {() => void} caughtUp everything that was there when the round began has been taken
 * @property {(error: unknown) => any} errorOf
 */

class NatsReader {
  #how;
  #isStopped = false;
  /** @type {any} */
  #round = null;
  /** @type {(() => void) | null} */
  #wake = null;
  #holes = 0;

  /** @param {Reading} how */
  constructor(how) {
    this.#how = how;
    this.#run();
  }

  stop() {
    this.#isStopped = true;
    this.#round?.stop();
    this.#wake?.();
  }

  async #run() {
    const { hearing, errorOf } = this.#how;
    while (!this.#isStopped) {
      let pauseMs = AGAIN_MS;
      try {
        await this.#oneRound();
      } catch (cause) {
        if (this.#isStopped) return;
        const error = errorOf(cause);
        if (!hearing.passes(error)) return void hearing.lost(error);
        if (error.code === 'IGNIS_ENGINE_REFUSED') pauseMs = REFUSED_MS;
      }
      if (!this.#isStopped) await this.#pause(pauseMs);
    }
  }

  /** @param {number} ms */
  #pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve(undefined);
      };
    });
  }

  async #oneRound() {
    const { js, stream, config, ahead, begin, take, caughtUp } = this.#how;
    await ahead?.();
    const consumer = await js.consumers.get(stream, { ...config(), inactive_threshold: 30_000 });
    const { num_pending: pending } = await consumer.info(true);
    if (this.#isStopped) return;
    const round = await consumer.consume({ max_messages: 1000, expires: EXPIRES_MS, idle_heartbeat: HEARTBEAT_MS });
    this.#round = round;
    const heard = this.#listen(round);
    try {
      if (this.#isStopped) return;
      begin?.();
      let left = pending;
      if (left === 0) caughtUp();
      for await (const entry of round) {
        if (this.#isStopped) return;
        if (!take(entry)) return this.#hole(entry);
        this.#holes = 0;
        left -= 1;
        if (left === 0 || (left > 0 && entry.info.pending === 0)) {
          left = 0;
          caughtUp();
        }
      }
    } finally {
      round.stop();
      heard.stop();
      await consumer.delete().catch(() => {});
    }
  }

  /** Ends the round if only a new one helps. @param {any} round */
  #listen(round) {
    (async () => {
      for await (const { type } of round.status()) if (ENDS_ROUND.includes(type)) round.stop();
    })().catch(() => {});
    const status = this.#how.nc.status();
    (async () => {
      for await (const { type } of status) if (type === 'reconnect') round.stop();
    })().catch(() => {});
    return status;
  }

  /** @param {any} entry */
  #hole(entry) {
    this.#holes += 1;
    if (this.#holes < MOST_HOLES) return;
    throw new IgnisError('IGNIS_LOG_GAP', `${this.#how.stream} goes on with ${entry.seq}, and entries before it are missing`);
  }
}

exports.NatsReader = NatsReader;
