'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { closelyUsed } = require('../../lib/import/close-looks');

const REGISTER = require.resolve('../../lib/register.js');

const LIB = `exports.f = () => 1;
  exports.g = () => exports.f();
  exports.add = (name, fn) => (exports[name] = fn);
  exports.names = () => Object.keys(exports).join();`;

/** Prints what it sees, by the ways of those who look closely. */
const MAIN = `const lib = require('./lib');
  const user = require('./user');
  const { mock } = require('node:test');
  const seen = [];
  for (let i = 0; i < 100; i++) lib.names();
  const { value, writable } = Object.getOwnPropertyDescriptor(lib, 'f');
  seen.push(typeof value, writable);
  const mocked = mock.method(lib, 'f', () => 2);
  seen.push(lib.f(), lib.g(), user.f(), mocked.mock.callCount());
  mocked.mock.restore();
  seen.push(lib.f(), user.f(), user.isSame(lib.f));
  lib.add('late', () => 3);
  delete lib.late;
  seen.push('late' in lib, lib.names());
  console.log(JSON.stringify(seen));`;

/** The same of an ES module. */
const MODULE = `import lib from './lib.js';
  import crypto from 'node:crypto';
  import { mock } from 'node:test';
  const seen = [typeof Object.getOwnPropertyDescriptor(lib, 'f').value];
  for (const [object, name] of [[lib, 'f'], [crypto, 'randomBytes']]) {
    const mocked = object === lib ? mock.method(lib, 'f', () => 'mocked') : mock.method(crypto, 'randomBytes', () => 'mocked');
    seen.push(object[name](), lib.g(), mocked.mock.callCount());
    mocked.mock.restore();
    seen.push(typeof object[name](1));
  }
  delete lib.f;
  seen.push('f' in lib, lib.names());
  console.log(JSON.stringify(seen));`;

const USER = `const lib = require('./lib');
  exports.f = () => lib.f();
  exports.isSame = (fn) => fn === lib.f;`;

describe('the text of a file', () => {
  it('tells what it looks at closely, of what it requires', () => {
    const head = `const lib = require('lib'), other = require("./other"); const ts_1 = __importDefault(require(\`ts\`));\n`;
    /** @param {string} text */
    const used = (text) => [...closelyUsed(head + text)];
    assert.deepEqual(used('delete lib.name;'), ['lib']);
    assert.deepEqual(used('delete other[name];'), ['./other']);
    assert.deepEqual(used('Object.getOwnPropertyDescriptors( lib )'), ['lib']);
    assert.deepEqual(used("Object.defineProperty(other, 'x', { value: 1 })"), ['./other']);
    assert.deepEqual(used("sinon.stub(lib, 'f'); t.mock.method(other, 'g');"), ['lib', './other']);
    assert.deepEqual(used("shimmer.massWrap([lib, x], ['f'], wrap)"), ['lib']);
    assert.deepEqual(used("mock.method(ts_1.default, 'f'); delete ts_1.default.g"), ['ts']);
  });

  it('tells it of an ES module, too, for what it has as a whole', () => {
    const head = `import lib from 'lib'; import other, { f } from "./other"; import * as all from 'all';\n`;
    /** @param {string} text */
    const used = (text) => [...closelyUsed(head + text)];
    assert.deepEqual(used("delete lib.name; mock.method(other, 'g')"), ['lib', './other']);
    assert.deepEqual(used("Object.getOwnPropertyDescriptor(all, 'f'); mock.method(f, 'x')"), []);
  });

  it('tells that of nothing else', () => {
    const head = `const lib = require('lib'); const { f } = require('lib'); const data = { a: 1 };\n`;
    for (const text of ['delete data.a;', 'lib.f(); lib.g(data)', 'delete lib;', "lib.wrap(data, 'a'); f(lib)", "stub(lib.sub, 'f')"])
      assert.deepEqual([...closelyUsed(head + text)], [], text);
  });

  it('is looked through once, however long its words and spaces are', () => {
    const head = "const lib = require('lib'); delete lib.name;";
    const many = 1_000_000;
    for (const text of [
      'a'.repeat(many),
      `wrap(${' '.repeat(many)}`,
      `x = ${' '.repeat(many)}`,
      'a.'.repeat(many),
      'delete '.repeat(many),
      'import a, '.repeat(many / 100),
    ])
      assert.deepEqual([...closelyUsed(head + text)], ['lib'], text.slice(0, 20));
  });
});

describe('a file that looks at an import closely', function () {
  this.timeout(30_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-close-')));
    for (const [name, text] of Object.entries({ 'lib.js': LIB, 'main.js': MAIN, 'user.js': USER, 'main.mjs': MODULE }))
      fs.writeFileSync(path.join(folder, name), text);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  it('sees, can mock and delete what it could without Ignis', () => {
    const run = (/** @type {string[]} */ args) => JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
    for (const file of ['main.js', 'main.mjs']) assert.deepEqual(run(['-r', REGISTER, file]), run([file]), file);
  });

  it('is measured as any other', () => {
    const report = path.join(folder, 'report.json');
    execFileSync(process.execPath, ['-r', REGISTER, 'main.js'], { cwd: folder, env: { ...process.env, IGNIS_REPORT: report } });
    const { boundaries } = JSON.parse(fs.readFileSync(report, 'utf8'));
    const main = boundaries.find((/** @type {any} */ one) => one.id === 'main.js -> lib.js');
    assert.equal(main?.functions.names.calls, 101);
  });
});
