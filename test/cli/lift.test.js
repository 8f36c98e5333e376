'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { call } = require('./call.js');
const { diffLines } = require('../../lib/cli/diff-lines.js');

let folder;
before(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-lift-')));
  const files = {
    'package.json': '{"name":"app","version":"1.0.0"}',
    'ignis.config.js': 'module.exports = { modules: { slow: { lift: true, pure: true } } };',
    'app.js': "const own = require('./lib/own');\nown();\nimport('./lib/module.mjs');\nrequire('./lib/typed');\nrequire('./data.json');\n",
    'lib/own.js':
      "const slow = require('slow');\nconst other = require('../app');\n\n\n\n\nmodule.exports = async () => slow.work(1);\nslow.work(2);\n",
    'lib/module.mjs': "import slow from 'slow';\nexport * from './more.js';\nslow.work(3);\nawait 0;\n",
    'lib/more.js': "import slow from 'slow';\nexport const more = slow.work(4);\n",
    'lib/typed.ts': 'enum Kind { A }\n',
    'typed.mts': "import slow from 'slow';\nconst a: number = 1;\nslow.work(a);\nexport type { a };\n",
    'data.json': '{}',
    'node_modules/slow/package.json': '{"name":"slow","version":"1.0.0"}',
    'node_modules/slow/index.js': "exports.work = () => 1; require('./inner')",
    'node_modules/slow/inner.js': '',
  };
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const lift = (...args) => call(['lift', '--dry-run', ...args, path.join(folder, 'app.js')]);

describe('ignis lift', () => {
  it('prints the change as a diff, what is not lifted with the reasons, and the share', () => {
    const { code, out, err } = lift();
    assert.deepEqual([code, err], [0, '']);
    const [own, module, refused, unparsed, share] = out.split(/\n(?=--- |not |\d+ call)/);
    assert.equal(
      own,
      `--- a/lib/own.js
+++ b/lib/own.js
@@ -4,5 +4,5 @@
 
 
 
-module.exports = async () => slow.work(1);
+module.exports = async () => __ignisLift.value(__ignisLift.isAway(__ignisLift.method(slow,"work","slow.work")(1))?await __ignisLift.away():__ignisLift.here());
 slow.work(2);`,
    );
    assert.match(module, /^--- a\/lib\/module\.mjs\n[^]*\n-slow\.work\(3\);\n\+__ignisLift\.value\(.*\(3\)\)\?await .*\);\n await 0;\n$/);
    assert.deepEqual(refused.trim().split(/\n| {2,}/), [
      ...['not lifted', 'call', 'because'],
      ...['lib/own.js:8:1', 'slow.work', 'it is at the top level of a CommonJS file'],
      ...[
        'lib/more.js:2:21',
        'slow.work',
        'it is at the top level of an ES module that others load, and that module has no top-level await yet',
      ],
    ]);
    assert.match(unparsed, /^not read, because they cannot be parsed as JavaScript: lib\/typed\.ts\n$/);
    assert.equal(share, '2 calls of 4 lifted, 50 %, in 4 files\n');
  });

  it('gives the same as JSON', () => {
    const { files, unparsed, lifted, refused, share } = JSON.parse(lift('--json').out);
    assert.deepEqual(files, ['app.js', 'lib/own.js', 'lib/module.mjs', 'lib/more.js']);
    assert.deepEqual(unparsed, ['lib/typed.ts']);
    assert.deepEqual(
      lifted.map(({ file, line, call: name }) => [file, line, name]),
      [
        ['lib/own.js', 7, 'slow.work'],
        ['lib/module.mjs', 3, 'slow.work'],
      ],
    );
    assert.deepEqual([refused.length, share], [2, 1 / 2]);
  });

  it('leaves out the files of Ignis, also where it lies outside of `node_modules`, as by a link', () => {
    const file = path.join(folder, 'linked.js');
    const ignis = JSON.stringify(require.resolve('../../lib/index.js'));
    fs.writeFileSync(file, `const ignis = require(${ignis});\nconst slow = require('slow');\nexports.f = async () => slow.work(ignis);\n`);
    const { out } = call(['lift', '--dry-run', '--json', file]);
    assert.deepEqual(JSON.parse(out).files, ['linked.js']);
    fs.rmSync(file);
  });

  it('reads TypeScript where Node can take its types away', function () {
    if (Module.stripTypeScriptTypes === undefined) return this.skip();
    const { out } = call(['lift', '--dry-run', path.join(folder, 'typed.mts')]);
    assert.match(
      out,
      /^--- a\/typed\.mts\n[^]*\n const a: number = 1;\n-slow\.work\(a\);\n\+__ignisLift\.value\(.*\n export type { a };\n\n1 call of 1 lifted/,
    );
  });

  it('takes another recipe file, and says when none lifts anything', () => {
    const recipe = path.join(folder, 'other.json');
    fs.writeFileSync(recipe, '{}');
    assert.equal(
      lift('--recipe', recipe).out.split('\n').at(-2),
      'nothing is lifted: no recipe says lift, nor does any import in 4 files (see docs/lift.md)',
    );
    fs.writeFileSync(recipe, '{"modules":{"missing":{"lift":true}}}');
    assert.match(lift('--recipe', recipe).out, /no call of the modules that the recipes lift \(missing\) was found in 4 files\n$/);
  });

  it('ends with 2 where the program itself cannot be read', () => {
    for (const [name, text] of [
      ['broken.js', 'const a = ;'],
      ['odd.txt', 'const a = 1;'],
    ]) {
      fs.writeFileSync(path.join(folder, name), text);
      for (const more of [[], ['--json']]) {
        const { code, out, err } = call(['lift', '--dry-run', ...more, path.join(folder, name)]);
        assert.deepEqual([code, out], [2, '']);
        assert.match(err, /can be parsed neither as JavaScript nor as TypeScript/);
      }
      fs.rmSync(path.join(folder, name));
    }
  });

  it('refuses to change files, no program, two, and one that is not there', () => {
    for (const [args, message] of [
      [[path.join(folder, 'app.js')], /never on disk/],
      [['--dry-run'], /name one program/],
      [['--dry-run', 'a', 'b'], /name one program/],
      [['--dry-run', path.join(folder, 'missing.js')], /IGNIS_NOT_FOUND/],
    ]) {
      const { code, out, err } = call(['lift', ...args]);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, message);
    }
  });
});

describe('the lines of a diff', () => {
  const text = (...changed) =>
    Array.from({ length: 20 }, (_, index) => `${changed.includes(index + 1) ? 'new' : 'old'} ${index + 1}\n`).join('');

  it('are none where nothing changed', () => assert.equal(diffLines('a', text(), text()), ''));

  it('are of one hunk for changes that are near each other, of two for others', () => {
    const hunks = (...changed) => diffLines('a', text(), text(...changed)).match(/^@@.*$/gm);
    assert.deepEqual(hunks(1), ['@@ -1,4 +1,4 @@']);
    assert.deepEqual(hunks(5, 12), ['@@ -2,14 +2,14 @@']);
    assert.deepEqual(hunks(5, 13), ['@@ -2,7 +2,7 @@', '@@ -10,7 +10,7 @@']);
    assert.deepEqual(hunks(20), ['@@ -17,4 +17,4 @@']);
  });
});
