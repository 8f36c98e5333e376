'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');

const ROOT = path.join(__dirname, '..', '..');
const FIXTURE = path.join(ROOT, 'test', 'fixtures', 'telemetry');
const [SERVER, CLIENT] = [1, 2];
const ERROR = 2;
const run = promisify(execFile);

describe('view/telemetry', function () {
  this.timeout(120_000);
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-spans-'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  for (const where of ['process', 'thread']) {
    it(`traces calls into a ${where}, and tells metrics, with the SDK that the program has`, async () => {
      const file = path.join(folder, where);
      const setup = path.join(FIXTURE, 'setup.js');
      await run(process.execPath, ['-r', setup, path.join(FIXTURE, 'program.js'), where], { env: { ...process.env, SPANS_FILE: file } });
      const told = fs
        .readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const spans = told.filter(({ spanId }) => spanId !== undefined);
      const child = (parent, more) => {
        const found = spans.filter(
          (span) => span.parent === parent.spanId && Object.entries(more).every(([key, value]) => span[key] === value),
        );
        assert.equal(found.length, 1, JSON.stringify([parent, more, found]));
        assert.equal(found[0].traceId, parent.traceId);
        return found[0];
      };
      for (const n of [100, 200, -1]) {
        const request = spans.find(({ name }) => name === `request ${n}`);
        const client = child(request, { kind: CLIENT, isHome: true });
        assert.match(client.name, /work\.js work$/);
        const server = child(client, { kind: SERVER, isHome: false, name: 'work' });
        child(server, { name: 'inner', isHome: false });
        assert.equal(server.pid === client.pid, where === 'thread');
        assert.deepEqual([client.status === ERROR, server.status === ERROR], [n < 0, n < 0]);
      }
      assert.equal(told.find(({ failed }) => failed !== undefined).failed, 'below 0');
      const { metrics } = told.find((one) => one.metrics !== undefined);
      const named = Object.fromEntries(metrics.map(({ name, points }) => [name, points]));
      assert.ok(named['ignis.calls'].find(({ attributes }) => /work\.js$/.test(attributes['ignis.module'])).value >= 4);
      assert.equal(named['ignis.replicas'][0].value, 1);
      assert.ok(named['ignis.event_loop.utilization'][0].value >= 0);
    });
  }

  for (const [what, lines] of [
    ['whose API is older than metrics (1.2)', ''],
    // Node keeps the name of a directory that somebody has asked for.
    ['whose working directory is gone', "const gone = fs.mkdtempSync(__dirname + '/gone-'); process.chdir(gone); fs.rmdirSync(gone);"],
  ])
    it(`ends no program that traces, and ${what}`, async () => {
      const place = path.join(folder, 'node_modules', '@opentelemetry', 'api');
      fs.mkdirSync(place, { recursive: true });
      // It is looked for metrics: the program ends in the next turn.
      fs.writeFileSync(
        path.join(place, 'index.js'),
        'exports.diag = console; Object.defineProperty(exports, "metrics", { get: () => void setImmediate(process.exit, 7) });',
      );
      fs.writeFileSync(
        path.join(folder, 'program.js'),
        `const fs = require('node:fs'); ${lines}
        globalThis[Symbol.for('opentelemetry.js.api.1')] = {};
        require('./lib.js');
        setInterval(() => {}, 1000);`,
      );
      fs.writeFileSync(path.join(folder, 'lib.js'), '');
      const args = ['-r', path.join(ROOT, 'lib', 'register.js'), path.join(folder, 'program.js')];
      await assert.rejects(run(process.execPath, args), { code: 7, stderr: '' });
    });

  it('ends no program with metrics of its own that know only what it asks of them', async () => {
    const link = path.join(folder, 'real', 'node_modules', '@opentelemetry');
    fs.mkdirSync(link, { recursive: true });
    fs.symlinkSync(path.join(ROOT, 'node_modules', '@opentelemetry', 'api'), path.join(link, 'api'), 'junction');
    const place = path.join(folder, 'real', 'metered.js');
    fs.writeFileSync(
      place,
      `const { diag, metrics } = require('@opentelemetry/api');
      // It is told: the program ends in the next turn.
      diag.setLogger({ error: (...told) => setImmediate(() => { console.log(String(told)); process.exit(7); }), warn() {}, info() {}, debug() {}, verbose() {} });
      metrics.setGlobalMeterProvider({ getMeter: () => ({ createCounter: () => ({ add() {} }) }) });
      require('./lib.js');
      setInterval(() => {}, 1000);`,
    );
    fs.writeFileSync(path.join(folder, 'real', 'lib.js'), '');
    await assert.rejects(run(process.execPath, ['-r', path.join(ROOT, 'lib', 'register.js'), place]), {
      code: 7,
      stderr: '',
      stdout: /^Ignis exports no metrics,TypeError: meter.createObservableGauge is not a function\n$/,
    });
  });

  it('loads nothing where no SDK has registered itself', async () => {
    const program = `
      const ignis = require(${JSON.stringify(ROOT)});
      require = ignis();
      require('uri-js').parse('http://a/b');
      setTimeout(async () => {
        console.log(Object.keys(require.cache).filter((file) => file.includes('opentelemetry')).length);
        await ignis.close();
      }, 600);
    `;
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: ROOT });
    assert.equal(stdout, '0\n');
  });
});
