'use strict';

// A wiki on a free port with a folder of its own, and somebody who uses it.

const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { createServer } = require('../../examples/wiki/server.js');

class WikiClient {
  /**
   * @param {import('node:http').Server} server listening
   * @param {string} data
   */
  constructor(server, data) {
    this.server = server;
    this.data = data;
    this.url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
    this.cookie = '';
  }

  /** @returns {Promise<WikiClient>} */
  static async start() {
    const data = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-wiki-test-'));
    const server = (await createServer({ data })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WikiClient(server, data);
  }

  async end() {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
    fs.rmSync(this.data, { recursive: true });
  }

  /**
   * @param {string} address
   * @param {RequestInit} [init]
   */
  async get(address, init = {}) {
    const response = await fetch(this.url + address, { redirect: 'manual', ...init, headers: { cookie: this.cookie, ...init.headers } });
    return { status: response.status, location: response.headers.get('location'), headers: response.headers, text: await response.text() };
  }

  /**
   * @param {string} address
   * @param {Record<string, string>} fields
   */
  post(address, fields) {
    return this.get(address, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /**
   * @param {string} address /sign-up or /sign-in
   * @param {string} name
   * @param {string} password
   */
  async enter(address, name, password) {
    const answer = await this.post(address, { name, password, next: '/wiki/Raft' });
    const cookie = answer.headers.get('set-cookie');
    if (cookie !== null) this.cookie = cookie.split(';')[0];
    return answer;
  }

  /** @param {string} name of a page */
  async form(name) {
    const { text } = await this.get(`/wiki/${name}/edit`);
    const field = (/** @type {string} */ key) => new RegExp(`name="${key}" value="([^"]*)"`).exec(text)?.[1] ?? '';
    return { token: field('token'), base: field('base'), body: text };
  }

  /**
   * @param {string} name of a page
   * @param {string} text
   */
  async save(name, text) {
    const { token, base } = await this.form(name);
    return this.post(`/wiki/${name}`, { token, base, text, comment: 'from a test' });
  }
}

exports.WikiClient = WikiClient;
