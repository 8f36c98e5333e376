'use strict';

const assert = require('node:assert/strict');
const { packError } = require('../../lib/session/thrown');
const { unmarshal } = require('../../lib/session/unmarshal');

/** What the caller gets of what was thrown. */
function sent(thrown) {
  const { value, special } = packError(thrown);
  return unmarshal(value, special, { attachments: [] });
}

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
