'use strict';
/*
 * A relay of datagrams that does to them what a bad network does, by a seed: drops, doubles, delays past later ones, changes bits, and
 * sends old ones again. In: where to. Out: a port, what it did, and an end.
 */
const dgram = require('node:dgram');

const OLD = 50;

class LossyRelay {
  #socket = dgram.createSocket('udp4');
  #to;
  #random;
  /** @type {Buffer[]} */
  #held = [];
  /** @type {Buffer[]} */
  #old = [];

  /** keeps all that comes until it is released */
  isHolding = false;
  /** what it did to how many */
  did = { passed: 0, dropped: 0, doubled: 0, delayed: 0, changed: 0, replayed: 0, garbage: 0 };

  /** @param {number} to port @param {() => number} random 0 to 1 */
  constructor(to, random) {
    this.#to = to;
    this.#random = random;
    this.#socket.on('message', (datagram) => this.#take(Buffer.from(datagram)));
  }

  /** @returns {Promise<number>} its port */
  async open() {
    await new Promise((resolve) => this.#socket.bind(0, '127.0.0.1', () => resolve(null)));
    return this.#socket.address().port;
  }

  close() {
    return new Promise((resolve) => this.#socket.close(() => resolve(null)));
  }

  /** @param {Buffer} datagram */
  #take(datagram) {
    if (this.isHolding) return void this.#held.push(datagram);
    const chance = this.#random();
    if (this.#old.push(datagram) > OLD) this.#old.shift();
    if (chance < 0.15) this.did.dropped += 1;
    else if (chance < 0.3) this.#send('doubled', datagram, datagram);
    else if (chance < 0.45) {
      this.did.delayed += 1;
      this.#held.push(datagram);
    } else if (chance < 0.6) {
      const other = Buffer.from(datagram);
      other[Math.floor(this.#random() * other.length)] ^= 1 << Math.floor(this.#random() * 8);
      this.#send('changed', other);
    } else this.#send('passed', datagram);
    if (chance > 0.9) this.#send('replayed', this.#old[Math.floor(this.#random() * this.#old.length)]);
    if (chance > 0.8) this.#send('garbage', Buffer.from(Array.from({ length: 60 }, () => Math.floor(this.#random() * 256))));
    if (this.#held.length > 3) this.release();
  }

  /** What it held back goes on, the last one first. */
  release() {
    this.isHolding = false;
    for (const one of this.#held.splice(0).reverse()) this.#socket.send(one, this.#to, '127.0.0.1');
  }

  /** @param {keyof LossyRelay['did']} what @param {Buffer[]} datagrams */
  #send(what, ...datagrams) {
    this.did[what] += 1;
    for (const one of datagrams) this.#socket.send(one, this.#to, '127.0.0.1');
  }
}

exports.LossyRelay = LossyRelay;
