'use strict';

const assert = require('node:assert/strict');
const { onLook } = require('../../lib/profile/attribution');
const { MOST_PATHS, Paths } = require('../../lib/profile/paths');
const { Boundary } = require('../../lib/wrap/boundary');

const id = (name) => ({ name, kind: 'file', filename: name, packageName: null, version: null, inside: '' });

/** Ends after some time on the processor, so that its call is timed each time. */
function busy(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('profile/paths', () => {
  let paths;
  beforeEach(() => {
    paths = new Paths();
  });
  afterEach(() => onLook(null));

  /** @type {Boundary[]} */
  const boundaries = [];

  /** Boundary from one file to another, tracked. */
  function edge(parent, child, exports) {
    const boundary = new Boundary({ parent: id(parent), child: id(child), exports });
    boundaries.unshift(boundary);
    paths.track(boundary);
    return boundary.wrapped;
  }

  /** Looks at each timed call. */
  const lookAlways = () => onLook((point) => paths.look(point, 0) && 0);
  const callsOf = () => Object.fromEntries(paths.read().map(({ path, calls }) => [path, calls]));

  it('tells through which files a call came, and the counts of its paths add up to those of its function', () => {
    lookAlways();
    const hash = edge('account.js', 'hash.js', { hash: () => busy(0.1) });
    const account = { login: () => hash.hash(), check: () => void (hash.hash(), hash.hash()) };
    const byRoute = edge('routes.js', 'account.js', account);
    const byAdmin = edge('admin.js', 'account.js', account);
    for (let i = 0; i < 5; i++) byRoute.login();
    for (let i = 0; i < 3; i++) byAdmin.check();
    hash.hash();
    assert.deepEqual(callsOf(), {
      'routes.js -> account.js login -> hash.js hash': 5,
      'admin.js -> account.js check -> hash.js hash': 6,
      'account.js -> hash.js hash': 1,
      'routes.js -> account.js login': 5,
      'admin.js -> account.js check': 3,
    });
    edge('routes.js', 'log.js', () => {})();
    assert.equal(callsOf()['routes.js -> log.js'], 1, 'a module that is a function has no name for it');
    const told = paths.read();
    const costs = told.map(({ exclusiveMs }) => exclusiveMs);
    assert.deepEqual(
      costs,
      [...costs].sort((a, b) => b - a),
    );
    const dearest = told.find(({ path }) => path === 'admin.js -> account.js check -> hash.js hash');
    assert.ok(dearest.exclusiveMs >= 0.6, JSON.stringify(dearest));
    assert.deepEqual(
      dearest.steps.map((step) => [step.boundary, step.function, step.isLater]),
      [
        ['admin.js -> account.js', 'check', false],
        ['account.js -> hash.js', 'hash', false],
      ],
    );
  });

  it('marks a step that led on after it had returned', async () => {
    lookAlways();
    const hash = edge('account.js', 'hash.js', { hash: () => busy(0.1) });
    const login = async () => {
      await null;
      hash.hash();
    };
    const account = edge('routes.js', 'account.js', { login });
    for (let i = 0; i < 4; i++) await account.login();
    assert.deepEqual(callsOf(), { 'routes.js -> account.js login ~> hash.js hash': 4, 'routes.js -> account.js login': 4 });
  });

  it('counts all calls, though it looks at few of them', () => {
    let looks = 0;
    onLook((point) => {
      looks++;
      return paths.look(point, performance.now());
    });
    const inner = edge('b.js', 'c.js', { run: () => 1 });
    const outer = edge('a.js', 'b.js', { run: () => inner.run() });
    for (let i = 0; i < 20_000; i++) outer.run();
    const told = paths.read();
    assert.ok(looks < 2_000, `${looks} looks`);
    assert.deepEqual(callsOf(), { 'a.js -> b.js run': 20_000, 'a.js -> b.js run -> c.js run': 20_000 });
    assert.ok(told.every(({ exclusiveMs }) => exclusiveMs >= 0));
  });

  it('keeps a bounded table: what found no place is told as one sum', () => {
    lookAlways();
    const count = MOST_PATHS + 50;
    for (let i = 0; i < count; i++) edge(`a${i}.js`, `b${i}.js`, { run() {} }).run();
    const told = paths.read();
    const others = told.find(({ steps }) => steps.length === 0);
    assert.equal(others.path, '(other paths)');
    assert.ok(others.calls >= 50, `${others.calls}`);
    assert.ok(told.length <= 41, `${told.length}`);
  });

  it('looks less often where a look takes long, but for one that lost the processor', () => {
    let now = 0;
    let takes = 0.05;
    paths = new Paths(() => now + takes);
    edge('app.js', 'lib.js', { f: () => 1 }).f();
    const [point] = [...boundaries[0].points.values()];
    const rests = () => {
      let ms = 0;
      for (let i = 0; i < 100; i++) {
        const next = paths.look(point, now);
        ms += (next - now) / 100;
        now = next;
      }
      return ms;
    };
    rests();
    const long = rests();
    assert.ok(long > 22 && long < 28, `${long} ms between looks of 0.05 ms`);
    takes = 0.001;
    rests();
    const short = rests();
    assert.ok(short > 3.5 && short < 4.5, `${short} ms between looks of 0.001 ms`);
    takes = 1000;
    paths.look(point, now);
    takes = 0.001;
    assert.ok(paths.look(point, now) - now < 20);
  });

  it('is not confused by a function that calls itself through its own boundary', () => {
    lookAlways();
    const a = { down: (n) => (n === 0 ? 0 : wrapped.down(n - 1)) };
    const wrapped = edge('a.js', 'a.js', a);
    wrapped.down(5);
    assert.deepEqual(callsOf(), { 'a.js -> a.js down': 6 });
  });
});
