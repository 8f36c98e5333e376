'use strict';

const assert = require('node:assert/strict');
const { Reach } = require('../../lib/rank/reach');

describe('rank/reach', () => {
  it('is all cores while nothing is known, and never less than one or more than all', () => {
    const reach = new Reach();
    assert.equal(reach.note(null, 4), 4);
    assert.equal(reach.note(0.3, 4), 1);
    assert.equal(reach.note(5.1, 4), 4);
  });

  it('forgets cores half a second after they were there', () => {
    const reach = new Reach();
    assert.equal(reach.note(3.5, 4), 3.5);
    for (let tick = 0; tick < 4; tick++) assert.equal(reach.note(1.5, 4), 3.5);
    assert.equal(reach.note(1.5, 4), 1.5);
  });
});
