'use strict';

const assert = require('node:assert/strict');
const { MOST_MS, Members, STOPPED } = require('../../lib/spawn/members');

/** A replica that notes what it is told. @param {string} id @param {object} [more] @returns {any} */
function replica(id, more = {}) {
  /** @type {any[][]} */
  const told = [];
  return {
    ...{ id, pace: {}, lent: 0, pending: 0, state: 'draining', told },
    hasRoom: () => true,
    drain: async (/** @type {any[]} */ ...args) => void told.push(['drain', ...args]),
    askForRest: (/** @type {any[]} */ ...args) => told.push(['rest', ...args]),
    ...more,
  };
}

/** @param {any[]} replicas @returns {Members} */
function membersOf(...replicas) {
  const members = new Members();
  for (const one of replicas) members.enter(one);
  return members;
}

describe('the replicas of a set', () => {
  it('count as long as they take calls, and are wary together', () => {
    const [a, b] = [replica('a', { lent: 2, pending: 3 }), replica('b', { lent: 4, pending: 5 })];
    const members = membersOf(a, b);
    assert.ok(a.pace.wary !== undefined && a.pace.wary === b.pace.wary);
    assert.deepEqual([members.lent, members.pending, members.serving, members.others], [6, 8, 2, 0]);
    members.dismiss(a, 50, 'nobody calls');
    assert.deepEqual([members.lent, members.pending, members.serving, members.others], [4, 5, 1, 1]);
    assert.equal(members.break(b), true);
    assert.equal(members.break(b), false);
    assert.deepEqual([members.lent, members.pending, members.serving, members.others], [0, 0, 1, 2]);
    assert.deepEqual(members.all, [a, b]);
    assert.deepEqual([members.remove(a), members.remove(b), members.remove(b)], [false, true, false]);
    assert.deepEqual(members.all, []);
  });

  it('have an only one where it has room and no other has calls', () => {
    const [a, b] = [replica('a', { hasRoom: (now) => now > 5 }), replica('b')];
    assert.equal(new Members().only(9), null);
    const members = membersOf(a, b);
    assert.equal(members.only(9), null);
    members.dismiss(b, 50, 'nobody calls');
    assert.equal(members.only(9), null);
    members.remove(b);
    assert.deepEqual([members.only(5), members.only(9)], [null, 'a']);
  });

  it('go on with their calls where their host is being stopped, and one that keeps something is wanted until it has ended', () => {
    const [a, b] = [replica('a'), replica('b')];
    const members = membersOf(a, b);
    assert.deepEqual([members.giveBack(a, false), members.giveBack(b, true), members.giveBack(a, false)], [true, true, false]);
    assert.deepEqual([[...members.leaving.keys()], [...members.broken]], [[a], [b]]);
    assert.deepEqual([a.told, b.told].flat(), [
      ['drain', MOST_MS, STOPPED, MOST_MS],
      ['drain', MOST_MS, STOPPED],
    ]);
    assert.deepEqual([members.remove(a), members.remove(b)], [false, true]);
  });

  it('are asked whether they rest: one that leaves may end, once a close has had its time, or in a hurry at once', () => {
    const [a, b] = [replica('a'), replica('b', { state: 'ready' })];
    const members = membersOf(a, b);
    members.dismiss(a, 1e6, 'nobody calls');
    const { restsFrom } = members.leaving.get(a);
    for (const now of [restsFrom - 1, restsFrom]) members.askForRest(now);
    members.hurry(MOST_MS, 'the program ends');
    members.askForRest(1);
    members.hurry(7, 'the program ends');
    members.askForRest(1);
    assert.deepEqual(a.told.slice(1), [
      ['rest', restsFrom - 1, false],
      ['rest', restsFrom, true],
      ['drain', MOST_MS, 'the program ends'],
      ['rest', 1, false],
      ['drain', 7, 'the program ends'],
      ['rest', 1, true],
    ]);
    assert.deepEqual(
      b.told,
      [restsFrom - 1, restsFrom, 1, 1].map((now) => ['rest', now, false]),
    );
    members.dismiss(a, 50, 'nobody calls');
    assert.deepEqual(members.ready, [b]);
  });
});

describe('replicas that are not wanted any more', () => {
  it('wait for their calls, but for those that left first where more than four do: each is told once that its calls have as long as for a close', () => {
    /** @type {[name: number, ms: number][]} */
    const told = [];
    const members = new Members();
    const replicas = Array.from(
      { length: 7 },
      (_, name) => /** @type {any} */ ({ pace: {}, drain: async (ms) => void told.push([name, ms]) }),
    );
    for (const replica of replicas) members.enter(replica);
    for (const replica of replicas) members.dismiss(replica, 50, 'nobody calls');
    const hurried = told.filter(([, ms]) => ms === 50);
    assert.deepEqual(
      hurried,
      [0, 1, 2].map((name) => [name, 50]),
    );
    assert.equal(told.length, 7 + 3);
    assert.deepEqual([members.ready.length, members.leaving.size], [0, 7]);
  });
});
