'use strict';

const assert = require('node:assert/strict');
const { Simulation, poisson } = require('./simulation');

/** 300 requests a second of which 1 % takes 300 ms, the rest 0.05 ms: the wiki's load. */
const wiki = poisson(300, (random) => (random() < 0.01 ? 300 : 0.05));

/** @param {(time: number, random: () => number) => number[]} load @param {number} from @param {number} to */
const during = (load, from, to) => (time, random) => (time >= from && time < to ? load(time, random) : []);

describe('rank/ in a simulated program', () => {
  it('scales out at once after the first long call', () => {
    const load = (time, random) =>
      time === 3000
        ? [300]
        : during(
            poisson(300, () => 0.05),
            0,
            Infinity,
          )(time, random);
    const sim = new Simulation({ modules: [{ name: 'uri', load }] }).run(2999);
    assert.deepEqual(sim.changes, []);
    sim.run(400);
    assert.equal(sim.changes.length, 1);
    const [{ time, from, to }] = sim.changes;
    // The call itself keeps the loop from 3000 to 3300; nothing can be decided in between.
    assert.ok(time >= 3300 && time <= 3305, `decided at ${time}`);
    assert.equal(from, 0);
    assert.ok(to >= 1 && to <= 4);
    sim.run(100);
    assert.ok(sim.sets.get('uri').ready.length > 0);
  });

  it('gives spare replicas to a heavy tail, so that short calls pass the long ones', () => {
    const sim = new Simulation({ modules: [{ name: 'uri', load: wiki }] }).run(20_000);
    assert.ok(sim.sets.get('uri').wanted >= 3);
    const short = sim.finished
      .filter(({ ms, at }) => ms < 1 && at > 8000)
      .map(({ waited }) => waited)
      .sort((a, b) => a - b);
    const p99 = short[Math.floor(short.length * 0.99)];
    assert.ok(p99 < 200, `p99 of short calls is ${p99} ms`);
  });

  it('does not oscillate under a steady load', () => {
    const sim = new Simulation({ modules: [{ name: 'uri', load: wiki }] }).run(90_000);
    const afterStart = sim.changes.filter(({ time }) => time > 15_000);
    assert.deepEqual(afterStart, []);
    assert.ok(sim.sets.get('uri').wanted > 0);
  });

  it('does not oscillate under a steady load without a tail either', () => {
    const sim = new Simulation({ modules: [{ name: 'md', load: poisson(100, () => 8) }] }).run(60_000);
    assert.ok(sim.changes.length > 0);
    assert.deepEqual(
      sim.changes.filter(({ time }) => time > 20_000),
      [],
    );
  });

  it('is back to none after the load has gone', () => {
    const sim = new Simulation({ modules: [{ name: 'uri', load: during(wiki, 0, 10_000) }] }).run(10_000);
    assert.ok(sim.sets.get('uri').wanted > 0);
    sim.run(4000);
    assert.ok(sim.sets.get('uri').wanted > 0, 'not before the reclamation delay');
    sim.run(6000);
    assert.equal(sim.sets.get('uri').wanted, 0);
    assert.equal(sim.changes.at(-1).reason, 'gone');
  });

  it('learns patience when long calls come back after each scale-in', () => {
    const load = (time, random) => (time % 8000 === 2000 ? [300] : poisson(50, () => 0.05)(time, random));
    const sim = new Simulation({ modules: [{ name: 'uri', load }] }).run(100_000);
    const late = sim.changes.filter(({ time }) => time > 50_000);
    assert.deepEqual(late, [], JSON.stringify(sim.changes));
  });

  it('divides two cores between two modules, and neither starves', () => {
    const busy = () => poisson(100, () => 15);
    const sim = new Simulation({
      modules: [
        { name: 'a', load: busy() },
        { name: 'b', load: busy() },
      ],
    }).run(30_000);
    const [a, b] = ['a', 'b'].map((name) => sim.sets.get(name).wanted);
    assert.ok(a >= 1 && b >= 1 && a + b <= 4, `${a} and ${b}`);
    const half = sim.changes.filter(({ time }) => time > 15_000);
    assert.ok(half.length <= 2, JSON.stringify(sim.changes));
    const served = ['a', 'b'].map((name) => sim.finished.filter((call) => call.name === name).length);
    assert.ok(Math.min(...served) / Math.max(...served) > 0.6, served.join());
  });

  it('leaves a cheap chatty module at home', () => {
    const chatty = () => Array.from({ length: 80 }, () => 0.008);
    const sim = new Simulation({ modules: [{ name: 'chatty', load: chatty }] }).run(5000);
    assert.deepEqual(sim.changes, []);
    const { reason, sentence } = sim.coordinator.latest('chatty');
    assert.equal(reason, 'overhead');
    assert.match(sentence, /it would not pay/);
  });

  it('stops at a plateau when the cores are full', () => {
    const sim = new Simulation({ modules: [{ name: 'md', load: poisson(400, () => 10), permission: { copies: [0, 16] } }] }).run(30_000);
    assert.equal(sim.sets.get('md').wanted, 2);
    assert.equal(sim.coordinator.latest('md').reason, 'plateau');
    assert.deepEqual(
      sim.changes.filter(({ time }) => time > 5000),
      [],
    );
  });

  it('does nothing for a program at ease', () => {
    const sim = new Simulation({ modules: [{ name: 'md', load: poisson(20, () => 5) }] }).run(10_000);
    assert.deepEqual(sim.changes, []);
    assert.equal(sim.coordinator.latest('md').reason, 'no-pressure');
  });
});
