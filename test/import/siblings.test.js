'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register.js');

/** What Babel makes of `export * from './...'`. */
const handOn = (/** @type {string} */ file) => `
  Object.keys(${file}).forEach(function (key) {
    if (key in exports && exports[key] === ${file}[key]) return;
    Object.defineProperty(exports, key, { enumerable: true, get: function () { return ${file}[key]; } });
  });`;

const FILES = {
  'one.js': 'exports.f = () => 1; exports.tools = { g: () => 2 };',
  'other.js': `const one = require('./one');
    for (const key of ['f', 'tools']) Object.defineProperty(exports, key, { enumerable: true, get: () => one[key] });
    exports.isMine = (f) => f === one.f;
    exports.mine = () => one.f;`,
  'index.js': `const one = require('./one'); ${handOn('one')}
    const other = require('./other'); ${handOn('other')}`,
  'late.js': "const other = require('./other'); const { f } = other; const one = require('./one'); exports.isSame = f === one.f;",
  'main.js': `const all = require('./index');
    const [one, other] = [require('./one'), require('./other')];
    console.log(JSON.stringify([
      Object.keys(all), all.f(), all.tools.g(), one.f === other.f, one.tools === other.tools, require('./late').isSame,
      other.isMine(other.f), other.mine() === other.f,
    ]));`,
};

describe('one file that imports one function by two modules', function () {
  this.timeout(30_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-siblings-')));
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text);
    fs.mkdirSync(path.join(folder, 'node_modules'));
    const others = fs.mkdtempSync(path.join(folder, 'node_modules', 'pkg-'));
    for (const name of ['one.js', 'other.js']) fs.copyFileSync(path.join(folder, name), path.join(others, name));
    const pkg = path.basename(others);
    for (const name of ['index.js', 'late.js', 'main.js'])
      fs.writeFileSync(
        path.join(folder, `of-${name}`),
        FILES[name].replaceAll(/'\.\/(one|other)'/g, `'${pkg}/$1'`).replaceAll("'./", "'./of-"),
      );
    fs.writeFileSync(path.join(others, 'package.json'), JSON.stringify({ name: pkg, version: '1.0.0' }));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  const PLAIN = [['f', 'tools', 'isMine', 'mine'], 1, 2, true, true, true, true, true];
  /** @param {string[]} args @param {Record<string, string>} [env] @returns {any} what the program printed */
  const run = (args, env = {}) =>
    JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } }));

  for (const [what, main] of [
    ['files of the program', 'main.js'],
    ['files of a package', 'of-main.js'],
  ])
    it(`is handed the same by both, as what Babel makes of two \`export *\` needs it: ${what}`, () => {
      assert.deepEqual(run([main]), PLAIN);
      for (const level of ['1', '3']) assert.deepEqual(run(['-r', REGISTER, main], { IGNIS_LEVEL: level }), PLAIN);
    });

  it('is handed another one where only one of the two modules may be distributed', () => {
    fs.writeFileSync(path.join(folder, 'recipes.json'), '{"modules":{"./other.js":{"call":"await","pure":true,"copies":[0,1]}}}');
    fs.writeFileSync(
      path.join(folder, 'away.js'),
      "const [one, other] = [require('./one'), require('./other')]; console.log(JSON.stringify([one.f(), one.f !== other.f]))",
    );
    assert.deepEqual(run(['-r', REGISTER, 'away.js'], { IGNIS_RECIPE: 'recipes.json' }), [1, true]);
  });

  it('is called with its own wrapper of what another file passes it, and that other file gets its own one back', () => {
    const files = {
      'compare.js': 'exports.up = (a, b) => a - b; exports.down = (a, b) => b - a;',
      'sort.js': `const { up } = require('./compare');
        exports.isUp = (compare) => compare === up;
        exports.same = (compare) => compare;
        exports.up = () => up;
        exports.make = (compare) => ({ compare });`,
      'sorts.js': `const { up, down } = require('./compare'), sort = require('./sort');
        console.log(JSON.stringify([
          sort.isUp(up), sort.isUp(down), sort.same(up) === up, sort.same(down) === down, sort.up() === up, sort.make(down).compare === down,
        ]));`,
      'sort.mjs': "import { up } from './compare.js'; export const isUp = (compare) => compare === up;",
      'sorts.mjs': `import { up, down } from './compare.js'; import { isUp } from './sort.mjs';
        console.log(JSON.stringify([isUp(up), isUp(down)]));`,
    };
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    for (const main of ['sorts.js', 'sorts.mjs']) assert.deepEqual(run(['-r', REGISTER, main]), run([main]));
  });
});
