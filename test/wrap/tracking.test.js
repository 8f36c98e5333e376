'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const fs = require('node:fs');
const zlib = require('node:zlib');
const { Boundary } = require('../../lib/wrap/boundary');
const { identify } = require('../../lib/import/module-id');
const { boundaryAround } = require('../helpers/watched');

/** @param {string} name */
function builtin(name) {
  const id = (filename) => identify({ filename, appRoot: __dirname });
  const boundary = new Boundary({ parent: id(__filename), child: id(name), exports: require(`node:${name}`) });
  return { boundary, lib: boundary.wrapped, read: (fn) => boundary.points.get(fn).meter.read() };
}

describe('tracking', () => {
  describe('of callbacks', () => {
    it('measures those of built-ins from call to completion', async () => {
      const { lib, read } = builtin('zlib');
      const zipped = await new Promise((resolve, reject) => {
        lib.gzip('hello', (error, result) => (error ? reject(error) : resolve(result)));
        assert.equal(read('gzip').pending, 1);
      });
      assert.equal(zlib.gunzipSync(zipped).toString(), 'hello');
      const { kind, pending, completions, latencyMs, failures } = read('gzip');
      assert.deepEqual({ kind, pending, completions, failures }, { kind: 'callback', pending: 0, completions: 1, failures: 0 });
      assert.ok(latencyMs > 0);
    });

    it('takes no unzip for the end of listening', async () => {
      const { lib, read } = builtin('zlib');
      await new Promise((resolve) => lib.unzip(zlib.gzipSync('hello'), resolve));
      assert.equal(read('unzip').kind, 'callback');
    });

    it('counts an error as first argument as a failure', async () => {
      const { lib, read } = builtin('fs');
      await new Promise((resolve) => lib.readFile('/no/such/file', (error) => resolve(assert.equal(error.code, 'ENOENT'))));
      assert.equal(read('readFile').failures, 1);
    });

    it('gives all functions of a module the same closure for a callback, and the callback where it comes back, also by a promise', async () => {
      /** @type {Function[]} */
      const kept = [];
      const boundary = boundaryAround(
        {
          attach: (f) => void kept.push(f),
          detach: (f) => kept.includes(f) && kept.splice(kept.indexOf(f), 1).length === 1,
          later: (f) => void setImmediate(f, null, 1),
          identity: (f) => f,
          promise: async (f) => f,
          fire: (value) => kept.forEach((f) => f(value)),
        },
        { hot: true },
      );
      const lib = boundary.wrapped;
      const seen = [];
      const f = (value) => void seen.push(value);
      lib.attach(f);
      lib.fire(1);
      assert.equal(lib.detach(f), true);
      lib.fire(2);
      assert.deepEqual(seen, [1]);
      assert.equal(lib.identity(f), f);
      for (let i = 0; i < 3; i++) assert.equal(await lib.promise(f), f);
    });

    it("counts a call of a function with a callback that others have, too, as that function's", async () => {
      const boundary = boundaryAround(
        { first: (f) => void setImmediate(f, null), second: (f) => void setTimeout(f, 5, null) },
        { hot: true },
      );
      const lib = boundary.wrapped;
      const read = (name) => boundary.points.get(name).meter.read();
      await new Promise((resolve) => {
        let left = 3;
        const done = () => --left === 0 && resolve(undefined);
        lib.first(done);
        lib.second(done);
        lib.second(done);
        assert.deepEqual([read('first').pending, read('second').pending], [1, 2]);
      });
      for (const [name, completions] of [
        ['first', 1],
        ['second', 2],
      ]) {
        const { kind, pending, completions: seen } = read(name);
        assert.deepEqual({ kind, pending, seen }, { kind: 'callback', pending: 0, seen: completions });
      }
    });

    it('leaves listeners and emitters alone', () => {
      const { lib, boundary } = builtin('fs');
      const listener = () => {};
      lib.watchFile(__filename, listener);
      lib.unwatchFile(__filename, listener);
      assert.equal(boundary.points.get('watchFile').meter.read().pending, 0);
      assert.equal(typeof lib.promises.readFile, 'function');
      assert.equal(lib.constants, fs.constants);
      assert.equal(lib.Stats, fs.Stats);
      assert.ok(lib.statSync(__filename) instanceof fs.Stats);
    });

    it('does not touch those of modules that are not hot', () => {
      const cb = () => {};
      assert.equal(boundaryAround({ give: (f) => f }).wrapped.give(cb), cb);
    });

    it('of hot modules keeps the identity that the module sees, and unwraps what comes back', () => {
      const seen = new Set();
      const exports = { hold: (f) => seen.add(f), release: (f) => seen.delete(f), same: (f, g) => f === g, get: () => [...seen][0] };
      const { wrapped } = boundaryAround(exports, { hot: true });
      const cb = Object.assign((a, b) => [a, b], { extra: 1 });
      wrapped.hold(cb);
      wrapped.hold(cb);
      assert.equal(seen.size, 1);
      const tracked = wrapped.get();
      assert.equal(tracked.length, 2);
      assert.equal(tracked.extra, 1);
      assert.equal(wrapped.same(tracked, cb), false);
      assert.deepEqual(tracked(1, 2), [1, 2]);
    });

    it('of hot modules leaves them the kind that they are: an async function is no one to give a callback to', () => {
      const kindOf = (f) => [f[Symbol.toStringTag], f.constructor.name, f.length];
      const { wrapped } = boundaryAround({ kindOf }, { hot: true });
      const callbacks = [
        async (x) => x,
        function* (x) {
          yield x;
        },
        async function* () {},
        (x) => x,
        Object.assign(async () => {}, { own: 1 }),
      ];
      for (const callback of callbacks) assert.deepEqual(wrapped.kindOf(callback), kindOf(callback));
    });

    it('of hot modules leaves them what a module may tell them by: their name, their source, and whether they can be constructors', () => {
      const look = (f) => [f.name, f.toString(), String(f), Object.hasOwn(f, 'prototype')];
      const { wrapped } = boundaryAround({ look }, { hot: true });
      const named = (first, second) => [first, second];
      const callbacks = [named, function old(_a) {}, async () => {}, { method(_a) {} }.method, Object.assign(() => {}, { own: 1 })];
      for (const callback of callbacks) assert.deepEqual(wrapped.look(callback), look(callback));
      assert.throws(() => boundaryAround({ make: (F) => new F() }, { hot: true }).wrapped.make(() => 1), /is not a constructor/);
    });

    it('of hot modules gives them as many parameters as they have or say they have', () => {
      const look = (f) => [f.length, f.name, Object.keys(f), Object.hasOwn(f, 'prototype')];
      const { wrapped } = boundaryAround({ look }, { hot: true });
      const said = (length) => Object.defineProperty(() => {}, 'length', { value: length });
      const callbacks = [() => {}, (_a) => {}, (_a, _b) => {}, (_a, _b, _c) => {}, function (_a, _b) {}, function (_a, _b, _c, _d) {}];
      for (const callback of [...callbacks, said('map'), said(-1), said(1.5), Object.freeze((_a) => {})])
        assert.deepEqual(wrapped.look(callback), look(callback));
    });

    it('of hot modules is given one of its own at each edge, and comes back from each as it was', () => {
      const edges = [1, 2, 3].map(() => {
        const kept = new Set();
        return boundaryAround(
          { hold: (f) => kept.add(f).size, release: (f) => kept.delete(f), call: () => [...kept].map((f) => f(kept.size)) },
          { hot: true },
        );
      });
      const callback = (count) => count;
      for (const { wrapped } of [...edges, ...edges]) assert.equal(wrapped.hold(callback), 1);
      for (const { wrapped, points } of edges) {
        assert.deepEqual(wrapped.call(), [1]);
        assert.equal(points.get('hold').meter.read().completions, 1);
        assert.equal(wrapped.release(callback), true);
      }
    });

    it('of hot modules is taken off where the module gives it to another one', () => {
      const given = [];
      const plain = boundaryAround({
        take: (...args) => void given.push(...args),
        method: { take: (...args) => void given.push(...args) },
      }).wrapped;
      const pass = (f) =>
        [() => plain.take(f), () => plain.take(1, 2, 3, f), () => plain.take(1, 2, 3, 4, f), () => plain.method.take({}, f)].forEach(
          (call) => call(),
        );
      const callback = () => {};
      boundaryAround({ pass }, { hot: true }).wrapped.pass(callback);
      assert.equal(given.filter((value) => value === callback).length, 4);
    });

    it('of hot modules takes none for one that others inherit from, with functions beside it or not', () => {
      const Base = Object.assign(function () {}, { from: () => {} });
      Base.prototype.emit = () => {};
      const seen = [];
      const { wrapped } = boundaryAround({ inherits: (Child, Parent) => void seen.push(Parent) }, { hot: true });
      wrapped.inherits(class {}, Base);
      assert.equal(seen[0], Base);
    });

    it('tells those called at once from those called later', async () => {
      const exports = {
        now: (x, cb) => cb(x),
        later: (x, cb) => {
          setImmediate(cb, null, x);
        },
        never: (_cb) => {},
      };
      const boundary = boundaryAround(exports, { hot: true });
      assert.equal(
        boundary.wrapped.now(3, (x) => x * 2),
        6,
      );
      await new Promise((resolve) => boundary.wrapped.later(1, resolve));
      boundary.wrapped.never(() => {});
      assert.equal(boundary.points.get('now').meter.kind, 'sync-callback');
      assert.equal(boundary.points.get('later').meter.kind, 'callback');
      assert.equal(boundary.points.get('never').meter.read().pending, 1);
    });

    it('owes nothing after a throw', () => {
      const boundary = boundaryAround(
        {
          f: (_cb) => {
            throw new Error('no');
          },
        },
        { hot: true },
      );
      assert.throws(() => boundary.wrapped.f(() => {}), /no/);
      const { pending, failures } = boundary.points.get('f').meter.read();
      assert.deepEqual([pending, failures], [0, 1]);
    });
  });

  describe('of promises', () => {
    it('of hot modules measures each to its end', async () => {
      const boundary = boundaryAround(
        {
          ok: async () => 1,
          bad: async () => {
            throw new Error('bad');
          },
        },
        { hot: true },
      );
      const open = boundary.wrapped.ok();
      assert.equal(boundary.points.get('ok').meter.read().pending, 1);
      assert.equal(await open, 1);
      await assert.rejects(boundary.wrapped.bad(), /bad/);
      const ok = boundary.points.get('ok').meter.read();
      assert.deepEqual([ok.pending, ok.completions, ok.kind], [0, 1, 'promise']);
      assert.equal(boundary.points.get('bad').meter.read().failures, 1);
    });

    it('leaves an unhandled rejection unhandled, once', async () => {
      const listeners = process.listeners('unhandledRejection');
      process.removeAllListeners('unhandledRejection');
      const seen = [];
      process.on('unhandledRejection', (error) => seen.push(error.message));
      try {
        for (const recipe of [{ hot: true }, {}])
          boundaryAround(
            {
              f: async () => {
                throw new Error('lost');
              },
            },
            recipe,
          ).wrapped.f();
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      } finally {
        process.removeAllListeners('unhandledRejection');
        for (const listener of listeners) process.on('unhandledRejection', listener);
      }
      assert.deepEqual(seen, ['lost', 'lost']);
    });

    it('gives the same promise for the same promise, and leaves richer ones alone', () => {
      const cached = Promise.resolve(1);
      const rich = Object.assign(Promise.resolve(2), { child: 5 });
      class Own extends Promise {}
      const own = Own.resolve(3);
      const { wrapped } = boundaryAround({ cached: () => cached, rich: () => rich, own: () => own }, { hot: true });
      assert.equal(wrapped.cached(), wrapped.cached());
      assert.equal(wrapped.rich(), rich);
      assert.equal(wrapped.own(), own);
    });

    it('of other modules only looks, and finds kind, pending and a rough latency', async () => {
      let open;
      const promise = new Promise((resolve) => {
        open = resolve;
      });
      const boundary = boundaryAround({ f: () => promise });
      assert.equal(boundary.wrapped.f(), promise);
      const { meter } = boundary.points.get('f');
      meter.poll();
      assert.deepEqual([meter.kind, meter.read().pending, meter.completions], ['promise', 1, 0]);
      open('<pending>');
      await promise;
      meter.poll();
      const { pending, completions, latencyMs } = meter.read();
      assert.deepEqual([pending, completions], [0, 1]);
      assert.ok(latencyMs >= 0);
    });

    it('says sync of a function that answered at once but one time', async () => {
      for (const recipe of [{}, { hot: true }]) {
        let count = 0;
        const boundary = boundaryAround({ f: () => (count++ % 2 ? 'now' : Promise.resolve()) }, recipe);
        for (let i = 0; i < 4; i++) await boundary.wrapped.f();
        assert.equal(boundary.points.get('f').meter.kind, 'sync');
      }
    });

    it('leaves streams and emitters as they are', async () => {
      const { lib } = builtin('fs');
      const stream = lib.createReadStream(__filename);
      assert.ok(stream instanceof fs.ReadStream);
      stream.resume();
      await once(stream, 'end');
    });
  });
});
