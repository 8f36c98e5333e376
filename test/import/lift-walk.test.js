'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { ownSources } = require('../../lib/import/lift-walk');
const { writeProgram } = require('./es-program');

/**
 * @param {Record<string, string>} files the first is where it begins
 * @returns {{met: string[], unparsed: string[]}} names and how they are read
 */
function walk(files) {
  const folder = fs.realpathSync(writeProgram(files));
  const { sources, unparsed } = ownSources(path.join(folder, Object.keys(files)[0]));
  const nameOf = (/** @type {string} */ file) => path.relative(folder, file);
  return {
    met: sources.map(({ filename, sourceType }) => `${nameOf(filename)} ${sourceType}`),
    unparsed: unparsed.map(nameOf),
  };
}

describe('the files of a program, by their text', () => {
  it('are read as what their names say, and else as what they can be', () => {
    const files = {
      'main.js': "require('./a.mjs'); require('./b.cjs'); require('./c.js'); require('./d.js'); require('./bad.cjs');",
      'a.mjs': 'this.could = "be either";',
      'b.cjs': 'this.could = "be either";',
      'c.js': 'this.could = "be either";',
      'd.js': 'await 0;',
      'bad.cjs': 'export {};',
    };
    assert.deepEqual(walk(files), {
      met: ['main.js script', 'a.mjs module', 'b.cjs script', 'c.js script', 'd.js module'],
      unparsed: ['bad.cjs'],
    });
  });

  it('are met by each kind of import, where that is one', () => {
    const files = {
      'main.mjs':
        "import './a.mjs'; export * from './b.mjs'; export { c } from './c.mjs'; import('./d.mjs'); require('./not.js'); import('no' + 't.js');",
      'a.mjs': "import './main.mjs';",
      'b.mjs': "import './e.cjs';",
      'c.mjs': 'export const c = 1;',
      'd.mjs': '',
      'e.cjs': "const load = () => require('./f.js');",
      'f.js': '',
      'not.js': '',
    };
    assert.deepEqual(
      walk(files).met.map((met) => met.split('.')[0]),
      ['main', 'a', 'b', 'c', 'd', 'e', 'f'],
    );
  });

  it('are met by a URL', () => {
    const folder = fs.realpathSync(writeProgram({ 'here.mjs': '' }));
    const here = path.join(folder, 'here.mjs');
    const main = path.join(folder, 'main.mjs');
    fs.writeFileSync(main, `import '${pathToFileURL(here)}';`);
    assert.deepEqual(
      ownSources(main).sources.map(({ filename }) => filename),
      [main, here],
    );
  });

  it('are no files of packages, no built-ins, no data, nothing native and nothing that is not there', () => {
    const files = {
      'main.js':
        "for (const load of [() => require('./data'), () => require('pack'), () => require('fs')]) load(); require('./gone'); require('./own.wasm');",
      'data.json': '{}',
      'own.wasm': '',
      'node_modules/pack/index.js': '',
    };
    assert.deepEqual(walk(files), { met: ['main.js script'], unparsed: [] });
  });

  it('are found without their ending, or with that of what they become, where they are TypeScript', () => {
    const files = {
      'main.js': "require('./a'); require('./b.js'); require('./c.mjs');",
      'a.ts': 'enum A { B }',
      'b.ts': 'enum A { B }',
      'c.mts': 'enum A { B }',
    };
    const { met, unparsed } = walk(files);
    assert.deepEqual([...met.slice(1).map((one) => one.split(' ')[0]), ...unparsed].sort(), ['a.ts', 'b.ts', 'c.mts']);
  });
});
