'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const http = require('node:http');
const path = require('node:path');
const { Metrics, MOST_BOUNDARIES } = require('../../lib/view/metrics');

const ROOT = path.join(__dirname, '..', '..');

const boundary = (changes) => ({
  id: 'a.js -> b',
  parent: './a.js',
  child: 'b',
  calls: 4,
  failures: 1,
  exclusiveMs: 2500,
  pending: 2,
  share: 0.25,
  pressure: 3,
  latencyMs: 10,
  ...changes,
});

const reportOf = (boundaries, replicas = []) => ({
  ignis: '0.1.0',
  node: 'v20.20.0',
  loop: { utilisation: 0.5, delayMs: 12 },
  boundaries,
  replicas,
});

/** Metrics of a report that may change. */
function metricsOf(given, { latencies = [], completions = 0 } = {}) {
  return new Metrics({ report: () => given.report, completionsOf: () => completions, latenciesOf: () => latencies });
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const PAIR = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\\\\\|\\\\"|\\\\n)*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${PAIR}(?:,${PAIR})*)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|NaN|[+-]Inf)$`);
const SUFFIXES = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'], summary: ['_sum', '_count'] };

/**
 * Reads the text by the grammar of the format, and refuses whatever is not in it: one HELP and one TYPE a family, before its samples, which
 * stand together; no series twice.
 * @returns {Record<string, {type: string, samples: {suffix: string, labels: Record<string, string>, value: number}[]}>}
 */
function familiesOf(text) {
  assert.ok(text.endsWith('\n'));
  const families = {};
  const series = new Set();
  let name = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, of, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      assert.match(of, new RegExp(`^${NAME}$`));
      assert.ok(!(of in families), `${of} twice`);
      families[(name = of)] = { type: '', samples: [] };
    } else if (kind === 'TYPE') {
      assert.equal(of, name);
      assert.ok(rest in SUFFIXES && families[name].type === '' && families[name].samples.length === 0, line);
      assert.equal(rest === 'counter', name.endsWith('_total'), line);
      families[name].type = rest;
    } else {
      const [whole, full, pairs = '', value] = SAMPLE.exec(line) ?? assert.fail(line);
      const suffix = full.slice(name.length);
      assert.ok(full.startsWith(name) && SUFFIXES[families[name].type].includes(suffix), line);
      const key = whole.slice(0, whole.length - value.length);
      assert.ok(!series.has(key), `${key} twice`);
      series.add(key);
      const labels = {};
      for (const [, label, text_] of pairs.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g))
        labels[label] = text_.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter));
      families[name].samples.push({ suffix, labels, value: Number(value.replace('Inf', 'Infinity')) });
    }
  }
  return families;
}

/** The value of one series. */
function valueOf(families, name, labels = {}, suffix = '') {
  const found = families[name].samples.filter(
    (sample) => sample.suffix === suffix && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  assert.equal(found.length, 1, `${name}${suffix} ${JSON.stringify(labels)}`);
  return found[0].value;
}

describe('view/metrics', function () {
  this.timeout(60_000);

  it('says in base units what the report says', () => {
    const replicas = [
      { module: 'b', where: 'process', state: 'ready', rssBytes: 1000 },
      { module: 'b', where: 'process', state: 'ready', rssBytes: 500 },
      { module: 'b', where: 'process', state: 'ended', rssBytes: 900 },
    ];
    const metrics = metricsOf({ report: reportOf([boundary()], replicas) }, { completions: 3 });
    metrics.note({ module: 'b', action: 'scale-out' });
    metrics.note({ module: 'b', action: 'scale-out' });
    const text = metrics.text();
    const families = familiesOf(text);
    const labels = { parent: './a.js', module: 'b' };
    assert.equal(valueOf(families, 'ignis_calls_total', labels), 4);
    assert.equal(valueOf(families, 'ignis_call_failures_total', labels), 1);
    assert.equal(valueOf(families, 'ignis_own_seconds_total', labels), 2.5);
    assert.equal(valueOf(families, 'ignis_calls_pending', labels), 2);
    assert.equal(valueOf(families, 'ignis_event_loop_delay_seconds'), 0.012);
    assert.equal(valueOf(families, 'ignis_call_latency_seconds', labels, '_sum'), 0.03);
    assert.equal(valueOf(families, 'ignis_replicas', { module: 'b', where: 'process', state: 'ready' }), 2);
    assert.equal(valueOf(families, 'ignis_replica_resident_memory_bytes', { module: 'b' }), 1500);
    assert.equal(valueOf(families, 'ignis_decisions_total', { module: 'b', action: 'scale-out' }), 2);
  });

  it('says what became of oneway calls, where there are some', () => {
    const none = familiesOf(metricsOf({ report: reportOf([boundary()], []) }).text());
    assert.deepEqual(['ignis_oneway_lost_total' in none, 'ignis_datagram_calls_total' in none], [false, false]);
    const functions = { log: { oneway: { lost: 2 } }, count: { oneway: { lost: 3 } }, parse: { oneway: null } };
    const datagrams = { sent: 9, arrived: 6, failed: 1, lost: 2, large: 4, why: '' };
    const replicas = ['ready', 'ended'].map((state) => ({ module: 'b', where: 'host a', state, rssBytes: null, datagrams }));
    const metrics = metricsOf({ report: reportOf([{ ...boundary(), functions }], replicas) });
    metrics.noteReplica({ module: 'b', event: 'ended', datagrams });
    const families = familiesOf(metrics.text());
    assert.equal(valueOf(families, 'ignis_oneway_lost_total', { module: 'b' }), 5);
    for (const [outcome, count] of Object.entries({ sent: 18, arrived: 12, failed: 2, lost: 4, large: 8 }))
      assert.equal(valueOf(families, 'ignis_datagram_calls_total', { module: 'b', outcome }), count);
  });

  it('goes on counting the calls of replicas that reports have forgotten', () => {
    const datagrams = { sent: 9, arrived: 6, failed: 1, lost: 2, large: 4, why: '' };
    const metrics = metricsOf({ report: reportOf([boundary()], []) });
    metrics.noteReplica({ module: 'b', event: 'ready' });
    for (let i = 0; i < 2; i++) metrics.noteReplica({ module: 'b', event: 'ended', datagrams });
    for (let i = 0; i < 2; i++)
      assert.equal(valueOf(familiesOf(metrics.text()), 'ignis_datagram_calls_total', { module: 'b', outcome: 'sent' }), 18);
  });

  it('has histograms whose buckets add up', () => {
    const latencies = [
      { ms: 0.5, calls: 7 },
      { ms: 3, calls: 2 },
      { ms: 900_000, calls: 1 },
    ];
    const families = familiesOf(metricsOf({ report: reportOf([boundary()]) }, { latencies }).text());
    const bucket = (le) => valueOf(families, 'ignis_call_own_seconds', { le }, '_bucket');
    const counts = families.ignis_call_own_seconds.samples.filter(({ suffix }) => suffix === '_bucket').map(({ value }) => value);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
    );
    assert.equal(bucket('0.001'), 7);
    assert.equal(bucket('0.004'), 9);
    assert.equal(bucket('+Inf'), 10);
    assert.equal(valueOf(families, 'ignis_call_own_seconds', {}, '_count'), 10);
    assert.equal(valueOf(families, 'ignis_call_own_seconds', {}, '_sum'), 2.5);
  });

  it('escapes whatever a label may be', () => {
    const parent = './we"ird\\na\nme{}=,.js';
    const text = metricsOf({ report: reportOf([boundary({ parent })]) }).text();
    assert.deepEqual(
      familiesOf(text).ignis_calls_total.samples.map(({ labels }) => labels.parent),
      [parent],
    );
    assert.ok(text.includes('parent="./we\\"ird\\\\na\\nme{}=,.js"'), text);
  });

  it('has a bounded number of series, and no counter falls when boundaries come', () => {
    const given = { report: reportOf([]) };
    const metrics = metricsOf(given);
    const many = Array.from({ length: MOST_BOUNDARIES + 100 }, (_, i) => boundary({ id: `${i}`, parent: `./${i}.js` }));
    let before = {};
    for (const count of [3, MOST_BOUNDARIES - 1, MOST_BOUNDARIES + 50, many.length]) {
      // In any order, as the report has the most pressed first.
      given.report = reportOf([...many.slice(0, count)].reverse());
      const text = metrics.text();
      const { samples } = familiesOf(text).ignis_calls_total;
      assert.ok(samples.length <= MOST_BOUNDARIES + 1, `${samples.length}`);
      assert.equal(
        samples.reduce((sum, { value }) => sum + Number(value), 0),
        4 * count,
      );
      const now = Object.fromEntries(samples.map(({ labels, value }) => [labels.parent, Number(value)]));
      for (const [name, value] of Object.entries(before)) assert.ok(now[name] >= value, name);
      before = now;
    }
  });

  it('is served on this machine alone, counts as the program counted, and does not keep it alive', async () => {
    const program = `
      const ignis = require(${JSON.stringify(ROOT)});
      require = ignis();
      const uri = require('uri-js');
      for (let i = 0; i < 300; i++) uri.parse('http://a/b');
      delete require.cache[require.resolve('uri-js')];
      const anew = require('uri-js');
      for (let i = 0; i < 21; i++) anew.parse('http://a/b');
      if (anew === uri) throw new Error('the same');
      process.stdin.once('data', () => process.stdin.destroy());
      process.stdin.once('close', () => process.stdout.write('own: ' + ignis.metrics().length));
    `;
    const child = spawn(process.execPath, ['-e', program], { cwd: ROOT, env: { ...process.env, IGNIS_METRICS: '0' } });
    const exit = once(child, 'exit');
    let out = '';
    let said = '';
    child.stdout.on('data', (text) => (out += text));
    child.stderr.on('data', (text) => (said += text));
    while (!/metrics on/.test(said)) await once(child.stderr, 'data');
    const address = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(said)[0];
    const got = await get(address);
    assert.equal(got.status, 200);
    assert.match(got.type, /^text\/plain; version=0\.0\.4/);
    assert.equal(valueOf(familiesOf(got.body), 'ignis_calls_total', { module: 'uri-js' }), 321);
    assert.equal((await get(address, { Host: 'evil.example' })).status, 403);
    assert.equal((await get(address, { Origin: 'http://evil.example' })).status, 403);
    assert.equal((await get(address.replace('/metrics', '/'))).status, 404);
    assert.deepEqual(await get(address, {}, 'HEAD'), { status: 200, type: got.type, body: '' });
    assert.equal((await get(address, {}, 'POST')).status, 405);
    child.stdin.write('end');
    assert.deepEqual(await exit, [0, null]);
    assert.match(out, /^own: \d{3,}$/);
  });
});

/** @param {string} address @param {Record<string, string>} [headers] @param {string} [method] */
function get(address, headers, method) {
  return new Promise((resolve, reject) => {
    http
      .request(address, { method, headers, agent: new http.Agent({ keepAlive: true }) }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode, type: response.headers['content-type'], body }));
      })
      .on('error', reject)
      .end();
  });
}
