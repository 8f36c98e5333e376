'use strict';

const assert = require('node:assert/strict');
const { packError } = require('../../lib/session/thrown');
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
