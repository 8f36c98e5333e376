'use strict';
/*
 * Pairs of streams for tests: what is written to one end comes out of the other. In: nothing. Out: two ends.
 */
const { Duplex } = require('node:stream');
const net = require('node:net');
const { once } = require('node:events');

/** What the channel asks of a socket beyond a stream. */
class End extends Duplex {
  /** @type {End | null} */
  other = null;
  /** @type {Buffer[]} each write as it came */
  writes = [];
  refs = 0;
  /** @type {(() => void) | null} while the other end does not read */
  #wait = null;

  constructor() {
    super({ writableHighWaterMark: 16384, allowHalfOpen: true });
  }

  _write(chunk, _encoding, done) {
    this._writev([{ chunk }], done);
  }

  _writev(chunks, done) {
    const bytes = Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk)));
    this.writes.push(bytes);
    if (this.other.push(bytes)) setImmediate(done);
    else this.other.#wait = done;
  }

  _read() {
    const wait = this.#wait;
    this.#wait = null;
    if (wait !== null) setImmediate(wait);
  }

  _final(done) {
    this.other.push(null);
    done();
  }

  _destroy(error, done) {
    if (this.other !== null && !this.other.destroyed) this.other.push(null);
    done(error);
  }

  ref() {
    this.refs += 1;
  }
  unref() {
    this.refs -= 1;
  }
}

/** @returns {[End, End]} joined in memory */
function duplexPair() {
  const [one, two] = [new End(), new End()];
  one.other = two;
  two.other = one;
  return [one, two];
}

/** @returns {Promise<[net.Socket, net.Socket]>} joined over loopback */
async function socketPair() {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const one = net.connect(/** @type {net.AddressInfo} */ (server.address()).port, '127.0.0.1');
  const [two] = await accepted;
  server.close();
  return [one, two];
}

exports.duplexPair = duplexPair;
exports.socketPair = socketPair;
