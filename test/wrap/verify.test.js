'use strict';

// `verify`: pure functions, and such as only claim it, over real replicas.

const assert = require('node:assert/strict');
const { once } = require('node:events');
const path = require('node:path');
const { subscribe } = require('../../lib/diagnostics');
const { isChosen } = require('../../lib/wrap/verify');
const { sentenceFor } = require('../../lib/view/sentence');
const { RecipeBook } = require('../../lib/recipe/book');
const { Distributed } = require('../helpers/distributed');

const FILE = path.join(__dirname, '../fixtures/check/lies.js');

describe('a verified call', function () {
  this.timeout(30000);
  /** @type {Distributed} */
  let on;
  /** @type {any[]} */
  let heard;
  /** @type {() => void} */
  let unsubscribe;

  /** @param {object} recipe */
  const open = async (recipe) => {
    on = new Distributed(FILE, { call: 'await', pure: true, copies: [0, 2], verify: 1, ...recipe }, 'process');
    for (const name of ['where', 'honest']) on.lib[name](0);
    for (const name of ['refuses', 'fails']) assert.throws(() => on.lib[name](0));
    await on.set.resize(1);
  };

  beforeEach(() => {
    process.env.LIES_HOME_PARENT = String(process.ppid);
    heard = [];
    unsubscribe = subscribe('ignis:mismatch', (record) => heard.push(record));
  });

  afterEach(async () => {
    unsubscribe();
    delete process.env.LIES_HOME_PARENT;
    await on.close();
  });

  it('that is answered as at home changes nothing', async () => {
    await open({});
    assert.deepEqual(await on.lib.honest(3), { n: 3, list: [3, { n: 3 }] });
    await assert.rejects(on.lib.fails(4), { name: 'RangeError', message: 'no 4', n: 4 });
    assert.deepEqual(heard, []);
    assert.equal(on.set.isOpen, true);
  });

  it('that is answered differently gives its caller what home says, and brings the module home', async () => {
    await open({});
    const warned = once(process, 'warning');
    assert.equal(await on.lib.where(5), 'home 5');
    assert.deepEqual(heard, [{ module: FILE, function: 'where', args: '[ 5 ]', home: "'home 5'", replica: "'away 5'" }]);
    assert.equal(on.set.isOpen, false);
    assert.equal(on.lib.where(6), 'home 6');
    const [warning] = await warned;
    assert.equal(warning.name, 'IgnisWarning');
    assert.equal(warning.code, 'IGNIS_MISMATCH');
    const { allowed, why, hasDiffered } = on.permission;
    assert.deepEqual([allowed, hasDiffered], [false, true]);
    assert.match(why, /^brought home: a verified call answered differently: 'where' of \[ 5 \], at home 'home 5', in a replica 'away 5'$/);
    const totals = { calls: 3, pending: 0, functions: { where: { kind: 'sync', calls: 3, exclusiveMs: 1, maxMs: 1 } } };
    const sentence = sentenceFor({ totals, share: 0, isAllowed: allowed, why, hasDiffered, replicas: 0, wanted: 0, isBuiltin: false });
    assert.match(sentence, /brought home: a verified call answered differently/);
  });

  it('of a function that returns promises, or throws, is compared too', async () => {
    await open({});
    await assert.rejects(on.lib.refuses(1), { message: 'no 1 home 1' });
    assert.equal(heard.length, 1);
    await on.close();
    await open({});
    assert.equal(await on.lib.whereLater(2), 'home 2');
    assert.equal(heard.length, 2);
  });

  it('is told of once in a warning, however many differ at once', async () => {
    await open({});
    const warnings = [];
    const note = (warning) => warnings.push(warning);
    process.on('warning', note);
    assert.deepEqual(await Promise.all([on.lib.where(1), on.lib.where(2), on.lib.where(3)]), ['home 1', 'home 2', 'home 3']);
    await new Promise(setImmediate);
    process.off('warning', note);
    assert.deepEqual([heard.length, warnings.length], [3, 1]);
  });

  it('is no call of a recipe without `verify`, and of none that is not pure', async () => {
    await open({ verify: 0 });
    assert.equal(await on.lib.where(1), 'away 1');
    await on.close();
    await open({ pure: false, state: 'none', functions: { honest: { pure: true } } });
    assert.equal(await on.lib.where(1), 'away 1');
    assert.deepEqual(heard, []);
  });
});

describe('the choice of calls to verify', () => {
  it('takes about its share, the same each time', () => {
    const chosen = (rate) => Array.from({ length: 100000 }, (_, n) => n).filter((n) => isChosen(n, rate));
    for (const rate of [0.01, 0.1, 0.5]) assert.ok(Math.abs(chosen(rate).length / 100000 - rate) < rate * 0.1);
    assert.deepEqual(chosen(0.01), chosen(0.01));
    assert.equal(chosen(1).length, 100000);
    assert.equal(chosen(0).length, 0);
  });

  it('falls upon calls that come in a rhythm', () => {
    const hits = Array.from({ length: 100000 }, (_, n) => n).filter((n) => n % 10 === 3 && isChosen(n, 0.01));
    assert.ok(hits.length > 50 && hits.length < 150, `${hits.length}`);
  });
});

describe('a recipe with `verify`', () => {
  const book = (modules) => {
    const made = new RecipeBook({ appRoot: __dirname, cpus: 2 });
    made.setProgram({ modules }, 'app.js:1');
    return made;
  };
  const id = { name: 'some-module', kind: 'package', filename: '/x', packageName: 'some-module', version: '1.0.0', inside: '' };

  it('is refused where nothing is pure, with its place', () => {
    const wrong = { code: 'IGNIS_BAD_RECIPE', field: 'verify', where: 'app.js:1' };
    assert.throws(() => book({ 'some-module': { call: 'await', verify: 0.01 } }).lookup({ module: id }), wrong);
    assert.throws(
      () => book({ 'some-module': { functions: { a: { pure: true }, b: { verify: 0.5 } } } }).lookup({ module: id }),
      /'b' of some-module, but that is not `pure`/,
    );
    assert.throws(() => book({ 'some-module': { pure: true, verify: 1.5 } }), /a number from 0 to 1/);
  });

  it('is taken where something is', () => {
    assert.equal(book({ 'some-module': { pure: true, verify: 0.01 } }).lookup({ module: id }).verify, 0.01);
    const { functions } = book({ 'some-module': { verify: 0.1, functions: { a: { pure: true } } } }).lookup({ module: id });
    assert.equal(functions.a.verify, 0.1);
  });
});
