'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { hideCallSites } = require('../../lib/import/call-sites');
const { IgnisError } = require('../../lib/errors');

const REGISTER = require.resolve('../../lib/register.js');
const OURS = require.resolve('../../lib/wrap/crossing.js');

/** The functions of a module that ask who called them, in the ways of callsites, caller, bindings and depd. */
const LIBRARY = `
  const path = require('node:path');
  const sites = (below) => {
    const before = Error.prepareStackTrace;
    const holder = {};
    Error.prepareStackTrace = (_, list) => list;
    Error.captureStackTrace(holder, below);
    const list = holder.stack;
    Error.prepareStackTrace = before;
    return list;
  };
  const placeOf = (site) => path.basename(site.getFileName()) + ':' + site.getLineNumber();
  exports.caller = function caller() { return placeOf(sites(caller)[0]); };
  exports.first = () => placeOf(sites(sites).find((site) => site.getFileName() !== __filename));
  exports.fails = () => { throw new Error('no'); };`;

const PROGRAM = `
  const library = require('./library');
  for (let time = 0; time < 3; time++) console.log(library.caller(), library.first());
  const mine = (error, list) => list.slice(0, 2).map((site) => require('node:path').basename(site.getFileName()));
  Error.prepareStackTrace = mine;
  try { library.fails(); } catch (error) { console.log(error.stack); }
  const found = Error.prepareStackTrace;
  Error.prepareStackTrace = undefined;
  Error.prepareStackTrace = found;
  console.log(found.name, found.length, new Error().stack[0]);`;

const ASKING = `
  const util = require('node:util');
  const placeOf = (site) => require('node:path').basename(site.scriptName) + ':' + site.lineNumber;
  exports.callers = (...asked) => util.getCallSites(...asked).map(placeOf);
  exports.below = (n) => (n === 0 ? exports.callers(150) : exports.below(n - 1));`;

const ASKED = `
  import * as util from 'node:util';
  import library from './asking.js';
  for (const asked of [[1], [2], [], [3, {}]]) console.log(asked.length, ...library.callers(...asked));
  console.log(library.below(160).length, util.getCallSites(1)[0].scriptName === import.meta.url);
  for (const other of [[{ sourceMap: true }], [0], [201], ['1'], [1, 2]]) {
    try { console.log(...library.callers(...other)); } catch (error) { console.log(error.code, error.message); }
  }
  console.log(util.getCallSites.name, util.getCallSites.length, util.getCallSites === util.default.getCallSites);`;

/** @param {string | null} file @returns {any} */
const siteIn = (file) => ({ getFileName: () => file });

describe('call sites', () => {
  /** @param {Record<string, string>} files @param {(run: (...args: string[]) => string) => void} test @param {string} [program] */
  function inFolder(files, test, program = 'program.js') {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-sites-'));
    try {
      for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
      test((...flags) =>
        execFileSync(process.execPath, [...flags, path.join(folder, program)], { encoding: 'utf8', timeout: 20_000, stdio: 'pipe' }),
      );
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  }

  afterEach(() => assert.equal(Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.get, undefined));

  it('of a watched program are those of a plain one', () => {
    inFolder({ 'library.js': LIBRARY, 'program.js': PROGRAM }, (run) => {
      const plain = run();
      assert.match(plain, /^program\.js:3 program\.js:3$/m);
      assert.equal(run('-r', REGISTER), plain);
    });
  });

  it('that Node gives as such (util.getCallSites) are those of a plain one, too, as many as were asked for', function () {
    if (!('getCallSites' in require('node:util'))) return this.skip();
    inFolder(
      { 'asking.js': ASKING, 'asked.mjs': ASKED },
      (run) => {
        const plain = run();
        assert.match(plain, /^1 asking\.js:4\n1 asking\.js:4 asked\.mjs:4$/m);
        assert.equal(run('-r', REGISTER), plain);
      },
      'asked.mjs',
    );
  });

  it('keep ours where nothing else is there, and in our own errors', () => {
    const before = Error.prepareStackTrace;
    const show = hideCallSites();
    try {
      Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName());
      const prepare = /** @type {any} */ (Error.prepareStackTrace);
      assert.deepEqual(prepare(new Error(), [siteIn('/a.js'), siteIn(OURS), siteIn(null)]), ['/a.js', null]);
      assert.deepEqual(prepare(new Error(), [siteIn(OURS)]), [OURS]);
      assert.deepEqual(prepare(new IgnisError('IGNIS_CLOSED', 'x'), [siteIn(OURS), siteIn('/a.js')]), [OURS, '/a.js']);
    } finally {
      Error.prepareStackTrace = before;
      show();
    }
  });

  it('may be frozen with all of `Error` by the program', () => {
    const frozen = `Object.freeze(Error);
      import('./module.mjs').then(({ default: found }) => console.log(found));`;
    const recipe = `Object.freeze(Error);
      require('./library.js', { copies: -1 });`;
    const files = { 'library.js': 'exports.f = () => 1;', 'module.mjs': 'export default import.meta.resolve("./x.mjs").slice(-5);' };
    inFolder({ ...files, 'program.js': frozen }, (run) => {
      assert.equal(run(), 'x.mjs\n');
      assert.equal(run('-r', REGISTER), 'x.mjs\n');
    });
    // The place of a wrong recipe is read from a stack.
    inFolder({ ...files, 'program.js': recipe }, (run) => {
      assert.throws(() => run('-r', REGISTER), { stderr: /'copies' is -1 \(given in program\.js/ });
    });
  });

  it('are left alone again when it ends, and what the program put there stays', () => {
    const before = Error.prepareStackTrace;
    const mine = () => 'mine';
    const { getCallSites } = /** @type {any} */ (require('node:util'));
    const show = hideCallSites();
    try {
      assert.equal(Error.prepareStackTrace, before);
      hideCallSites()();
      Error.prepareStackTrace = mine;
      assert.notEqual(Error.prepareStackTrace, mine);
      show();
      show();
      assert.equal(Error.prepareStackTrace, mine);
      assert.equal(/** @type {any} */ (require('node:util')).getCallSites, getCallSites);
    } finally {
      show();
      Error.prepareStackTrace = before;
    }
  });
});
