'use strict';

const assert = require('node:assert/strict');
const {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const { execFileSync, spawnSync } = require('node:child_process');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { boundaryRecords } = require('../../lib/view/boundary-records');
const { SCHEMA, boundaryReports, buildReport, writeReport } = require('../../lib/view/snapshot');

const sums = {
  calls: 3,
  failures: 1,
  exclusiveMs: 912,
  inclusiveMs: 920,
  pending: 0,
  completions: 0,
  latencyMs: 0,
  maxMs: 304,
  p50Ms: 300,
  p99Ms: 304,
};
const one = { ...sums, kind: 'sync', argBytes: 120, resultBytes: 0 };
const record = (changes) => ({
  id: './links.js -> uri-js',
  parent: { name: './links.js' },
  child: { name: 'uri-js', kind: 'package' },
  totals: { ...sums, functions: { parse: one } },
  reading: { callsPerSecond: 3, share: 0.912 },
  pressure: 0.912,
  permission: { allowed: false, why: 'no recipe allows replicas' },
  set: null,
  ...changes,
});
const program = {
  ignis: '0.1.0',
  node: 'v20.20.0',
  cpus: 2,
  pid: 42,
  program: 'server.js',
  startedAt: 0,
  writtenAt: 1500,
  loop: { utilisation: 0.954321987, delayMs: null },
};

describe('view/snapshot', () => {
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ignis-report-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('builds a report with its schema, program, boundaries, decisions and replicas', () => {
    const decisions = [{ time: 1, sentence: 's' }];
    const replicas = [{ id: 'r1' }];
    const report = buildReport({ program, boundaries: [record()], decisions, replicas });
    assert.equal(report.schema, SCHEMA);
    assert.deepEqual([report.startedAt, report.writtenAt], ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:01.500Z']);
    assert.deepEqual([report.decisions, report.replicas], [decisions, replicas]);
    assert.equal(report.busiest, null);
    const busiest = { at: '1970-01-01T00:00:01.000Z' };
    assert.equal(buildReport({ program, boundaries: [], busiest, decisions, replicas }).busiest, busiest);
    const [boundary] = report.boundaries;
    assert.deepEqual(
      [boundary.parent, boundary.child, boundary.calls, boundary.exclusiveMs, boundary.inclusiveMs],
      ['./links.js', 'uri-js', 3, 912, 920],
    );
    assert.deepEqual([boundary.kinds, boundary.p50Ms, boundary.p99Ms, boundary.meanMs], [{ parse: 'sync' }, 300, 304, 304]);
    assert.deepEqual([boundary.functions.parse.argBytes, boundary.functions.parse.resultBytes, boundary.latencyMs], [120, null, null]);
    assert.match(boundary.sentence, /synchronous, 91 % of the event loop/);
  });

  it('says null, not zero, of what was never measured', () => {
    const [boundary] = boundaryReports([record({ totals: null, reading: null, pressure: 0 })]);
    assert.deepEqual([boundary.calls, boundary.meanMs, boundary.p99Ms, boundary.maxMs, boundary.latencyMs], [0, null, null, null, null]);
    assert.equal(boundary.sentence, 'not called yet');
  });

  it('says null, not zero, of the time of calls that all went to replicas', () => {
    const none = { exclusiveMs: 0, inclusiveMs: 0, maxMs: 0, p50Ms: 0, p99Ms: 0 };
    const totals = { ...sums, ...none, functions: { parse: { ...one, ...none } } };
    const [boundary] = boundaryReports([record({ totals })]);
    for (const { calls, p50Ms, p99Ms, maxMs } of [boundary, boundary.functions.parse])
      assert.deepEqual([calls, p50Ms, p99Ms, maxMs], [3, null, null, null]);
    assert.deepEqual([boundary.meanMs, boundary.exclusiveMs], [null, 0]);
  });

  it('does not say that what is seen in part was not called', () => {
    const around = { window: { tick() {}, readings: () => [], totals: () => null }, pressureOf: () => 0, setOf: () => undefined };
    const consentOf = () => ({ allowed: false, why: '' });
    const seen = { id: 'a -> b', parent: { name: 'a' }, child: { name: 'b' }, recipe: {}, isPartlySeen: true };
    const records = boundaryRecords({ ...around, boundaries: [seen], consentOf, permissionOf: consentOf });
    assert.match(boundaryReports(records)[0].sentence, /^no call was seen: it exports an object of a class/);
  });

  it('tells of what a boundary takes with the crossings inside', () => {
    const reading = { callsPerSecond: 3, share: 0.02, inclusiveMs: 450, windowMs: 500 };
    assert.match(boundaryReports([record({ reading })])[0].sentence, / 2 % of the event loop, 90 % with the modules that it calls/);
  });

  for (const [allowed, set, state] of [
    [false, null, 'declined'],
    [true, null, 'home'],
    [true, { ready: 0, wanted: 0 }, 'home'],
    [true, { ready: 0, wanted: 2 }, 'starting'],
    [true, { ready: 1, wanted: 2 }, 'distributed'],
  ]) {
    it(`calls a boundary ${state} when ${allowed ? '' : 'not '}allowed with ${JSON.stringify(set)}`, () => {
      assert.equal(boundaryReports([record({ permission: { allowed }, set })])[0].state, state);
    });
  }

  it('puts the most pressed boundary first', () => {
    const ids = boundaryReports([
      record({ id: 'b', pressure: 0 }),
      record({ id: 'a', pressure: 0 }),
      record({ id: 'c', pressure: 0.5 }),
    ]).map(({ id }) => id);
    assert.deepEqual(ids, ['c', 'a', 'b']);
  });

  it('writes a file that reads as it was, in a folder that it makes', () => {
    const file = join(folder, 'deep', 'report.json');
    const report = buildReport({
      program,
      boundaries: [record()],
      decisions: [{ time: 1_763_000_000_123, figures: { share: 1 / 3, gained: Infinity } }],
      replicas: [],
    });
    writeReport(file, report);
    const read = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(read.boundaries[0].exclusiveMs, 912);
    assert.equal(read.loop.utilisation, 0.954322);
    assert.deepEqual(read.decisions[0], { time: 1_763_000_000_123, figures: { share: 0.333333, gained: null } });
    assert.deepEqual(readdirSync(join(folder, 'deep')), ['report.json']);
  });

  it('replaces an older report, and leaves it whole when the new one cannot be written', () => {
    const file = join(folder, 'report.json');
    writeFileSync(file, 'old');
    assert.throws(
      () =>
        writeReport(file, {
          toJSON() {
            throw new Error('no');
          },
        }),
      /no/,
    );
    assert.equal(readFileSync(file, 'utf8'), 'old');
    writeReport(file, { schema: 1 });
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { schema: 1 });
    assert.deepEqual(readdirSync(folder), ['report.json']);
  });

  it('leaves nothing behind when the place is a folder', () => {
    mkdirSync(join(folder, 'report.json'));
    assert.throws(() => writeReport(join(folder, 'report.json'), { schema: 1 }));
    assert.deepEqual(readdirSync(folder), ['report.json']);
  });

  it('comes back with the reason where no folder can be made', function () {
    if (process.platform !== 'linux') this.skip();
    const source = `require(${JSON.stringify(require.resolve('../../lib/view/snapshot'))}).writeReport('/proc/nope/report.json', { schema: 1 })`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', source], { encoding: 'utf8', timeout: 25_000 });
    assert.equal(status, 1);
    assert.match(stderr, /ENOENT[^\n]*\/proc\/nope/);
  });

  it('goes where a link leads, and the link stays', () => {
    const file = join(folder, 'link.json');
    for (const [target, exists] of [
      ['there.json', true],
      ['deep/absent.json', false],
    ]) {
      mkdirSync(join(folder, 'deep'), { recursive: true });
      if (exists) writeFileSync(join(folder, target), 'old');
      symlinkSync(target, file);
      writeReport(file, { schema: 1 });
      assert.equal(readlinkSync(file), target);
      assert.deepEqual(JSON.parse(readFileSync(join(folder, target), 'utf8')), { schema: 1 });
      rmSync(file);
    }
    symlinkSync('link.json', file);
    assert.throws(() => writeReport(file, { schema: 1 }), { code: 'ELOOP' });
    assert.equal(readlinkSync(file), 'link.json');
  });

  it('is written into what is no file, and refused by a pipe that nobody reads', function () {
    if (process.platform === 'win32') this.skip();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const source = `require(${JSON.stringify(require.resolve('../../lib/view/snapshot'))}).writeReport(${JSON.stringify(pipe)}, { schema: 1 })`;
    const unread = spawnSync(process.execPath, ['-e', source], { encoding: 'utf8', timeout: 25_000 });
    assert.equal(unread.status, 1);
    assert.match(unread.stderr, /ENXIO/);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      writeReport(pipe, { schema: 1 });
      assert.deepEqual(JSON.parse(readFileSync(reader, 'utf8')), { schema: 1 });
    } finally {
      closeSync(reader);
    }
    assert.ok(lstatSync(pipe).isFIFO());
    assert.deepEqual(readdirSync(folder), ['pipe']);
  });

  it('comes after what was written before to a file that is stdout', function () {
    if (process.platform === 'win32') this.skip();
    const file = join(folder, 'out');
    const source = `require('fs').writeSync(1, 'mine '); require(${JSON.stringify(require.resolve('../../lib/view/snapshot'))}).writeReport('/dev/stdout', { schema: 1 })`;
    const out = openSync(file, 'w');
    try {
      assert.equal(spawnSync(process.execPath, ['-e', source], { stdio: ['ignore', out, 'inherit'] }).status, 0);
    } finally {
      closeSync(out);
    }
    assert.match(readFileSync(file, 'utf8'), /^mine \{\s+"schema": 1\s+\}\n$/);
  });

  it('can be written while the program exits', () => {
    const file = join(folder, 'exit.json');
    const source = `process.on('exit', () => require(${JSON.stringify(require.resolve('../../lib/view/snapshot'))}).writeReport(${JSON.stringify(file)}, { schema: 1 }))`;
    assert.equal(spawnSync(process.execPath, ['-e', source]).status, 0);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { schema: 1 });
  });
});
