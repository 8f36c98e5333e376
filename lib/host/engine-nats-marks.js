'use strict';
/*
 * Removes the marks of deleted records: NATS keeps one for each, for good, and every new watcher reads them all. In: entries of a look.
 * Out: marks are removed, one after another, that have been there long enough for every watcher to have seen them. Nothing goes if the key
 * has a record again. If it may not remove them, or cannot now, that is no failure: the next look finds them again.
 */

/** How old a mark must be, ms: clocks of servers may differ much from ours. */
const SEEN_MS = 3_600_000;
/** Most marks of one look; the next one takes more. */
const MOST = 10_000;

class NatsMarks {
  #jsm;
  #stream;
  /** @type {{subject: string, seq: number}[]} */
  #noted = [];

  /** @param {any} jsm @param {string} stream */
  constructor(jsm, stream) {
    this.#jsm = jsm;
    this.#stream = stream;
  }

  /** @param {any} entry of the client: a mark */
  note({ subject, seq, time }) {
    if (this.#noted.length < MOST && Date.now() - time.getTime() > SEEN_MS) this.#noted.push({ subject, seq });
  }

  /** All were seen. @returns {Promise<void>} never rejects */
  async takeAway() {
    try {
      for (const { subject, seq } of this.#noted.splice(0)) await this.#jsm.streams.purge(this.#stream, { filter: subject, seq: seq + 1 });
    } catch {
      // As above.
    }
  }
}

exports.NatsMarks = NatsMarks;
