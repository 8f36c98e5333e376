'use strict';
/*
 * Requests to etcd over its JSON gateway (the v3 API over HTTP, as each server offers it), with Node's own http or https. In: a path and a
 * body, bytes as base64, large numbers as text. Out: the answer, or an IgnisError. If a server does not answer, the next in the list is
 * used, by streams too; a request is never sent twice. Idle sockets and streams keep no program alive.
 */
const http = require('node:http');
const https = require('node:https');
const { IgnisError } = require('../errors.js');
const { checkServer } = require('./engine-identity.js');
const { JSON, Promise, Set, clearTimeout, setTimeout } = require('../engine');

const MOST_BYTES = 64 * 1024 * 1024;
/** gRPC's numbers for: invalid argument, not found, permission denied, failed precondition, unauthenticated. */
const REFUSALS = [3, 5, 7, 9, 16];
const UNAUTHENTICATED = 16;
/**
 * Said of a token that carries a revision of users and roles (JWT), as soon as any of these have changed; its code is 'invalid argument'.
 */
const OUTDATED = /revision of auth store is old/;
/** What a full server says, to everybody, until somebody makes room. */
const FULL = /database space exceeded/;
const FULL_ADVICE =
  'it keeps every past version of its records, unless it is started with --auto-compaction-retention (docs/hosts-engine.md)';

class EtcdServers {
  #address;
  #name;
  #requestMs;
  #agent;
  #at = 0;
  /** @type {Promise<string> | null} */
  #token = null;
  /** open ones, with whoever hears them @type {Set<{at: number, destroy: () => void}>} */
  #streams = new Set();

  /**
   * @param {import('./engine-url.js').EngineAddress} address
   * @param {{name: string, requestMs: number}} settings
   */
  constructor(address, { name, requestMs }) {
    this.#address = address;
    this.#name = name;
    this.#requestMs = requestMs;
    this.#agent = address.tls
      ? new https.Agent({ keepAlive: true, checkServerIdentity: checkServer, ...address.tls })
      : new http.Agent({ keepAlive: true });
  }

  /**
   * @param {string} path 'kv/range'
   * @param {object} body
   * @returns {Promise<any>}
   * @throws {IgnisError} IGNIS_ENGINE_DOWN, IGNIS_ENGINE_REFUSED
   */
  async ask(path, body) {
    try {
      return await this.#once(path, body, await this.#authenticate());
    } catch (error) {
      if (!this.#isOld(error)) throw error;
      return this.#once(path, body, await this.#authenticate());
    }
  }

  /** @param {any} error @returns {boolean} whether another token may be taken instead, as is done next time */
  #isOld({ grpc, message }) {
    if (this.#address.user === undefined || !(grpc === UNAUTHENTICATED || OUTDATED.test(message))) return false;
    this.#token = null;
    return true;
  }

  /** @returns {Promise<string>} '' if no user is named */
  #authenticate() {
    const { user, password } = this.#address;
    if (user === undefined) return Promise.resolve('');
    this.#token ??= this.#once('auth/authenticate', { name: user, password: password ?? '' }, '').then(
      ({ token }) => token,
      (error) => {
        this.#token = null;
        throw error;
      },
    );
    return this.#token;
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {string} token
   * @returns {Promise<any>}
   */
  #once(path, body, token) {
    const at = this.#at;
    return new Promise((resolve, reject) => {
      const request = this.#request(path, token, (response) => {
        /** @type {Buffer[]} */
        const parts = [];
        let size = 0;
        response.on('data', (part) => {
          size += part.length;
          parts.push(part);
          if (size > MOST_BYTES) request.destroy(new Error('the answer is too long'));
        });
        response.on('end', () => {
          try {
            resolve(this.#read(at, response.statusCode, Buffer.concat(parts).toString()));
          } catch (error) {
            reject(error);
          }
        });
        response.on('error', fail);
      });
      const timer = setTimeout(() => request.destroy(new Error(`no answer in ${this.#requestMs} ms`)), this.#requestMs);
      const fail = (/** @type {any} */ cause) => {
        this.#passOver(at);
        const ran = cause.code === 'ECONNREFUSED' ? 'no' : 'maybe';
        reject(new IgnisError('IGNIS_ENGINE_DOWN', `${this.#name}: ${cause.message || cause.code}`, { cause, ran }));
      };
      request.on('error', fail);
      request.on('close', () => clearTimeout(timer));
      request.end(JSON.stringify(body));
    });
  }

  /**
   * @param {string} path
   * @param {string} token
   * @param {(response: import('node:http').IncomingMessage) => void} onResponse
   */
  #request(path, token, onResponse) {
    const { servers, tls } = this.#address;
    const url = `${tls ? 'https' : 'http'}://${servers[this.#at]}/v3/${path}`;
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: token }) };
    return (tls ? https : http).request(url, { method: 'POST', agent: this.#agent, headers }, onResponse);
  }

  /**
   * From now on the next server is asked. If many requests fail there at once, the first counts.
   *
   * @param {number} at the server that did not answer
   */
  #passOver(at) {
    if (at !== this.#at) return;
    this.#at = (at + 1) % this.#address.servers.length;
    // Nobody would notice any more that what it sends has ended.
    for (const stream of [...this.#streams]) if (stream.at !== this.#at) stream.destroy();
  }

  /**
   * @param {number} at
   * @param {number | undefined} status
   * @param {string} body
   */
  #read(at, status, body) {
    /** @type {any} */
    let answer = null;
    try {
      answer = JSON.parse(body);
    } catch {
      /* The error below reports it. */
    }
    // Each answer of etcd has one. Something else that listens there may also say 200 to everything, and would be taken for an empty etcd.
    if (status === 200 && answer?.header) return answer;
    const { code, message, error } = (status === 200 ? null : answer) ?? {};
    throw this.#errorOf(at, { code, message: message ?? error ?? `it does not answer as etcd does (status ${status})` });
  }

  /** @param {number} at @param {any} answer */
  #errorOf(at, { code, message }) {
    const said = String(message);
    const isFull = FULL.test(said);
    const detail = `${this.#name}: ${said}${isFull ? `: ${FULL_ADVICE}` : ''}`;
    if (REFUSALS.includes(code)) return new IgnisError('IGNIS_ENGINE_REFUSED', detail, { grpc: code });
    // If one is full, all others say the same.
    if (!isFull) this.#passOver(at);
    return new IgnisError('IGNIS_ENGINE_DOWN', detail, { ran: 'maybe', grpc: code });
  }

  /**
   * A stream of events, until it ends for whatever reason.
   *
   * @param {object} what key, range_end, start_revision
   * @param {(event: any) => void} onEvent
   * @returns {{ended: Promise<void>, destroy: () => void}} ended rejects only if it is refused
   */
  watch(what, onEvent) {
    let isOver = false;
    /** @type {import('node:http').ClientRequest | null} */
    let request = null;
    const stream = {
      at: this.#at,
      destroy() {
        isOver = true;
        request?.destroy();
      },
    };
    this.#streams.add(stream);
    const ended = this.#authenticate().then(
      (token) =>
        new Promise((/** @type {(value?: any) => void} */ resolve, reject) => {
          if (isOver) return void resolve();
          const at = (stream.at = this.#at);
          request = this.#request('watch', token, (response) => {
            response.socket.unref();
            this.#lines(response, (line) => {
              if (line.error !== undefined) {
                const error = this.#errorOf(at, { ...line.error, code: line.error.grpc_code ?? line.error.code });
                if (!this.#isOld(error)) reject(error);
              }
              // Cancelled: the revision to begin with is compacted. The next look finds everything nevertheless.
              if (line.error !== undefined || line.result?.canceled) return void request?.destroy();
              for (const event of line.result?.events ?? []) onEvent(event);
            });
          });
          request.on('error', () => {
            if (!isOver) this.#passOver(at);
          });
          request.on('close', () => resolve());
          request.end(JSON.stringify({ create_request: what }));
        }),
    );
    return { ended: ended.finally(() => this.#streams.delete(stream)), destroy: stream.destroy };
  }

  /** Each listener asks for its own again. */
  endStreams() {
    for (const stream of [...this.#streams]) stream.destroy();
  }

  /**
   * @param {import('node:http').IncomingMessage} response
   * @param {(line: any) => void} onLine
   */
  #lines(response, onLine) {
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (part) => {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MOST_BYTES) response.destroy();
      for (const line of lines) {
        if (line === '' || response.destroyed) continue;
        try {
          onLine(JSON.parse(line));
        } catch {
          response.destroy();
        }
      }
    });
    response.on('error', () => {});
  }

  close() {
    this.#agent.destroy();
  }
}

exports.EtcdServers = EtcdServers;
