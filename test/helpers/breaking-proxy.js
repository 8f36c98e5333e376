'use strict';
/*
 * A middle box that ends links as it likes: after so many bytes, in the middle of whatever they are, by an end or a reset; or holds what
 * comes, and delivers it later. In: where to, and how many bytes each link may carry. Out: a port, how many it ended.
 */
const net = require('node:net');
const { once } = require('node:events');

class BreakingProxy {
  #sockets = new Set();
  #server;
  #port;
  #budget;
  #isHolding = false;
  breaks = 0;
  links = 0;

  /**
   * @param {number} port on loopback
   * @param {() => number} budget bytes in both directions that the next link may carry; Infinity: it is left alone
   */
  constructor(port, budget = () => Infinity) {
    this.#port = port;
    this.#budget = budget;
    this.#server = net.createServer({ noDelay: true }, (near) => this.#join(near));
  }

  /** @param {number} port @param {() => number} [budget] */
  static async open(port, budget) {
    const proxy = new BreakingProxy(port, budget);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port() {
    return this.#server.address().port;
  }
  get count() {
    return this.#sockets.size / 2;
  }

  /** From now on, for new links. @param {() => number} budget */
  set budget(budget) {
    this.#budget = budget;
  }

  /** All links, now. */
  breakAll() {
    for (const socket of [...this.#sockets]) this.#end(socket);
  }

  /** While it is so, nothing comes through, of new links neither, not even an end; then all of it does. @param {boolean} isHolding */
  set isHolding(isHolding) {
    this.#isHolding = isHolding;
    for (const socket of this.#sockets) isHolding ? socket.pause() : socket.resume();
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** @param {net.Socket} near */
  #join(near) {
    this.links += 1;
    const far = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    let left = this.#budget();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      this.#sockets.add(from);
      from.other = to;
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        const passed = bytes.subarray(0, Math.max(0, left));
        left -= bytes.length;
        to.write(passed);
        if (left < 0) this.#end(from);
      });
      if (this.#isHolding) from.pause();
    }
  }

  /** @param {any} socket */
  #end(socket) {
    if (!this.#sockets.has(socket) || socket.destroyed || socket.other.destroyed) return;
    this.breaks += 1;
    for (const one of [socket, socket.other]) {
      if (this.breaks % 2 === 0) one.resetAndDestroy();
      else one.destroy();
    }
  }
}

exports.BreakingProxy = BreakingProxy;
