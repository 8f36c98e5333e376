'use strict';

const assert = require('node:assert/strict');
const events = require('node:events');
const http = require('node:http');
const vm = require('node:vm');
const express = require('express');
const { lifted } = require('../../lib/wrap/lifted');
const { both, lift } = require('./lift-pair');

const HEAD = "const x = require('x'); ";

const makeX = (log) => ({
  add: (a, b = 0) => (log('add', a, b), a + b),
  bad: (value) => {
    throw new RangeError(`bad ${value}`);
  },
  promise: (value) => Promise.resolve(value),
});

describe("with lift: 'deep', a synchronous function becomes async with its callers", () => {
  const programs = [
    'function f(a) { return x.add(a, 1); } exports.run = async () => [f(1), f(f(2))];',
    'const f = function g(a) { return x.add(a, 1); }; exports.run = async () => f(1);',
    'const f = (a) => x.add(a, 1); exports.run = async () => `${f(1)}${f(2) + 1}`;',
    'const f = function (a) { if (a) return x.add(a), 2; return { b: x.add(a, 1) }; }; exports.run = async () => [f(1), f(0).b];',
    'const f = (a) => ({ b: x.add(a, 1), then: undefined }); exports.run = async () => f(1).b;',
    'const f = (a) => (x.add(a), [a, a]); exports.run = async () => [...f(1), ...f(2)];',
    'function f(n) { return n === 0 ? 0 : x.add(n, f(n - 1)); } exports.run = async () => f(5);',
    'function f() { x.bad(1); } exports.run = async () => { try { f(); return "no"; } catch (error) { return error.message; } };',
    'function f(a, b = a + 1) { log(x.add(a, b)); } exports.run = async () => [f(1), log("after")];',
    'function f(a) { x.add(a); return x.promise(a); } exports.run = async () => { const p = f(1); return [p instanceof Promise, await p]; };',
    'function f() { return [arguments.length, this === undefined || this === globalThis, x.add(1)]; } exports.run = async () => f(1, 2);',
    'function f(a) { try { return x.add(a); } finally { log("end"); } } exports.run = async () => f?.(1);',
    'exports.run = async () => { function f(a) { return(x.add(a), 3); } const g = a => x.add(a); return f(1) + g(2); };',
    'const f = (a) => { const inner = () => { return a; }; return x.add(inner()); }; exports.run = async function* () {}; exports.run = async () => f(1);',
  ];
  for (const program of programs) {
    it(program, async () => {
      const { plain, lifted: other, outcome } = await both(HEAD + program, makeX, 'deep');
      assert.deepEqual(outcome.refused, []);
      assert.match(outcome.code, /async (function|a =>|\()/);
      assert.deepEqual(other, plain);
      assert.ok(lift(HEAD + program, 'script', true)?.refused.length > 0, 'lifted without being asked to');
    });
  }
});

describe("with lift: 'deep', a synchronous function stays as it is where", () => {
  const cases = {
    'function f() { x.add(1) } exports.f = f;': /in line 1 it is used as a value/,
    'function f() { x.add(1) } module.exports = { f };': /in line 1 it is used as a value/,
    'const f = () => x.add(1); [1].map(f);': /it is given to something that is not known to wait for a promise/,
    '[1].sort((a, b) => x.add(a, b));': /it is given to something that is not known to wait/,
    'function f() { x.add(1) } function g() { f() } async () => g()': /its call in line 1 cannot wait: the function 'g' is not async/,
    'function f() { x.add(1) } f()': /cannot wait: it is at the top level/,
    'function f() { x.add(1) } async () => { f(); new f() }': /it is used as a value/,
    'function f() { x.add(1) } async () => { f(); f = null }': /its name may mean something else/,
    'var f = () => x.add(1); var f; async () => f()': /its name may mean something else/,
    '{ function f() { x.add(1) } async () => f() } f()': /its name may mean something else/,
    '{ function f() { x.add(1) } } async () => f()': /it is used outside the block that declares it/,
    'switch (1) { case 1: function f() { x.add(1) } } async () => f()': /it is used outside the block that declares it/,
    'async (a = f()) => { function f() { x.add(1) } }': /it is used outside the block that declares it/,
    'const f = () => x.add(1)': /nothing in the file calls it/,
    'function f() { x.add(1) }': /nothing in the file calls it/,
    'const f = function g() { x.add(1); g() }; async () => f()': /it calls itself by a name of its own/,
    'const o = { f() { x.add(1) } }; async () => o.f()': /it is not a named function of the file/,
    'class A { f() { x.add(1) } }': /it is not a named function of the file/,
    'class A { get f() { return x.add(1) } }': /it is not a named function of the file/,
    '(() => x.add(1))()': /it is not a named function of the file/,
    'let n = 0; function f() { n += x.add(1) } async () => f()': /^`n` is read before/,
    'let n = 0; function f() { return x.add(1) } async () => { n += f() }': /cannot wait: `n` is read before/,
    'const { EventEmitter } = require("events"); new EventEmitter().on("a", () => x.add(1))':
      /it is given to something that is not known to wait/,
    'const s = require("http").createServer(); s.on("close", () => x.add(1))': /it is given to something that is not known to wait/,
    'app.get("/", () => x.add(1))': /it is given to something that is not known to wait/,
    'const app = require("fastify")(); app.get("/", () => x.add(1))': /it is given to something that is not known to wait/,
    'const Koa = require("koa"); const app = new Koa(); const f = () => x.add(1); app.use(f); async () => f()':
      /it is called, but also passed on as a value/,
    'function* f() { x.add(1) } async () => f()': /is a generator that is not async$/,
  };
  for (const [program, reason] of Object.entries(cases)) {
    it(program, () => {
      const { lifted: sites, refused, code } = lift(HEAD + program, 'script', 'deep');
      assert.deepEqual([sites, code], [[], HEAD + program]);
      assert.match(refused[0].reason, reason);
    });
  }

  it('it is exported from an ES module', () => {
    for (const [program, reason] of [
      ["import x from 'x'; export function f() { x.add(1) }", /it is exported$/],
      ["import x from 'x'; export const f = () => x.add(1)", /it is exported$/],
      ["import x from 'x'; export default function f() { x.add(1) }", /it is exported$/],
      ["import x from 'x'; function f() { x.add(1) } export { f }", /used as a value/],
    ])
      assert.match(lift(program, 'module', 'deep').refused[0].reason, reason);
  });
});

/** Compiles a lifted file, whose 'x' answers after a while and throws on demand. */
function load(source) {
  const { code, helper, refused } = lift(source, 'script', 'deep');
  assert.deepEqual(refused, []);
  const later =
    (run) =>
    async (...args) => {
      await new Promise(setImmediate);
      return run(...args);
    };
  /** @type {any} */
  let latest;
  const slow = {
    ...lifted,
    method: (...given) => later(lifted.method(...given)),
    isAway: (result) => (latest = result) !== undefined,
    away: () => latest,
  };
  const x = {
    parse(value) {
      if (value === 'bad') throw new RangeError('no good');
      return value.toUpperCase();
    },
  };
  const require = (name) => ({ x, express, 'node:http': http })[name];
  const module = { exports: {} };
  vm.compileFunction(code, ['exports', 'require', 'module', helper])(module.exports, require, module, slow);
  return module.exports;
}

/** @param {http.Server} server @param {(get: (path: string) => Promise<[number, string]>) => Promise<void>} run */
async function serving(server, run) {
  server.listen(0, '127.0.0.1');
  await events.once(server, 'listening');
  try {
    await run(async (path) => {
      const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { headers: { connection: 'close' } });
      return [answer.status, await answer.text()];
    });
  } finally {
    server.close();
    await events.once(server, 'close');
  }
}

describe("with lift: 'deep', a function given to a server", () => {
  it('of Express answers, and what it throws goes to the handlers of errors', async () => {
    const { app } = load(`const x = require('x'); const express = require('express');
      const app = express(); const router = express.Router();
      function note(request, response, next) { request.noted = x.parse('noted'); next(); }
      app.use(note);
      router.get('/:word', note, (request, response) => { response.send(request.noted + x.parse(request.params.word)); });
      app.use('/words', router);
      app.use(function (error, request, response, next) { response.status(500).send(x.parse('caught: ') + error.message); });
      exports.app = app;`);
    await serving(http.createServer(app), async (get) => {
      assert.deepEqual(await get('/words/good'), [200, 'NOTEDGOOD']);
      assert.deepEqual(await get('/words/bad'), [500, 'CAUGHT: no good']);
    });
  });

  it('of Node answers', async () => {
    for (const give of [
      'exports.server = http.createServer(answer)',
      "exports.server = http.createServer(); const s = http.createServer(); s.on('request', answer); exports.server = s",
    ]) {
      const { server } = load(`const x = require('x'); const http = require('node:http');
        function answer(request, response) { response.end(x.parse(request.url)); } ${give};`);
      await serving(server, async (get) => assert.deepEqual(await get('/path'), [200, '/PATH']));
    }
  });

  it('of Node has its errors uncaught, as before', async () => {
    const listener = lifted.event(async () => {
      throw new RangeError('nobody catches');
    });
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    try {
      const caught = new Promise((resolve) => process.once('uncaughtException', resolve));
      assert.equal(listener(), undefined);
      assert.equal((await caught).message, 'nobody catches');
    } finally {
      for (const other of others) process.on('uncaughtException', other);
    }
  });

  it('of Express is told from one for errors by its parameters', () => {
    const four = lifted.express(async function four(_error, _request, _response, _next) {});
    assert.deepEqual([four.length, four.name], [4, 'four']);
    assert.equal(lifted.express(async (_request, _response) => {}).length, 2);
  });

  it('of Koa only becomes async', () => {
    const { code } = lift(
      "const x = require('x'); const Koa = require('koa'); const app = new Koa(); app.use((context) => { x.parse(context) })",
      'script',
      'deep',
    );
    assert.match(code, /app\.use\(async \(context\)/);
  });
});
