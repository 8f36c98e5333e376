'use strict';
/*
 * The ordered log of a root, kept by the engine of a cluster (log.js keeps one in files). In: operations. Out: their numbers, in order
 * without gaps. An entry is handed out when its record is met in the log, after all earlier ones, and not when the engine has answered:
 * only the log shows that nobody else has taken it over (cluster-order.js). A program that has lost the log, or finds a gap, stops; nothing
 * is rewound.
 */
const { randomBytes, randomUUID } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const process = require('node:process');
const v8 = require('node:v8');
const { ClusterLink } = require('./cluster-link');
const { ClusterOrder } = require('./cluster-order');
const { ClusterQueue } = require('./cluster-queue');
const { decodeRecord, encodeRecord } = require('./cluster-record');
const { ClusterState } = require('./cluster-state');
const { Log } = require('./log');
const { isGone, sinceOf, spaceOf } = require('../host/processes');
const { Map, Promise, clearTimeout, setTimeout } = require('../engine');

/** How much is also kept here, so that a node that comes back gets it while the engine is away. */
const RECENT_BYTES = 4 * 1024 * 1024;
const OBJECT_MS = 3000;
const TOKEN_BYTES = 12;

/** @typedef {import('./cluster-record').LogRecord} LogRecord */
/** @typedef {import('./log').OrderedLog} OrderedLog */

/** @returns {import('./cluster-record').Who} this program */
function ourselves() {
  const host = os.hostname();
  // Without Linux, the name must do.
  return { machine: `${host} ${spaceOf()}`, host, pid: process.pid, begin: sinceOf(process.pid) };
}

/** @param {import('./cluster-record').Who | null} who */
function nameOf(who) {
  return who === null ? 'another program' : `process ${who.pid} on ${who.host}`;
}

/** @implements {OrderedLog} */
class ClusterLog {
  #folder;
  #isSync;
  #objectMs;
  #state;
  #link;
  #order;
  #me = randomBytes(TOKEN_BYTES).toString('hex');
  /** what the root had before: this log continues it @type {Log | null} */
  #before = null;
  #head = 0;
  #queue;
  /** the last entries @type {{number: number, bytes: Uint8Array}[]} */
  #recent = [];
  #recentBytes = 0;
  /** @type {Map<string, (met: {counts: boolean, seq: number}) => void>} records on their way, by id */
  #met = new Map();
  /** @type {Error | null} */
  #over = null;
  /** called when somebody else has said that the log is theirs */
  #object = () => {};

  /** @type {(why: string) => void} */
  onLost = () => {};

  /**
   * @param {object} given
   * @param {string} given.folder of the root's state
   * @param {string} given.cluster
   * @param {boolean} given.isSync for the log in files that it had before
   * @param {(sentence: string) => void} [given.report] what an operator must look at
   * @param {number} [given.objectMs] how long the log's owner may take to answer a claim
   */
  constructor({ folder, cluster, isSync, report = () => {}, objectMs = OBJECT_MS }) {
    this.#folder = folder;
    this.#isSync = isSync;
    this.#objectMs = objectMs;
    this.#state = new ClusterState(folder);
    this.#order = new ClusterOrder(this.#state.known.position);
    this.#link = new ClusterLink(cluster, `fs-${this.#state.known.id}`, report);
    this.#queue = new ClusterQueue(this.#link, async (entries, id) => {
      await this.#put({ kind: 'entries', token: this.#me, turn: this.#order.turn + 1, first: this.#head + 1, entries }, id);
    });
  }

  get trouble() {
    return this.#link.trouble;
  }

  get head() {
    return this.#before?.head ?? this.#head;
  }

  get first() {
    return this.#before?.first ?? this.#order.first;
  }

  /** @returns {Promise<boolean>} whether there was a log */
  async open() {
    await this.#link.open();
    await this.#readAll();
    await this.#takeOver();
    this.#head = this.#order.head;
    if (this.#state.known.position.token !== null || this.#order.hasBegun) return true;
    const before = new Log(path.join(this.#folder, 'log'), this.#isSync);
    const wasThere = await before.open();
    if (wasThere) this.#before = before;
    return wasThere;
  }

  /** @returns {Promise<void>} when all that was there is known; from then on it is followed */
  #readAll() {
    return new Promise((resolve, reject) => {
      this.#link.follow(this.#order.seq, (entry) => this.#came(entry), {
        onReady: resolve,
        onLost: (error) => {
          const { code, message } = /** @type {any} */ (error);
          const what =
            code === 'IGNIS_LOG_GAP'
              ? 'the log does not hold what this root has written, or no longer does'
              : 'the log cannot be gone on with';
          const lost = new Error(`${what} (${message})`);
          reject(lost);
          this.#lose(lost);
        },
      });
    });
  }

  /** @returns {Promise<void>} when the log is ours */
  async #takeOver() {
    const { mine } = this.#state.known;
    const { token: last, isEnded, who: taker } = this.#order;
    const known = mine.find(({ token }) => token === last);
    if (last !== null && known === undefined) throw taken(nameOf(taker));
    if (known !== undefined && !isEnded) await this.#askFor(known.who);
    const who = ourselves();
    this.#state.write({ mine: [...mine, { token: this.#me, who }] });
    const { counts } = await this.#put({ kind: 'take', token: this.#me, after: last, who });
    if (!counts) throw taken(nameOf(this.#order.who));
  }

  /** Whether the program that last had the log is still there. @param {import('./cluster-record').Who} who */
  async #askFor(who) {
    const own = ourselves();
    const isThere = new Error(`${nameOf(who)} already has its log: two programs, perhaps on copies of one root, would not see the same`);
    if (who.machine === own.machine && who.pid !== own.pid) {
      if (!isGone({ pid: who.pid, since: who.begin })) throw isThere;
      return;
    }
    /** @type {Promise<boolean>} */
    const objected = new Promise((resolve) => (this.#object = () => resolve(true)));
    await this.#put({ kind: 'claim', token: this.#me });
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const silence = new Promise((resolve) => (timer = setTimeout(() => resolve(false), this.#objectMs)));
    const isObjected = await Promise.race([objected, silence]);
    clearTimeout(timer);
    if (isObjected) throw isThere;
  }

  /** @param {import('../host/engine-base').Entry} entry */
  #came({ seq, bytes, id }) {
    const record = decodeRecord(bytes, this.#state.known.key);
    const wasOurs = this.#order.token === this.#me;
    const counts = this.#order.take(record, seq);
    if (wasOurs && this.#order.token !== this.#me) throw taken(nameOf(this.#order.who));
    if (record.kind === 'claim' && wasOurs) void this.#link.tell(this.#encode({ kind: 'here', token: this.#me, to: record.token }));
    if (record.kind === 'here' && record.to === this.#me) this.#object();
    if (record.kind === 'entries' && counts && wasOurs) this.#handOut(id);
    this.#met.get(id)?.({ counts, seq });
  }

  /** @param {string} id of a record of entries that is now in the log */
  #handOut(id) {
    const items = this.#queue.arrived(id);
    if (items === null) throw new Error('it holds entries that this program does not know');
    for (const { bytes, settle } of items) {
      this.#head += 1;
      this.#keep(bytes);
      settle(this.#head);
    }
  }

  /** @param {Uint8Array} bytes of the last entry */
  #keep(bytes) {
    this.#recent.push({ number: this.#head, bytes });
    this.#recentBytes += bytes.length;
    while (this.#recentBytes > RECENT_BYTES) this.#recentBytes -= /** @type {any} */ (this.#recent.shift()).bytes.length;
  }

  /** @param {LogRecord} record */
  #encode(record) {
    return encodeRecord(record, this.#state.known.key);
  }

  /**
   * @param {LogRecord} record
   * @param {string} [id]
   * @returns {Promise<{counts: boolean, seq: number}>} what became of it in the log; rejects when it is certainly not there, or when all is
   *   over
   */
  async #put(record, id = randomUUID()) {
    /** @type {Promise<{counts: boolean, seq: number}>} */
    const met = new Promise((resolve) => this.#met.set(id, resolve));
    try {
      await this.#link.put(this.#encode(record), id, met);
      return await this.#link.until(met);
    } finally {
      this.#met.delete(id);
    }
  }

  /** Begins a log anew, after a number: what came before is forgotten. @param {number} head */
  async begin(head) {
    await this.idle();
    const turn = this.#order.turn + 1;
    const { seq } = await this.#put({ kind: 'begin', token: this.#me, turn, head });
    this.#head = head;
    const mine = this.#state.known.mine.filter(({ token }) => token === this.#me);
    this.#state.write({ position: { seq, token: this.#me, turn, head }, mine });
    [this.#recent, this.#recentBytes] = [[], 0];
    await this.#before?.close();
    this.#before = null;
    fs.rmSync(path.join(this.#folder, 'log'), { recursive: true, force: true });
    // This record stays: a log without any could be taken for a lost one.
    await this.#link.trim(seq - 1);
  }

  /** @type {import('./log').Append} */
  append(entry, handOut, end) {
    if (this.#before !== null) return this.#before.append(entry, handOut);
    return this.#queue.append(entry, handOut, end);
  }

  idle() {
    return this.#queue.idle();
  }

  /** @param {number} number @returns {AsyncGenerator<{number: number, entry: any}>} entries from there on, up to the head */
  async *from(number) {
    if (this.#before !== null) return yield* this.#before.from(number);
    const last = this.#head;
    if (number >= (this.#recent[0]?.number ?? Infinity)) {
      for (const { number: at, bytes } of this.#recent.slice(number - this.#recent[0].number))
        yield { number: at, entry: v8.deserialize(bytes) };
      return;
    }
    const batches = new Map(this.#order.batches.filter(({ last: end }) => end >= number).map((batch) => [batch.seq, batch]));
    const [begin] = batches.keys();
    if (begin === undefined) return;
    for await (const { seq, bytes } of this.#link.after(begin - 1)) {
      const batch = batches.get(seq);
      if (batch === undefined) continue;
      const { entries } = /** @type {import('./cluster-record').Entries} */ (decodeRecord(bytes, this.#state.known.key));
      for (const [i, entry] of entries.entries())
        if (batch.first + i >= number && batch.first + i <= last) yield { number: batch.first + i, entry: v8.deserialize(entry) };
      if (batch.last >= last) return;
    }
  }

  /** Entries below a number are removed, a record at a time. @param {number} number */
  async trim(number) {
    if (this.#before !== null || this.#over !== null) return;
    const gone = this.#order.forget(number);
    if (gone === null) return;
    this.#state.write({ position: { seq: gone.seq, token: this.#me, turn: gone.turn, head: gone.last } });
    await this.#link.trim(gone.seq);
  }

  /** It can never be continued. @param {Error} error */
  #lose(error) {
    if (this.#over !== null) return;
    this.#end(error);
    this.onLost(error.message);
  }

  /** @param {Error} error */
  #end(error) {
    this.#over = error;
    this.#queue.end(error);
    this.#link.end(error);
  }

  async close() {
    const isOurs = this.#over === null && this.#order.token === this.#me;
    if (this.#over === null) this.#end(new Error('the file system was closed'));
    await this.#before?.close();
    await this.#link.close(isOurs ? this.#encode({ kind: 'end', token: this.#me }) : null);
  }
}

/** @param {string} who */
function taken(who) {
  return new Error(
    `its log was taken up by ${who}, which has another copy of this root, or the end of the log is lost; what is here is not changed any more`,
  );
}

exports.ClusterLog = ClusterLog;
