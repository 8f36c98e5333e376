'use strict';

const assert = require('node:assert/strict');
const v8 = require('node:v8');
const { decide } = require('../../lib/rank/decision');
const { sentenceOf, SENTENCES } = require('../../lib/rank/explain');

/** A module that keeps the loop 912 ms of the last second with 3 long calls among many short ones. */
function demand(changes) {
  return {
    module: 'uri-js',
    boundary: './links.js -> uri-js',
    isLater: false,
    calls: 1003,
    callsPerSecond: 1003,
    exclusiveMs: 912,
    share: 0.912,
    meanMs: 0.91,
    maxMs: 304,
    pending: 0,
    completions: 0,
    inPool: 0,
    latencyMs: 0,
    pressure: 0.912,
    hottest: 'parse',
    windowMs: 1000,
    samples: 1003,
    bytes: 0,
    values: 0,
    ...changes,
  };
}

/** 250 ms of a load of 100 calls that wait for others, 90 of which are out. @param {number} completions */
function unanswered(completions) {
  const calls = { isLater: true, calls: 100, samples: 100, share: 0.5, exclusiveMs: 120, maxMs: 2, sinceMs: 250 };
  return demand({ ...calls, pending: 90, completions });
}

function set(changes) {
  return {
    module: 'uri-js',
    ready: 2,
    starting: 0,
    wanted: 2,
    pending: 0,
    queued: 0,
    callsPerSecond: 500,
    busyMsPerSecond: 1000,
    callOverheadMs: 0.01,
    startMs: 28,
    ...changes,
  };
}

function situation(changes = {}) {
  const { limits, permission, ...rest } = changes;
  return {
    time: 100_000,
    module: 'uri-js',
    // Once it is away, home sees nothing of it.
    demand: changes.set?.ready > 0 ? null : demand(),
    set: null,
    permission: { allowed: true, copies: [0, 4], ...permission },
    loop: { utilisation: 0.95 },
    limits: { cpus: 2, poolThreads: 4, windowMs: 1000, reclaimMs: 5000, ...limits },
    cores: 2,
    free: null,
    room: 2,
    ...rest,
  };
}

const idleSet = set({ ready: 0, wanted: 0, busyMsPerSecond: 0, callsPerSecond: 0 });
const tail = { longestMs: 304, longestAt: 99_000, longLoad: 0.6 };
/** Long calls that seldom run at the same time. */
const thinTail = { ...tail, longLoad: 0.06 };
const memoryOf = (changes) => ({
  pressedSince: null,
  lowSince: null,
  needs: [],
  longestMs: 0,
  longestAt: -Infinity,
  longLoad: 0,
  longLoadAt: null,
  usualMs: 0,
  callsLately: 0,
  busyMsLately: 0,
  countedMs: 0,
  countedAt: null,
  blockedAt: -Infinity,
  isBlocked: false,
  tooFew: 0,
  waitedAt: -Infinity,
  togetherAt: -Infinity,
  behindSince: null,
  patience: 1,
  scaledInAt: null,
  lowered: null,
  floor: null,
  floors: 0,
  worth: null,
  step: null,
  ceiling: null,
  failures: 0,
  veto: null,
  vetoes: 0,
  asked: null,
  ...changes,
});

/** What a number of replicas is predicted to bring. */
const foreseen = (replicas, callsPerSecond, p99Ms, loopShare, feltP99Ms = p99Ms) => ({
  ...{
    replicas,
    callsPerSecond,
    meanMs: p99Ms / 2,
    p50Ms: p99Ms / 2,
    p99Ms,
    feltP99Ms,
    loopShare,
    replicaShare: 0,
    isSaturated: false,
    calls: 1500,
    seed: 1,
  },
  source: { measured: ['measured'], assumed: [] },
});

/** name, situation, expected action, from, to, reason, and a part of the sentence */
const TABLE = [
  [
    'starts what the load needs and spares for the tail',
    { set: idleSet },
    'scale-out',
    0,
    3,
    'pressure',
    /^uri-js: 1,003 calls kept the event loop busy for 912 ms of the last second \(91 %\), the longest 304 ms; a replica costs 28 ms to start and 0.01 ms a call: start 3/,
  ],
  [
    'starts one spare where long calls are too short to meet often',
    { set: idleSet, demand: demand({ maxMs: 124, exclusiveMs: 600, share: 0.6, meanMs: 0.6 }) },
    'scale-out',
    0,
    2,
    'pressure',
    /start 2, 1 of them to let short calls pass/,
  ],
  [
    'and two where they are longer',
    { set: idleSet, demand: demand({ maxMs: 304, exclusiveMs: 600, share: 0.6, meanMs: 0.6 }) },
    'scale-out',
    0,
    3,
    'pressure',
    /start 3, 2 of them to let short calls pass/,
  ],
  ['starts no more than the recipe allows', { permission: { copies: [0, 2] } }, 'scale-out', 0, 2, 'pressure', /start 2/],
  [
    'starts only for the load without a tail',
    { demand: demand({ maxMs: 2, exclusiveMs: 600, share: 0.6, meanMs: 0.6 }) },
    'scale-out',
    0,
    1,
    'pressure',
    /start 1$/,
  ],
  [
    'decides by eq. (1) after a single call',
    { demand: demand({ calls: 1, samples: 1, exclusiveMs: 304, share: 0.3, meanMs: 304 }), loop: { utilisation: 0.3 } },
    'scale-out',
    0,
    1,
    'pressure',
    /1 call kept the event loop busy for 304 ms/,
  ],
  [
    'stays without consent and says what it would bring',
    { permission: { allowed: false, why: 'no recipe allows replicas', copies: [0, 0] } },
    'stay',
    0,
    0,
    'not-allowed',
    /912 ms of the last second.*free the event loop.*It stays at home: no recipe/,
  ],
  [
    'goes home when consent is withdrawn',
    { set: set(), permission: { allowed: false, why: 'its recipe says so now', copies: [0, 0] } },
    'home',
    2,
    0,
    'not-allowed',
    /says so now: back home/,
  ],
  [
    'stays while the loop is at ease',
    { loop: { utilisation: 0.3 }, demand: demand({ maxMs: 3, exclusiveMs: 200, share: 0.2 }) },
    'stay',
    0,
    0,
    'no-pressure',
    /busy 30 %/,
  ],
  [
    'stays when the load has gone before anything came of it',
    { loop: { utilisation: 0.8, lately: 0.2 }, demand: demand({ maxMs: 12 }) },
    'stay',
    0,
    0,
    'passed',
    /busy only 20 % of the last quarter of a second: the load has passed/,
  ],
  [
    'but not between two calls that block the loop',
    { loop: { utilisation: 0.6, lately: 0.1 }, demand: demand({ exclusiveMs: 310, share: 0.31, maxMs: 300 }) },
    'scale-out',
    0,
    3,
    'pressure',
    /longest 300 ms/,
  ],
  [
    'does not stay if one call blocked the loop',
    { loop: { utilisation: 0.3 }, demand: demand({ exclusiveMs: 310, share: 0.31, maxMs: 300 }) },
    'scale-out',
    0,
    3,
    'pressure',
    /longest 300 ms/,
  ],
  [
    'leaves a module that is not what saturates the loop',
    { demand: demand({ exclusiveMs: 30, share: 0.03, maxMs: 1, calls: 20 }) },
    'stay',
    0,
    0,
    'small',
    /too little/,
  ],
  [
    'leaves a cheap chatty module',
    { demand: demand({ calls: 90_000, exclusiveMs: 800, share: 0.8, maxMs: 1 }), set: idleSet },
    'stay',
    0,
    0,
    'overhead',
    /would cost 900 ms, at 0.01 ms each/,
  ],
  [
    'lets long calls pay for many short ones',
    { demand: demand({ calls: 20_000, exclusiveMs: 900 }), set: idleSet },
    'scale-out',
    0,
    3,
    'pressure',
    /start 3/,
  ],
  [
    'leaves what a slow start does not pay for yet',
    { set: { ...idleSet, startMs: 1300 } },
    'stay',
    0,
    0,
    'too-soon',
    /not yet more than a replica costs: 1,300 ms to start/,
  ],
  [
    'starts it when the loss has reached the price',
    { set: { ...idleSet, startMs: 1300 }, memory: memoryOf({ pressedSince: 99_000 }) },
    'scale-out',
    0,
    3,
    'pressure',
    /1,300 ms to start/,
  ],
  [
    'stays for what libuv runs in parallel',
    {
      module: 'node:crypto',
      demand: demand({ module: 'node:crypto', isLater: true, pending: 4, inPool: 4, latencyMs: 80, share: 0.01 }),
    },
    'stay',
    0,
    0,
    'pool',
    /^node:crypto: 4 calls pending, .*UV_THREADPOOL_SIZE/,
  ],
  [
    'stays when that pool already fills the cores',
    { demand: demand({ isLater: true, pending: 40, inPool: 40, latencyMs: 80 }) },
    'stay',
    0,
    0,
    'pool-full',
    /fill the 2 cores/,
  ],
  [
    'scales out beyond that pool when cores are left',
    {
      demand: demand({ isLater: true, pending: 40, inPool: 40, latencyMs: 80, share: 0.01, exclusiveMs: 10, maxMs: 1 }),
      cores: 16,
      limits: { cpus: 16 },
      loop: { utilisation: 0.1 },
    },
    'scale-out',
    0,
    1,
    'pressure',
    /40 pending at 80 ms each/,
  ],
  [
    'moves a module whose own calls of built-ins outnumber the threads of the pool',
    {
      demand: demand({ isLater: true, pending: 40, inPool: 40, latencyMs: 80, share: 0.01, exclusiveMs: 10, maxMs: 1 }),
      cores: 16,
      limits: { cpus: 16 },
      loop: { utilisation: 0.1 },
    },
    'scale-out',
    0,
    1,
    'pressure',
    /40 pending at 80 ms each/,
  ],
  [
    'leaves a module that waits for others, however many of its calls do',
    { demand: demand({ isLater: true, pending: 400, latencyMs: 80, share: 0.01, exclusiveMs: 10, maxMs: 1 }), loop: { utilisation: 0.1 } },
    'stay',
    0,
    0,
    'no-pressure',
    /nothing to gain/,
  ],
  [
    'does not take the loading of a program for its load',
    { demand: demand({ calls: 30, samples: 30, exclusiveMs: 31, share: 0.1, maxMs: 11, windowMs: 302 }) },
    'stay',
    0,
    0,
    'young',
    /of the last 302 ms \(10 %\), but the program, or a sudden load, has only just begun: too early to say/,
  ],
  [
    'but takes a load for one that fills even the first moments',
    { demand: demand({ calls: 16, samples: 16, exclusiveMs: 151, share: 0.6, maxMs: 29, meanMs: 9, windowMs: 250 }) },
    'scale-out',
    0,
    1,
    'pressure',
    /start 1/,
  ],
  [
    'waits, for a window at the most, until twice as many of the calls that wait for others have come back as are out',
    { demand: unanswered(10) },
    'stay',
    0,
    0,
    'unanswered',
    /90 calls pending, and only 10 have come back since the load began: too early to say what comes next/,
  ],
  ['and where none has', { demand: unanswered(0) }, 'stay', 0, 0, 'unanswered', /90 calls pending, and none has come back since/],
  ['and where one has', { demand: unanswered(1) }, 'stay', 0, 0, 'unanswered', /90 calls pending, and only one has come back since/],
  [
    'but not where they have',
    {
      demand: demand({
        isLater: true,
        calls: 270,
        samples: 270,
        share: 0.5,
        exclusiveMs: 120,
        maxMs: 2,
        pending: 90,
        completions: 180,
        sinceMs: 450,
      }),
    },
    'scale-out',
    0,
    1,
    'pressure',
    /start 1/,
  ],
  [
    'nor where the load is older than a window',
    { demand: demand({ isLater: true, share: 0.5, exclusiveMs: 500, maxMs: 2, pending: 900, completions: 100, sinceMs: Infinity }) },
    'scale-out',
    0,
    1,
    'pressure',
    /start 1/,
  ],
  [
    'nor where a call blocks',
    { demand: demand({ isLater: true, share: 0.5, exclusiveMs: 500, pending: 900, completions: 100, sinceMs: 600 }) },
    'scale-out',
    0,
    3,
    'pressure',
    /start/,
  ],
  [
    'says so while none of those that it asked for can be started, also where nothing presses',
    {
      demand: demand({ maxMs: 1, share: 0.01 }),
      loop: { utilisation: 0.1 },
      set: set({ ready: 0, wanted: 1, failure: 'ECONNREFUSED; tried again' }),
      permission: { copies: [1, 1] },
    },
    'stay',
    1,
    1,
    'no-pressure',
    /nothing to gain; its replicas cannot be started: ECONNREFUSED; tried again$/,
  ],
  [
    'says of others that are on their way that no more can be started',
    {
      demand: demand({ maxMs: 1, share: 0.01 }),
      loop: { utilisation: 0.1 },
      set: set({ ready: 0, starting: 1, wanted: 2, failure: 'no room; tried again' }),
      permission: { copies: [2, 2] },
    },
    'stay',
    2,
    2,
    'no-pressure',
    /; no more can be started: no room; tried again$/,
  ],
  [
    'leaves asynchronous calls that wait elsewhere',
    { demand: demand({ isLater: true, pending: 3, latencyMs: 200, share: 0.02, exclusiveMs: 20, maxMs: 1 }), loop: { utilisation: 0.1 } },
    'stay',
    0,
    0,
    'no-pressure',
    /nothing to gain/,
  ],
  [
    'leaves asynchronous calls at home that only wait for a loop which others fill',
    { demand: demand({ isLater: true, pending: 3, latencyMs: 200, share: 0.02, exclusiveMs: 20, maxMs: 1, calls: 20 }) },
    'stay',
    0,
    0,
    'small',
    /too little to relieve the event loop/,
  ],
  [
    'starts the least that the recipe asks for before any call',
    { demand: null, permission: { copies: [2, 4] } },
    'scale-out',
    0,
    2,
    'minimum',
    /^uri-js: the recipe asks for at least 2: start 2$/,
  ],
  ['does nothing for a module at rest', { demand: null }, 'stay', 0, 0, 'idle', /not used/],
  [
    'comes down to what a changed recipe allows',
    { set: set({ ready: 4, wanted: 4 }), permission: { copies: [0, 1] } },
    'scale-in',
    4,
    1,
    'maximum',
    /at most 1 replica/,
  ],
  [
    'keeps what is busy but not full',
    { set: set(), memory: memoryOf({ togetherAt: 99_900 }) },
    'stay',
    2,
    2,
    'enough',
    /500 calls a second keep 2 replicas busy for 1,000 ms a second: enough/,
  ],
  [
    'waits a window before it asks whether one more would let calls pass each other',
    { set: set({ ready: 1, wanted: 1, busyMsPerSecond: 600 }) },
    'stay',
    1,
    1,
    'enough',
    /keep 1 replica busy for 600 ms a second: enough/,
  ],
  [
    'adds one that is not needed where calls are foreseen to wait less for each other',
    {
      set: set({ ready: 1, wanted: 1, busyMsPerSecond: 600, callsPerSecond: 105 }),
      memory: memoryOf({ pressedSince: 99_000, waitedAt: 99_500 }),
      foresight: { answers: [foreseen(1, 105, 30, 0.16), foreseen(2, 105, 16, 0.17)] },
    },
    'scale-out',
    1,
    2,
    'busy',
    /from 1 to 2; expected: 105 calls a second as now, a p99 of 16 ms instead of 30 ms/,
  ],
  [
    'and none where they are not',
    {
      set: set({ ready: 1, wanted: 1, busyMsPerSecond: 600, callsPerSecond: 105 }),
      memory: memoryOf({ pressedSince: 99_000, waitedAt: 99_500 }),
      foresight: { answers: [foreseen(1, 105, 30, 0.16), foreseen(2, 105, 28, 0.17)] },
    },
    'stay',
    1,
    1,
    'no-promise',
    /nothing to gain/,
  ],
  [
    'and none where its callers would wait longer for others, and says so',
    {
      set: set({ ready: 1, wanted: 1, busyMsPerSecond: 600, callsPerSecond: 105 }),
      memory: memoryOf({ pressedSince: 99_000, waitedAt: 99_500 }),
      foresight: { answers: [foreseen(1, 105, 50, 0.16, 60), foreseen(2, 105, 9, 0.17, 90)] },
    },
    'stay',
    1,
    1,
    'no-promise',
    /with a p99 of 9 ms instead of 50 ms, and its callers, over all that they wait for, would see one of 90 ms instead of 60 ms: nothing to gain$/,
  ],
  [
    'nor where no call was seen to wait for another for a window, however busy they are: there is one caller',
    {
      set: set({ ready: 1, wanted: 1, busyMsPerSecond: 950, callsPerSecond: 105, pending: 1 }),
      memory: memoryOf({ pressedSince: 97_000, waitedAt: 98_900 }),
      foresight: { answers: [foreseen(1, 105, 30, 0.16), foreseen(2, 105, 16, 0.17)] },
    },
    'stay',
    1,
    1,
    'enough',
    /enough/,
  ],
  [
    'nor where no core is idle for it',
    { set: set({ ready: 1, wanted: 1, busyMsPerSecond: 600 }), memory: memoryOf({ pressedSince: 99_000, waitedAt: 99_500 }), free: 0.1 },
    'stay',
    1,
    1,
    'enough',
    /enough/,
  ],
  [
    'nor for so little that it would be taken back again',
    { set: set({ ready: 1, wanted: 1, busyMsPerSecond: 490 }), memory: memoryOf({ pressedSince: 99_000 }) },
    'stay',
    1,
    1,
    'enough',
    /enough/,
  ],
  [
    'adds when the replicas are full',
    { set: set({ busyMsPerSecond: 1900, pending: 9 }), cores: 4 },
    'scale-out',
    2,
    3,
    'busy',
    /9 calls under way or waiting.*from 2 to 3/,
  ],
  [
    'adds spares when a tail appears',
    { set: set({ ready: 1, wanted: 1, busyMsPerSecond: 600 }), memory: memoryOf(tail) },
    'scale-out',
    1,
    3,
    'busy',
    /2 of them to let short calls pass/,
  ],
  [
    'adds one spare where long calls seldom meet',
    { set: set({ ready: 1, wanted: 1, busyMsPerSecond: 600, longMsPerSecond: 60 }), memory: memoryOf(thinTail) },
    'scale-out',
    1,
    2,
    'busy',
    /1 of them to let short calls pass/,
  ],
  [
    'adds a second one where they were seen to meet again and again all the same',
    {
      set: set({ ready: 2, wanted: 2, busyMsPerSecond: 600, longMsPerSecond: 60 }),
      memory: memoryOf({ ...thinTail, tooFew: 2, pressedSince: 99_000 }),
    },
    'scale-out',
    2,
    3,
    'busy',
    /2 of them to let short calls pass/,
  ],
  [
    'adds one spare where no core is idle',
    { set: set({ ready: 1, wanted: 1, busyMsPerSecond: 600 }), memory: memoryOf(tail), free: 0.1 },
    'scale-out',
    1,
    2,
    'busy',
    /1 of them to let short calls pass/,
  ],
  [
    'adds a second spare to one only for a load that stays',
    { set: set({ ready: 2, wanted: 2, busyMsPerSecond: 600 }), memory: memoryOf(tail) },
    'stay',
    2,
    2,
    'too-soon',
    /a second lane, for the short calls, is started if this lasts/,
  ],
  [
    'and adds it when it has stayed',
    { set: set({ ready: 2, wanted: 2, busyMsPerSecond: 600 }), memory: memoryOf({ ...tail, pressedSince: 99_000 }) },
    'scale-out',
    2,
    3,
    'busy',
    /2 of them to let short calls pass/,
  ],
  [
    'takes the second spare back where no core is idle',
    {
      set: set({ ready: 3, wanted: 3, busyMsPerSecond: 300, longestMs: 300 }),
      memory: memoryOf({ ...tail, lowSince: 90_000, needs: [{ time: 90_000, need: 2 }] }),
      free: 0.1,
    },
    'scale-in',
    3,
    2,
    'low',
    /2 would have done/,
  ],
  ['stops at the cores', { set: set({ busyMsPerSecond: 2000, pending: 9 }) }, 'stay', 2, 2, 'plateau', /its share is 2 cores of 2/],
  [
    'stops at the recipe',
    { set: set({ busyMsPerSecond: 2000, pending: 9 }), cores: 4, permission: { copies: [0, 2] } },
    'stay',
    2,
    2,
    'maximum',
    /no more than 2 replicas/,
  ],
  [
    'waits the reclamation delay',
    { set: set({ busyMsPerSecond: 0, callsPerSecond: 0 }), memory: memoryOf({ lowSince: 96_000 }) },
    'stay',
    2,
    2,
    'reclaim',
    /0 instead of 2 would do: 2 replicas are given back if this lasts 5,000 ms/,
  ],
  [
    'goes home after it',
    { set: set({ busyMsPerSecond: 0, callsPerSecond: 0 }), memory: memoryOf({ lowSince: 94_900 }) },
    'home',
    2,
    0,
    'gone',
    /load has gone.*back home/,
  ],
  [
    'goes down to the least after it',
    { set: set({ busyMsPerSecond: 0, callsPerSecond: 0 }), memory: memoryOf({ lowSince: 94_900 }), permission: { copies: [1, 4] } },
    'scale-in',
    2,
    1,
    'gone',
    /down to 1/,
  ],
  [
    'gives back one that is not needed',
    { set: set({ ready: 3, wanted: 3, busyMsPerSecond: 600 }), memory: memoryOf({ lowSince: 94_900, togetherAt: 99_900 }) },
    'scale-in',
    3,
    2,
    'low',
    /from 3 to 2/,
  ],
  [
    'gives back what one caller cannot use, of whose calls no two are there at one time, however busy he keeps a replica',
    { set: set({ busyMsPerSecond: 900, pending: 1 }), memory: memoryOf({ lowSince: 94_900, togetherAt: 94_800 }) },
    'scale-in',
    2,
    1,
    'low',
    /from 2 to 1/,
  ],
  [
    'keeps both where two were there at one time in the last seconds: calls that come at random seldom are, at a tick',
    { set: set({ busyMsPerSecond: 900, pending: 1 }), memory: memoryOf({ lowSince: 94_900, togetherAt: 98_900 }) },
    'stay',
    2,
    2,
    'enough',
    /enough/,
  ],
  [
    'gives back none that such a load needed before, as soon as it had been given back',
    {
      set: set({ ready: 3, wanted: 3, busyMsPerSecond: 600 }),
      memory: memoryOf({ lowSince: 94_900, togetherAt: 99_900, floor: { count: 3, load: 0.6, until: 200_000 } }),
    },
    'stay',
    3,
    3,
    'enough',
    /enough$/,
  ],
  [
    'keeps what was needed within the delay',
    {
      set: set({ ready: 3, wanted: 3, busyMsPerSecond: 600 }),
      memory: memoryOf({ lowSince: 90_000, needs: [{ need: 3, at: 99_000 }], togetherAt: 99_900 }),
    },
    'stay',
    3,
    3,
    'reclaim',
    /2 instead of 3/,
  ],
  [
    'goes home when crossing costs more than it saves',
    { set: set({ busyMsPerSecond: 30, callsPerSecond: 9000 }), memory: memoryOf({ lowSince: 94_900 }) },
    'home',
    2,
    0,
    'low',
    /0 would have done/,
  ],
  [
    'goes home where replicas fall behind a load that home would follow',
    {
      set: set({
        ready: 1,
        wanted: 1,
        pending: 40,
        queued: 252,
        callsPerSecond: 61,
        busyMsPerSecond: 366,
        activeMsPerSecond: 990,
        callOverheadMs: 3,
      }),
      demand: demand({ callsPerSecond: 90, share: 0, maxMs: 0 }),
      loop: { utilisation: 0.25 },
      memory: memoryOf({ behindSince: 97_000, worth: 1 }),
    },
    'home',
    1,
    0,
    'behind',
    /292 calls wait for 1 replica, which answers 61 calls a second of 90 calls a second, while the event loop would be busy 61 % of the time without them: back home, and tried again later$/,
  ],
  [
    'gives back replicas to which no call goes, while home is as full as before, and remembers it',
    {
      set: set({ ready: 1, wanted: 1, busyMsPerSecond: 0, callsPerSecond: 0, longestMs: 0 }),
      demand: demand(),
      memory: memoryOf({ lowSince: 94_900 }),
    },
    'home',
    1,
    0,
    'unused',
    /0 calls a second keep 1 replica busy for 0 ms a second, while 1,003 calls kept the event loop busy for 912 ms of the last second \(91 %\): its calls run at home anyway, so the replica is given back, and tried again later$/,
  ],
  [
    'undoes a step that brought nothing',
    {
      set: set({ ready: 3, wanted: 3, busyMsPerSecond: 2900, pending: 20, callsPerSecond: 505 }),
      cores: 8,
      memory: memoryOf({ step: { from: 2, to: 3, rate: 500, at: 97_000, utilisation: 0.95, promised: null } }),
    },
    'scale-in',
    3,
    2,
    'no-gain',
    /3 replicas answer 505 calls a second, 2 answered 500 calls a second: the step brought 1 %/,
  ],
  [
    'brings a module home whose first replica left the event loop as full as it was',
    {
      set: set({ ready: 1, wanted: 1, busyMsPerSecond: 300, pending: 9, callsPerSecond: 480 }),
      loop: { utilisation: 0.99 },
      memory: memoryOf({
        step: { from: 0, to: 1, rate: 500, at: 98_000, utilisation: 0.99, promised: { rate: 900, utilisation: 0.2 } },
      }),
    },
    'home',
    1,
    0,
    'no-gain',
    /1 replica answers 480 calls a second, home answered 500/,
  ],
  [
    'does not judge a step by a load that has gone',
    {
      set: set({ ready: 1, wanted: 1, busyMsPerSecond: 600, callsPerSecond: 480 }),
      loop: { utilisation: 0.5 },
      memory: memoryOf({
        step: { from: 0, to: 1, rate: 500, at: 98_000, utilisation: 0.5, promised: { rate: 900, utilisation: 0.2 } },
      }),
    },
    'stay',
    1,
    1,
    'enough',
    /enough/,
  ],
  [
    'does not try at home again what brought nothing',
    { memory: memoryOf({ ceiling: { count: 0, until: 101_000, meanMs: 0.9 } }) },
    'stay',
    0,
    0,
    'ceiling',
    /replicas brought no gain before, and are tried again later/,
  ],
  [
    'does not try again for one window with other calls',
    { memory: memoryOf({ ceiling: { count: 0, until: 101_000, meanMs: 0.3, otherSince: 99_500 } }) },
    'stay',
    0,
    0,
    'ceiling',
    /tried again later/,
  ],
  [
    'tries again when calls have become others',
    { memory: memoryOf({ ceiling: { count: 0, until: 101_000, meanMs: 0.3, otherSince: 99_000 } }) },
    'scale-out',
    0,
    3,
    'pressure',
    /start 3/,
  ],
  [
    'starts as many as are foreseen to do, and says what they promise',
    {
      demand: demand({ maxMs: 2 }),
      foresight: { answers: [foreseen(0, 900, 40, 0.99), foreseen(1, 1700, 20, 0.3), foreseen(2, 1710, 20, 0.3)] },
    },
    'scale-out',
    0,
    1,
    'pressure',
    /start 1; expected: 1,700 calls a second instead of 900 calls a second, a p99 of 20 ms instead of 40 ms, and an event loop that is busy 30 % instead of 99 % of the time$/,
  ],
  [
    'starts nothing that promises nothing',
    { demand: demand({ maxMs: 2 }), foresight: { answers: [foreseen(0, 900, 40, 0.99), foreseen(1, 700, 50, 0.99)] } },
    'stay',
    0,
    0,
    'no-promise',
    /1 replica would answer 700 calls a second instead of 900 calls a second, with a p99 of 50 ms instead of 40 ms: nothing to gain/,
  ],
  [
    'waits for an answer that is not there yet',
    { demand: demand({ maxMs: 2 }), foresight: null },
    'stay',
    0,
    0,
    'weighing',
    /Ignis is working out what more than 0 replicas would bring/,
  ],
  [
    'does not ask again at home what promised nothing a moment ago',
    { memory: memoryOf({ veto: { count: 0, until: 101_000, meanMs: 0.9, room: 1.9 }, vetoes: 1 }) },
    'stay',
    0,
    0,
    'vetoed',
    /more than 0 replicas promised no gain: Ignis asks again later, or when cores become free/,
  ],
  [
    'nor away',
    {
      set: set({ busyMsPerSecond: 2000, pending: 20 }),
      cores: 8,
      memory: memoryOf({ veto: { count: 2, until: 101_000, meanMs: 4, room: 2 } }),
    },
    'stay',
    2,
    2,
    'vetoed',
    /20 calls under way or waiting; a moment ago more than 2 replicas promised no gain/,
  ],
  [
    'asks sooner when cores have become free',
    { memory: memoryOf({ veto: { count: 0, until: 101_000, meanMs: 0.9, room: 1.7 }, vetoes: 1 }) },
    'scale-out',
    0,
    3,
    'pressure',
    /start 3/,
  ],
  [
    'judges a step by what was measured, whatever was refused meanwhile',
    {
      set: set({ ready: 3, wanted: 3, busyMsPerSecond: 2900, pending: 20, callsPerSecond: 505 }),
      cores: 8,
      memory: memoryOf({
        step: { from: 2, to: 3, rate: 500, at: 97_000, utilisation: 0.95, promised: null },
        veto: { count: 3, until: 101_000, meanMs: 5.7, room: 2 },
        vetoes: 4,
      }),
    },
    'scale-in',
    3,
    2,
    'no-gain',
    /is undone/,
  ],
  [
    'starts nothing on a machine that is full, when no call is long',
    { demand: demand({ maxMs: 2 }), free: 0.1 },
    'stay',
    0,
    0,
    'no-core',
    /only 0.1 of the machine's 2 cores are idle/,
  ],
  [
    'has calls of that pool run on other hosts, whose cores it cannot fill',
    {
      demand: demand({ isLater: true, pending: 40, inPool: 40, latencyMs: 80 }),
      hosts: { isAwaited: false, room: 4, named: 1, answered: 1, idleOn: 1, idle: 3, said: 'host1 has 3.0 of 4 cores idle' },
    },
    'scale-out',
    0,
    3,
    'pressure',
    /40 pending at 80 ms each; .* on 1 host with 3\.0 idle cores/,
  ],
  [
    'starts no spare lanes that its hosts have no room for',
    {
      set: set({ busyMsPerSecond: 900, longestMs: 304 }),
      cores: 2,
      free: 2,
      hosts: {
        isAwaited: false,
        room: 0,
        named: 1,
        answered: 1,
        idleOn: 0,
        idle: 0,
        said: 'host1 has 2.0 of 4 cores idle, and it takes no more replicas',
      },
      memory: memoryOf({ ...tail, pressedSince: 90_000 }),
    },
    'stay',
    2,
    2,
    'enough',
    /enough/,
  ],
  [
    'starts nothing where no host takes one more',
    {
      hosts: {
        isAwaited: false,
        room: 0,
        named: 2,
        answered: 2,
        idleOn: 0,
        idle: 0,
        said: 'host1 has 1.0 of 2 cores idle, and it takes no more replicas',
      },
    },
    'stay',
    0,
    0,
    'no-room',
    /none of its hosts can take another replica: host1 has 1\.0/,
  ],
  [
    'waits for the word of its hosts',
    { hosts: { isAwaited: true, room: 0, named: 2, answered: 0, idleOn: 0, idle: 0, said: '' } },
    'stay',
    0,
    0,
    'no-word',
    /waiting to hear how many cores its 2 hosts have idle/,
  ],
  ['relieves the event loop of long calls even there', { free: 0 }, 'scale-out', 0, 3, 'pressure', /start 3/],
  [
    'leaves at home what is dear to send',
    { demand: demand({ calls: 20, samples: 20, exclusiveMs: 900, meanMs: 45, maxMs: 49, bytes: 1e6, values: 400_000 }) },
    'stay',
    0,
    0,
    'overhead',
    /sent to replicas they would cost/,
  ],
  [
    'does not take the first call, which is slow, for those to come, where sending costs a third of it',
    { demand: demand({ calls: 1, samples: 1, exclusiveMs: 60, share: 0.3, meanMs: 60, maxMs: 60, values: 100_000 }) },
    'stay',
    0,
    0,
    'overhead',
    /sent to replicas they would cost|would cost/,
  ],
  [
    'keeps a step that brought something',
    {
      set: set({ ready: 3, wanted: 3, busyMsPerSecond: 2900, pending: 20, callsPerSecond: 700 }),
      cores: 8,
      permission: { copies: [0, 3] },
      memory: memoryOf({ step: { from: 2, to: 3, rate: 500, at: 97_000, utilisation: 0.95, promised: null } }),
    },
    'stay',
    3,
    3,
    'maximum',
    /no more than 3/,
  ],
  [
    'does not try again what brought nothing',
    { set: set({ busyMsPerSecond: 2000, pending: 20 }), cores: 8, memory: memoryOf({ ceiling: { count: 2, until: 101_000 } }) },
    'stay',
    2,
    2,
    'ceiling',
    /brought no gain before/,
  ],
  [
    'tries again later',
    { set: set({ busyMsPerSecond: 2000, pending: 20 }), cores: 8, memory: memoryOf({ ceiling: { count: 2, until: 99_000 } }) },
    'scale-out',
    2,
    3,
    'busy',
    /from 2 to 3/,
  ],
  [
    'waits for replicas that start',
    { set: set({ ready: 0, starting: 4, wanted: 4 }) },
    'stay',
    4,
    4,
    'starting',
    /4 replicas asked for, 0 ready/,
  ],
  [
    'does not ask twice',
    { set: idleSet, memory: memoryOf({ asked: { from: 0, to: 3, at: 99_500 } }) },
    'stay',
    0,
    0,
    'asked',
    /asked to go from 0 to 3 replicas/,
  ],
  [
    'asks for the same number anew when fewer are there than it asked from',
    { set: idleSet, permission: { copies: [1, 4] }, memory: memoryOf({ asked: { from: 2, to: 1, at: 99_500 } }) },
    'scale-out',
    0,
    1,
    'minimum',
    /at least 1/,
  ],
  [
    'keeps what is on its way for the delay when the load has gone before it came',
    {
      set: set({ ready: 0, starting: 1, wanted: 1, busyMsPerSecond: 0, callsPerSecond: 0 }),
      demand: null,
      memory: memoryOf({ lowSince: 96_000 }),
    },
    'stay',
    1,
    1,
    'reclaim',
    /0 instead of 1 would do: 1 replica is given back if this lasts/,
  ],
  [
    'and no longer',
    {
      set: set({ ready: 0, starting: 1, wanted: 1, busyMsPerSecond: 0, callsPerSecond: 0 }),
      demand: null,
      memory: memoryOf({ lowSince: 94_900 }),
    },
    'home',
    1,
    0,
    'gone',
    /load has gone/,
  ],
];

describe('rank/decision', () => {
  for (const [name, changes, action, from, to, reason, sentence] of TABLE) {
    it(name, () => {
      const given = situation(changes);
      const { decision } = decide(given);
      assert.deepEqual([decision.action, decision.from, decision.to, decision.reason], [action, from, to, reason]);
      assert.match(sentenceOf(decision), sentence);
    });
  }

  it('has a sentence for every reason, and no sentence without a row in this table', () => {
    const tested = new Set(TABLE.map(([, , , , , reason]) => reason));
    assert.deepEqual([...tested].sort(), Object.keys(SENTENCES).sort());
  });

  it('writes no figure that is not there', () => {
    for (const [, changes] of TABLE)
      assert.doesNotMatch(sentenceOf(decide(situation(changes)).decision), /undefined|NaN|null|Infinity|\.$/);
  });

  it('changes neither the situation nor the memory it was given', () => {
    for (const [, changes] of TABLE) {
      const given = situation(changes);
      const before = structuredClone(given);
      decide(given);
      assert.deepEqual(given, before);
    }
  });

  it('keeps figures plain, so that a report can hold them', () => {
    for (const [, changes] of TABLE) {
      for (const [key, value] of Object.entries(decide(situation(changes)).decision.figures)) {
        assert.ok(['number', 'string', 'boolean'].includes(typeof value), `${key} is ${typeof value}`);
      }
    }
  });

  it('keeps opinions and measurements apart: a step that waits for its judgement outlives a refusal, and neither lengthens the other', () => {
    const step = { from: 1, to: 2, rate: 500, at: 99_900, utilisation: 0.95, promised: { rate: 900, utilisation: 0.5 } };
    const full = set({ busyMsPerSecond: 2000, pending: 20 });
    const foresight = { answers: [foreseen(2, 900, 40, 0.99), foreseen(3, 900, 40, 0.99)] };
    const refused = decide(situation({ set: full, cores: 8, foresight, memory: memoryOf({ step, failures: 2 }) }));
    assert.equal(refused.decision.reason, 'no-promise');
    assert.deepEqual([refused.memory.step, refused.memory.failures, refused.memory.ceiling], [step, 2, null]);
    assert.deepEqual(refused.memory.veto, { count: 2, until: 101_500, meanMs: 4, room: 2 });
    const later = { ...refused.memory, veto: { ...refused.memory.veto, until: 200_000 } };
    const failed = decide(
      situation({ time: 102_000, set: { ...full, callsPerSecond: 505 }, cores: 8, loop: { utilisation: 0.99 }, memory: later }),
    );
    assert.deepEqual([failed.decision.reason, failed.memory.failures, failed.memory.vetoes], ['no-gain', 3, 1]);
    assert.equal(failed.memory.ceiling.until, 102_000 + 4 * 50_000);
  });

  it('starts replicas to which no call went not again for a while, and longer each time', () => {
    const unused = set({ ready: 1, wanted: 1, busyMsPerSecond: 0, callsPerSecond: 0, longestMs: 0 });
    const given = { set: unused, demand: demand(), memory: memoryOf({ lowSince: 94_900 }) };
    const back = decide(situation(given));
    assert.deepEqual([back.memory.ceiling.count, back.memory.ceiling.until], [0, 150_000]);
    const next = decide(situation({ time: 101_500, set: idleSet, memory: back.memory }));
    assert.deepEqual([next.decision.to, next.decision.reason], [0, 'ceiling']);
    const again = decide(situation({ time: 151_000, set: idleSet, memory: next.memory }));
    assert.equal(again.decision.action, 'scale-out');
    const failed = decide(situation({ ...given, time: 160_000, memory: { ...again.memory, lowSince: 154_000 } }));
    assert.deepEqual([failed.decision.reason, failed.memory.ceiling.until], ['unused', 160_000 + 2 * 50_000]);
    const served = { ...unused, busyMsPerSecond: 100, callsPerSecond: 1 };
    for (const other of [{ demand: demand({ share: 0.01, exclusiveMs: 10, maxMs: 1 }) }, { demand: null }, { set: served }])
      assert.notEqual(decide(situation({ ...given, ...other })).decision.reason, 'unused');
  });

  it('counts of a module that may leave again only what is lost from then on', () => {
    const refused = decide(
      situation({ set: idleSet, permission: { allowed: false, copies: [0, 0] }, memory: memoryOf({ pressedSince: 60_000 }) }),
    );
    const { decision } = decide(situation({ time: 100_100, set: set({ ...idleSet, startMs: 5000 }), memory: refused.memory }));
    assert.equal(decision.reason, 'too-soon');
  });

  it('begins to judge a step when the last of its replicas is ready, the first one too', () => {
    const step = { from: 0, to: 1, rate: 500, at: 98_000, utilisation: 0.99, promised: { rate: 900, utilisation: 0.2 } };
    const loop = { utilisation: 0.99 };
    const even = demand({ maxMs: 5 });
    const starting = decide(situation({ demand: even, set: { ...idleSet, starting: 1, wanted: 1 }, loop, memory: memoryOf({ step }) }));
    assert.equal(starting.memory.step.at, 100_000);
    const useless = set({ ready: 1, wanted: 1, busyMsPerSecond: 300, pending: 9, callsPerSecond: 0.9 });
    // The look that sees them ready may come seconds later, and in the turn of the event loop until then no call went there.
    const ready = decide(situation({ time: 102_000, set: useless, loop, memory: starting.memory }));
    assert.deepEqual([ready.decision.reason === 'no-gain', ready.memory.step.at], [false, 102_000]);
    const soon = decide(situation({ time: 103_400, set: useless, loop, memory: ready.memory }));
    assert.notEqual(soon.decision.reason, 'no-gain');
    const later = decide(situation({ time: 103_500, set: useless, loop, memory: soon.memory }));
    assert.equal(later.decision.reason, 'no-gain');
  });

  it('takes a call for long by what others took for as long as it is remembered, not by a second with three of them', () => {
    const few = set({ ready: 1, wanted: 1, busyMsPerSecond: 36, callsPerSecond: 3, longestMs: 20 });
    const known = { longestMs: 133, longestAt: 99_000, countedAt: 99_900 };
    const isHeavy = (/** @type {object} */ lately) =>
      decide(situation({ set: few, memory: memoryOf({ ...known, ...lately }) })).decision.figures.isHeavy;
    assert.equal(isHeavy({ callsLately: 46, busyMsLately: 760 }), false);
    assert.equal(isHeavy({ callsLately: 400, busyMsLately: 760 }), true);
    assert.equal(isHeavy({ countedAt: null }), true, 'more is not known yet');
  });

  it('takes a call for long by what home has seen, before its replicas have answered any', () => {
    const firstCallOf = (/** @type {object} */ calls) => {
      const home = decide(situation({ demand: demand({ maxMs: 60, ...calls }) }));
      const first = set({ ready: 1, wanted: 1, callsPerSecond: 0, busyMsPerSecond: 205, pending: 1, longestMs: 205 });
      return decide(situation({ time: 100_300, set: first, memory: home.memory })).decision;
    };
    const even = firstCallOf({ calls: 10, samples: 10, exclusiveMs: 900, share: 0.9, meanMs: 90, maxMs: 120 });
    assert.deepEqual([even.to, even.figures.isHeavy], [1, false]);
    const uneven = firstCallOf({ calls: 100, samples: 100, exclusiveMs: 500, share: 0.5, meanMs: 5, maxMs: 120 });
    assert.deepEqual([uneven.to, uneven.figures.isHeavy], [2, true]);
  });

  it('undoes a step that costs home more for each call than it took to answer one, though the event loop is not full', () => {
    const step = { from: 0, to: 1, rate: 300, at: 98_000, utilisation: 0.6, homeMs: 1, promised: { rate: 300, utilisation: 0.3 } };
    const judged = (changes, { demand = null, ...memory } = {}) => {
      const slow = set({ ready: 1, wanted: 1, pending: 1, busyMsPerSecond: 897, callsPerSecond: 299, callOverheadMs: 1.2, ...changes });
      return decide(situation({ set: slow, demand, loop: { utilisation: 0.73 }, memory: memoryOf({ step, ...memory }) }));
    };
    const undone = judged({});
    assert.deepEqual([undone.decision.to, undone.decision.reason], [0, 'no-gain']);
    assert.match(
      sentenceOf(undone.decision),
      /the step brought 0 %, home takes 1.2 ms to send a call that it answered in 1 ms, and is undone$/,
    );
    const small = demand({ share: 0.1, callsPerSecond: 3000 });
    const others = {
      cheap: judged({ callOverheadMs: 0.5 }),
      unmeasured: judged({ callOverheadMs: null }),
      split: judged({}, { demand: small }),
    };
    for (const [name, { decision }] of Object.entries(others)) assert.notEqual(decision.reason, 'no-gain', name);
    assert.deepEqual(
      Object.values(others).map(({ memory }) => memory.worth?.toFixed(2)),
      ['0.33', '0.33', '1.00'],
    );
    // More were answered by chance: later it shows all the same, and whatever waits would not at home.
    const lucky = judged({ callsPerSecond: 330, busyMsPerSecond: 990 });
    assert.deepEqual([lucky.decision.to, lucky.memory.worth.toFixed(2)], [1, '0.33']);
    const later = judged({ pending: 3 }, { step: null, worth: 0.33, lowSince: 94_900 });
    assert.deepEqual([later.decision.to, later.decision.reason, later.memory.worth], [0, 'low', null]);
    // A step on top says nothing of home.
    const more = judged({}, { step: { ...step, from: 1, homeMs: 0 }, worth: 0.5, failures: 0 });
    assert.equal(more.memory.worth, 0.5);
  });

  it('remembers of a step what home took for a call, but of calls that wait for the pool', () => {
    const stepOf = (/** @type {object} */ changes) => decide(situation({ demand: demand(changes), limits: { cpus: 8 } })).memory.step;
    assert.equal(stepOf({ meanMs: 0.91 }).homeMs, 0.91);
    assert.equal(stepOf({ isLater: true, pending: 9, inPool: 9, completions: 200, latencyMs: 50 }).homeMs, 0);
    // Home goes on while they start, and the engine has compiled by then what the first call ran.
    const step = { from: 0, to: 1, rate: 4, at: 98_000, utilisation: 0.6, homeMs: 111, promised: null };
    const whileThey = (/** @type {object} */ changes) => decide(situation({ memory: memoryOf({ step }), ...changes })).memory.step.homeMs;
    const starting = set({ ready: 0, starting: 1, wanted: 1, callsPerSecond: 0, busyMsPerSecond: 0 });
    assert.equal(whileThey({ set: starting, demand: demand({ meanMs: 7 }) }), 7);
    assert.equal(whileThey({ set: starting, demand: null }), 111);
    assert.equal(whileThey({ set: set({ starting: 1, wanted: 3 }), demand: demand({ meanMs: 7 }) }), 111, 'some serve already');
    const busy = set({ ready: 1, wanted: 1, busyMsPerSecond: 990, pending: 9 });
    assert.equal(decide(situation({ set: busy, demand: demand(), memory: memoryOf({ waitedAt: 99_900 }) })).memory.step.homeMs, 0);
  });

  it('undoes a step for one caller, to whom a free event loop is worth nothing, unless its calls are long', () => {
    const step = { from: 0, to: 2, rate: 245, at: 98_000, utilisation: 0.97, promised: { rate: 380, utilisation: 0.8 } };
    const one = (changes, waitedAt = -Infinity, longestMs = 11) => {
      const lone = set({ busyMsPerSecond: 520, callsPerSecond: 230, pending: 1, longestMs, ...changes });
      return decide(
        situation({ set: lone, loop: { utilisation: 0.46 }, memory: memoryOf({ step, waitedAt, longestMs, longestAt: 99_900 }) }),
      );
    };
    const undone = one({});
    assert.deepEqual([undone.decision.to, undone.decision.reason], [0, 'no-gain']);
    assert.match(
      sentenceOf(undone.decision),
      /2 replicas answer 230 calls a second, home answered 245 calls a second: the step brought 0 % and is undone/,
    );
    const reasons = [one({}, 99_500), one({}, -Infinity, 60), one({ busyMsPerSecond: 300 }), one({ callsPerSecond: 300 })].map(
      ({ decision }) => decision.reason,
    );
    assert.ok(!reasons.includes('no-gain'), `calls waited for each other; were long; the load is less; more is answered: ${reasons}`);
  });

  it('takes nobody for one caller who makes two calls at one time, or pauses: a window with a pause in it looks the same', () => {
    const step = { from: 0, to: 2, rate: 245, at: 98_000, utilisation: 0.97, promised: { rate: 380, utilisation: 0.8 } };
    const judged = ({ loop, waiting, ...memory }) => {
      const lone = set({ busyMsPerSecond: 520, callsPerSecond: 230, pending: 1, longestMs: 11, ...waiting });
      const known = memoryOf({ step, longestMs: 11, longestAt: 99_900, ...memory });
      return decide(
        situation({ set: lone, loop: { utilisation: 0.46, ...loop }, memory: known, ...(memory.demand && { demand: memory.demand }) }),
      );
    };
    assert.equal(judged({ loop: { lately: 0.5 } }).decision.reason, 'no-gain');
    const together = [
      judged({ togetherAt: 99_200 }),
      judged({ waiting: { pending: 2 } }),
      judged({ demand: demand({ share: 0, inTurn: 3 }) }),
    ];
    for (const { decision, memory } of together) assert.deepEqual([decision.to, decision.reason, memory.step], [2, 'enough', null]);
    // The load has gone, or has just come back: it is looked at once more.
    for (const lately of [0, 0.9]) {
      const { decision, memory } = judged({ loop: { lately } });
      assert.deepEqual([decision.to, memory.step], [2, step], `${lately}`);
      const late = judged({ loop: { lately }, step: { ...step, at: 96_900 } });
      assert.deepEqual([late.decision.to, late.memory.step], [2, null], `${lately}, for good`);
    }
  });

  it('does not go past what brought nothing before, though it is foreseen that more would bring much', () => {
    const full = set({ ready: 1, wanted: 1, busyMsPerSecond: 990, pending: 20, callsPerSecond: 100, longestMs: 12 });
    const answers = [foreseen(1, 100, 200, 0.1), foreseen(2, 190, 100, 0.1), foreseen(3, 290, 60, 0.1)];
    const asked = { set: full, cores: 4, limits: { cpus: 4 }, loop: { utilisation: 0.3 }, foresight: { from: 1, answers } };
    const ceiling = { count: 2, at: 90_000, until: 140_000, meanMs: 9.9, otherSince: null };
    assert.equal(decide(situation({ ...asked, memory: memoryOf({ ceiling }) })).decision.to, 2);
    assert.equal(decide(situation({ ...asked, memory: memoryOf({}) })).decision.to, 3);
  });

  it('waits with its judgement of a step until more than one turn of the event loop has been seen, where these take seconds', () => {
    const step = { from: 0, to: 1, rate: 9, at: 96_600, utilisation: 1, promised: { rate: 18, utilisation: 0.9 } };
    // All callers have sent their calls in one turn; of the answers none was read in it.
    const sent = set({ ready: 1, wanted: 1, busyMsPerSecond: 30, pending: 1, queued: 31, callsPerSecond: 0.5 });
    const inTurn = decide(situation({ set: sent, loop: { utilisation: 1, windowMs: 3400 }, memory: memoryOf({ step }) }));
    assert.notEqual(inTurn.decision.reason, 'no-gain');
    assert.deepEqual(inTurn.memory.step, step);
    const surge = decide(situation({ time: 101_000, set: sent, loop: { utilisation: 1, windowMs: 150 }, memory: inTurn.memory }));
    assert.notEqual(surge.decision.reason, 'no-gain', 'of a load that has come all at once only a part of a window is seen');
    const after = { set: sent, loop: { utilisation: 1, windowMs: 1050 }, memory: surge.memory };
    assert.equal(decide(situation({ time: 101_100, ...after })).decision.reason, 'no-gain', 'with shorter turns a window says enough');
  });

  it('remembers by what calls take at home afterwards that replicas, where they take longer, brought nothing', () => {
    const step = { from: 0, to: 1, rate: 500, at: 98_000, utilisation: 0.99, promised: { rate: 900, utilisation: 0.2 } };
    const slow = set({ ready: 1, wanted: 1, busyMsPerSecond: 900, pending: 9, callsPerSecond: 50 });
    const undone = decide(situation({ set: slow, loop: { utilisation: 0.3 }, memory: memoryOf({ step }) }));
    assert.deepEqual([undone.decision.reason, undone.memory.ceiling.meanMs], ['no-gain', 0]);
    let { memory } = undone;
    // The first window at home holds one call that was sent away still, the next ones what they take here, with a window of twice as much
    // in between.
    const means = [0.01, 0.01, 4.1, 4.2, 8.5, 8.5, 4.2, 8.5, 4.1];
    for (const [i, meanMs] of means.entries()) {
      const time = 100_100 + 500 * i;
      const home = decide(situation({ time, set: idleSet, demand: demand({ meanMs, exclusiveMs: 950 }), memory }));
      assert.equal(home.decision.reason, 'ceiling', `after ${meanMs} ms at ${time}`);
      memory = home.memory;
    }
    assert.equal(memory.ceiling.meanMs, 4.1);
  });

  it('forgets refusals when something is promised', () => {
    const foresight = { answers: [foreseen(0, 900, 40, 0.99), foreseen(1, 1700, 20, 0.3)] };
    const memory = memoryOf({ veto: { count: 0, until: 99_000, meanMs: 0.9, room: 2 }, vetoes: 3, failures: 1 });
    const { decision, memory: after } = decide(situation({ demand: demand({ maxMs: 2 }), foresight, memory }));
    assert.equal(decision.action, 'scale-out');
    assert.deepEqual([after.veto, after.vetoes, after.failures], [null, 0, 1]);
  });

  it('doubles its patience when a scale-in was too early, and forgets that after a long calm', () => {
    const { memory } = decide(situation({ set: idleSet, memory: memoryOf({ scaledInAt: 90_000 }) }));
    assert.equal(memory.patience, 2);
    const again = decide(situation({ set: idleSet, memory: memoryOf({ patience: 4 }) }));
    assert.equal(again.memory.patience, 4);
    const later = decide(situation({ set: idleSet, memory: memoryOf({ scaledInAt: 10_000, patience: 4 }) }));
    assert.equal(later.memory.patience, 1);
  });

  it('remembers at home what the longest call lets expect, and in replicas what they are in', () => {
    const { memory: atHome } = decide(situation({ set: idleSet }));
    assert.equal(atHome.longLoad, 0.304);
    let memory = memoryOf(thinTail);
    for (const [time, isBlocked] of [
      [100_000, true],
      [100_100, false],
      [103_100, true],
    ])
      ({ memory } = decide(situation({ time, set: set({ busyMsPerSecond: 600, longMsPerSecond: 600, isBlocked }), memory })));
    assert.equal(memory.tooFew, 2);
    assert.ok(memory.longLoad > 0.3 && memory.longLoad < 0.6, `${memory.longLoad}`);
  });

  it('forgets a long call when the set says that none came for ten seconds', () => {
    const calm = set({ ready: 3, wanted: 3, busyMsPerSecond: 600, longestMs: 3 });
    const { memory } = decide(situation({ set: calm, demand: null, memory: memoryOf({ longestMs: 304, longestAt: 80_000 }) }));
    assert.equal(memory.longestMs, 3);
  });

  it('gives figures of the same names one shape that they share, as a list of decisions keeps them', () => {
    v8.setFlagsFromString('--allow-natives-syntax');
    const isSame = new Function('a', 'b', 'return %HaveSameMap(a, b)');
    const isTable = new Function('a', 'return !%HasFastProperties(a)');
    assert.deepEqual([isSame({ a: 1 }, { a: 2 }), isTable({}), isTable(Object.create(null))], [true, false, true]);
    v8.setFlagsFromString('--no-allow-natives-syntax');
    const failing = set({ ready: 0, wanted: 1, failure: 'no' });
    const refused = { permission: { allowed: false } };
    const loop = { utilisation: 0.95, lately: 0.9 };
    /** @type {Map<string, {last: object, changes: number}>} */
    const shapes = new Map();
    for (let time = 100_000; time < 105_000; time += 100) {
      for (const one of [{ set: idleSet }, { set: set({}) }, { set: failing }, refused, { loop }]) {
        const { figures } = decide(situation({ ...one, time })).decision;
        const names = Object.keys(figures).join();
        assert.equal(isTable(figures), false, names);
        const { last, changes } = shapes.get(names) ?? { last: figures, changes: 0 };
        shapes.set(names, { last: figures, changes: isSame(last, figures) ? changes : changes + 1 });
      }
    }
    assert.equal(shapes.size, 5);
    // The engine makes another one where a number is the first that is not whole.
    for (const [names, { changes }] of shapes) assert.ok(changes < 10, `${changes} of 50: ${names}`);
  });
});
