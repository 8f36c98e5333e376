'use strict';
/*
 * What a program under Ignis prints about itself on request: each decision (`explain`), and its status now and then (`statusMs`), as a line
 * of JSON on stderr, so that another program can read it. In: the running program, and where to write. It asks nothing of the program and
 * never keeps it alive.
 */
const { JSON, clearInterval, setInterval } = require('../engine');
const { subscribe } = require('../diagnostics');

/** Boundaries in one status line, besides those that have replicas. */
const MOST_SHOWN = 10;

/**
 * @param {{options: Record<string, any>, report: () => import('../types').Report}} program
 * @param {(line: string) => void} write
 * @returns {() => void} ends it
 */
function showLive({ options, report }, write) {
  const line = (/** @type {object} */ record) => write(`${JSON.stringify(record)}\n`);
  const unsubscribe = options.explain ? subscribe('ignis:decision', (decision) => line({ ignis: 'decision', ...decision })) : () => {};
  const timer = options.statusMs > 0 ? setInterval(() => line(statusOf(report())), options.statusMs).unref() : undefined;
  return () => {
    unsubscribe();
    clearInterval(timer);
  };
}

/** @param {import('../types').Report} report */
function statusOf({ loop, boundaries, replicas }) {
  return {
    ignis: 'status',
    time: Date.now(),
    loop,
    boundaries: boundaries
      .filter((boundary, i) => i < MOST_SHOWN || boundary.replicas > 0)
      .map(({ id, share, callsPerSecond, p99Ms, replicas: count, state }) => ({
        id,
        share,
        callsPerSecond,
        p99Ms,
        replicas: count,
        state,
      })),
    replicas: replicas
      .filter(({ state }) => state !== 'ended')
      .map(({ id, module, where, pid, state, calls, rssBytes }) => ({ id, module, where, pid, state, calls, rssBytes })),
  };
}

exports.showLive = showLive;
