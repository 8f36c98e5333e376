'use strict';
/*
 * The way to the engine that keeps a root's log. In: where the cluster is, records as bytes. Out: records in the engine's order. If the
 * engine is away it waits as long as that takes, and sends again under the same id, so that nothing is doubled. A caller that does not want
 * to wait so long leaves by itself; `trouble` says why. The engine is loaded when it is first needed. No message of it contains a secret.
 */
const { randomUUID } = require('node:crypto');
const { openEngine } = require('../host/engine');
const { Promise, Set, clearTimeout, setTimeout } = require('../engine');

const AGAIN_MS = 100;
/** Nobody answers what was asked while a server died; everything asked here may be asked again. */
const REQUEST_MS = 1000;
/** At the end, nobody waits longer for an engine that does not answer, ms. */
const CLOSE_MS = 500;

/** @typedef {import('../host/engine-base').Entry} EngineEntry */

class ClusterLink {
  #cluster;
  #log;
  #report;
  /** @type {import('../host/engine-base').Engine | null} */
  #engine = null;
  /** why it is over @type {Error | null} */
  #over = null;
  /** called when it is over @type {Set<(error: Error) => void>} */
  #ends = new Set();
  /** called when the engine is there (again) @type {Set<() => void>} */
  #ups = new Set();

  /** why nothing can be sent at the moment @type {string | null} */
  trouble = 'its log is not open yet';

  /** @param {string} cluster @param {string} log @param {(sentence: string) => void} report what an operator must look at */
  constructor(cluster, log, report) {
    this.#cluster = cluster;
    this.#log = log;
    this.#report = report;
  }

  /** Its name in messages. */
  get name() {
    return this.#engine?.name ?? 'the cluster';
  }

  /** @returns {Promise<void>} when the engine is there; rejects if waiting does not help */
  async open() {
    for (;;) {
      if (this.#over !== null) throw this.#over;
      try {
        this.#engine = await openEngine(this.#cluster, { requestMs: REQUEST_MS });
        break;
      } catch (error) {
        const { code, message } = /** @type {any} */ (error);
        if (code !== 'IGNIS_ENGINE_DOWN') throw error;
        this.trouble = `its log is out of reach (${message})`;
      }
      await this.#pause();
    }
    this.#engine.status(({ state, error }) => {
      this.trouble = state === 'up' ? null : `its log is out of reach (${error?.message ?? state})`;
      if (state === 'up') for (const up of [...this.#ups]) up();
    });
  }

  /**
   * @template T
   * @param {(resolve: (value: T) => void) => () => void} begin gives a function that ends the wait
   * @returns {Promise<T>} rejects when it is over
   */
  #wait(begin) {
    return new Promise((resolve, reject) => {
      if (this.#over !== null) return reject(this.#over);
      /** @type {() => void} */
      let stop = () => {};
      const settle = (/** @type {() => void} */ tell) => {
        stop();
        this.#ends.delete(end);
        tell();
      };
      const end = (/** @type {Error} */ error) => settle(() => reject(error));
      this.#ends.add(end);
      stop = begin((value) => settle(() => resolve(value)));
    });
  }

  /** @template T @param {Promise<T>} promise @returns {Promise<T>} rejects when it is over */
  until(promise) {
    return this.#wait((/** @type {(value: T) => void} */ resolve) => {
      void promise.then(resolve);
      return () => {};
    });
  }

  #pause() {
    return this.#wait((/** @type {(value: void) => void} */ resolve) => {
      const timer = setTimeout(resolve, AGAIN_MS);
      return () => clearTimeout(timer);
    });
  }

  /** @returns {Promise<void>} when the engine is there; rejects when it is over */
  async whenUp() {
    if (this.#over !== null) throw this.#over;
    if (this.#engine?.state === 'up') return;
    await this.#wait((/** @type {(value: void) => void} */ resolve) => {
      this.#ups.add(resolve);
      return () => void this.#ups.delete(resolve);
    });
  }

  /**
   * @param {Uint8Array} bytes
   * @param {string} id
   * @param {Promise<any>} seen settles when it was met in the log
   * @returns {Promise<void>} when it is in the log; rejects when it certainly is not, or when all is over
   */
  async put(bytes, id, seen) {
    let mayBeThere = false;
    for (;;) {
      await this.whenUp();
      const answer = await this.#wait((/** @type {(value: any) => void} */ resolve) => {
        void this.#try(bytes, id).then(resolve);
        void seen.then(() => resolve('there'));
        // What was asked before a connection was lost is answered late, or never.
        const up = () => resolve('again');
        this.#ups.add(up);
        return () => void this.#ups.delete(up);
      });
      if (answer === 'there') return;
      if (answer !== 'again') {
        if (answer.code !== 'IGNIS_ENGINE_DOWN' && !mayBeThere) throw answer;
        await Promise.race([this.#pause(), seen]);
      }
      mayBeThere ||= answer === 'again' || answer.ran !== 'no';
    }
  }

  /** @param {Uint8Array} bytes @param {string} id @returns {Promise<any>} 'there', or why not */
  async #try(bytes, id) {
    try {
      await /** @type {any} */ (this.#engine).append(this.#log, bytes, { id, withinMs: 0 });
      return 'there';
    } catch (error) {
      return error;
    }
  }

  /** Sends it once; nobody waits for it. @param {Uint8Array} bytes @returns {Promise<any>} */
  tell(bytes) {
    return this.#engine?.state === 'up' ? this.#try(bytes, randomUUID()) : Promise.resolve();
  }

  /**
   * @param {number} afterSeq
   * @param {(entry: EngineEntry) => void} onEntry
   * @param {import('../host/engine-base').Told} told
   * @returns {() => void} ends it
   */
  follow(afterSeq, onEntry, told) {
    const engine = /** @type {import('../host/engine-base').Engine} */ (this.#engine);
    return engine.follow(this.#log, afterSeq, onEntry, { ...told, warn: this.#report });
  }

  /** @param {number} seq @returns {AsyncGenerator<EngineEntry>} records after it, without end; rejects when it is over */
  async *after(seq) {
    /** @type {EngineEntry[]} */
    let come = [];
    /** @type {Error | null} */
    let lost = null;
    let wake = () => {};
    const stop = this.follow(
      seq,
      (entry) => {
        come.push(entry);
        wake();
      },
      {
        isLetIn: true,
        onLost: (error) => {
          lost = error;
          wake();
        },
      },
    );
    try {
      for (;;) {
        if (lost !== null) throw lost;
        const some = come;
        come = [];
        yield* some;
        if (come.length === 0 && lost === null)
          await this.#wait((/** @type {(value: void) => void} */ resolve) => {
            wake = resolve;
            return () => (wake = () => {});
          });
      }
    } finally {
      stop();
    }
  }

  /** @param {number} seq @returns {Promise<void>} when it was tried; what is not forgotten now will be next time */
  async trim(seq) {
    if (seq > 0) await this.#engine?.trim(this.#log, seq).catch(() => {});
  }

  /** All who wait are told. @param {Error} error */
  end(error) {
    if (this.#over !== null) return;
    this.#over = error;
    for (const end of [...this.#ends]) end(error);
  }

  /** @param {Uint8Array | null} last what to tell at the end */
  async close(last) {
    this.end(new Error('the file system was closed'));
    const leave = async () => {
      if (last !== null) await this.tell(last);
      await this.#engine?.close();
    };
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
    await Promise.race([leave().catch(() => {}), late]);
    clearTimeout(timer);
  }
}

exports.ClusterLink = ClusterLink;
