'use strict';
/*
 * One client of this program's monitor socket. In: requests, one line of JSON each. Out: answers, and snapshots while it watches; see
 * docs/top.md. A line that is too long or no request ends this link, never the program. A client that reads too slowly misses snapshots,
 * and costs no memory.
 */
const { IgnisError } = require('../errors');
const { TextLines, toLine } = require('./text-lines');
const { JSON, Map, isSafeInteger } = require('../engine');

/** Version of what is spoken; both sides must have the same. */
const VERSION = 1;

/** A request is short. */
const MOST_REQUEST_BYTES = 64 * 1024;

/** With more than this unread, a watcher gets no more snapshots, and a request no answer yet, bytes. */
const MOST_UNREAD_BYTES = 1024 * 1024;

const MOST_WATCHES = 4;
const MOST_PENDING = 16;

class MonitorLink {
  #socket;
  #feed;
  #onEnd;
  #lines = new TextLines(MOST_REQUEST_BYTES);
  /** @type {Map<number, () => void>} ends each watch, by the id of its request */
  #watches = new Map();
  #pending = 0;
  /** @type {Record<string, any>[]} requests that wait until what was sent before is read */
  #waiting = [];
  #isEnded = false;

  /**
   * @param {import('node:net').Socket} socket
   * @param {{feed: () => import('./feed').Feed, hello: object, onEnd: () => void}} given
   */
  constructor(socket, { feed, hello, onEnd }) {
    this.#socket = socket;
    this.#feed = feed;
    this.#onEnd = onEnd;
    socket.unref();
    socket.on('error', () => this.end());
    socket.on('close', () => this.end());
    socket.on('data', (chunk) => this.#take(/** @type {any} */ (chunk)));
    socket.on('drain', () => this.#goOn());
    this.#send({ ignis: 'monitor', version: VERSION, ...hello });
  }

  /** Idempotent. @param {boolean} [isNow] what was written and not read yet is lost */
  end(isNow = true) {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const stop of this.#watches.values()) stop();
    this.#watches.clear();
    if (isNow) this.#socket.destroy();
    this.#onEnd();
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    if (this.#isEnded) return;
    try {
      this.#waiting.push(...this.#lines.push(chunk));
    } catch (error) {
      return this.#refuse(error);
    }
    this.#goOn();
  }

  /** Answers no faster than the other end reads. */
  #goOn() {
    try {
      while (!this.#isEnded && this.#waiting.length > 0 && this.#isRead()) this.#answer(/** @type {any} */ (this.#waiting.shift()));
    } catch (error) {
      return this.#refuse(error);
    }
    if (this.#isEnded) return;
    if (this.#waiting.length > 0) this.#socket.pause();
    else this.#socket.resume();
  }

  #isRead() {
    return this.#socket.writableLength <= MOST_UNREAD_BYTES;
  }

  /** Says why, and ends the link. @param {any} error */
  #refuse(error) {
    if (this.#isEnded) return;
    this.#socket.write(toLine({ id: null, error: described(error) }));
    // Destroying it at once would lose what was just written.
    this.#socket
      .removeAllListeners('data')
      .resume()
      .end(() => this.#socket.destroy());
    this.end(false);
  }

  /** @param {Record<string, any>} request @throws {IgnisError} IGNIS_BAD_FRAME, IGNIS_VERSION_MISMATCH: the link cannot go on */
  #answer(request) {
    const { id, version, ask } = request;
    if (!isSafeInteger(id) || id < 0) throw new IgnisError('IGNIS_BAD_FRAME', 'a request has no id');
    if (version !== VERSION)
      throw new IgnisError(
        'IGNIS_VERSION_MISMATCH',
        `this program speaks version ${VERSION} of the monitor's protocol, not ${JSON.stringify(version)}`,
      );
    if (typeof ask !== 'string') throw new IgnisError('IGNIS_BAD_FRAME', 'a request asks nothing');
    try {
      const result = this.#serve(ask, id, request);
      if (typeof result?.then !== 'function') return this.#send({ id, result });
      if (this.#pending >= MOST_PENDING) throw new IgnisError('IGNIS_QUEUE_FULL', `${MOST_PENDING} requests of this link are being served`);
      this.#pending += 1;
      result
        .then((/** @type {any} */ later) => this.#send({ id, result: later }))
        .catch((/** @type {any} */ error) => this.#send({ id, error: described(error) }))
        .finally(() => (this.#pending -= 1));
    } catch (error) {
      this.#send({ id, error: described(error) });
    }
  }

  /** @param {string} ask @param {number} id @param {Record<string, any>} request @returns {any} */
  #serve(ask, id, { everyMs, boundary, wish, brief, watch }) {
    const feed = this.#feed();
    if (ask === 'snapshot') return shown(feed.snapshot(), brief === true);
    if (ask === 'detail') return feed.detail(asText(boundary));
    if (ask === 'history') return feed.history();
    if (ask === 'report') return feed.report();
    if (ask === 'act') return feed.act(wish);
    if (ask === 'watch') return this.#watch(id, everyMs, brief === true);
    if (ask === 'stop') {
      this.#watches.get(watch)?.();
      return { stopped: this.#watches.delete(watch) };
    }
    throw new IgnisError(
      'IGNIS_BAD_OPTION',
      `nobody can ask for '${ask.slice(0, 40)}'; there are snapshot, watch, stop, detail, history, report, act`,
    );
  }

  /** @param {number} id @param {unknown} everyMs @param {boolean} isBrief */
  #watch(id, everyMs, isBrief) {
    if (this.#watches.has(id)) throw new IgnisError('IGNIS_BAD_OPTION', `watch ${id} is already running`);
    if (this.#watches.size >= MOST_WATCHES) throw new IgnisError('IGNIS_QUEUE_FULL', `${MOST_WATCHES} watches of one link at most`);
    const every = typeof everyMs === 'number' && everyMs > 0 ? everyMs : 1000;
    const stop = this.#feed().watch(every, (snapshot) => {
      if (this.#isRead()) this.#send({ id, snapshot: shown(snapshot, isBrief) });
    });
    this.#watches.set(id, stop);
    return { everyMs: every };
  }

  /** @param {object} record */
  #send(record) {
    if (!this.#isEnded) this.#socket.write(toLine(record));
  }
}

/** What a table needs, without every function of every boundary. @param {any} snapshot @param {boolean} isBrief */
function shown(snapshot, isBrief) {
  if (!isBrief) return snapshot;
  return { ...snapshot, boundaries: snapshot.boundaries.map((/** @type {any} */ { functions: _functions, kinds: _kinds, ...one }) => one) };
}

/** @param {unknown} value @throws {IgnisError} IGNIS_BAD_OPTION */
function asText(value) {
  if (typeof value === 'string') return value;
  throw new IgnisError('IGNIS_BAD_OPTION', 'a boundary is named by its id, a string', { field: 'boundary' });
}

/** @param {any} error */
function described(error) {
  return { code: error instanceof IgnisError ? error.code : null, message: String(error?.message ?? error), nearest: error?.nearest };
}

exports.MonitorLink = MonitorLink;
exports.VERSION = VERSION;
