'use strict';

// What a crossing costs while Ignis only profiles: nanoseconds a call, plain and through a wrapper.
// In: nothing. Out: one table for each sort of call. `--json` prints JSON lines, `--rounds N` sets the rounds, `--exact` measures what the
// option `exact` hands out. Each row makes its own loop from source, so that no row profits or suffers from what the engine learned in
// another.

const { compare } = require('./lib/harness');
const { valuesOf } = require('./lib/options');
const { Boundary } = require('../lib/wrap/boundary');
const { Views } = require('../lib/wrap/view');

const CALLS = 400_000;
const values = valuesOf(__filename, { json: { type: 'boolean' }, exact: { type: 'boolean' }, rounds: { type: 'string', default: '9' } });
const isExact = values.exact === true;
const rounds = Number(values.rounds);

/** The module under test; each row has its own. */
const SOURCE = `
  let sum = 0
  class Point { constructor (x) { this.x = x } }
  return {
    add (a, b) { sum = (sum + a * 3 + b) | 0; return sum },
    take (a, b) { sum = (sum - a * 3 + b) | 0; return sum },
    mix (a, b) { sum = (sum ^ a * 3 + b) | 0; return sum },
    ofObject (o, b) { sum = (sum + o.x + b) | 0; return sum },
    async later (a) { sum = (sum + a) | 0; return sum },
    soon (a, done) { sum = (sum + a) | 0; done(null, sum) },
    Point
  }`;

/**
 * By sort of call: the body of a loop over i, with the exports as lib. A promise is followed to its end, and a callback, where the module
 * may leave.
 */
const SORTS = {
  sync: ['const f = lib.add', 't = (t + f(i, 1)) | 0'],
  method: ['', 't = (t + lib.add(i, 1)) | 0'],
  object: ['const f = lib.ofObject; const os = [{ x: 1 }, { y: 1, x: 2 }, { z: 1, x: 3 }]', 't = (t + f(os[i % 3], 1)) | 0'],
  several: ['const fs = [lib.add, lib.take, lib.mix]', 't = (t + fs[i % 3](i, 1)) | 0'],
  async: ['const f = lib.later', 't = (t + await f(i)) | 0'],
  followed: ['const f = lib.later', 't = (t + await f(i)) | 0'],
  callback: ['const f = lib.soon', 'f(i, (error, sum) => { t = (t + sum) | 0 })'],
  read: ['', 't = (t + (lib.add === lib.later ? 1 : i)) | 0'],
  construct: ['const P = lib.Point', 't = (t + new P(i).x) | 0'],
};

const FOLLOWED = ['followed', 'callback'];
/** Of modules that may leave. */
const HOT = ['construct', ...FOLLOWED];

/** @param {any} exports @param {any} recipe */
function wrapped(exports, recipe) {
  const id = (/** @type {string} */ name) => ({
    name,
    kind: /** @type {const} */ ('file'),
    filename: name,
    packageName: null,
    version: null,
    inside: '',
  });
  return new Boundary({ parent: id('./bench.js'), child: id('./lib.js'), exports, recipe, views: isExact ? new Views() : null }).wrapped;
}

/** @param {string} name @param {[string, string]} sort @param {boolean} isOurs */
function rowOf(name, [before, body], isOurs) {
  const libOf = (/** @type {any} */ exports) => (isOurs ? wrapped(exports, { hot: HOT.includes(name) }) : exports);
  const lib = libOf(new Function(SOURCE)());
  const AsyncFunction = before.includes('later') ? (async () => {}).constructor : Function;
  // @ts-ignore
  // One that has called the functions of two modules calls none of them as one does that knows only its own: the check has loops to itself.
  const makeLoop = () => new AsyncFunction('lib', 'n', `${before}; let t = 0; for (let i = 0; i < n; i++) ${body}; return t // ${isOurs}`);
  const loop = makeLoop();
  let first = true;
  return {
    name: !isOurs ? 'plain' : isExact ? 'exact' : 'ours',
    async run() {
      if (first) for (let i = 0; i < 4; i++) await loop(lib, 20_000);
      first = false;
      const start = process.hrtime.bigint();
      await loop(lib, CALLS);
      return Number(process.hrtime.bigint() - start) / CALLS;
    },
    async check() {
      const other = libOf(new Function(SOURCE)());
      const expected = await makeLoop()(new Function(SOURCE)(), 100);
      if ((await makeLoop()(other, 100)) !== expected) throw new Error(`${name}: another result`);
    },
  };
}

async function main() {
  /** Crossings of other functions first, so that the wrappers have seen more than one. */
  for (let i = 0; i < 4; i++) await rowOf('sync', ['', 't += lib.add(i, 1) + lib.ofObject({ x: i }, 1)'], true).run();
  /** @type {string[]} */
  const above = [];
  /** @type {string[]} */
  const followed = [];
  for (const [name, sort] of Object.entries(SORTS)) {
    const result = await compare({
      title: `crossing: ${name}`,
      rows: [rowOf(name, /** @type {any} */ (sort), false), rowOf(name, /** @type {any} */ (sort), true)],
      rounds,
      unit: 'ns',
      better: 'lower',
    });
    const [plain, ours] = result.rows.map((row) => Object.values(row.metrics)[0].median);
    (FOLLOWED.includes(name) ? followed : above).push(`${name} ${(ours - plain).toFixed(1)}`);
  }
  const wanted = isExact ? '' : ' (at most 40 wanted)';
  if (!values.json) console.log(`ns above a plain call: ${above.join(', ')}${wanted}; followed to its end: ${followed.join(', ')}`);
}

main();
