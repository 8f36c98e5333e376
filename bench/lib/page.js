'use strict';

// Somebody who has the page of a program open, as far as the program can tell: a browser's WebSocket, that reads what comes.
// In: the address that the program printed. Out: how often it was sent a snapshot, and what was in the last one that was asked for.

const { once } = require('node:events');
const { WebSocket } = require('ws');

class OpenPage {
  /** @type {WebSocket} */
  #socket;
  snapshots = 0;

  /** @param {string} address of the page @returns {Promise<OpenPage>} it is open */
  static async open(address) {
    const page = new OpenPage(address);
    await once(page.#socket, 'open');
    return page;
  }

  /** @param {string} address */
  constructor(address) {
    this.#socket = new WebSocket(new URL('live', address.replace(/^http/, 'ws')), { origin: new URL(address).origin });
    this.#socket.on('message', () => this.snapshots++);
    // That the program ends first is no news to anybody here.
    this.#socket.on('error', () => {});
  }

  /** @returns {Promise<any>} the next snapshot; what comes at other times is not parsed, since a browser would do that elsewhere */
  async next() {
    const [data] = await once(this.#socket, 'message');
    return JSON.parse(String(data)).snapshot;
  }

  close() {
    this.#socket.terminate();
  }
}

exports.OpenPage = OpenPage;
