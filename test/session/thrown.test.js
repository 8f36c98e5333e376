'use strict';

const assert = require('node:assert/strict');
const { joinStacks, packError } = require('../../lib/session/thrown');
const { unmarshal } = require('../../lib/session/unmarshal');

/** What the caller gets of what was thrown. */
function sent(thrown) {
  const { value, special } = packError(thrown);
  return unmarshal(value, special, { attachments: [] });
}

describe('what was thrown with more than can be sent', () => {
  class Position {
    constructor(line, column) {
      Object.assign(this, { line, column });
    }
  }

  it('has objects of classes that are data as plain ones, to any depth', () => {
    const loc = { start: new Position(1, 2), end: [new Position(3, 4)] };
    const error = sent(Object.assign(new SyntaxError('bad'), { loc, pos: 8, [Symbol.for('s')]: 1 }));
    assert.ok(error instanceof SyntaxError);
    assert.deepEqual(error.loc, { start: { line: 1, column: 2 }, end: [{ line: 3, column: 4 }] });
    assert.deepEqual(Object.keys(error), ['loc', 'pos']);
  });

  it('is without what holds anything else, or very much', () => {
    class Request {
      send() {}
      on = () => {};
    }
    const circle = new Position(1, 1);
    circle.self = circle;
    const large = Object.assign(new Position(1, 1), { list: Array.from({ length: 300 }, () => new Position(1, 1)) });
    const more = { request: new Request(), circle, large, map: new (class Kept extends Map {})(), code: 'E' };
    assert.deepEqual(Object.keys(sent(Object.assign(new Error('bad'), more))), ['code']);
  });
});

describe('what was thrown by the web with more than can be sent', () => {
  it('is without that alone, and so is what was thrown because of it', () => {
    const error = Object.assign(new DOMException('gone', 'AbortError'), { retry() {}, after: 5 });
    for (const seen of [sent(error), sent(new Error('why', { cause: error })).cause]) {
      assert.ok(seen instanceof DOMException);
      assert.deepEqual([seen.name, seen.message, seen.code, Object.keys(seen), seen.after], ['AbortError', 'gone', 20, ['after'], 5]);
    }
  });
});

describe('what was thrown where a module has made other stacks', () => {
  const { prepareStackTrace } = Error;

  afterEach(() => void (Error.prepareStackTrace = prepareStackTrace));

  it('travels without its stack, if that is no text', () => {
    Error.prepareStackTrace = (_, sites) => sites;
    const error = Object.assign(new RangeError('bad'), { code: 'E', cause: new TypeError('why') });
    const [got, text] = [sent(error), sent(() => {})];
    Error.prepareStackTrace = prepareStackTrace;
    assert.ok(got instanceof RangeError && got.cause instanceof TypeError);
    assert.deepEqual([got.message, got.code, got.stack, got.cause.message], ['bad', 'E', undefined, 'why']);
    assert.ok(text instanceof Error);
  });
});

describe('what was thrown, and comes to a program whose own `Error.prepareStackTrace` throws', () => {
  it('has the stack that it came with', () => {
    const thrown = [new RangeError('bad', { cause: new Error('why') }), new DOMException('worse', 'DataError')];
    const error = Object.assign(new Error('both'), { thrown });
    const { value, special } = packError(error);
    const { prepareStackTrace } = Error;
    let got;
    Error.prepareStackTrace = () => {
      throw new Error('not one of mine');
    };
    try {
      got = unmarshal(value, special, { attachments: [] });
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
    const stacksOf = ({ stack, thrown: [first, second] }) => [stack, first.stack, first.cause.stack, second.stack];
    assert.deepEqual(stacksOf(got), stacksOf(error));
    assert.match(got.stack, /^Error: both\n/);
  });
});

describe('what was thrown, and throws again when it is looked at', () => {
  it('travels in words: an error whose name cannot be read', () => {
    class Odd extends Error {
      get name() {
        throw new TypeError('no name');
      }
    }
    const error = sent(new Odd('odd'));
    assert.ok(error instanceof Error);
    assert.equal(error.message, 'odd');
  });

  it('travels as what it is called at least: a Proxy that was revoked', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    assert.equal(sent(proxy).message, 'something that cannot be sent');
  });
});

describe('the stacks of an error that was thrown in a replica', () => {
  const origin = { stack: 'Error\n    at caller (app.js:1:1)' };

  it('are one: that of the replica, and where home called it', () => {
    const error = joinStacks(Object.assign(new Error('bad'), { stack: 'Error: bad\n    at there (lib.js:1:1)' }), origin);
    assert.equal(
      error.stack,
      'Error: bad\n    at there (lib.js:1:1)\n    ---- in a replica; called from home ----\n    at caller (app.js:1:1)',
    );
  });

  it('stay what the module has made of them, where that is no text', () => {
    const frames = [{ line: 1 }];
    assert.equal(joinStacks(Object.assign(new Error('bad'), { stack: frames }), origin).stack, frames);
    assert.equal(joinStacks(Object.assign(new Error('bad'), { stack: undefined }), origin).stack, undefined);
  });

  it("are that of the replica where the program's own `Error.prepareStackTrace` has no text for where home called, or throws", () => {
    const { prepareStackTrace } = Error;
    const throws = () => {
      throw new Error('not one of mine');
    };
    for (const prepare of [(_, sites) => sites, throws]) {
      const error = Object.assign(new Error('bad'), { stack: 'Error: bad\n    at there' });
      const origin = {};
      Error.captureStackTrace(origin);
      Error.prepareStackTrace = prepare;
      try {
        joinStacks(error, origin);
      } finally {
        Error.prepareStackTrace = prepareStackTrace;
      }
      assert.equal(error.stack, 'Error: bad\n    at there\n    ---- in a replica; called from home ----');
    }
  });
});
