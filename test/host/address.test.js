'use strict';

// How the address of a host is written in sentences.

const assert = require('node:assert/strict');
const { Host } = require('../../lib/host/host');
const { dial, KIND } = require('../../lib/host/opening');

describe('the address of a host', () => {
  it('of IPv6 stands in brackets, so that it is plain where the port begins', async () => {
    const titleOf = (/** @type {any} */ node) => new Host(node, /** @type {any} */ ({}), Buffer.alloc(16), () => {}).title;
    assert.equal(titleOf({ ip: '2001:db8::7', port: 7100 }), '[2001:db8::7]:7100');
    assert.equal(titleOf({ ip: '2001:db8::7', port: 7100, name: 'host1' }), 'host1 ([2001:db8::7]:7100)');
    assert.equal(titleOf({ ip: '192.0.2.7', port: 7100 }), '192.0.2.7:7100');
    await assert.rejects(dial({ ip: '::1', port: 1 }, KIND.CONTROL, Buffer.alloc(16), 5000), { message: /\[::1\]:1 cannot be reached/ });
  });
});
