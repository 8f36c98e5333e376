'use strict';
/*
 * What a replica's environment is, row by row: what is looked at, and what it is in each of the four places. docs/environment.md has these
 * rows and no others; environment.test.js runs the scenes of test/fixtures/environment in each place and holds what it sees to them.
 */
const assert = require('node:assert/strict');

/** @typedef {Record<string, any>} Seen what the scenes told, with the output and the exit code of each */
/** @typedef {(value: any, home: any, seen: Seen) => void} Check */
/** @typedef {[words: string, check: Check]} Says */
/**
 * @typedef {{what: string, look: (seen: Seen) => any, places: Says[]}} Row places: plain thread, plain process, resident thread, resident
 *   process
 */

const same = (/** @type {any} */ value, /** @type {any} */ home) => assert.deepEqual(value, home);
/** @param {any} expected @returns {Check} */
const is = (expected) => (value) => assert.deepEqual(value, expected);

/** @type {Says} */
const HOME = ["home's", same];
/** @type {Says} */
const COPY = ["a copy of home's", same];
/** @type {Says} */
const REFUSED = ['refused, with an error', (value) => assert.equal(value, 'ERR_WORKER_UNSUPPORTED_OPERATION')];

/**
 * @param {string} what
 * @param {(seen: Seen) => any} look
 * @param {...Says} places one for all, two for plain and resident, or four
 * @returns {Row}
 */
function row(what, look, ...places) {
  const [first, second = first, third = second, fourth = third] = places;
  return { what, look, places: places.length === 2 ? [first, first, second, second] : [first, second, third, fourth] };
}

const lines = (/** @type {string} */ text) => text.trimEnd().split('\n');

/** @type {Row[]} */
exports.ROWS = [
  row('stdout, stderr: where they go', ({ order }) => [lines(order.text).length, order.text.includes('1 err')], HOME),
  row('stdout, stderr: order among both, and among home and replica', ({ order }) => order.text, HOME),
  row('output before an exit, more than a pipe holds', ({ exit }) => exit.text.length, [
    'all of it',
    is(300_000 + '\nthe last line\n'.length),
  ]),
  row(
    '`isTTY`, `columns`, `rows`, `tty.isatty()`',
    ({ terminal }) => terminal && [terminal.look.stdout, terminal.look.stderr, terminal.look.isatty],
    COPY,
  ),
  row('colours (`getColorDepth()`)', ({ terminal }) => terminal?.look.stderr.depth, HOME),
  row('stdin', ({ looks }) => looks.stdin, ['empty', is('')]),
  row(
    '`process.exit()`: the program',
    ({ exit }) => exit.code,
    [
      'goes on; the call gets IGNIS_REPLICA_LOST',
      (value, _home, { exit }) => assert.deepEqual([value, exit.call], [0, 'IGNIS_REPLICA_LOST']),
    ],
    ['ends, with that code', (value, _home, { exit }) => assert.deepEqual([value, exit.call], [3, undefined])],
  ),
  row("`process.exit()`: the module's 'exit' listeners", ({ exit }) => lines(exit.file), ['run', is(['exit'])]),
  row('`process.exitCode =`', ({ looks }) => looks.code, ["the replica's own", is(0)], HOME),
  row('`process.cwd()`', ({ looks }) => [looks.look.cwd, looks.look.resolved, looks.look.atLoad.cwd], HOME),
  row('home calls `process.chdir()` later', ({ looks }) => looks.cwdThere, HOME),
  row('`process.chdir()`', ({ looks }) => looks.chdir, REFUSED, HOME),
  row('`process.chdir()` to where nothing is', ({ looks }) => looks.bad, REFUSED, HOME),
  row('`process.umask(mask)`', ({ looks }) => looks.umask, REFUSED, HOME),
  row('home calls `process.umask(mask)` later: files that the module makes', ({ looks }) => looks.modeThere, [
    "home's",
    (value, home) => assert.deepEqual([value, home], [0o640, 0o640]),
  ]),
  row('`process.umask()`', ({ looks }) => looks.look.umask, COPY, HOME),
  row('`process.env`', ({ looks }) => looks.look.env, ["a copy of home's when the module was loaded", same], HOME),
  row('home writes to `process.env` later', ({ looks }) => looks.envThere, ['not seen', is(null)], HOME),
  row('the module writes to `process.env`', ({ looks }) => looks.env, ["the replica's own", is(null)], HOME),
  row('`process.argv`', ({ looks }) => [...looks.look.argv.slice(0, 2), looks.look.argv[3], looks.look.argv.length], COPY),
  row('home changes `process.argv` later', ({ looks }) => looks.argvThere, ['not seen', (value) => assert.notEqual(value, 'later')], HOME),
  row('`process.execArgv`, `argv0`, `execPath`', ({ looks: { look } }) => [look.execArgv, look.argv0, look.execPath], COPY),
  row(
    '`process.title`',
    ({ looks }) => looks.look.title,
    ["home's", same],
    ['says whose replica it is', (value) => assert.match(value, /^ignis: .* \(of /)],
    ["home's", same],
    ['says whose replica it is', (value) => assert.match(value, /^ignis: .* \(of /)],
  ),
  row(
    '`process.pid`',
    ({ looks }) => looks.look.pid,
    ["home's", (value, _home, { looks }) => assert.equal(value, looks.pid)],
    ['its own', (value, _home, { looks }) => assert.notEqual(value, looks.pid)],
    ["home's", (value, _home, { looks }) => assert.equal(value, looks.pid)],
    ['its own', (value, _home, { looks }) => assert.notEqual(value, looks.pid)],
  ),
  row('`isMainThread`, `parentPort`, `workerData` of `node:worker_threads`', ({ looks }) => looks.look.threads, HOME),
  row(
    '`threadId`',
    ({ looks }) => looks.look.threadId,
    ['its own', (value) => assert.notEqual(value, 0)],
    ["home's", same],
    ['its own', (value) => assert.notEqual(value, 0)],
    ["home's", same],
  ),
  row('`process.kill(process.pid, signal)`', ({ kill }) => [kill.isTold, kill.answers], ['signals home', is([true, true])]),
  row(
    'signals that home gets',
    ({ looks }) => looks.heard,
    ['not heard; SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 do nothing to a replica', is(0)],
    ['heard, as at home', same],
  ),
  row(
    "'beforeExit', 'exit' of the program",
    ({ end }) => lines(end.file),
    ["not heard: home's own copy of the module hears them if it listens", is([''])],
    ["heard; 'beforeExit' once", is(['beforeExit', 'exit'])],
  ),
  row('warnings of the module', ({ looks }) => looks.warnings, HOME),
  row(
    'errors that nobody catches, rejections that nobody handles',
    ({ errors }) => errors.seen,
    [
      'end the replica; its calls get IGNIS_REPLICA_LOST, `onFail` is told',
      (value, _home, { errors }) => assert.deepEqual([value, errors.failures.length], [[], 2]),
    ],
    ["home's: 'uncaughtException', 'unhandledRejection'", same],
  ),
  row(
    'an error that nobody catches: the program',
    ({ thrown }) => thrown.code,
    [
      'goes on; the error is printed',
      (value, _home, { thrown }) => assert.deepEqual([value, thrown.wentOn, /TypeError: late/.test(thrown.text)], [0, true, true]),
    ],
    [
      'ends',
      (value, _home, { thrown }) => assert.deepEqual([value, thrown.wentOn, /TypeError: late/.test(thrown.text)], [1, undefined, true]),
    ],
  ),
  row('`require.main`, `module.parent`', ({ looks: { look } }) => [look.main, look.isMain, look.parent], [
    "named like home's main file",
    same,
  ]),
  row('`require.cache`', ({ looks }) => looks.look.cache.includes('scenes.js'), ["the replica's own", is(false)]),
  row('globals', ({ looks }) => [looks.look.global ?? null, looks.global], ["the replica's own", is([null, null])]),
  row('time zone, locale, `Intl`', ({ looks: { look } }) => [look.timeZone, look.hour, look.locale], HOME),
  row('platform, user, host', ({ looks: { look } }) => [look.platform, look.uid], HOME),
  row('memory limits (`--max-old-space-size`)', ({ looks }) => looks.look.heapLimit, COPY),
];
