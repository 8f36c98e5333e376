'use strict';

// A program that freezes Object.prototype: who assigns a name that this has, to any object, gets an error there.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROOT = path.join(__dirname, '../..');

/** What both sides have: data that has those names, of which the second comes as what the first has taught the codec to expect. */
const PART = `
Object.freeze(Object.prototype);
Object.defineProperty(exports, 'toString', { value: () => 'mine', enumerable: true });
exports.records = () => [1, 2, 3].map((n) => ({ ['toString']: n, ['valueOf']: { ['isPrototypeOf']: n }, n }));
exports.echo = (value) => value;
exports.change = (object) => void Object.defineProperty(object, 'toString', { value: [1], writable: true, enumerable: true, configurable: true });
exports.refuse = () => { throw Object.assign(new RangeError('no'), { extra: { ['hasOwnProperty']: 1 } }); };`;

const APP = `
const ignis = require(${JSON.stringify(ROOT)});
ignis.start({ quiet: true, recipe: { modules: { './part.js': { call: 'await', state: 'none', copies: 1, where: process.argv[2] } } } });
Object.freeze(Object.prototype);
const part = require('./part.js');
(async () => {
  while (!ignis.report().replicas.some(({ state }) => state === 'ready')) await new Promise((done) => setTimeout(done, 50));
  const told = [await part.records(), await part.records(), await part.echo({ ['toString']: new Map([[{ ['valueOf']: 1 }, new Date(5)]]) })];
  const mine = {};
  await part.change(mine);
  told.push(mine, await part.refuse().catch(({ name, extra }) => ({ name, extra })));
  told.push(await part.toString());
  const { replicas, boundaries } = ignis.report();
  console.log(require('node:util').inspect([told, replicas.length, replicas.at(-1).calls, boundaries[0].functions.toString.calls], { depth: 9, compact: 99, breakLength: Infinity }));
})().finally(() => ignis.close());`;

describe('data with names that a frozen Object.prototype has', function () {
  this.timeout(60_000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-frozen-')));
    fs.writeFileSync(path.join(folder, 'part.js'), PART);
    fs.writeFileSync(path.join(folder, 'app.js'), APP);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  const records = [1, 2, 3].map((n) => `{ toString: ${n}, valueOf: { isPrototypeOf: ${n} }, n: ${n} }`).join(', ');
  const echo = '{ toString: Map(1) { { valueOf: 1 } => 1970-01-01T00:00:00.005Z } }';
  const refused = "{ name: 'RangeError', extra: { hasOwnProperty: 1 } }";

  for (const where of ['process', 'thread'])
    it(`comes into a ${where} and back, and is restored`, (done) => {
      execFile(process.execPath, [path.join(folder, 'app.js'), where], { cwd: folder, timeout: 40_000 }, (error, out, err) => {
        assert.equal(error, null, err);
        assert.equal(out, `[ [ [ ${records} ], [ ${records} ], ${echo}, { toString: [ 1 ] }, ${refused}, 'mine' ], 1, 6, 1 ]\n`);
        done();
      });
    });
});
