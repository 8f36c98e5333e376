'use strict';

const assert = require('node:assert/strict');
const { AWAY } = require('../places');
const { until } = require('../../helpers/until');

exports.title = 'more than one replica, and their end';
exports.fixture = 'garbage.js';
exports.places = AWAY;

const LOST = ['IGNIS_STALE_REFERENCE', 'IGNIS_REPLICA_LOST'];
const isLost = (error) => LOST.includes(error.code);

/** Runs with a second replica of the module, which is closed at the end. */
async function withSecond(t, use) {
  const place = t.open();
  try {
    await use(t.load(exports.fixture, place), place);
  } finally {
    await place.close();
  }
}

exports.behaviours = {
  'two replicas have a module each'(m, t) {
    return withSecond(t, (other) => {
      assert.notEqual(other, m);
      assert.notEqual(other.Thing, m.Thing);
      assert.equal(new other.Thing(1) instanceof m.Thing, false);
      m.keep('in the first');
      assert.equal(other.getKept(0), undefined);
      m.drop();
    });
  },
  'an object of one goes through home to the other and works'(m, t) {
    return withSecond(t, (other) => {
      const thing = new m.Thing(7);
      assert.equal(other.read(thing), 7);
      assert.equal(other.echo(thing), thing);
      assert.equal(other.isThing(thing), false);
      other.keep(thing);
      assert.equal(other.getKept(0).self(), thing);
      assert.ok(m.isThing(other.getKept(0)));
    });
  },
  'a function of one is called by the other, with a callback of home'(m, t) {
    return withSecond(t, (other) => {
      assert.equal(other.call(m.call, (n) => n + 1, 4), 5); // prettier-ignore
      assert.equal(m.call(other.call, m.echo, 'round'), 'round');
    });
  },
  'an error of one passes through the other as itself'(m, t) {
    return withSecond(t, (other) => {
      assert.throws(() => other.call(m.fail, 'from the first'), { message: 'from the first' });
      const error = new TypeError('of home');
      assert.throws(
        () =>
          other.call(m.call, () => {
            throw error;
          }),
        (caught) => caught === error,
      );
    });
  },
  'plain data of one is changed by the other'(m, t) {
    return withSecond(t, (other) => {
      const data = m.data();
      other.call((given) => given.list.push('home'), data);
      m.keep(data);
      assert.equal(m.getKept(0).list.at(-1), 'home');
      m.drop();
    });
  },
  'what the other lets go is let go by the first'(m, t) {
    return withSecond(t, async (other, place) => {
      const weak = (() => {
        const thing = new m.Thing(1);
        assert.equal(other.read(thing), 1);
        return new WeakRef(thing);
      })();
      const isGone = () => {
        global.gc();
        place.counts();
        return weak.deref() === undefined;
      };
      await until(isGone, 'the stub of home is collected');
    });
  },
  async 'a use after the replica was killed throws'(_, t) {
    const place = t.open();
    const m = t.load(exports.fixture, place);
    const thing = new m.Thing(3);
    assert.equal(thing.value, 3);
    place.kill();
    assert.throws(() => thing.value, isLost);
    assert.throws(() => m.echo(1), isLost);
    assert.throws(() => new m.Thing(), isLost);
    assert.throws(() => Object.keys(thing), isLost);
    await place.close();
  },
  async 'a use after the replica was closed throws'(_, t) {
    const place = t.open();
    const m = t.load(exports.fixture, place);
    assert.equal(m.echo(1), 1);
    await place.close();
    assert.throws(() => m.echo(1), isLost);
  },
  async 'data that came from a replica outlives it'(_, t) {
    const place = t.open();
    const data = t.load(exports.fixture, place).data();
    assert.equal(data.list.length, 2);
    await place.close();
    assert.deepEqual(data.list, [1, { two: 2 }]);
    assert.deepEqual(data.map.get('k'), new Set([1]));
    assert.equal(data.bytes.length, 100);
    data.list.push('still mine');
  },
  async 'promises of a replica that was killed are broken'(_, t) {
    const place = t.open();
    const waiting = t.load(exports.fixture, place).wait();
    place.kill();
    await assert.rejects(waiting, isLost);
    await place.close();
  },
  async 'the end of one leaves the other as it is'(m, t) {
    const thing = new m.Thing(9);
    const place = t.open();
    const other = t.load(exports.fixture, place);
    other.keep(thing);
    m.keep(new other.Thing(8));
    place.kill();
    await place.close();
    assert.equal(thing.value, 9);
    assert.throws(() => m.read(m.getKept(0)), isLost);
    assert.equal(m.read(thing), 9);
    m.drop();
  },
};
