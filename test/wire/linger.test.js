'use strict';

const assert = require('node:assert/strict');
const { Linger } = require('../../lib/wire/linger');

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** One whose clock goes on by so many ms in each turn of the event loop. */
function setting(msATurn) {
  let time = 0;
  const linger = new Linger(() => time);
  const turns = async (count) => {
    for (let i = 0; i < count; i++) {
      time += msATurn;
      await turn();
    }
  };
  const idle = () => Math.round(linger.idleMs * 1000) / 1000;
  return { linger, turns, idle };
}

describe('a channel that lingers', () => {
  it('keeps the event loop awake for a moment behind a batch, and no longer', async () => {
    const { linger, turns, idle } = setting(0.02);
    linger.begin();
    await turns(2);
    assert.equal(idle(), 0.04);
    await turns(10);
    assert.equal(idle(), 0.06);
  });

  it('does so for as long behind one that comes meanwhile, and takes none of its time for idle', async () => {
    const { linger, turns, idle } = setting(0.02);
    linger.begin();
    for (let i = 0; i < 20; i++) {
      await turns(1);
      linger.begin();
      await turns(1);
    }
    assert.equal(idle(), 0.4, 'half of the turns brought nothing');
    await turns(10);
    assert.equal(idle(), 0.46);
  });

  it('takes what else is done in a long turn not for idle', async () => {
    const { linger, turns, idle } = setting(30);
    linger.begin();
    await turns(2);
    assert.equal(idle(), 0.05);
  });

  it('leaves out ever more batches after each time in vain, and none after one that was not', async () => {
    const { linger, turns, idle } = setting(0.02);
    /** Batches until it stays awake behind one, and whether another comes in that time. */
    const leftOut = async (isFollowed) => {
      for (let times = 0; ; times++) {
        const before = idle();
        linger.begin();
        await turns(1);
        const isAwake = idle() > before;
        if (isAwake && isFollowed) linger.begin();
        await turns(10);
        if (isAwake) return times;
      }
    };
    const times = [];
    for (let i = 0; i < 9; i++) times.push(await leftOut(false));
    assert.deepEqual(times, [0, 1, 3, 7, 15, 31, 63, 63, 63]);
    assert.equal(await leftOut(true), 63);
    assert.equal(await leftOut(false), 1, 'nothing came behind the second one');
  });
});
