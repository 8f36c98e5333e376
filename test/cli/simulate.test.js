'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { FRACTIONS } = require('../../lib/rank/service-time.js');
const { call, spawn } = require('./call.js');

const boundary = (child, changes) => ({
  id: `app.js -> ${child}`,
  child,
  callsPerSecond: 100,
  share: 0.45,
  meanMs: 4.5,
  pending: 0,
  latencyMs: null,
  isLater: false,
  quantiles: FRACTIONS.map((fraction) => 3 + 3 * fraction),
  ...changes,
});

const reportWith = (busiest) => ({
  cpus: 4,
  boundaries: [],
  decisions: [],
  replicas: [],
  busiest: {
    at: '2026-01-02T00:00:00.000Z',
    windowMs: 1000,
    poolThreads: 4,
    loop: { utilisation: 1, delayMs: 3 },
    boundaries: [boundary('uri-js', { share: 0.5, callsPerSecond: 100 }), boundary('marked', { share: 0.4 })],
    replicas: [],
    ...busiest,
  },
});

let folder;
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-simulate-'));
});
after(() => {
  fs.rmSync(folder, { recursive: true });
});

const fileWith = (content) => {
  const file = path.join(folder, 'report.json');
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const json = (...args) => {
  const { code, out, err } = call(['simulate', '--json', ...args]);
  assert.deepEqual([code, err], [0, '']);
  return JSON.parse(out);
};

describe('ignis simulate', function () {
  this.timeout(30_000);

  it('prints a line for each number of replicas of the most pressed module, the fewest that do, and the sources', () => {
    const { code, out, err } = call(['simulate', fileWith(reportWith())]);
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^Replicas of uri-js, simulated\n\nreplicas +calls\/s +p50 ms +p99 ms +loop +replica\n/);
    const rows = out.split('\n\n')[1].split('\n').slice(1);
    assert.deepEqual(
      rows.map((row) => Number(row.trim().split(/ +/)[0])),
      [0, 1, 2, 3, 4],
    );
    assert.equal(rows.filter((row) => row.endsWith('*')).length, 1);
    assert.match(out, /\* the fewest replicas that answer as many calls/);
    assert.match(out, /Measured\n {2}the report .*report\.json, a window of 1,000 ms that ended at\s+2026-01-02/s);
    assert.match(out, /Assumed\n {2}the event loop was busy 100 %.*32\s+callers/s);
    assert.match(out, /0\.15 ms: assumed, not\s+measured/);
    assert.match(out, /20,000 calls or more for each line, seed 1\n$/);
    assert.ok(out.split('\n').every((line) => line.length <= 100));
  });

  it('asks by itself about the module that would free most, with what its replicas would run of modules inside', () => {
    const quantiles = FRACTIONS.map((fraction) => 6 + 6 * fraction);
    const render = boundary('./render.js', { share: 0.05, withInside: { share: 0.9, quantiles } });
    const window = { boundaries: [boundary('uri-js', { parent: './render.js' }), render] };
    const told = { ...reportWith(window), prospects: [{ module: './render.js', sentence: '', answers: [] }] };
    const { answers, source } = json(fileWith(told));
    assert.deepEqual(Object.keys(answers[0].replicas), ['./render.js']);
    assert.ok(answers[1].loopShare < 0.3, String(answers[1].loopShare));
    assert.match(source.measured[1], /render\.js include what they do in the modules that they call/);
    const both = json(fileWith(told), '--replicas', './render.js=0..1', '--replicas=uri-js=0');
    assert.ok(both.answers[1].loopShare > 0.4, String(both.answers[1].loopShare));
    for (const wrong of [{ share: 2, quantiles }, { share: 0.9, quantiles: [1] }, null]) {
      const one = boundary('./render.js', { withInside: wrong });
      assert.match(
        call(['simulate', fileWith(reportWith({ boundaries: [one] }))]).err,
        /boundaries\[0\]\.withInside\.\w+ is not a (number|list)/,
      );
    }
  });

  it('computes all combinations of several modules', () => {
    const { answers } = json(fileWith(reportWith()), '--replicas', 'uri-js=0..2', '--replicas=marked=1');
    assert.deepEqual(
      answers.map(({ replicas }) => replicas),
      [0, 1, 2].map((count) => ({ 'uri-js': count, marked: 1 })),
    );
    assert.deepEqual(
      answers[1].modules.map(({ module, replicas }) => [module, replicas]),
      [
        ['uri-js', 1],
        ['marked', 1],
      ],
    );
    const { out } = call(['simulate', fileWith(reportWith()), '--replicas', 'uri-js=0..2', '--replicas=marked=1']);
    assert.match(out, /^Replicas of uri-js and marked, simulated\n\nuri-js +marked +calls\/s/);
  });

  it('knows load, cores, callers and seed', () => {
    const file = fileWith(reportWith({ loop: { utilisation: 0.92, delayMs: 1 } }));
    const ask = (...args) => json(file, '--replicas', 'uri-js=1', ...args).answers[0];
    const rate = (...args) => ask(...args).callsPerSecond;
    const [plain, half] = [rate(), rate('--load', '0.5x')];
    assert.deepEqual([plain, half], [100, 50]);
    assert.equal(json(file, '--replicas', 'uri-js=0', '--load', '2').answers[0].isSaturated, true);
    assert.match(call(['simulate', file, '--load', '2x']).out, / grows +grows .*\n.*queue grows without end/s);
    assert.ok(rate('--clients', '8') > 150);
    // Each of them waits for its answer, so hardly more are answered than of a few, once all have begun.
    const many = ask('--clients', '20000');
    assert.ok(Math.abs(many.callsPerSecond / rate('--clients', '100') - 1) < 0.05, `${many.callsPerSecond} calls/s`);
    assert.ok(many.calls >= 200_000);
    assert.notEqual(ask('--seed', '5').p99Ms, ask().p99Ms);
    assert.deepEqual(ask('--seed', '5'), ask('--seed', '5'));
    const light = fileWith(reportWith({ loop: { utilisation: 0.52, delayMs: 1 }, boundaries: [boundary('uri-js', { share: 0.5 })] }));
    const two = (cores) => json(light, '--replicas', 'uri-js=4', '--clients', '16', '--cores', cores).answers[0].callsPerSecond;
    assert.ok(two('8') > 1.8 * two('2'));
    assert.equal(json(light, '--cores', '2').answers.length, 3);
  });

  it('keeps the replicas of modules that are not asked for', () => {
    const replicas = [{ module: 'marked', ready: 3, callsPerSecond: 100, busyMsPerSecond: 400, waiting: 0, callMs: 0.05, startMs: 50 }];
    const found = json(fileWith(reportWith({ replicas })), '--replicas', 'uri-js=0..1');
    const counts = found.answers.map(({ modules }) => Object.fromEntries(modules.map((one) => [one.module, one.replicas])));
    assert.deepEqual(counts, [
      { 'uri-js': 0, marked: 3 },
      { 'uri-js': 1, marked: 3 },
    ]);
    assert.ok(found.source.assumed.includes('marked keeps the 3 replicas that it had'));
  });

  it('answers of a real report', () => {
    fs.writeFileSync(
      path.join(folder, 'hot.js'),
      'exports.work = (n) => { let x = 1; for (let i = 0; i < n; i++) x = Math.imul(x, 31) + 7 | 0; return x }',
    );
    const program = `const { work } = require('./hot.js'); const end = Date.now() + 1500;
      const turn = () => { for (let i = 0; i < 20; i++) work(100000); if (Date.now() < end) setTimeout(turn, 2) }; turn()`;
    fs.writeFileSync(path.join(folder, 'app.js'), program);
    assert.equal(spawn(['run', '--report', 'real.json', 'app.js'], { cwd: folder }).code, 0);
    const { busiest, prospects } = JSON.parse(fs.readFileSync(path.join(folder, 'real.json'), 'utf8'));
    const [hot] = busiest.boundaries;
    assert.equal(hot.child, './hot.js');
    assert.deepEqual([prospects[0].module, prospects[0].at], ['./hot.js', busiest.at]);
    // Of the time in which others did not have the processor.
    const ran = 1 - busiest.loop.runDelay;
    assert.ok(hot.share > 0.3 * ran && hot.callsPerSecond > 20 * ran, JSON.stringify(busiest));
    assert.equal(hot.quantiles.length, FRACTIONS.length);
    const { code, out, err } = spawn(['simulate', 'real.json', '--replicas', './hot.js=0..2'], { cwd: folder });
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^Replicas of \.\/hot\.js, simulated/);
    const [home] = JSON.parse(spawn(['simulate', 'real.json', '--replicas', './hot.js=0', '--json'], { cwd: folder }).out).answers;
    // What Ignis itself took of the loop is left out.
    const { utilisation, ownShare = 0 } = busiest.loop;
    assert.ok(
      Math.abs(home.loopShare - (utilisation - ownShare)) < 0.1,
      `${home.loopShare}, measured ${utilisation}, of it ${ownShare} its own`,
    );
  });

  for (const [title, args, why] of [
    ['an unknown module', ['--replicas', 'url-js=1'], /no module 'url-js' was used.*did you mean 'uri-js'\?/],
    ['a range without a module', ['--replicas', '4'], /'4'; it must be of the form 'module=0\.\.4'/],
    ['a range that falls', ['--replicas', 'uri-js=4..1'], /write the smaller number first: 1\.\.4/],
    ['a range that is none', ['--replicas', 'uri-js=a..b'], /of the form/],
    ['a negative number', ['--replicas', 'uri-js=-1'], /of the form/],
    ['a range too far', ['--replicas', 'uri-js=0..999999'], /at most 256 replicas/],
    ['a module named twice', ['--replicas', 'uri-js=1', '--replicas', 'uri-js=2'], /names 'uri-js' twice/],
    ['too many combinations', ['--replicas', 'uri-js=0..20', '--replicas', 'marked=0..20'], /asks for 441 combinations; at most 256/],
    ['no load', ['--load', '0x'], /'load' is '0x'.*it must be a factor above 0/],
    ['a load that is none', ['--load', 'much'], /'load' is 'much'/],
    ['no cores', ['--cores', '0'], /'cores' is 0/],
    ['a negative number of callers', ['--clients', '-3'], /'clients' is -3/],
    ['half a seed', ['--seed', '0.5'], /'seed' is 0\.5/],
    ['an unknown option', ['--replica', 'uri-js=1'], /'replica'.*did you mean 'replicas'/],
  ]) {
    it(`is misused with ${title}`, () => {
      const { code, out, err } = call(['simulate', fileWith(reportWith()), ...args]);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, /^ignis: [^\n]+ \(IGNIS_BAD_OPTION\)\n$/);
      assert.match(err, why);
    });
  }

  for (const [title, content, why] of [
    ['nothing', '', /not a report of Ignis/],
    ['no JSON', '{', /not a report of Ignis/],
    ['a report of an older version', { ...reportWith(), busiest: undefined }, /older version of Ignis/],
    ['a report without calls', { ...reportWith(), busiest: null }, /no call was seen/],
    ['figures that are none', reportWith({ boundaries: [boundary('uri-js', { share: 'much' })] }), /share is 'much'; it must be a number/],
    ['figures out of this world', reportWith({ boundaries: [boundary('uri-js', { callsPerSecond: -5 })] }), /callsPerSecond/],
  ]) {
    it(`refuses a file that holds ${title}`, () => {
      const { code, out, err } = call(['simulate', fileWith(content)]);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, /^ignis: [^\n]+ \(IGNIS_BAD_OPTION\)\n$/);
      assert.match(err, why);
    });
  }

  it('answers also what nobody would measure', () => {
    for (const changes of [
      { callsPerSecond: 1e12, share: 1 },
      { callsPerSecond: 1e-9 },
      { callsPerSecond: 0, share: 0 },
      { quantiles: [] },
    ]) {
      const { code, err } = call(['simulate', fileWith(reportWith({ boundaries: [boundary('uri-js', changes)] }))]);
      assert.deepEqual([code, err], [0, ''], JSON.stringify(changes));
    }
  });

  it('lets no control character of a report reach the terminal', () => {
    const evil = '\u001b[2Jgone\u009b1m\r\n';
    const { code, out } = call(['simulate', fileWith(reportWith({ at: evil, boundaries: [boundary(evil)] }))]);
    assert.equal(code, 0);
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('knows modules by names that every object has', () => {
    const { answers } = json(fileWith(reportWith({ boundaries: [boundary('__proto__')] })), '--replicas', '__proto__=1..2');
    assert.equal(answers.length, 2);
  });

  it('wants one report', () => {
    assert.match(call(['simulate']).err, /name one report or program/);
    assert.equal(call(['simulate', 'a', 'b']).code, 2);
    assert.match(call(['simulate', 'nowhere.json']).err, /nowhere\.json \(IGNIS_NOT_FOUND\)/);
  });
});
