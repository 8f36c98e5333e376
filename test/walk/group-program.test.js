'use strict';

// Groups in whole programs: a glob of a recipe puts a subtree into one replica.

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const IGNIS = path.join(__dirname, '../..');

/** The modules of the subtree, and one beside it. */
const FILES = {
  'lib/shared.js':
    "let n = 0; exports.next = () => ++n; exports.place = () => `${process.pid}/${require('node:worker_threads').threadId}`;",
  'lib/words.js': "const shared = require('./shared'); exports.count = () => [shared.next(), shared.place()];",
  'lib/lines.js': "const shared = require('./shared'); exports.count = () => [shared.next(), shared.place()];",
  'plain.js': "exports.place = () => process.pid + '/0';",
};

let folder;
before(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-group-')));
  fs.mkdirSync(path.join(folder, 'lib'));
  for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text);
});
after(() => fs.rmSync(folder, { recursive: true }));

/** @param {object} recipe @param {string} body of an async function @returns {any} what the program gave to `tell` */
function run(recipe, body) {
  const file = path.join(folder, 'app.js');
  fs.writeFileSync(
    file,
    `const ignis = require(${JSON.stringify(IGNIS)});
    const tell = (x) => require('node:fs').writeSync(1, JSON.stringify(x));
    const until = async (is) => { while (!is()) await new Promise((done) => setTimeout(done, 10)); };
    const ready = (set) => ignis.report().replicas.filter(({ module, state }) => module === set && state === 'ready').length;
    ignis.start({ quiet: true, recipe: ${JSON.stringify(recipe)} });
    (async () => { ${body} })().catch((error) => tell([error.code, error.message])).finally(() => ignis.close());`,
  );
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8', cwd: folder, timeout: 50_000 }));
}

for (const where of ['thread', 'process']) {
  describe(`a subtree in one group, in a ${where}`, function () {
    this.timeout(60000);

    it('shares its replica and what it remembers, and the report shows it as one', () => {
      const told = run(
        { modules: { './lib/': { group: 'analysis', where, call: 'await', state: 'shared', copies: 1 } } },
        `const words = require('./lib/words'), lines = require('./lib/lines');
        await until(() => ready('group analysis') === 1);
        const counts = [await words.count(), await lines.count(), await words.count()];
        const { boundaries, decisions, replicas } = ignis.report();
        tell({
          counts,
          sets: boundaries.map(({ child, set, replicas }) => [child, set, replicas]),
          modules: [...new Set(decisions.map(({ module }) => module))],
          replicas: replicas.map(({ module }) => module),
          why: ignis.explain('group analysis').split('\\n').length,
          home: process.pid + '/0',
        });`,
      );
      assert.deepEqual(
        told.counts.map(([n]) => n),
        [1, 2, 3],
      );
      assert.equal(new Set(told.counts.map(([, place]) => place)).size, 1);
      assert.notEqual(told.counts[0][1], told.home);
      assert.ok(
        told.sets
          .filter(([child]) => child === './lib/words.js' || child === './lib/lines.js')
          .every(([, set, n]) => set === 'group analysis' && n === 1),
      );
      assert.deepEqual(told.replicas, ['group analysis']);
      assert.ok(told.modules.length <= 1 && told.modules.every((module) => module === 'group analysis'), told.modules.join());
      assert.ok(told.why >= 2, 'a line for each of its boundaries');
    });

    it("lives in one replica with call: 'block', state and all", () => {
      const { counts, replicas, home } = run(
        { modules: { './lib/*': { group: 'analysis', where, call: 'block' } } },
        `const words = require('./lib/words'), lines = require('./lib/lines');
        const counts = [words.count(), lines.count(), words.count()];
        tell({ counts, replicas: ignis.report().replicas.map(({ module }) => module), home: process.pid + '/0' });`,
      );
      assert.deepEqual(
        counts.map(([n]) => n),
        [1, 2, 3],
      );
      assert.equal(new Set(counts.map(([, place]) => place)).size, 1);
      assert.notEqual(counts[0][1], home);
      assert.deepEqual(replicas, ['./lib/words.js, ./lib/lines.js']);
    });
  });
}

it('calls within a group stay plain at home, where the group is given at the imports, also after the recipe has changed', function () {
  this.timeout(60000);
  fs.writeFileSync(
    path.join(folder, 'outer.js'),
    "const inner = require('./lib/shared', { group: 'g', call: 'await', state: 'none', copies: [0, 1] }); exports.sync = () => typeof inner.next();",
  );
  const told = run(
    {},
    `const outer = ignis()('./outer', { group: 'g', call: 'await', state: 'none', copies: 1, functions: { sync: { call: 'local' } } });
    await until(() => ready('group g') === 1);
    const before = outer.sync();
    ignis.start({ recipe: { qDepth: 100 } });
    tell([before, outer.sync(), ready('group g')]);`,
  );
  assert.deepEqual(told, ['number', 'number', 1]);
});

it('a group whose recipes contradict each other is refused at the import, with both places', function () {
  this.timeout(60000);
  const [code, message] = run(
    { modules: { './lib/': { group: 'analysis', state: 'none', call: 'await' }, './lib/lines.js': { where: 'thread' } } },
    "require('./lib/words'); require('./lib/lines'); tell('not refused');",
  );
  assert.equal(code, 'IGNIS_BAD_RECIPE');
  assert.match(message, /group 'analysis'.*'where'.*'process'.*'thread'.*given in/);
});
