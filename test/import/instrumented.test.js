'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register.js');

const FILES = {
  // As require-in-the-middle and shimmer do it: whoever imports the library first gets it with a function defined anew, and so do all
  // others.
  'instrument.js': `
    const Module = require('node:module');
    const { require: before } = Module.prototype;
    let isDone = false;
    Module.prototype.require = function (id) {
      const exports = before.call(this, id);
      if (!/library$/.test(id) || isDone) return exports;
      isDone = true;
      require('./helper');
      for (const [holder, name] of [[exports, 'greet'], [exports.application, 'route'], [exports.Router, 'use']]) {
        const original = holder[name];
        const value = function (...args) { return 'seen ' + original.apply(this, args); };
        Object.defineProperty(holder, name, { configurable: true, enumerable: true, writable: true, value });
      }
      return exports;
    };`,
  'helper.js': 'exports.helps = () => 1;',
  'library.js': `
    const library = module.exports = function () { return Object.create(library.application); };
    library.greet = (name) => 'hello ' + name;
    library.application = { route(path) { return 'route ' + path; } };
    library.Router = function Router() {};
    library.Router.use = () => 'use';
    library.greetTwice = (name) => library.greet(name) + ', ' + library.greet(name);`,
  'other.js':
    "const library = require('./library'); exports.greet = () => library.greet('you'); exports.route = () => library().route('/b');",
  'direct.js': "const library = require('./library'); console.log(library().route('/a'), library.greetTwice('me'), library.Router.use());",
  'app.js':
    "require('./direct'); const other = require('./other'); console.log(other.greet(), other.route(), require('./library').greet('us'));",
};

describe('a program with an instrumentation that stands before its imports', function () {
  this.timeout(30_000);
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-instrumented-'));
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  const run = (...preloads) =>
    execFileSync(process.execPath, [...preloads.flatMap((file) => ['-r', file]), 'app.js'], { cwd: folder, encoding: 'utf8' });

  it('has it work on the modules themselves, as without Ignis, whichever is loaded first', () => {
    const plain = run('./instrument.js');
    assert.equal(plain, 'seen route /a seen hello me, seen hello me seen use\nseen hello you seen route /b seen hello us\n');
    assert.equal(run(REGISTER, './instrument.js'), plain);
    assert.equal(run('./instrument.js', REGISTER), plain);
  });
});
