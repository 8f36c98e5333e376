'use strict';

const assert = require('node:assert/strict');
const Module = require('node:module');
const path = require('node:path');
const { translateBy, translated, untranslated, whyNotLoaded } = require('../../lib/spawn/sources');
const { REGISTER, runNode, writeProgram } = require('../import/es-program');

const LATE = require.resolve('../../lib/import/place');
const THEIRS = require.resolve('../fixtures/modules/functions');

const THROWS = '\nexports.f = () => {\n  throw new Error("far");\n};';
const WHERE_IT_THROWS = `
const { f } = require('./lib.own');
try {
  f();
} catch (error) {
  console.log(require('node:util').types.isProxy(f), /lib.own:\\d+/.exec(error.stack)[0]);
}`;

describe('sources', () => {
  const was = Object.getOwnPropertyDescriptor(Module._extensions, '.js');
  /** @type {string[]} */
  let seen;
  const loader = (module, filename) => {
    seen.push(path.basename(filename));
    was.value(module, filename);
  };
  const fresh = (file) => {
    delete require.cache[file];
    return require(file);
  };

  beforeEach(() => (seen = []));
  afterEach(() => {
    Object.defineProperty(Module._extensions, '.js', was);
    delete Module._extensions['.own'];
    delete require.cache[THEIRS];
  });

  for (const [how, descriptor] of [
    ['an assignment', { value: loader, configurable: true, enumerable: true, writable: true }],
    ['an accessor', { get: () => loader, set: () => {}, configurable: true, enumerable: true }],
  ]) {
    it(`are those of Node for a while, and the program's own again after it, put there by ${how}`, () => {
      Object.defineProperty(Module._extensions, '.js', descriptor);
      assert.equal(typeof untranslated(() => fresh(LATE)).lineOf, 'function');
      assert.deepEqual(seen, []);
      assert.deepEqual(Object.getOwnPropertyDescriptor(Module._extensions, '.js'), descriptor);
      assert.throws(() => untranslated(() => assert.fail('it does not load')), /it does not load/);
      fresh(THEIRS);
      assert.deepEqual(seen, ['functions.js']);
    });
  }

  it('leaves loaders of other kinds of files', () => {
    Module._extensions['.own'] = loader;
    assert.equal(
      untranslated(() => Module._extensions['.own']),
      loader,
    );
  });

  it('in a replica, come from home, but those of Ignis', () => {
    const asked = [];
    translateBy(['.js'], (filename) => {
      asked.push(path.basename(filename));
      return 'exports.from = "home";';
    });
    assert.equal(typeof fresh(LATE).lineOf, 'function');
    assert.deepEqual(asked, []);
    assert.equal(fresh(THEIRS).from, 'home');
    assert.deepEqual(asked, ['functions.js']);
  });

  /** Its files are in a language of their own, and its loader begins before Ignis, which it loads itself. */
  const TOOL = `const fs = require('node:fs');
require.extensions['.own'] = (module, filename) => module._compile(fs.readFileSync(filename, 'utf8').replace(/^def (.+)/gm, 'exports.$1'), filename);
const { '.js': js } = require.extensions;
require.extensions['.js'] = (module, filename) => js(module, filename);
require(${JSON.stringify(REGISTER)});
process.argv.splice(1, 1);
require(require('node:path').resolve(process.argv[1]));`;

  for (const where of ['thread', 'process']) {
    it(`are home's in a ${where} too, where the loader of the program came before Ignis`, async () => {
      const folder = writeProgram({
        'tool.js': TOOL,
        'main.own': "console.log(require('./lib.own').f(2), require('node:util').types.isProxy(require('./lib.own').K.prototype));",
        'lib.own': 'def K = class {};\ndef f = (n) => n + require("./other").add;',
        'other.js': 'exports.add = 40;',
      });
      const env = { IGNIS_FORCE: './lib.own', IGNIS_WHERE: where };
      const { code, out, err } = await runNode(folder, ['tool.js', 'main.own'], env);
      assert.deepEqual([code, out, err], [0, '42 true\n', '']);
    }).timeout(30_000);
  }

  it('in a replica, are made by a loader that came with the options of Node, too, which alone knows lines, and yet are those of home', () => {
    const texts = ['exports.of = "home";', 'exports.of = "home again";'];
    const files = [];
    Module._extensions['.own'] = (module, filename) => {
      files.push(path.basename(filename));
      if (filename.includes('bad')) throw new Error('its loader is content at home only');
      // As pirates does it: the next one compiles what this one makes.
      const compile = module._compile;
      module._compile = (text, ...most) => {
        module._compile = compile;
        module._compile(`${text}"replica";`, ...most);
      };
      module._compile('exports.of = ', filename);
    };
    for (const text of texts) {
      translateBy(['.own'], () => text);
      for (const name of ['good.own', 'bad.own']) {
        const module = new Module(path.join(__dirname, name));
        Module._extensions['.own'](module, module.id);
        assert.equal(`exports.of = "${module.exports.of}";`, text);
        assert.ok(!Object.hasOwn(module, '_compile'));
      }
    }
    assert.deepEqual(files, ['good.own', 'bad.own', 'good.own', 'bad.own']);
  });

  for (const where of ['thread', 'process']) {
    it(`in a ${where}, have the lines of their authors in stacks where a loader that came with the options of Node tells them`, async () => {
      const folder = writeProgram({
        'tool.js': `
const fs = require('node:fs');
const made = new Set();
require.extensions['.own'] = (module, filename) => {
  made.add(filename);
  module._compile('// made\\n\\n\\n' + fs.readFileSync(filename, 'utf8'), filename);
};
const lineOf = (site) => site.getLineNumber() - (made.has(site.getFileName()) ? 3 : 0);
Error.prepareStackTrace = (error, sites) => [error, ...sites.map((site) => '    at ' + site.getFileName() + ':' + lineOf(site))].join('\\n');`,
        'main.js': `
${WHERE_IT_THROWS}`,
        'lib.own': THROWS,
      });
      const env = { IGNIS_FORCE: './lib.own', IGNIS_WHERE: where };
      const { code, out, err } = await runNode(folder, ['-r', './tool.js', '-r', REGISTER, 'main.js'], env);
      assert.deepEqual([code, out, err], [0, 'true lib.own:3\n', '']);
    }).timeout(30_000);
  }

  it('in a replica, have the lines of their authors also where the program has set the loader, and this puts a map into what it makes', async () => {
    const folder = writeProgram({
      'main.js': `
const fs = require('node:fs');
const map = { version: 3, sources: ['lib.own'], names: [], mappings: ';;;AAAA;AACA;AACA;AACA' };
const comment = '\\n//# sourceMappingURL=data:application/json;base64,' + Buffer.from(JSON.stringify(map)).toString('base64');
require.extensions['.own'] = (module, filename) => module._compile('// made\\n\\n\\n' + fs.readFileSync(filename, 'utf8') + comment, filename);
${WHERE_IT_THROWS}`,
      'lib.own': THROWS,
    });
    const { code, out, err } = await runNode(folder, ['-r', REGISTER, 'main.js'], { IGNIS_FORCE: './lib.own', IGNIS_WHERE: 'thread' });
    assert.deepEqual([code, out, err], [0, 'true lib.own:3\n', '']);
  }).timeout(30_000);

  for (const [how, main, env] of [
    ["with call: 'block' at its require", "require('./lib.cts', { call: 'block', where: 'thread' } as const)", {}],
    ['that is forced', "require('./lib.cts') as { K: Function }", { IGNIS_FORCE: './lib.cts', IGNIS_WHERE: 'process' }],
  ]) {
    it(`are TypeScript, too, where Node itself takes the types out: a module ${how} lives in a replica`, async function () {
      if (!process.features.typescript) return this.skip();
      const folder = writeProgram({
        'main.cts': `const { K, f } = ${main};\nconsole.log(f(2) as number, require('node:util').types.isProxy(K.prototype));`,
        'lib.cts': "import type { N } from './other.cts';\nexports.K = class {};\nexports.f = (n: N): N => n + require('./other.cts').add;",
        'other.cts': 'export type N = number;\nexports.add = 40 as number;',
      });
      const { code, out, err } = await runNode(folder, ['-r', REGISTER, 'main.cts'], env);
      assert.deepEqual([code, out, err], [0, '42 true\n', '']);
    }).timeout(30_000);
  }

  it('are not translated by the loaders that Node itself has', async () => {
    const file = JSON.stringify(require.resolve('../../lib/spawn/sources'));
    const strip = process.allowedNodeEnvironmentFlags.has('--experimental-strip-types') ? ['--experimental-strip-types'] : [];
    for (const flags of [[], strip]) {
      const { out } = await runNode(process.cwd(), [...flags, '-p', `require(${file}).translated().join()`]);
      assert.equal(out, '\n');
    }
  });

  it('of a kind that home translates are named as the cause where a replica without that loader fails at one', () => {
    // What tests before this one have loaded may have loaders, too: handlebars.
    const before = translated();
    Module._extensions['.own'] = loader;
    assert.deepEqual(translated(), [...before, '.own']);
    assert.match(whyNotLoaded(new SyntaxError('what is def?'), '/lib.own'), /^what is def\? \(home translates \.own files by a loader/);
    assert.equal(whyNotLoaded(new Error('no disk'), '/lib.own'), 'no disk');
    assert.equal(whyNotLoaded(new SyntaxError('what is def?'), '/lib.js'), 'what is def?');
  });
});
