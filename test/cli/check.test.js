'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { toText } = require('../../lib/cli/check');
const { call } = require('./call');
const { until } = require('../helpers/until');

const BIN = path.join(__dirname, '..', '..', 'bin', 'ignis.js');

/** @param {Partial<import('../../lib/check/judge').Verdict>} given */
const verdict = (given) => ({
  fn: 'parse',
  verdict: 'pure',
  isIdempotent: true,
  changesArguments: false,
  calls: 1204,
  compared: 600,
  equal: 600,
  distinct: 120,
  orders: 4,
  reasons: [],
  notes: [],
  ...given,
});

const result = (given) => ({
  command: 'npm test',
  exitCode: 0,
  signal: null,
  unmet: [],
  processes: 1,
  skipped: 0,
  runner: '',
  modules: [],
  recipe: '',
  ...given,
});

describe('ignis check, its text', () => {
  it('gives the evidence of a pure function, and the reason of another with its counterexample', () => {
    const reason = { why: 'reads the clock', detail: "first '1', then '2'", args: '[ 1 ]', at: 'test/a.js:3' };
    const verdicts = [verdict({}), verdict({ fn: '', verdict: 'home', isIdempotent: false, reasons: [reason] })];
    const text = toText(result({ modules: [{ name: 'lib', version: '1.0.0', verdicts, globals: [], unseen: [], failed: '' }] }));
    assert.match(text, /lib 1\.0\.0\n {2}parse: pure\n {4}1,204 calls, 120 different; 600 of 600 replays equal, in 4 orders\n/);
    assert.match(text, /\(the module itself\): stays at home: reads the clock\n/);
    assert.match(text, /- reads the clock: first '1', then '2', for \[ 1 \], at test\/a\.js:3/);
    assert.match(text, /No recipe is proposed/);
  });

  it('counts in the right number, and does not tell of replays where there were none', () => {
    const reasons = [{ why: 'no call could be compared' }];
    const none = verdict({ verdict: 'home', calls: 1, distinct: 0, compared: 0, equal: 0, orders: 0, reasons });
    const textOf = (one) =>
      toText(result({ modules: [{ name: 'lib', version: null, verdicts: [one], globals: [], unseen: [], failed: '' }] }));
    assert.match(textOf(none), /\n {2}parse: stays at home: no call could be compared\n {4}1 call, none compared\n/);
    assert.match(textOf(verdict({ orders: 1 })), /replays equal, in 1 order\n/);
  });

  it('says plainly when nothing was seen, and why if that is known', () => {
    assert.match(toText(result({})), /Nothing was seen: no module of interest was called through the `require` or `import` of Node itself/);
    assert.match(toText(result({ processes: 0 })), /^\nNo Node process was watched: the command started none/);
    assert.match(toText(result({ runner: 'jest', processes: 3 })), /3 Node processes were watched\.\nNothing was seen: jest loads modules/);
  });

  it('says how many calls found no room', () => {
    const modules = [{ name: 'lib', version: null, verdicts: [verdict({})], globals: [], unseen: [], failed: '' }];
    assert.match(toText(result({ skipped: 7, modules })), /7 calls were not recorded/);
  });
});

describe('ignis check, the command', function () {
  this.timeout(60000);

  it('wants a command, a target that can be one, and a recipe file that can be written', () => {
    assert.equal(call(['check']).code, 2);
    assert.match(call(['check', '--module', '', '--', 'true']).err, /IGNIS_BAD_OPTION/);
    assert.match(call(['check', '--recipe-out', 'x.json', '--', 'true']).err, /a file that ends in \.js or \.cjs/);
    assert.match(call(['check', '--recipe-out', __filename, '--', 'true']).err, /already exists/);
    for (const file of [path.join(__dirname, 'nowhere', 'x.js'), path.join(__filename, 'x.js')]) {
      const { code, err, launch } = call(['check', '--recipe-out', file, '--', 'true']);
      assert.deepEqual([code, launch], [2, undefined]);
      assert.match(err, /^ignis: .* cannot be written: [^\n]*\n$/);
    }
  });

  it('ends with 2 when the command cannot be started', () => {
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'check', '--', 'no-such-command-anywhere'], { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /no-such-command-anywhere/);
  });

  it('says of a command that is there that it may not be executed', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-check-cli-'));
    fs.writeFileSync(path.join(folder, 'run-tests'), '', { mode: 0o644 });
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'check', '--', './run-tests'], { encoding: 'utf8', cwd: folder });
    fs.rmSync(folder, { recursive: true });
    assert.equal(status, 2);
    assert.match(stderr, /^ignis: [^\n]*\.\/run-tests cannot be started: it exists, but may not be executed \(IGNIS_BAD_OPTION\)\n$/);
  });

  it('ends as a shell does when a signal ended the command, and names modules that nobody imported', () => {
    const killed = "setTimeout(() => {}, 60000); process.kill(process.pid, 'SIGKILL')";
    const args = [BIN, 'check', '--quiet', '--module', 'nope', '--module', 'there', '--', process.execPath, '-e', killed];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [137, '']);
    assert.match(stdout, /ended by SIGKILL[^]*matches --module nope[^]*matches --module there/);
    assert.doesNotMatch(stdout, /Nothing was seen/);
  });

  it('writes the recipe it proposes, and prints the result in JSON', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-check-cli-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"app","version":"1.0.0"}');
    fs.writeFileSync(path.join(folder, 'double.js'), 'exports.double = (n) => 2 * n;\n');
    fs.writeFileSync(
      path.join(folder, 'app.js'),
      "const { double } = require('./double');\nconsole.log([1, 2, 3].map((n) => double(n)).join());\n",
    );
    const modules = ['--module', './double.js', '--module', 'nope'];
    const args = [BIN, 'check', '--json', ...modules, '--recipe-out', 'proposed.js', '--', process.execPath, 'app.js'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
    assert.equal(status, 0, stderr);
    assert.match(stderr, /^2,4,6$/m);
    const parsed = JSON.parse(stdout);
    assert.deepEqual([parsed.exitCode, parsed.signal, parsed.unmet], [0, null, ['nope']]);
    assert.match(stderr, /replaying \.\/double\.js: 1 function \(module 1 of 1\)/);
    assert.deepEqual(
      parsed.modules.map(({ name, verdicts }) => [name, verdicts.map((one) => [one.fn, one.verdict])]),
      [['./double.js', [['double', 'pure']]]],
    );
    assert.deepEqual({ ...require(path.join(folder, 'proposed.js')).modules['./double.js'].functions }, { double: { pure: true } });
    fs.rmSync(folder, { recursive: true });
  });

  it('watches a process whose working directory is gone', function () {
    if (process.platform === 'win32') this.skip();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-check-cli-'));
    fs.writeFileSync(path.join(folder, 'app.js'), "console.log('runs')");
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${path.join(folder, 'app.js')}"`;
    const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'check', '--', 'sh', '-c', script], {
      encoding: 'utf8',
      cwd: folder,
    });
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^runs\n/);
  });

  for (const [runner, main] of [
    ['jest', 'jest/bin/jest.js'],
    ['vitest', 'vitest/vitest.mjs'],
  ]) {
    it(`knows ${runner} by the link in node_modules/.bin through which it was started`, () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-check-cli-'));
      const modules = path.join(folder, 'node_modules');
      fs.mkdirSync(path.join(modules, '.bin'), { recursive: true });
      fs.mkdirSync(path.dirname(path.join(modules, main)), { recursive: true });
      fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"app","version":"1.0.0"}');
      fs.writeFileSync(path.join(modules, main), '');
      fs.symlinkSync(path.join('..', main), path.join(modules, '.bin', runner));
      const args = [BIN, 'check', '--', process.execPath, path.join('node_modules', '.bin', runner)];
      const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
      fs.rmSync(folder, { recursive: true });
      assert.equal(status, 0);
      assert.match(stdout, new RegExp(`Nothing was seen: ${runner} loads modules in its own way`));
    });
  }

  describe('when a signal comes to it', () => {
    let folder;
    let program;
    let said;
    const temporary = () => path.join(folder, 'tmp');

    function start(files) {
      for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
      said = '';
      program = spawn(process.execPath, [BIN, 'check', '--limit-ms', '3600000', '--', process.execPath, 'app.js'], {
        cwd: folder,
        env: { ...process.env, TMPDIR: temporary() },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      program.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    }

    beforeEach(() => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-check-cli-'));
      fs.mkdirSync(temporary());
      fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"app","version":"1.0.0"}');
    });
    afterEach(() => {
      program.kill('SIGKILL');
      fs.rmSync(folder, { recursive: true });
    });

    for (const signal of ['SIGTERM', 'SIGHUP']) {
      it(`hands ${signal} on to the command, leaves nothing behind, and ends by it`, async () => {
        const listens = `process.on('${signal}', () => { console.log('heard'); process.exitCode = 0; clearInterval(timer); })`;
        start({ 'app.js': `const timer = setInterval(() => {}, 1000); ${listens}; console.log('ready');` });
        await until(() => said.includes('ready'), 'the command', 20000);
        const closed = once(program, 'close');
        program.kill(signal);
        assert.deepEqual(await closed, [null, signal]);
        assert.equal(said, 'ready\nheard\n');
        assert.deepEqual(fs.readdirSync(temporary()), []);
      });
    }

    it('ends a replica that replays, too', async () => {
      // A replica gets no variable of ours: it computes for good.
      const stuck = 'if (process.env.IGNIS_CHECK === undefined) for (;;); exports.double = (n) => 2 * n;';
      start({ 'double.js': stuck, 'app.js': "for (const n of [1, 2, 3]) require('./double').double(n)" });
      const isReplayed = () => fs.readdirSync(temporary(), { recursive: true }).some((name) => String(name).endsWith('.answer'));
      await until(isReplayed, 'a replica', 20000);
      const exit = once(program, 'exit');
      program.kill('SIGTERM');
      assert.deepEqual(await exit, [null, 'SIGTERM']);
      assert.deepEqual(fs.readdirSync(temporary()), []);
    });
  });
});
