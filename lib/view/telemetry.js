'use strict';
/*
 * Tells the program's OpenTelemetry what Ignis knows. In: the report. Out: metrics through the program's own `@opentelemetry/api`, and
 * traced calls (session/tracing.js). It does nothing until an SDK has registered itself, and never loads the package before that.
 */
const { Map, clearTimeout, setTimeout } = require('../engine');
const { telemetryApi, traceCalls } = require('../session/tracing');

/** An SDK may register itself late. */
const FIRST_MS = 200;
const AGAIN_MS = 2000;

/**
 * @param {object} given
 * @param {string} given.main file of the program
 * @param {() => import('../types').Report} given.report
 * @param {(boundaries: import('../types').BoundaryReport[]) => {labels: Record<string, string>, boundaries:
 *   import('../types').BoundaryReport[]}[]} given.grouped with a bounded number of labels
 * @returns {() => void} ends it
 */
function tellTelemetry({ main, report, grouped }) {
  let isTraced = false;
  let forget = () => {};
  /** @type {NodeJS.Timeout} */
  let timer;
  const look = () => {
    const api = telemetryApi(main);
    if (api !== null && !isTraced) {
      traceCalls(api);
      isTraced = true;
    }
    try {
      // Metrics have no stand-in that becomes real later, as tracers have; before 1.3 the package has none at all.
      const meter = api?.metrics?.getMeter('ignis');
      if (meter !== undefined && meter !== api.createNoopMeter()) forget = observe(meter, report, grouped);
      else timer = setTimeout(look, AGAIN_MS).unref();
    } catch (error) {
      // A stand-in for an SDK, as in tests, may know only what the program itself needs: its diagnostics are told.
      api.diag?.error('Ignis exports no metrics', error);
    }
  };
  timer = setTimeout(look, FIRST_MS).unref();
  return () => {
    clearTimeout(timer);
    if (isTraced) traceCalls(null);
    forget();
  };
}

/**
 * @param {any} meter
 * @param {() => import('../types').Report} report
 * @param
 *   {(boundaries: import('../types').BoundaryReport[]) => {labels: Record<string, string>, boundaries: import('../types').BoundaryReport[]}[]}
 *   grouped
 * @returns {() => void}
 */
function observe(meter, report, grouped) {
  const loop = meter.createObservableGauge('ignis.event_loop.utilization', {
    unit: '1',
    description: 'Busy part of the event loop, 0 to 1.',
  });
  const replicas = meter.createObservableUpDownCounter('ignis.replicas', { unit: '{replica}', description: 'Living replicas.' });
  /** @type {[any, (one: import('../types').BoundaryReport) => number][]} */
  const perBoundary = [
    [meter.createObservableCounter('ignis.calls', { unit: '{call}', description: 'Calls across a boundary.' }), (one) => one.calls],
    [meter.createObservableCounter('ignis.call.failures', { unit: '{call}', description: 'Calls that failed.' }), (one) => one.failures],
    [
      meter.createObservableCounter('ignis.own_time', { unit: 's', description: 'Time for which a module kept the event loop busy.' }),
      (one) => one.exclusiveMs / 1000,
    ],
    [
      meter.createObservableUpDownCounter('ignis.calls.pending', { unit: '{call}', description: 'Calls that are pending.' }),
      (one) => one.pending,
    ],
  ];
  const instruments = [loop, replicas, ...perBoundary.map(([instrument]) => instrument)];
  const tell = (/** @type {any} */ result) => {
    const now = report();
    result.observe(loop, now.loop.utilisation);
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { module, state } of now.replicas) if (state !== 'ended') counts.set(module, (counts.get(module) ?? 0) + 1);
    for (const [module, count] of counts) result.observe(replicas, count, { 'ignis.module': module });
    for (const { labels, boundaries } of grouped(now.boundaries)) {
      const attributes = { 'ignis.parent': labels.parent, 'ignis.module': labels.module };
      for (const [instrument, figure] of perBoundary)
        result.observe(
          instrument,
          boundaries.reduce((sum, one) => sum + figure(one), 0),
          attributes,
        );
    }
  };
  meter.addBatchObservableCallback(tell, instruments);
  return () => meter.removeBatchObservableCallback(tell, instruments);
}

exports.tellTelemetry = tellTelemetry;
