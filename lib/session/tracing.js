'use strict';
/*
 * Traces through remote calls, for programs that use OpenTelemetry: a client span at home, and a server span below it in the replica. In:
 * calls as they leave and arrive. Out: spans of the program's own tracer. A program that does not trace pays nothing: the API is looked for
 * only once an SDK has registered itself, and is the program's own copy.
 */
const { createRequire } = require('node:module');
const path = require('node:path');
const { Promise, inWords, workingFolder } = require('../engine');

/** Where an SDK registers itself: part of the API's contract (a symbol for each major version), so that copies of it find each other. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');
const NAME = 'ignis';

/** @type {any} of home's calls */
let home = null;

/**
 * @param {string} file whose copy of the API is taken: the program's, or in a replica the module's
 * @returns {any} the API; null while no SDK is registered, or if the package is not found
 */
function telemetryApi(file) {
  if (/** @type {any} */ (globalThis)[REGISTERED] === undefined) return null;
  for (const from of [file, path.join(workingFolder() ?? '/', 'x.js')]) {
    try {
      return createRequire(from)('@opentelemetry/api');
    } catch {
      // The SDK has a copy that only it can reach.
    }
  }
  return null;
}

/** @param {any} api traces home's calls that leave from now on; null: none is traced */
function traceCalls(api) {
  home = api;
}

/** @returns {Traced | null} for a call made now */
function traced() {
  return home === null ? null : new Traced(home);
}

/** One remote call at home. */
class Traced {
  #api;
  #context;
  #madeAt = Date.now();
  /** @type {any} */
  #span = null;

  /** @param {any} api */
  constructor(api) {
    this.#api = api;
    // The caller's; by the time of sending, the active one may be another's.
    this.#context = api.context.active();
  }

  /**
   * @param {{path: string[], module?: string}} plan
   * @param {(trace: [parent: string, state: string]) => void} tell the replica, by W3C Trace Context; not called if nobody records
   */
  begin(plan, tell) {
    guarded(this.#api, () => this.#begin(plan, tell));
  }

  /** @param {{path: string[], module?: string}} plan @param {(trace: [parent: string, state: string]) => void} tell */
  #begin({ path: names, module = '' }, tell) {
    const { trace, SpanKind, isSpanContextValid } = this.#api;
    const method = names.join('.') || 'default';
    const attributes = { 'rpc.system': NAME, 'rpc.service': module, 'rpc.method': method };
    this.#span ??= trace
      .getTracer(NAME)
      .startSpan(`${module} ${method}`, { kind: SpanKind.CLIENT, startTime: this.#madeAt, attributes }, this.#context);
    const context = this.#span.spanContext();
    if (!isSpanContextValid(context)) return;
    const flags = (context.traceFlags & 0xff).toString(16).padStart(2, '0');
    tell([`00-${context.traceId}-${context.spanId}-${flags}`, (context.traceState?.serialize() ?? '').slice(0, 512)]);
  }

  /** @param {unknown} error null: there is none */
  end(error) {
    if (this.#span === null) return;
    finish(this.#api, this.#span, error);
    this.#span = null;
  }
}

/**
 * Errors of the program's tracing (its sampler, a span processor) fail no call; its diagnostics are told.
 *
 * @template T
 * @param {any} api
 * @param {() => T} run
 * @returns {T | undefined}
 */
function guarded(api, run) {
  try {
    return run();
  } catch (error) {
    api.diag?.error('a call to or in a replica of Ignis is not traced', error);
    return undefined;
  }
}

/** Ends the span, even if it cannot be told of the error. @param {any} api @param {any} span @param {unknown} error */
function finish(api, span, error) {
  if (error !== null && error !== undefined) guarded(api, () => fail(api, span, error));
  guarded(api, () => span.end());
}

/** @param {any} api @param {any} span @param {unknown} error its getters may throw */
function fail(api, span, error) {
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: error instanceof Error ? error.message : inWords(error) });
  span.recordException(error);
}

/**
 * Runs a call in a replica within a server span.
 *
 * @param {any} api
 * @param {{parent: string, state: string, name: string}} call
 * @param {() => any} run
 * @param {boolean} isAwaited its result is waited for
 * @returns {any} what it returns, or throws; a promise's span ends with it. Some thenables begin to work at `then`, so it is called once,
 *   and a promise takes their place
 */
function runServed(api, { parent, state, name }, run, isAwaited) {
  const [, traceId, spanId, flags] = parent.split('-');
  const traceState = state === '' || api.createTraceState === undefined ? undefined : api.createTraceState(state);
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true, traceState };
  if (!api.isSpanContextValid(spanContext)) return run();
  const outer = api.trace.setSpanContext(api.ROOT_CONTEXT, spanContext);
  const options = { kind: api.SpanKind.SERVER, attributes: { 'rpc.system': NAME, 'rpc.method': name } };
  const span = guarded(api, () => api.trace.getTracer(NAME).startSpan(name, options, outer));
  if (span === undefined) return run();
  try {
    const result = api.context.with(api.trace.setSpan(outer, span), run);
    if (!isAwaited || typeof result?.then !== 'function') {
      finish(api, span, null);
      return result;
    }
    const settled = Promise.resolve(result);
    settled.then(
      () => finish(api, span, null),
      (/** @type {unknown} */ error) => finish(api, span, error),
    );
    return settled;
  } catch (error) {
    finish(api, span, error);
    throw error;
  }
}

exports.runServed = runServed;
exports.telemetryApi = telemetryApi;
exports.traceCalls = traceCalls;
exports.traced = traced;
