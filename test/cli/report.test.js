'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { call } = require('./call.js');
const { readReport } = require('../../lib/cli/report-file.js');
const { IgnisError } = require('../../lib/errors.js');
const { widthOf } = require('../../lib/view/columns.js');
const { diagnose } = require('../../lib/view/doctor.js');
const { savedPage } = require('../../lib/view/saved-page.js');

const REPORT = {
  schema: 1,
  ignis: '0.1.0',
  node: 'v20.20.2',
  cpus: 2,
  pid: 4,
  program: 'server.js',
  startedAt: '2026-01-01T00:00:00.000Z',
  writtenAt: '2026-01-01T00:00:09.000Z',
  loop: { utilisation: 0.9, delayMs: 3 },
  boundaries: [
    {
      id: 'pages.js -> marked',
      calls: 12,
      exclusiveMs: 3.25,
      inclusiveMs: 3.25,
      p50Ms: 0.1,
      p99Ms: 0.3,
      maxMs: 0.3,
      replicas: 0,
      pressure: 90,
      state: 'home',
      sentence: 'takes little',
    },
    {
      id: 'links.js -> uri-js',
      calls: 400,
      exclusiveMs: 912,
      inclusiveMs: 912,
      p50Ms: 0.02,
      p99Ms: 300,
      maxMs: 304,
      replicas: 4,
      pressure: 0,
      state: 'distributed',
      sentence: 'keeps the event loop '.repeat(10),
    },
  ],
  decisions: [
    {
      time: Date.parse('2026-01-01T00:00:01.500Z'),
      module: 'uri-js',
      boundary: 'links.js -> uri-js',
      action: 'scale-out',
      from: 0,
      to: 4,
      sentence: 'start 4 replicas',
      figures: {},
    },
  ],
  replicas: [
    {
      id: 'uri-js/1',
      module: 'uri-js',
      where: 'process',
      pid: 77,
      startedMs: 8.4,
      state: 'closed',
      calls: 90,
      rssBytes: 42e6,
      endedWhy: 'home closed',
    },
  ],
};

let folder;
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-report-'));
});
after(() => {
  fs.rmSync(folder, { recursive: true });
});

const fileWith = (content) => {
  const file = path.join(folder, 'report.json');
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

describe('ignis report', () => {
  it('prints boundaries with those first that took most time, decisions and replicas', () => {
    const { code, out, err } = call(['report', fileWith(REPORT)]);
    assert.deepEqual([code, err], [0, '']);
    assert.ok(out.indexOf('links.js -> uri-js') < out.indexOf('pages.js -> marked'));
    assert.match(out, /links\.js -> uri-js +400 +912\.0 +912\.0 +0\.020 +300\.000 +304\.0 +4 {2}distributed\n/);
    assert.match(out, /1\.50 s {2}scale-out uri-js 0 -> 4\n +start 4 replicas\n/);
    assert.match(out, /uri-js\/1 +uri-js +process +77 +8 +90 +42\.0 {2}home closed\n/);
  });

  it('leaves out the memory of a replica that nobody measured, as of one on another host', () => {
    const [replica] = REPORT.replicas;
    const { out } = call(['report', fileWith({ ...REPORT, replicas: [{ ...replica, rssBytes: null }] })]);
    assert.match(out, /uri-js\/1 +uri-js +process +77 +8 +90 +home closed\n/);
  });

  it('has a sentence for each boundary of which there is more to say than that nobody called it', () => {
    const [boundary] = REPORT.boundaries;
    const idle = { ...boundary, id: 'a.js -> idle', calls: 0, sentence: 'not called yet' };
    const declined = { ...idle, id: 'a.js -> declined', sentence: 'not called yet: at home; its replicas cannot be started' };
    const { out } = call(['report', fileWith({ ...REPORT, boundaries: [boundary, idle, declined] })]);
    assert.match(out, /^a\.js -> idle +0 /m);
    assert.doesNotMatch(out, /^a\.js -> idle$/m);
    assert.match(out, /^a\.js -> declined\n {2}not called yet: at home/m);
  });

  it('names the replica that a row is in', () => {
    const home = './render.js #2';
    const [boundary] = REPORT.boundaries;
    const inside = {
      ...REPORT,
      boundaries: [{ ...boundary, id: `a -> b (in ${home})`, home }],
      decisions: REPORT.decisions.map((one) => ({ ...one, home })),
      replicas: REPORT.replicas.map((one) => ({ ...one, home })),
    };
    const { out } = call(['report', fileWith(inside)]);
    assert.match(out, /scale-out uri-js \(in \.\/render\.js #2\) 0 -> 4/);
    assert.match(out, /uri-js\/1 \(in \.\/render\.js #2\) +uri-js +process/);
  });

  it('prints what recipes say without effect', () => {
    const warnings = ["the recipe in app.js:3 has the target 'x*', but no import matched it"];
    assert.match(call(['report', fileWith({ ...REPORT, warnings })]).out, /\nWarnings\n {2}the recipe in app\.js:3 has the target 'x\*'/);
    assert.doesNotMatch(call(['report', fileWith(REPORT)]).out, /Warnings/);
  });

  it('keeps its columns below each other where names have wide characters', () => {
    const [boundary] = REPORT.boundaries;
    const names = ['日本語.js -> 模块🎉', 'a.js -> b', 'evil\u202e\u001b[31m.js -> x'];
    const { out } = call(['report', fileWith({ ...REPORT, boundaries: names.map((id) => ({ ...boundary, id, sentence: '' })) })]);
    const rows = out.split('\n').filter((line) => /^boundary| {2}home$/.test(line));
    assert.equal(rows.length, 4);
    assert.deepEqual(new Set(rows.map((row) => widthOf(row.replace(/ {2}(?:home|state)$/, '')))).size, 1);
    assert.deepEqual([out.includes('\u202e'), out.includes('\u001b')], [false, false]);
  });

  it('breaks long sentences at 100 columns', () => {
    const { out } = call(['report', fileWith(REPORT)]);
    assert.ok(out.split('\n').every((line) => line.length <= 100));
  });

  it('prints JSON that is the report', () => {
    assert.deepEqual(JSON.parse(call(['report', '--json', fileWith(REPORT)]).out), REPORT);
  });

  it('writes it as a page into the file that --html names, and says where; not beside --json, nor where none can be', () => {
    const html = path.join(folder, 'report.html');
    const { code, out, err } = call(['report', fileWith(REPORT), '--html', html]);
    assert.deepEqual([code, out, err], [0, '', `ignis: the page is ${html}\n`]);
    assert.match(fs.readFileSync(html, 'utf8'), /^<!doctype html>[^]*id="saved">\{.*"uri-js".*\}<\/script>/);
    assert.equal(call(['report', fileWith(REPORT), '--json', '--html', html]).code, 2);
    assert.equal(call(['report', fileWith(REPORT), '--html']).code, 2);
    const refused = call(['report', fileWith(REPORT), '--html', path.join(folder, 'absent', 'report.html')]);
    assert.match(refused.err, /report\.html cannot be written/);
    assert.notEqual(refused.code, 0);
  });

  it('says that nothing happened', () => {
    const { code, out } = call(['report', fileWith({ boundaries: [], decisions: [], replicas: [] })]);
    assert.equal(code, 0);
    assert.match(out, /No boundary was crossed/);
    assert.match(out, /Nothing had to be decided/);
  });

  it('lets no control character of a report reach the terminal', () => {
    const evil = '\u001b[2Jgone\u009b1m\r\n';
    const { out } = call([
      'report',
      fileWith({
        program: evil,
        boundaries: [{ id: evil, sentence: evil }],
        decisions: [{ sentence: evil, module: evil }],
        replicas: [{ id: evil }],
      }),
    ]);
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  for (const content of ['', '{', 'null', '[]', '{"boundaries": []}', '{"boundaries": 1, "decisions": [], "replicas": []}']) {
    it(`refuses a file that holds ${JSON.stringify(content)}`, () => {
      const { code, err } = call(['report', fileWith(content)]);
      assert.equal(code, 2);
      assert.match(err, /report\.json is not a report of Ignis/);
    });
  }

  it('says which field is none of a report, and that a report is of a newer version', () => {
    for (const [changed, words] of [
      [{ boundaries: [null] }, /is not a report of Ignis: boundaries\[0\] is null; it must be an object/],
      [{ boundaries: [{ functions: { parse: 1 } }] }, /boundaries\[0\]\.functions\.parse is 1; it must be an object/],
      [{ warnings: [7] }, /warnings\[0\] is 7; it must be a text/],
      [{ cpus: 'two' }, /cpus is 'two'; it must be a number/],
      [{ node: 22 }, /node is 22; it must be a text/],
      [{ loop: { runDelay: '' } }, /loop\.runDelay is ''; it must be a number/],
      [{ decisions: [{ action: 1 }] }, /decisions\[0\]\.action is 1; it must be a text/],
      [{ boundaries: [{ functions: { parse: { whyBound: 1 } } }] }, /boundaries\[0\]\.functions\.parse\.whyBound is 1; it must be a text/],
      [{ schema: 99 }, /written by a newer one \(schema 99, not 1\)/],
    ]) {
      for (const command of ['report', 'simulate']) {
        const { code, out, err } = call([command, fileWith({ ...REPORT, ...changed })]);
        assert.deepEqual([code, out], [2, '']);
        assert.match(err, words);
      }
    }
  });

  it('may have functions that are called as what every object inherits', () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-report-')), 'report.json');
    const names = ['toString', 'constructor', 'hasOwnProperty', 'valueOf'];
    const kinds = Object.fromEntries(names.map((name) => [name, 'sync']));
    const functions = Object.fromEntries(names.map((name) => [name, { kind: 'sync', calls: 3, exclusiveMs: 1 }]));
    fs.writeFileSync(file, JSON.stringify({ ...REPORT, boundaries: [{ ...REPORT.boundaries[0], kinds, functions }] }));
    try {
      assert.deepEqual(readReport(file).boundaries[0].functions, functions);
      fs.writeFileSync(file, JSON.stringify({ ...REPORT, boundaries: [{ ...REPORT.boundaries[0], kinds: { toString: 7 } }] }));
      assert.throws(() => readReport(file), /boundaries\[0\]\.kinds\.toString is 7; it must be a text/);
    } finally {
      fs.rmSync(path.dirname(file), { recursive: true });
    }
  });

  it('is read by every command with any field left out or of another kind, or refused in one line', function () {
    this.timeout(120_000);
    const one = { kind: 'sync', calls: 3, exclusiveMs: 700, whyBound: null };
    const whole = {
      ...REPORT,
      boundaries: [
        {
          ...REPORT.boundaries[1],
          parent: './links.js',
          child: 'uri-js',
          set: 'uri-js',
          state: 'declined',
          share: 0.9,
          functions: { parse: one },
        },
      ],
      busiest: {
        loop: { utilisation: 0.9, delayMs: 3, ownShare: 0, runDelay: 0.4 },
        windowMs: 1000,
        poolThreads: 4,
        boundaries: [
          { id: 'links.js -> uri-js', child: 'uri-js', share: 0.9, callsPerSecond: 9, latencyMs: null, pending: 0, quantiles: [] },
        ],
        replicas: [],
      },
      prospects: [
        {
          module: 'uri-js',
          sentence: 'more',
          answers: [
            { replicas: 0, callsPerSecond: 9, p99Ms: 1 },
            { replicas: 2, callsPerSecond: 18, p99Ms: 1 },
          ],
        },
      ],
      paths: [{ path: 'a', calls: 1, exclusiveMs: 2, steps: [{ parent: 'a', child: 'b', function: '', boundary: 'a -> b' }] }],
      timeline: [{ at: 1, loop: 0.5, known: 0.4, replicas: 1, heats: { 'uri-js': 0.4 } }],
      warnings: ['no'],
    };
    const commands = {
      report: (file) => call(['report', file]),
      page: (file) => {
        savedPage(readReport(file));
        return { code: 0 };
      },
      simulate: (file) => call(['simulate', '--replicas', 'uri-js=0', '--quiet', file]),
      doctor: (file) => {
        assert.doesNotMatch(JSON.stringify(diagnose(readReport(file))), /undefined|NaN|\[object/);
        return { code: 0 };
      },
    };
    let tried = 0;
    const look = (spoilt) => {
      tried++;
      const file = fileWith(spoilt);
      for (const name of Object.keys(commands)) {
        if (name === 'simulate' && spoilt.busiest !== undefined && JSON.stringify(spoilt.busiest) === JSON.stringify(whole.busiest))
          continue;
        try {
          assert.ok([0, 2].includes(commands[name](file).code));
        } catch (error) {
          assert.ok(error instanceof IgnisError, `${name}: ${error.stack}\n${JSON.stringify(spoilt)}`);
        }
      }
    };
    const spoil = (value, rebuild) => {
      for (const other of [undefined, null, [], {}, [null], 'x', -7, true]) look(rebuild(other));
      if (typeof value !== 'object' || value === null) return;
      for (const key of Object.keys(value)) {
        const copy = (other) => (Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other });
        spoil(value[key], (other) => rebuild(copy(other)));
      }
    };
    look(whole);
    for (const field of Object.keys(whole)) spoil(whole[field], (other) => ({ ...whole, [field]: other }));
    assert.ok(tried > 500);
  });

  it('wants one file', () => {
    assert.equal(call(['report']).code, 2);
    assert.equal(call(['report', 'a', 'b']).code, 2);
    assert.match(call(['report', path.join(folder, 'absent')]).err, /absent \(IGNIS_NOT_FOUND/);
    assert.match(call(['report', folder]).err, /cannot be read: it is a folder/);
  });
});
