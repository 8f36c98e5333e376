'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { REGISTRY } = require('../../bench/suites/suites');
const { CHECKOUTS } = require('../../bench/suites/checkouts');
const { filesOf } = require('../../bench/suites/files');
const { commandsOf, runSuite } = require('../../bench/suites/run');
const { report } = require('../../bench/suites/report');
const { readOptions } = require('../../bench/suites');

const ALL = [...REGISTRY, ...CHECKOUTS];

describe('suites: the list and its runs', () => {
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-suites-test-'));
    const write = (name, text) => {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      fs.writeFileSync(path.join(folder, name), text);
    };
    write('lib/sum.js', 'exports.sum = (a, b) => a + b;\n');
    write('test/sum.js', "console.log('# sum\\n' + (require('../lib/sum').sum(1, 2) === 3 ? 'ok 1 adds' : 'not ok 1 adds'));\n");
    write('test/deep/where.js', 'console.log(`# where\\nok 1 ${process.env.IGNIS_WHERE}`);\n');
    write('test/hangs.js', "console.log('# hangs\\nok 1 begins');\nsetInterval(() => {}, 1e6);\n");
    write('test/node_modules/x.js', '');
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('names each suite once, with an exact version, exact needs, and what to force', () => {
    assert.equal(new Set(ALL.map(({ name }) => name)).size, ALL.length);
    assert.ok(REGISTRY.length >= 15);
    assert.ok(REGISTRY.every(({ source }) => source === 'registry') && CHECKOUTS.every(({ source }) => source !== 'registry'));
    for (const { name, version, needs, sources, files } of ALL) {
      for (const exact of [version, ...Object.values(needs)]) assert.match(exact, /^(?:npm:[\w-]+@)?\d+\.\d+\.\d+$/, name);
      assert.ok(sources.length > 0 && files.length > 0, name);
    }
  });

  it('lists known failures of suites and modes that exist, each with a reason of one line', () => {
    for (const { suite, modes, test, reason } of require('../../bench/suites/known.json')) {
      assert.ok(
        ALL.some(({ name }) => name === suite),
        suite,
      );
      assert.ok(modes.length > 0 && modes.every((mode) => ['profiled', 'exact', 'thread', 'process'].includes(mode)), test);
      assert.match(reason, /^\S.{10,200}$/, test);
    }
  });

  it('finds files by patterns, takes some out, and refuses a pattern that means none', () => {
    assert.deepEqual(filesOf(folder, ['test/*.js', '!test/h*.js']), ['test/sum.js']);
    assert.deepEqual(filesOf(folder, ['test/**/*.js']), ['test/deep/where.js', 'test/hangs.js', 'test/sum.js']);
    assert.throws(() => filesOf(folder, ['spec/*.js']), /no file spec/);
  });

  const suite = { name: 's', version: '1.0.0', style: '', source: 'registry', runner: 'node', sources: ['lib'], needs: {} };

  it('forces the sources and not the tests, and gives plain runs nothing of Ignis', () => {
    const [plain] = commandsOf({ ...suite, files: ['test/sum.js'] }, folder, 'plain');
    assert.deepEqual(plain, { args: [path.join(folder, 'test/sum.js')], env: {}, cwd: folder });
    const [exact] = commandsOf({ ...suite, files: ['test/sum.js'] }, folder, 'exact');
    assert.deepEqual(exact.env, { IGNIS_QUIET: 'true', IGNIS_EXACT: 'true' });
    const [forced] = commandsOf({ ...suite, files: ['test/sum.js'] }, folder, 'process');
    assert.equal(forced.env.IGNIS_FORCE, path.join(folder, 'lib'));
    assert.equal(forced.env.IGNIS_WHERE, 'process');
    assert.deepEqual(forced.args.slice(0, 1), ['-r']);
  });

  it('lets the tests use the package through ES modules that import it', async () => {
    const imports = path.join(folder, 'list.json');
    const sum = { ...suite, files: ['test/sum.js'] };
    await runSuite(sum, folder, 'plain', { timeoutMs: 30_000, imports, isRecording: true });
    assert.deepEqual(JSON.parse(fs.readFileSync(imports, 'utf8')), [fs.realpathSync(path.join(folder, 'lib/sum.js'))]);
    const report = path.join(folder, 'report.json');
    const run = await runSuite({ ...sum, env: { IGNIS_REPORT: report } }, folder, 'profiled', { timeoutMs: 30_000, imports });
    assert.deepEqual([run.ending, run.outcomes.map(({ ok }) => ok)], [null, [true]]);
    const { boundaries } = JSON.parse(fs.readFileSync(report, 'utf8'));
    const entered = boundaries.filter(({ child }) => child.endsWith('lib/sum.js'));
    assert.match(entered[0].parent, /suites-imports-\w+\/0\.mjs$/);
    assert.deepEqual(
      entered.map(({ calls }) => calls),
      [1],
    );
  }).timeout(60_000);

  it('runs each file by itself and names its tests after it', async () => {
    const run = await runSuite({ ...suite, files: ['test/sum.js', 'test/deep/where.js'] }, folder, 'plain', { timeoutMs: 30_000 });
    assert.deepEqual(
      run.outcomes.map(({ name }) => name),
      ['test/sum.js: sum > adds', 'test/deep/where.js: where > undefined'],
    );
    assert.equal(run.ending, null);
  });

  it('runs files whose exports are tests: with assertions, with none, in groups with a set-up, and those that fail', async () => {
    const text = [
      "const assert = require('assert');",
      'exports.counts = (test) => { test.expect(2); test.ok(true); setTimeout(() => { test.equals(1, 1); test.done(); }); };',
      'exports.returns = () => assert.ok(true);',
      'exports.group = { setUp(done) { this.value = 1; done(); }, finds(test) { test.equal(this.value, 1); test.done(); } };',
      'exports.forgets = (test) => { test.expect(1); test.done(); };',
      'exports.differs = (test) => { try { test.equal(1, 2); } catch {} test.done(); };',
      "exports.throws = (test) => setTimeout(() => { throw new Error('later'); });",
    ];
    fs.writeFileSync(path.join(folder, 'test/exports.js'), text.join('\n'));
    const run = await runSuite({ ...suite, runner: 'nodeunit', files: ['test/exports.js'] }, folder, 'plain', { timeoutMs: 30_000 });
    assert.deepEqual(
      run.outcomes.map(({ name, ok }) => [name, ok]),
      [
        ['counts', true],
        ['returns', true],
        ['group > finds', true],
        ['forgets', false],
        ['differs', false],
        ['throws', false],
      ],
    );
    assert.match(String(run.outcomes[5].error), /later/);
  });

  it('stops a suite that hangs, and counts what it had said', async () => {
    const run = await runSuite({ ...suite, files: ['test/hangs.js'] }, folder, 'plain', { timeoutMs: 1_000 });
    assert.match(String(run.ending), /stopped after 1 s/);
    assert.deepEqual(run.outcomes, [{ name: 'hangs > begins', ok: true, error: null }]);
  });

  it('prints the counts, the share of plain rounded down, and the losses by reason', () => {
    const lost = [{ suite: 's', mode: 'thread', test: 'sum > adds', error: 'not a function' }];
    const result = { suite, passed: { plain: 20_000, thread: 19_999 }, failed: 1, flaky: [], ms: { plain: 1000, thread: 2000 }, lost };
    const text = report([result], ['plain', 'thread'], { unlisted: lost, healed: [] }, 5);
    assert.match(text, /s 1\.0\.0 +20,000 +19,999 \(-1\)/);
    assert.match(text, /of plain +100\.00 % +99\.99 %/);
    assert.match(text, /1 x not a function\n +s: sum > adds/);
  });

  it('refuses modes, suites and times that do not exist', () => {
    assert.throws(() => readOptions(['--mode', 'moon']), /no mode moon/);
    assert.throws(() => readOptions(['--only', 'nothing']), /no suite nothing/);
    assert.throws(() => readOptions(['--only', 'lodash']), /--from/);
    assert.throws(() => readOptions(['--timeout', 'long']), /seconds/);
    assert.deepEqual(readOptions(['--mode', 'thread']).modes, ['plain', 'thread']);
  });
});
