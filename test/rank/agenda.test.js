'use strict';

const assert = require('node:assert/strict');
const { Agenda } = require('../../lib/rank/agenda');
const { randomFrom } = require('../../lib/rank/random');

describe('rank/agenda', () => {
  it('gives what comes soonest first, whatever is added between', () => {
    const random = randomFrom(7);
    const agenda = new Agenda();
    /** @type {number[]} */
    const due = [];
    for (let i = 0; i < 2000; i++) {
      if (due.length === 0 || random() < 0.55) {
        const time = Math.floor(random() * 100);
        due.push(time);
        agenda.add(time, time);
      } else {
        due.sort((a, b) => a - b);
        assert.equal(agenda.soonest, due[0]);
        assert.equal(agenda.take(), due.shift());
      }
    }
    for (const time of due.sort((a, b) => a - b)) assert.equal(agenda.take(), time);
    assert.equal(agenda.soonest, Infinity);
  });
});
