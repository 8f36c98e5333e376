'use strict';

const assert = require('node:assert/strict');
const { YOUNG_CALLS } = require('../../lib/profile/care');
const { childMs } = require('../../lib/profile/inside');
const { SLOT } = require('../../lib/profile/meter');
const { boundaryAround } = require('../helpers/watched');

/** A class that was used until enough is known of it, and whose next call is not timed. */
function seasoned() {
  const exports = {
    Thing: class Thing {
      constructor(...args) {
        if (args[0] === 'throw') throw new RangeError('no');
        this.args = args;
        this.target = new.target;
      }
    },
    same: (value) => value,
  };
  const boundary = boundaryAround(exports, { hot: true });
  const { Thing } = boundary.wrapped;
  for (let i = 0; i < 4 * YOUNG_CALLS; i++) new Thing(i);
  const point = boundary.points.get('Thing');
  point.meter.slots[SLOT.due] = 1000;
  return { boundary, exports, Thing, point, read: () => point.meter.read() };
}

describe('the crossing of new', () => {
  it('gives the class as many arguments as there were, and itself for new.target', () => {
    const { exports, Thing } = seasoned();
    for (let count = 0; count < 7; count++) {
      const args = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? index : undefined));
      const made = new Thing(...args);
      assert.deepEqual(made.args, args);
      assert.equal(made.target, exports.Thing);
      assert.ok(made instanceof Thing && Object.getPrototypeOf(made) === exports.Thing.prototype);
    }
  });

  it('counts each call once, and adds its mean to what its caller takes for its children', () => {
    const { Thing, point, read } = seasoned();
    const before = read().calls;
    point.meter.slots[SLOT.mean] = 0.5;
    childMs[0] = 0;
    for (let i = 0; i < 10; i++) new Thing(i);
    assert.equal(childMs[0], 5);
    childMs[0] = 0;
    assert.equal(read().calls, before + 10);
    assert.equal(point.meter.open, 0);
    assert.equal(point.meter.slots[SLOT.due], 990);
  });

  it('times the one that is due', () => {
    const { Thing, point } = seasoned();
    point.meter.slots[SLOT.due] = 2;
    const before = point.meter.slots[SLOT.samples];
    new Thing(1);
    assert.equal(point.meter.slots[SLOT.samples], before);
    new Thing(2);
    assert.equal(point.meter.slots[SLOT.samples], before + 1);
  });

  it('throws what the class throws, and counts that as a failure', () => {
    const { Thing, point, read } = seasoned();
    assert.ok(point.makesAtOnce);
    assert.throws(() => new Thing('throw'), { name: 'RangeError', message: 'no' });
    point.meter.settleThrown();
    assert.equal(read().failures, 1);
    assert.ok(!point.makesAtOnce, 'from now on each may throw');
    assert.throws(() => new Thing('throw'), RangeError);
    assert.equal(read().failures, 2);
  });

  it('hands the module what is its own, and not the wrapper of that', () => {
    const { boundary, exports, Thing } = seasoned();
    const { same } = boundary.wrapped;
    assert.notEqual(same, exports.same);
    const made = new Thing(1, same, {}, same);
    assert.deepEqual(made.args, [1, exports.same, {}, exports.same]);
  });

  it('makes objects of a class that extends it', () => {
    const { exports, Thing } = seasoned();
    class Mine extends Thing {}
    const made = new Mine(1);
    assert.ok(made instanceof Mine && made instanceof exports.Thing);
    assert.equal(made.target, Mine);
  });

  it('asks where it shall run, once somebody decides that', () => {
    const { Thing, point } = seasoned();
    const seen = [];
    point.divert = (self, args) => {
      seen.push(args);
      return { from: 'elsewhere' };
    };
    assert.deepEqual(new Thing(1, 2), { from: 'elsewhere' });
    point.divert = null;
    assert.deepEqual(new Thing(3).args, [3]);
    assert.deepEqual(seen, [[1, 2]]);
  });
});
