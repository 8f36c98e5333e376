'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { usableCores } = require('../../lib/cores');
const { Machine, countAll, readEach, timesIn } = require('../../lib/profile/machine');

const FIXTURES = path.join(__dirname, '..', 'fixtures');

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

  it('never tells more than is left of a quota, whoever uses it', () => {
    const counts = { idle: 0, all: 0, cores: 8, usedMs: 100 };
    let time = 0;
    const made = new Machine({ now: () => time, count: () => ({ ...counts }), usable: 8, most: 2.5 });
    const pass = (usedMs) => {
      time += 1000;
      counts.all += 8000;
      counts.idle += 7000;
      counts.usedMs += usedMs;
      return made.readFree();
    };
    made.readFree();
    assert.equal(pass(1000), 1.5);
    assert.equal(pass(3000), 0.5, 'as over the last two looks');
    for (let i = 0; i < 3; i++) pass(2600);
    assert.equal(pass(2600), 0);
    counts.usedMs = NaN;
    assert.equal(pass(0), 2.5, 'what is used of it is not told');
  });

  it('takes what runs at a lower priority for idle, unless the program does so itself, or the system shares cores otherwise', () => {
    const times = { user: 200, nice: 60, sys: 40, idle: 100, irq: 0, cores: 2 };
    assert.deepEqual([countAll(times, 0, true).idle, countAll(times, 0, true).all], [160, 400]);
    assert.deepEqual([countAll(times, 10, true).idle, countAll(times, 10, true).all], [100, 400]);
    assert.deepEqual([countAll(times, 0, false).idle, countAll(times, 0, false).all], [100, 400]);
  });

  it('reads the sum of all cores in one line where the system has it, as the same that it says of each core', function () {
    const cores = os.cpus().length;
    assert.deepEqual(timesIn('cpu  10 2 3 400 50 6 70 0 0 0\ncpu0 1'), { user: 100, nice: 20, sys: 30, idle: 4000, irq: 60, cores });
    for (const text of ['', 'cpu', 'intr 1 2 3 4 5 6 7']) assert.equal(timesIn(text), null);
    if (process.platform !== 'linux') this.skip();
    const [before, sum, after] = [readEach(), countAll(undefined, 10), readEach()];
    const all = ({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq;
    // Each core's counters are rounded down to ticks of 10 ms, and so is their sum.
    const slack = 10 * 5 * cores;
    assert.ok(all(before) - slack <= sum.all && sum.all <= all(after) + slack, `${all(before)}, ${sum.all}, ${all(after)}`);
    assert.ok(before.idle - slack <= sum.idle && sum.idle <= after.idle + slack, `${before.idle}, ${sum.idle}, ${after.idle}`);
    assert.equal(sum.cores, cores);
  });

  it('tells what replicas used in the same time, and while the program begins its other threads', () => {
    let time = 0;
    let ms = 0;
    let threadsMs = 500;
    const made = new Machine({
      now: () => time,
      count: () => ({ idle: time, all: 2 * time, cores: 2 }),
      usable: 2,
      children: { read: () => ms },
      threadsMs: () => threadsMs,
    });
    const pass = (childMs, helpMs) => {
      time += 250;
      ms += childMs;
      threadsMs += helpMs;
      made.readFree();
      return made.beside;
    };
    assert.deepEqual([made.beside, pass(0, 0), pass(100, 0), pass(50, 100)], [0, 0, 0.4, 0.5]);
    time = 2000;
    pass(0, 0);
    pass(0, 200);
    assert.equal(pass(0, 200), 0, 'later it is a load of its own');
    ms = NaN;
    assert.equal(pass(0, 0), 0, 'not known');
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

  for (const [file, says, idle] of /** @type {const} */ ([
    ['paper/watch.js', 'eight', 8],
    ['hosts/full.js', 'none', 0],
  ])) {
    it(`sees what tests make up in its place: ${says} idle`, () => {
      const seen = `const { Machine } = require(${JSON.stringify(require.resolve('../../lib/profile/machine'))});
        let now = 0;
        const machine = new Machine({ now: () => (now += 1000) });
        let free = null;
        while (free === null) free = machine.readFree();
        fs.writeSync(2, String(free));`;
      const { status, stderr } = spawnSync(process.execPath, ['-r', path.join(FIXTURES, file), '-e', seen], { encoding: 'utf8' });
      assert.deepEqual([status, stderr], [0, String(idle)]);
    });
  }

  it("asks none of Node's functions that a program has put its own in the place of", () => {
    const replaced = [
      [fs, ['openSync', 'readSync', 'closeSync', 'readFileSync']],
      [os, ['cpus', 'getPriority', 'availableParallelism']],
    ].flatMap(([holder, names]) => names.map((name) => ({ holder, name, own: holder[name] })));
    const asked = [];
    for (const { holder, name } of replaced) holder[name] = () => void asked.push(name);
    try {
      assert.ok(countAll().all > 0);
      assert.ok(readEach().cores > 0);
      assert.ok(usableCores() > 0);
    } finally {
      for (const { holder, name, own } of replaced) holder[name] = own;
    }
    assert.deepEqual(asked, []);
  });
});
