'use strict';

const assert = require('node:assert/strict');
const { Companions, withCarried } = require('../../lib/rank/carried');

/** An edge. @param {string} parent @param {string} child @param {number} exclusiveMs @param {object} [more] */
const edge = (parent, child, exclusiveMs, more = {}) => ({
  boundary: `${parent} -> ${child}`,
  module: child,
  parent: { name: parent },
  child: { name: child },
  calls: 10,
  exclusiveMs,
  inclusiveMs: exclusiveMs,
  blockingMs: exclusiveMs,
  share: exclusiveMs / 1000,
  meanMs: exclusiveMs / 10,
  maxMs: exclusiveMs / 5,
  windowMs: 1000,
  kinds: { f: 'sync' },
  hottest: 'f',
  quantiles: [exclusiveMs / 20, exclusiveMs / 10, exclusiveMs / 5],
  ...more,
});

/** @param {any[]} readings @param {...string} leaving modules that may leave @returns {any[]} */
const carried = (readings, ...leaving) => withCarried(readings, (module) => leaving.includes(module));

/** @param {any[]} readings */
const times = (readings) => Object.fromEntries(readings.map(({ boundary, exclusiveMs }) => [boundary, Math.round(exclusiveMs)]));

/** The program's report, of which nearly all is a package and what that calls. */
const nested = () => [
  edge('app', 'report', 10, { inclusiveMs: 810 }),
  edge('report', 'pdf', 600, { inclusiveMs: 800 }),
  edge('pdf', 'zlib', 200),
];

describe('rank/carried', () => {
  it('gives a module that may leave the time of those inside that may not, and takes it from them', () => {
    const readings = nested();
    const [report, pdf, zlib] = carried(readings, 'report');
    assert.deepEqual(times([report, pdf, zlib]), { 'app -> report': 810, 'report -> pdf': 0, 'pdf -> zlib': 0 });
    assert.deepEqual([report.carriedMs, report.share, report.meanMs, report.blockingMs], [800, 0.81, 81, 810]);
    assert.deepEqual([pdf.share, pdf.meanMs, pdf.calls, pdf.takenMs, zlib.takenMs], [0, 0, 10, 600, 200]);
    assert.deepEqual(times(readings), times(nested()), 'what was measured stays as it is');
  });

  it('leaves all as it is where nothing may leave, or only what has nothing inside', () => {
    const readings = nested();
    assert.equal(carried(readings), readings);
    assert.deepEqual(times(carried(readings, 'zlib')), times(readings));
  });

  it('leaves to a module inside what may leave with it alone', () => {
    assert.deepEqual(times(carried(nested(), 'report', 'pdf')), { 'app -> report': 10, 'report -> pdf': 800, 'pdf -> zlib': 0 });
    assert.deepEqual(times(carried(nested(), 'report', 'zlib')), { 'app -> report': 610, 'report -> pdf': 0, 'pdf -> zlib': 200 });
  });

  it('takes of what others call, too, only its part', () => {
    const shared = [
      edge('app', 'report', 0, { inclusiveMs: 400 }),
      edge('report', 'pdf', 300, { inclusiveMs: 400 }),
      edge('app', 'pdf', 100, { inclusiveMs: 100 }),
      edge('pdf', 'zlib', 100),
    ];
    const now = times(carried(shared, 'report'));
    assert.deepEqual(now, { 'app -> report': 380, 'report -> pdf': 0, 'app -> pdf': 100, 'pdf -> zlib': 20 });
  });

  it('shares among those who call it what it takes along', () => {
    const readings = [
      edge('app', 'report', 5, { inclusiveMs: 305 }),
      edge('job', 'report', 5, { inclusiveMs: 105 }),
      edge('report', 'pdf', 400),
    ];
    assert.deepEqual(times(carried(readings, 'report')), { 'app -> report': 303, 'job -> report': 105, 'report -> pdf': 2 });
  });

  it('takes along nothing that a module does on its own, beside its calls', () => {
    const readings = [edge('app', 'report', 10), edge('report', 'pdf', 600)];
    assert.deepEqual(times(carried(readings, 'report')), { 'app -> report': 10, 'report -> pdf': 600 });
    // Calls that go on after they have returned are not measured as a whole.
    const later = [edge('app', 'report', 10, { kinds: { f: 'promise' }, blockingMs: 0 }), edge('report', 'pdf', 600)];
    assert.deepEqual(times(carried(later, 'report')), { 'app -> report': 610, 'report -> pdf': 0 });
    assert.equal(carried(later, 'report')[0].blockingMs, 0);
  });

  it('ends in circles, and counts nothing twice', () => {
    const readings = [
      edge('app', 'report', 10, { inclusiveMs: 510 }),
      edge('report', 'a', 200, { inclusiveMs: 500 }),
      edge('a', 'b', 200, { inclusiveMs: 300 }),
      edge('b', 'a', 100, { inclusiveMs: 0 }),
      edge('b', 'report', 0, { calls: 1 }),
    ];
    const now = carried(readings, 'report');
    const sum = now.reduce((all, { exclusiveMs }) => all + exclusiveMs, 0);
    assert.ok(sum > 505 && sum < 515, String(sum));
  });

  it('has the longest call, and the lengths of calls, of what takes most of its time', () => {
    const [report] = carried(nested(), 'report');
    assert.equal(report.maxMs, 120);
    assert.deepEqual(report.quantiles, [40.5, 81, 120]);
    const own = carried([edge('app', 'report', 700, { inclusiveMs: 800 }), edge('report', 'pdf', 100)], 'report')[0];
    assert.deepEqual([own.maxMs, own.quantiles.map(Math.round)], [140, [40, 80, 140]]);
  });

  it('counts what is inside a group as the group’s, once', () => {
    const readings = [
      edge('app', 'report', 10, { module: 'g', inclusiveMs: 110 }),
      edge('report', 'table', 50, { module: 'g', isInner: true }),
      edge('table', 'pdf', 50),
    ];
    assert.deepEqual(times(carried(readings, 'g')), { 'app -> report': 60, 'report -> table': 50, 'table -> pdf': 0 });
  });

  it('has modules that may leave, and are not worth it by themselves, go with others for a while', () => {
    const allowed = new Set(['report', 'pdf']);
    const companions = new Companions((module) => /** @type {any} */ ({ allowed: allowed.has(module), copies: [0, 2] }));
    const at = (time) => times(companions.join(/** @type {any} */ (nested()), time));
    const [alone, together] = [nested(), nested()].map((readings, i) =>
      times(i === 0 ? carried(readings, 'report', 'pdf') : carried(readings, 'report')),
    );
    const decision = { module: 'pdf', from: 0, time: 1000, figures: {} };
    companions.note(/** @type {any} */ ({ ...decision, reason: 'pressure' }));
    companions.note(/** @type {any} */ ({ ...decision, reason: 'overhead', from: 1 }));
    assert.deepEqual(at(1000), alone);
    companions.note(/** @type {any} */ ({ ...decision, reason: 'overhead' }));
    assert.deepEqual(at(1000), together);
    assert.deepEqual(at(11000), alone);
    companions.note(/** @type {any} */ ({ ...decision, reason: 'small', time: 11000 }));
    assert.deepEqual(at(12000), together);
  });

  it('supposes that one module more may leave, and of one that may nothing', () => {
    const allowed = new Set(['zlib']);
    const companions = new Companions((module) => /** @type {any} */ ({ allowed: allowed.has(module), copies: [0, 2] }));
    const readings = /** @type {any} */ (nested());
    companions.join(readings, 0);
    assert.deepEqual(times(/** @type {any} */ (companions.supposing(readings, 0, 'report'))), times(carried(nested(), 'report', 'zlib')));
    assert.deepEqual(times(/** @type {any} */ (companions.supposing(readings, 0, 'pdf'))), times(carried(nested(), 'pdf', 'zlib')));
    assert.equal(companions.supposing(readings, 0, 'zlib'), null);
  });

  it('has what is not worth it by itself taken along by one that is not either, unless that is refused with it', () => {
    const companions = new Companions(() => /** @type {any} */ ({ allowed: true, copies: [0, 2] }));
    const at = (time) => times(companions.join(/** @type {any} */ (nested()), time));
    const note = (module, time, carriedMs) =>
      companions.note(/** @type {any} */ ({ module, from: 0, reason: 'small', time, figures: { carriedMs } }));
    assert.deepEqual(at(0), times(nested()));
    for (const module of ['report', 'pdf', 'zlib']) note(module, 0);
    assert.deepEqual(at(1), { 'app -> report': 810, 'report -> pdf': 0, 'pdf -> zlib': 0 });
    note('report', 1, 800);
    assert.deepEqual(at(2), { 'app -> report': 10, 'report -> pdf': 800, 'pdf -> zlib': 0 });
    note('pdf', 2, 200);
    assert.deepEqual(at(3), times(nested()));
    assert.deepEqual(at(10_003), times(nested()), 'what is not worth it is asked about anew');
    note('zlib', 10_003);
    assert.deepEqual(at(10_004), { 'app -> report': 10, 'report -> pdf': 800, 'pdf -> zlib': 0 });
  });

  it('leaves with a module what may have no replicas', () => {
    const companions = new Companions((module) => /** @type {any} */ ({ allowed: true, copies: module === 'report' ? [0, 2] : [0, 0] }));
    const now = times(companions.join(/** @type {any} */ (nested()), 0));
    assert.deepEqual(now, { 'app -> report': 810, 'report -> pdf': 0, 'pdf -> zlib': 0 });
  });
});
