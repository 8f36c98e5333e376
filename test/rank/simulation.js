'use strict';

// A small closed world for the coordinator: arrivals, one event loop, replicas, cores, all on a clock of its own.
// Windows, ranking, decisions and coordinator are the real ones; only time, meters and replica sets are made up.
// Steps of 1 ms; a call at home blocks ticks and arrivals alike, as in a real program.

const { Window } = require('../../lib/profile/window');
const { Coordinator } = require('../../lib/rank/coordinator');
const { randomFrom } = require('../../lib/rank/random');

class FakeMeter {
  totals = {
    calls: 0,
    failures: 0,
    exclusiveMs: 0,
    inclusiveMs: 0,
    pending: 0,
    completions: 0,
    latencyMs: 0,
    longest: 0,
    kind: 'sync',
    sized: 0,
    argBytes: 0,
    resultBytes: 0,
    values: 0,
    histogram: [],
  };

  get calls() {
    return this.totals.calls;
  }
  get completions() {
    return this.totals.completions;
  }

  call(ms) {
    this.totals.calls++;
    this.totals.exclusiveMs += ms;
    this.totals.inclusiveMs += ms;
    this.totals.longest = Math.max(this.totals.longest, ms);
  }

  read() {
    const read = { ...this.totals };
    this.totals.longest = 0;
    return read;
  }
}

class FakeSet {
  wanted = 0;
  replicas = []; // { readyAt, queue: ms left of each call, busyMs: one number a past ms }
  served = [];

  constructor(sim, { name, startMs = 30, callMs = 0.01 }) {
    Object.assign(this, { sim, name, startMs, callMs });
  }

  get ready() {
    return this.replicas.filter(({ readyAt }) => readyAt <= this.sim.time);
  }

  resize(count) {
    this.wanted = count;
    while (this.replicas.length < count) this.replicas.push({ readyAt: this.sim.time + this.startMs, queue: [] });
    this.replicas.length = count;
  }

  send(call) {
    const [least] = this.ready.sort((a, b) => a.queue.length - b.queue.length);
    least.queue.push({ ...call, left: call.ms });
  }

  step(speed) {
    let busy = 0;
    for (const { queue } of this.ready) {
      let left = speed;
      while (left > 0 && queue.length > 0) {
        const used = Math.min(left, queue[0].left);
        queue[0].left -= used;
        left -= used;
        busy += used;
        if (queue[0].left <= 1e-9) this.sim.done(queue.shift());
      }
    }
    this.served.push(busy / speed);
    if (this.served.length > 1000) this.served.shift();
  }

  state() {
    const window = Math.max(250, this.served.length) / 1000;
    return {
      module: this.name,
      ready: this.ready.length,
      starting: this.replicas.length - this.ready.length,
      wanted: this.wanted,
      pending: this.ready.reduce((sum, { queue }) => sum + queue.length, 0),
      queued: 0,
      callsPerSecond: this.sim.finishedLately(this.name) / window,
      busyMsPerSecond: this.served.reduce((sum, ms) => sum + ms, 0) / window,
      callOverheadMs: this.callMs,
      startMs: this.startMs,
    };
  }
}

/**
 * `modules`: name, `load(time, random)` gives the service times in ms of the calls that arrive in this ms.
 */
class Simulation {
  time = 0;
  freeAt = 0;
  activeMs = 0;
  waiting = [];
  finished = [];
  changes = []; // { time, module, from, to, reason }

  constructor({ modules, cpus = 2, reclaimMs = 5000, seed = 1 }) {
    this.random = randomFrom(seed);
    this.modules = modules;
    this.cpus = cpus;
    this.window = new Window({ now: () => this.time });
    this.sets = new Map();
    this.meters = new Map();
    this.usage = [];
    this.intervals = new Set();
    for (const module of modules) {
      const meter = new FakeMeter();
      this.meters.set(module.name, meter);
      this.sets.set(module.name, new FakeSet(this, module));
      this.window.track({
        id: `app.js -> ${module.name}`,
        parent: { name: './app.js' },
        child: { name: module.name, kind: 'package' },
        points: new Map([['f', { meter }]]),
      });
    }
    this.coordinator = new Coordinator({
      options: { tickMs: 100, cpus, poolThreads: 4, windowMs: 1000, reclaimMs },
      now: () => this.time,
      clock: () => 0,
      timers: {
        setInterval: (run, ms) => {
          const interval = { run, ms, at: this.time + ms };
          this.intervals.add(interval);
          return interval;
        },
        clearInterval: (interval) => this.intervals.delete(interval),
        setImmediate: (run) => {
          this.immediate = run;
          return {};
        },
        clearImmediate: () => {
          this.immediate = undefined;
        },
      },
      sources: {
        readings: () => {
          this.window.tick();
          return this.window.readings();
        },
        loop: () => ({ utilisation: this.utilisation(), delayMs: 0, longestMs: 0, windowMs: 1000 }),
        sets: () => [...this.sets.values()].map((set) => set.state()),
        permission: (name) => ({ allowed: true, copies: [0, 4], ...modules.find((module) => module.name === name).permission }),
      },
      effects: {
        resize: (name, to, { time, from, reason }) => {
          this.changes.push({ time, module: name, from, to, reason });
          this.sets.get(name).resize(to);
        },
      },
    });
    this.coordinator.start();
  }

  utilisation() {
    const first = this.usage.find(({ time }) => time > this.time - 1000) ?? { time: 0, activeMs: 0 };
    const span = this.time - first.time;
    return span <= 0 ? 0 : Math.min(1, (this.activeMs - first.activeMs) / span);
  }

  done(call) {
    this.finished.push({ name: call.name, at: this.time, waited: this.time - call.arrivedAt, ms: call.ms });
  }

  finishedLately(name) {
    let count = 0;
    for (let i = this.finished.length - 1; i >= 0 && this.finished[i].at > this.time - 1000; i--)
      if (this.finished[i].name === name) count++;
    return count;
  }

  run(ms) {
    const end = this.time + ms;
    for (; this.time < end; this.time++) {
      for (const { name, load } of this.modules) {
        for (const service of load(this.time, this.random)) this.waiting.push({ name, ms: service, arrivedAt: this.time });
      }
      this.#home();
      const busy = [...this.sets.values()].reduce((sum, { ready }) => sum + ready.filter(({ queue }) => queue.length > 0).length, 0);
      const home = this.freeAt > this.time ? 1 : 0;
      const speed = Math.min(1, this.cpus / Math.max(1, busy + home));
      for (const set of this.sets.values()) set.step(speed);
      if (this.time % 50 === 0) this.usage.push({ time: this.time, activeMs: this.activeMs });
    }
    return this;
  }

  #home() {
    while (this.freeAt < this.time + 1) {
      if (this.freeAt < this.time) this.freeAt = this.time;
      this.#turn();
      const call = this.waiting.shift();
      if (call === undefined) return;
      const set = this.sets.get(call.name);
      const isAway = set.ready.length > 0;
      const cost = isAway ? set.callMs : call.ms;
      this.freeAt += cost;
      this.activeMs += cost;
      if (isAway) {
        set.send(call);
        continue;
      }
      this.meters.get(call.name).call(call.ms);
      this.done(call);
      if (call.ms >= 20) this.coordinator.nudge(call.name, call.ms);
    }
  }

  /** What the event loop does between two calls. */
  #turn() {
    if (this.immediate !== undefined) {
      const run = this.immediate;
      this.immediate = undefined;
      run();
    }
    for (const interval of this.intervals) {
      if (this.time < interval.at) continue;
      interval.at = this.time + interval.ms;
      interval.run();
    }
  }
}

/** `perSecond` arrivals at random. */
function poisson(perSecond, service) {
  return (time, random) => {
    const calls = [];
    for (let left = perSecond / 1000; left > 0; left--) if (random() < Math.min(1, left)) calls.push(service(random));
    return calls;
  };
}

exports.FakeMeter = FakeMeter;
exports.Simulation = Simulation;
exports.poisson = poisson;
exports.randomFrom = randomFrom;
