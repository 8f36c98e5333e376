'use strict';

// The wiki in this process, whose requests are handed to it without a network, 16 at a time, while the parent says so.
//   node handed.js FOLDER PAGE        of the wiki, and the one to judge it by; forked, with WIKI_DATA
// In: a number of ms. Out: first that page, then what a request took of the processor's time meanwhile, in us: this thread,
// and the whole process.

const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { Writable } = require('node:stream');
const { setTimeout: sleep } = require('node:timers/promises');

const [folder, knownPage] = process.argv.slice(2);
/** @type {{ createServer: (options: { data: string }) => Promise<http.Server> }} */
const { createServer } = require(path.join(folder, 'server.js'));

const LANES = 16;

/** Takes the place of a connection: swallows the answer, unless somebody wants it. */
class Sink extends Writable {
  remoteAddress = '127.0.0.1';
  /** @param {Buffer[]} [kept] */
  constructor(kept) {
    super();
    this.kept = kept;
  }
  /** @param {Buffer} chunk @param {string} _encoding @param {() => void} done */
  _write(chunk, _encoding, done) {
    this.kept?.push(chunk);
    done();
  }
  setTimeout() {}
  destroySoon() {}
}

/** @returns {number} us that this thread has run */
function ofThread() {
  return Number(fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e3;
}

/** @returns {number} us that all threads of this process have run */
function ofProcess() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** @param {http.Server} server @param {string} url @param {Buffer[]} [kept] gets the answer @returns {Promise<void>} when it is answered */
function hand(server, url, kept) {
  const socket = /** @type {any} */ (new Sink(kept));
  const request = new http.IncomingMessage(socket);
  Object.assign(request, { method: 'GET', url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, complete: true });
  request.headers = { host: 'localhost' };
  request.push(null);
  const response = new http.ServerResponse(request);
  response.assignSocket(socket);
  return new Promise((resolve, reject) => {
    response.on('finish', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${response.statusCode}`))));
    server.emit('request', request, response);
  });
}

async function main() {
  const server = await createServer({ data: String(process.env.WIKI_DATA) });
  const urls = fs
    .readdirSync(path.join(folder, 'pages'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `/wiki/${name.slice(0, -3)}`)
    .filter((url) => url !== knownPage);
  let asked = 0;

  /** @param {number} ms */
  async function measure(ms) {
    const [thread, whole, before] = [ofThread(), ofProcess(), asked];
    let isOver = false;
    const lanes = Array.from({ length: LANES }, async () => {
      while (!isOver) await hand(server, urls[asked++ % urls.length]);
    });
    await sleep(ms);
    isOver = true;
    await Promise.all(lanes);
    const count = asked - before;
    return { 'main thread': (ofThread() - thread) / count, 'whole process': (ofProcess() - whole) / count };
  }

  process.on('message', (ms) => void measure(Number(ms)).then((measured) => process.send?.(measured)));
  process.once('disconnect', () => process.exit());
  /** @type {Buffer[]} */
  const known = [];
  await hand(server, knownPage, known);
  process.send?.(String(Buffer.concat(known)));
}

main();
