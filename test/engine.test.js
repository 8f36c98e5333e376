'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { types } = require('node:util');
const { durationOf, setInterval: every, setTimeout: after, stackOf, stackTextOf, withoutStack } = require('../lib/engine');

// Timers of Ignis beside those of a program. Node runs what is due of all timers of one duration together, so one of ours must have none
// that programs say.
/**
 * The loop stands still until a timer of 50 ms and one of 100 are due; 70 ms before, it did the same, so that an interval of 100 ms, if
 * there is one, is due before both.
 */
const PROGRAM = `
const said = [];
function again(left) {
  if (left === 0) return console.log(said.join(' '));
  setTimeout(() => said.push(50), 50);
  setTimeout(() => {
    said.push(100);
    setTimeout(again, 70, left - 1);
  }, 100);
  const until = performance.now() + 130;
  while (performance.now() < until);
}
setTimeout(again, 250, 4);
`;

describe("timers of Ignis's own", function () {
  this.timeout(60_000);

  it('last for no multiple of five, and else for as long as was said', () => {
    assert.deepEqual([1, 5, 10, 100, 250.5, 1000].map(durationOf), [1, 6, 11, 101, 251.5, 1001]);
    assert.deepEqual([0, 2, 7, 101, Infinity].map(durationOf), [0, 2, 7, 101, Infinity]);
  });

  it('are told what they are given, and are ended as others are', (done) => {
    clearInterval(every(() => done(new Error('was not ended')), 2));
    after((/** @type {any[]} */ ...told) => done(told.join() === 'one,two' ? undefined : told), 5, 'one', 'two');
  });

  it("do not let a program's timers of 100 ms run before those of 50 ms", () => {
    const register = path.join(__dirname, '..', 'lib', 'register.js');
    const env = { ...process.env, IGNIS_QUIET: 'true' };
    const out = execFileSync(process.execPath, ['-r', register, '-e', PROGRAM], { env, encoding: 'utf8' });
    assert.equal(out.trim(), '50 100 50 100 50 100 50 100');
  });
});

describe('the stack of now', () => {
  const { prepareStackTrace } = Error;
  const throws = () => {
    throw new Error('not one of mine');
  };

  /**
   * What is not right is said when words are as ever: mocha itself asks for those of an error.
   *
   * @template T
   * @param {any} prepare
   * @param {() => T} run
   * @returns {T} what that gives while a program makes stacks so
   */
  function whilePrepared(prepare, run) {
    Error.prepareStackTrace = prepare;
    try {
      return run();
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
  }

  it("is a text of the engine's, whatever a program has made of stacks, which stays as it is", () => {
    for (const prepare of [(_, sites) => sites, () => 5, () => 'mine', throws]) {
      const [stack, after] = whilePrepared(prepare, () => [stackOf(10), Error.prepareStackTrace]);
      assert.match(stack, /^ +at .*engine\.test\.js:\d+/m);
      assert.equal(after, prepare);
    }
  });

  it("is in a program's own words where that is asked for, and these are words", () => {
    const shown = () => stackOf(10, true);
    assert.equal(
      whilePrepared(() => 'mine', shown),
      'mine',
    );
    for (const prepare of [(_, sites) => sites, throws]) assert.match(whilePrepared(prepare, shown), /engine\.test\.js:\d+/);
  });

  it('of an error that comes from elsewhere is none, and nobody is asked for words for it', () => {
    const { stackTraceLimit } = Error;
    const limits = /** @type {any[]} */ ([0, 7, Infinity, undefined]);
    const given = whilePrepared(throws, () =>
      limits.map((limit) => {
        Error.stackTraceLimit = limit;
        const error = withoutStack();
        const hasStack = Object.hasOwn(error, 'stack');
        Object.defineProperty(error, 'stack', { value: 'theirs', writable: true, enumerable: false, configurable: true });
        return [hasStack, error.stack, types.isNativeError(error), Error.stackTraceLimit];
      }),
    );
    Error.stackTraceLimit = stackTraceLimit;
    assert.deepEqual(
      given,
      limits.map((limit) => [false, 'theirs', true, limit]),
    );
    assert.throws(() => withoutStack(throws), /^Error: not one of mine$/);
    assert.equal(Error.stackTraceLimit, stackTraceLimit);
  });

  it('of an error is none where the program has no text for it', () => {
    for (const prepare of [(_, sites) => sites, throws])
      assert.equal(
        whilePrepared(prepare, () => stackTextOf(new Error('one'))),
        '',
      );
  });
});

describe('a program that takes shared memory away', function () {
  this.timeout(60_000);

  for (const where of ['thread', 'process'])
    it(`goes on with a module that lives in a ${where}`, () => {
      const work = path.join(__dirname, 'fixtures/own-turns/work.js');
      const program = `
        const { work } = require(${JSON.stringify(work)});
        delete globalThis.Atomics;
        delete globalThis.SharedArrayBuffer;
        console.log(work(1, { n: 7 }).n);`;
      const register = path.join(__dirname, '../lib/register.js');
      const env = { ...process.env, IGNIS_QUIET: 'true', IGNIS_FORCE: work, IGNIS_WHERE: where };
      assert.equal(execFileSync(process.execPath, ['-r', register, '-e', program], { env, encoding: 'utf8' }), '7\n');
    });
});
