'use strict';

const assert = require('node:assert/strict');
const { Machine } = require('../../lib/profile/machine');

/** A machine of two cores whose counters stand at what `idleMs` says, time by time. */
function machine({ usable = 2, cores = 2 } = {}) {
  const state = { time: 0, idle: 0, all: 0, reads: 0 };
  const made = new Machine({
    now: () => state.time,
    count: () => {
      state.reads++;
      return { idle: state.idle, all: state.all, cores };
    },
    usable,
  });
  const pass = (ms, idleCores) => {
    state.time += ms;
    state.all += ms * cores;
    state.idle += ms * idleCores;
    return made.readFree();
  };
  return { state, made, pass };
}

describe('profile/machine', () => {
  it('knows nothing before time has passed', () => {
    assert.equal(machine().made.readFree(), null);
  });

  it('tells idle cores over the last two looks', () => {
    const { made, pass } = machine();
    made.readFree();
    assert.equal(pass(500, 1.5), 1.5);
    assert.equal(pass(500, 0.5), 1);
    for (let i = 0; i < 4; i++) pass(250, 0);
    assert.equal(pass(250, 0), 0);
  });

  it('never tells more than the program may use', () => {
    const { made, pass } = machine({ usable: 1, cores: 8 });
    made.readFree();
    assert.equal(pass(1000, 7), 1);
  });

  it('reads the counters four times a second at most', () => {
    const { state, made, pass } = machine();
    made.readFree();
    for (let i = 0; i < 100; i++) pass(10, 1);
    assert.equal(state.reads, 5);
  });

  it('says that it does not know where the system hides its counters', () => {
    const hidden = new Machine({ count: () => ({ idle: 0, all: 0, cores: 0 }) });
    hidden.readFree();
    assert.equal(hidden.readFree(), null);
  });

  it('reads this machine', (done) => {
    const real = new Machine();
    real.readFree();
    // Counters move as time passes, so this waits for the first that did.
    const look = () => {
      const free = real.readFree();
      if (free === null) return void setTimeout(look, 50);
      assert.ok(free >= 0 && free <= require('node:os').availableParallelism(), String(free));
      done();
    };
    look();
  });
});
