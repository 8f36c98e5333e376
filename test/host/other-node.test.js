'use strict';

// A host that runs another Node than home.

const assert = require('node:assert/strict');
const { isOtherNode, withVersions } = require('../../lib/host/other-node');

describe('the Node of a host', () => {
  it('is named where a module could not be loaded there, and home runs another one', () => {
    assert.equal(withVersions('no such word', process.version), 'no such word');
    assert.equal(withVersions('no such word', undefined), 'no such word');
    assert.equal(withVersions('no such word', 'v9.1.2'), `no such word (that host runs Node v9.1.2, this program ${process.version})`);
    // Another release of the same line knows the same words.
    assert.equal(isOtherNode(process.version.replace(/\d+$/, '999')), false);
    assert.ok(withVersions('', 'v'.repeat(1000)).length < 120);
  });
});
