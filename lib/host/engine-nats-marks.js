'use strict';
/*
 * The marks of records that were deleted: NATS keeps one for each, for good, and whoever begins to watch reads them all. In: entries of a
 * look. Out: those are taken away that have stood there for so long that whoever watches has seen them, one after another. Of a key that
 * has a record again nothing goes. That it may not, or cannot now, is no failure: the next look finds them again.
 */

/** Clocks of servers may be far from ours, ms. */
const SEEN_MS = 3_600_000;
/** Of one look; the next one takes more. */
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
