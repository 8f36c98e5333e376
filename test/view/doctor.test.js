'use strict';

const assert = require('node:assert/strict');
const { diagnose, prescription } = require('../../lib/view/doctor.js');
const { NOT_LIFTED, NO_RECIPE } = require('../../lib/view/sentence.js');
const { boundary } = require('./fake-feed.js');

/** A report, as far as it differs from one of a program that rests. */
function report(more = {}) {
  return {
    schema: 1,
    program: '/srv/app.js',
    cpus: 4,
    loop: { utilisation: 0.05, delayMs: 0.4 },
    boundaries: [boundary('./app.js -> marked', { calls: 10, p99Ms: 1, maxMs: 2 })],
    busiest: null,
    prospects: [],
    decisions: [],
    replicas: [],
    warnings: [],
    ...more,
  };
}

const answer = (replicas, callsPerSecond, p99Ms) => ({ replicas, callsPerSecond, p99Ms });
const decision = (more) => ({ time: 0, module: 'marked', boundary: './app.js -> marked', action: 'stay', from: 0, to: 0, ...more });
const hot = (more) => boundary('./app.js -> marked', { calls: 900, share: 0.8, maxMs: 120, calledAt: 'app.js:7', ...more });
const sync = { parse: { kind: 'sync', calls: 900, exclusiveMs: 800 }, other: { kind: 'promise', calls: 1, exclusiveMs: 1 } };
const busy = { utilisation: 0.9, delayMs: 40 };
const whats = (one) => diagnose(one).findings.map(({ what }) => what);

describe('the doctor', () => {
  it('finds nothing in a program that rests, and says so in one line', () => {
    assert.deepEqual(whats(report()), []);
    assert.deepEqual(prescription(report()), [
      'the event loop was 5 % busy when it was looked at, timers 0.4 ms late, and no module stands out: Ignis sees',
      'nothing wrong.',
    ]);
  });

  it('names a synchronous module that takes the event loop, where it is called, and what recipe would let it go', () => {
    const one = report({ loop: busy, boundaries: [hot({ state: 'declined', functions: sync })] });
    const { verdict, findings } = diagnose(one);
    assert.match(verdict, /90 % busy .*40 ms late: something is wrong/);
    assert.equal(findings[0].what, 'hot-without-recipe');
    assert.match(findings[0].sentence, /marked .*80 % of the event loop, with calls of up to 120 ms \(called at app\.js:7\)/);
    assert.match(findings[0].remedy, /'marked' the recipe \{ state: 'none', functions: \{ parse: \{ call: 'await', pure: true \} \} \}/);
  });

  it('names first the module whose replicas would take most along, and says so', () => {
    const functions = { render: { kind: 'sync', calls: 900, exclusiveMs: 50 } };
    const boundaries = [
      hot({ state: 'declined', functions: sync, exclusiveMs: 400 }),
      boundary('./app.js -> ./render.js', { calls: 900, state: 'declined', functions, exclusiveMs: 50 }),
    ];
    const window = [
      { id: './app.js -> marked', parent: './render.js', child: 'marked', share: 0.45 },
      { id: './app.js -> ./render.js', parent: './app.js', child: './render.js', share: 0.05, withInside: { share: 0.9, quantiles: [] } },
    ];
    const { findings } = diagnose(report({ boundaries, busiest: { loop: busy, poolThreads: 4, boundaries: window } }));
    assert.match(
      findings[0].sentence,
      /^\.\/render\.js \(imported by \.\/app\.js\) takes 5 % of the event loop, and 90 % with the modules that it calls, which would leave with it$/,
    );
    assert.match(
      findings[0].remedy,
      /'\.\/render\.js' the recipe \{ state: 'none', functions: \{ render: \{ call: 'await', pure: true \} \} \}/,
    );
    assert.match(findings[1].sentence, /^marked .* takes 45 % of the event loop, with calls of up to 120 ms/);
    const bound = { parse: { ...sync.parse, whyBound: 'it gives functions' } };
    const react = hot({ id: './render.js -> marked', parent: './render.js', state: 'declined', functions: bound, exclusiveMs: 400 });
    const most = [{ ...window[0], id: react.id, share: 0.95 }, window[1]];
    const told = diagnose(
      report({ boundaries: [react, boundaries[1]], busiest: { loop: busy, poolThreads: 4, boundaries: most } }),
    ).findings;
    assert.match(told[0].sentence, /^\.\/render\.js /, 'whose replicas are of use');
    assert.deepEqual([told[1].weight, told[1].remedy], [0.475, 'replicas of ./render.js would run it, too']);
  });

  it('says of a module that a recipe speaks of why it stays, and advises no recipe', () => {
    const whyDeclined = "'search' was called at home, so a replica would lack what it remembers";
    const prospects = [{ module: 'marked', sentence: '', answers: [answer(0, 10, 900), answer(1, 20, 400)] }];
    const one = report({ loop: busy, prospects, boundaries: [hot({ state: 'declined', functions: sync, whyDeclined })] });
    const [{ what, remedy }] = diagnose(one).findings;
    assert.equal(what, 'hot-at-home');
    assert.match(remedy, /^it stays at home: 'search' was called at home.* Predicted with 1 replica/);
    const none = report({ loop: busy, boundaries: [hot({ state: 'declined', functions: sync, whyDeclined: NO_RECIPE })] });
    assert.equal(whats(none)[0], 'hot-without-recipe');
    const cold = { state: 'declined', functions: sync, maxMs: 300, whyDeclined: 'the recipe in ignis.config.js says cold' };
    assert.match(
      diagnose(report({ boundaries: [hot({ share: 0, ...cold })] })).findings[0].remedy,
      /^it stays at home: the recipe in .* says cold$/,
    );
  });

  it('says of a loop that only has no core that it has none, and blames no code for it', () => {
    const window = (runDelay) =>
      report({ busiest: { loop: { ...busy, runDelay }, poolThreads: 4, boundaries: [] }, boundaries: [hot({})] });
    const { verdict, findings } = diagnose(window(0.9));
    assert.match(
      verdict,
      /^the event loop was 90 % busy in its busiest second, 90 % of that while waiting for a core, timers 40 ms late: something is wrong/,
    );
    assert.deepEqual(
      findings.map(({ what }) => what),
      ['crowded'],
    );
    assert.match(findings[0].sentence, /no core for 81 % of the time: other programs use the 4 cores$/);
    const replicas = [{ id: '1', module: 'marked', where: 'process', state: 'ready', endedWhy: null, calls: 1 }];
    assert.match(diagnose({ ...window(0.9), replicas }).findings[0].sentence, /its replicas and other programs use the 4 cores$/);
    assert.match(diagnose({ ...window(0.9), cpus: undefined }).findings[0].sentence, /other programs use the cores$/);
    assert.deepEqual(whats(window(0.3)), ['own-code']);
    assert.doesNotMatch(diagnose(window(0.3)).verdict, /core/);
  });

  it('names what lives in a replica where a busy loop may wait for it, and is sure of it where it is used often', () => {
    const times = { startedAt: '2026-01-01T00:00:00.000Z', writtenAt: '2026-01-01T00:00:10.000Z' };
    const living = (calls) =>
      report({
        ...times,
        loop: busy,
        replicas: [
          {
            id: 'resident-1',
            module: 'react-dom',
            where: 'process',
            state: 'ready',
            endedWhy: null,
            calls,
            lent: { count: 1, oldest: [] },
          },
        ],
      });
    const [first, second] = diagnose(living(6000)).findings;
    assert.equal(first.what, 'own-code');
    assert.match(first.sentence, /waiting for what lives in a replica \(react-dom\), or objects/);
    assert.equal(second.what, 'lives-away');
    assert.match(second.sentence, /^react-dom lives in a replica .*: 6,000 uses of it and its objects crossed/);
    assert.deepEqual(whats(living(20)), ['own-code']);
    assert.deepEqual(whats({ ...living(6000), loop: { utilisation: 0.2, delayMs: 1 } }), []);
  });

  it('says of a loop that did not turn, for no call of a module, that nothing could be decided meanwhile', () => {
    const stood = (delayMs, maxMs, exclusiveMs = 4000) =>
      report({ loop: { utilisation: 1, delayMs }, boundaries: [hot({ state: 'home', functions: sync, maxMs, exclusiveMs })] });
    const [first] = diagnose(stood(9000, 500)).findings.filter(({ what }) => what === 'no-turn');
    assert.match(first.sentence, /^the event loop did not turn for 9,000 ms, though no call of a module took longer than 500 ms: /);
    const busiest = { loop: { utilisation: 1, delayMs: 4, runDelay: 0.95 }, poolThreads: 4, boundaries: [] };
    const others = [stood(9000, 8000), stood(300, 100), stood(9000, 500, 10), { ...stood(9000, 500), busiest }];
    for (const one of others) assert.ok(!whats(one).includes('no-turn'));
  });

  it('does not advise to let go what could not leave, nor foresee anything of it', () => {
    const functions = { createElement: { kind: 'sync', calls: 900, exclusiveMs: 800, whyBound: 'it is given functions' } };
    const prospects = [{ module: 'marked', answers: [answer(0, 100, 50), answer(2, 190, 20)] }];
    const [{ what, remedy }] = diagnose(report({ loop: busy, prospects, boundaries: [hot({ state: 'declined', functions })] })).findings;
    assert.equal(what, 'hot-without-recipe');
    assert.match(
      remedy,
      /^calls of createElement could not leave \(it is given functions\): put the slow part behind a function in a file/,
    );
    assert.doesNotMatch(remedy, /Predicted/);
  });

  it('leaves what is in replicas to them', () => {
    const home = './render.js #1';
    const inside = [hot({ home, state: 'declined', functions: sync })];
    const replicas = [{ home, id: '1', module: 'marked', where: 'process', state: 'ended', endedWhy: 'signal SIGSEGV', calls: 1 }];
    assert.deepEqual(whats(report({ boundaries: inside, replicas, decisions: [decision({ home, reason: 'maximum', to: 1 })] })), []);
    assert.ok(whats(report({ boundaries: inside.map(({ home: _, ...one }) => one) })).length > 0);
  });

  it('does not take the start of a short program for load, nor overlook what is wrong with it', () => {
    const startedAt = '2026-01-01T00:00:00.000Z';
    const one = report({ loop: { utilisation: 1, delayMs: 0 }, boundaries: [hot({ state: 'declined', failures: 500, functions: sync })] });
    const short = { ...one, startedAt, writtenAt: '2026-01-01T00:00:00.400Z' };
    assert.deepEqual(whats(short), ['failing', 'long-call']);
    assert.match(diagnose(short).verdict, /^it ran for 400 ms, too short a time to say how busy its event loop is: nothing is badly wrong/);
    assert.deepEqual(whats(report({ ...short, boundaries: [] })), []);
    assert.equal(whats({ ...one, startedAt, writtenAt: '2026-01-01T00:00:02.000Z' })[0], 'hot-without-recipe');
  });

  it('goes by the busiest second where there is one, since a report is written at the end', () => {
    const busiest = { loop: busy, poolThreads: 4, boundaries: [{ id: './app.js -> marked', share: 0.7 }] };
    const one = report({ boundaries: [hot({ share: 0, state: 'declined', functions: sync })], busiest });
    assert.match(diagnose(one).findings[0].sentence, /70 % of the event loop/);
  });

  it('says of a module that may go and stays why it stays, and what replicas would bring', () => {
    const one = report({
      loop: busy,
      boundaries: [hot({ state: 'home', functions: sync })],
      decisions: [decision({ reason: 'overhead', sentence: 'marked: sent to replicas they would cost more' })],
      prospects: [{ module: 'marked', sentence: '', answers: [answer(0, 10, 900), answer(1, 20, 400), answer(2, 30, 300)] }],
    });
    const [first] = diagnose(one).findings;
    assert.equal(first.what, 'hot-at-home');
    assert.match(
      first.remedy,
      /cost more\. Predicted with 2 replicas: 30 calls a second instead of 10 calls a second, p99 300 ms instead of 900 ms/,
    );
    const same = { ...one, prospects: [{ module: 'marked', sentence: '', answers: [answer(0, 10, 900), answer(1, 10, 400)] }] };
    assert.match(diagnose(same).findings[0].remedy, /Predicted with 1 replica: 10 calls a second as now, p99 400 ms instead of 900 ms/);
    const vain = { ...one, prospects: [{ module: 'marked', sentence: '', answers: [answer(0, 10, 900), answer(1, 9, 950)] }] };
    assert.match(diagnose(vain).findings[0].remedy, /^replicas would have gained nothing in that second \(1 replica: 9 calls/);
  });

  it('does not recommend replicas for what runs on the pool of libuv, and knows when that is what calls wait for', () => {
    const functions = { pbkdf2: { kind: 'callback', calls: 90, exclusiveMs: 5 } };
    const one = report({
      loop: { utilisation: 0.2, delayMs: 1 },
      boundaries: [boundary('./app.js -> node:crypto', { calls: 90, functions, pending: 40 })],
      decisions: [decision({ module: 'node:crypto', reason: 'pool', sentence: 'node:crypto: 40 calls wait for 4 threads' })],
      busiest: { loop: { utilisation: 0.2, delayMs: 1 }, poolThreads: 4, boundaries: [] },
    });
    const [first] = diagnose(one).findings;
    assert.equal(first.what, 'pool-bound');
    assert.match(`${first.sentence} ${first.remedy}`, /pool of 4 threads.*UV_THREADPOOL_SIZE/);
  });

  it('tells replicas that cannot be started, once for a module, before its heat', () => {
    const why = 'at home; its replicas cannot be started: Cannot find module ./native.node; with `lift`';
    const one = report({
      loop: busy,
      boundaries: [hot({ state: 'declined', sentence: why }), boundary('./b.js -> marked', { state: 'declined', sentence: why })],
    });
    assert.deepEqual(whats(one), ['start-failed']);
    assert.match(diagnose(one).findings[0].sentence, /cannot be started: Cannot find module \.\/native\.node$/);
  });

  it('counts replicas that died, and not those that were ended', () => {
    const ended = (why) => ({ id: '1', module: 'marked', state: 'ended', endedWhy: why });
    const sentence = 'signal processing is idle: end 1';
    const one = report({
      replicas: [
        ended('signal SIGSEGV'),
        ended('exit code 134; it last wrote: heap'),
        ended('scaled in'),
        ended('Ignis closed'),
        ended('exit code 0'),
        ended(sentence),
      ],
      decisions: [decision({ reason: 'low', sentence })],
    });
    const [first] = diagnose(one).findings;
    assert.equal(first.what, 'replica-lost');
    assert.match(first.sentence, /^2 replicas of marked ended unexpectedly, the last one: exit code 134/);
  });

  it('says that replicas had to be ended, for their memory, a call without end, or since they stood still', () => {
    for (const endedWhy of [
      'took 339 MB, but its recipe allows 300',
      "'parse' went on for 500 ms after its timeout of 3000 ms",
      'gave no sign of life for 1000 ms',
    ]) {
      const ended = { id: '1', module: 'marked', state: 'ended', endedWhy };
      const [first] = diagnose(report({ replicas: [ended, ended] })).findings;
      assert.equal(first?.what, 'replica-lost', endedWhy);
      assert.equal(first.sentence, `2 replicas of marked ended unexpectedly, the last one: ${endedWhy}`);
    }
  });

  it('tells a distribution that did harm: one that did not pay, and one that answered differently', () => {
    const one = report({
      decisions: [decision({ reason: 'no-gain', action: 'scale-in', from: 2, to: 0, sentence: 'marked: 2 replicas brought 1 %' })],
      boundaries: [
        boundary('./app.js -> tz', { calls: 5, state: 'declined', sentence: 'synchronous: format answered differently in a replica' }),
      ],
    });
    assert.deepEqual(whats(one), ['differs', 'no-gain']);
    const behind = decision({ reason: 'behind', action: 'home', from: 2, to: 0, sentence: 'marked: 40 calls wait for 2 replicas' });
    assert.deepEqual(whats(report({ decisions: [behind] })), ['no-gain']);
  });

  it('tells of replicas to which no call goes, and why, with what to do about it', () => {
    const functions = (why) => ({ parse: { kind: 'sync', calls: 900, exclusiveMs: 800, kept: { calls: 890, why } } });
    const given = (why, more) => report({ loop: busy, boundaries: [hot({ replicas: 2, functions: functions(why), ...more })] });
    const [first, ...others] = diagnose(given('it was given a function', { state: 'distributed' })).findings;
    assert.deepEqual([first.what, others], ['kept-at-home', []]);
    assert.match(
      first.sentence,
      /^marked has 2 replicas but still takes 80 % .*: 890 calls of parse ran at home \(it was given a function\)$/,
    );
    assert.match(first.remedy, /a file of your own that takes and returns plain data/);
    assert.match(diagnose(given(NOT_LIFTED, { state: 'distributed' })).findings[0].remedy, /make the functions that call it async/);
    const undone = decision({ reason: 'no-gain', action: 'home', from: 1, to: 0, sentence: 'marked: the step brought 0 %' });
    const { findings } = diagnose({ ...given('it was given a function', { state: 'home' }), decisions: [undone] });
    const noGain = findings.find(({ what }) => what === 'no-gain');
    assert.match(noGain.sentence, /brought 0 %; 890 calls of parse ran at home: it was given a function$/);
    assert.match(noGain.remedy, /a file of your own/);
  });

  it('says when a module has all the replicas that it may have, and still presses', () => {
    const one = report({
      loop: { utilisation: 0.5, delayMs: 2 },
      boundaries: [hot({ share: 0.05, state: 'distributed', replicas: 2 })],
      decisions: [decision({ reason: 'maximum', from: 2, to: 2, sentence: 'marked: the recipe allows no more than 2 replicas' })],
    });
    const [first] = diagnose(one).findings;
    assert.deepEqual([first.what, first.remedy], ['at-maximum', 'allow more (copies)']);
    const lone = { ...one, decisions: [{ ...one.decisions[0], to: 1 }] };
    assert.equal(diagnose(lone).findings[0].remedy, 'allow more (copies), and say what it remembers (pure, or state)');
  });

  it('does not advise more replicas than there are cores, and finds nothing wrong in as many', () => {
    const one = report({
      cpus: 2,
      boundaries: [hot({ share: 0.05, state: 'distributed', replicas: 2 })],
      decisions: [decision({ reason: 'maximum', from: 2, to: 2, sentence: 'marked: the recipe allows no more than 2 replicas' })],
    });
    const { verdict, findings } = diagnose(one);
    assert.equal(findings[0].what, 'no-core');
    assert.match(findings[0].remedy, /^more of them gain nothing on 2 cores; on other hosts they would/);
    assert.match(verdict, /nothing is badly wrong/);
    const far = { ...one, decisions: [{ ...one.decisions[0], figures: { hosts: 3 } }] };
    assert.deepEqual(diagnose(far).findings[0].what, 'at-maximum');
  });

  it('names modules whose hosts are full, and does not speak of this machine then', () => {
    const one = report({
      boundaries: [hot({ share: 0.05, state: 'home' })],
      decisions: [decision({ reason: 'no-room', sentence: 'marked: none of its hosts can take another replica', figures: { hosts: 2 } })],
    });
    const { findings } = diagnose(one);
    assert.equal(findings[0].what, 'no-core');
    assert.match(findings[0].remedy, /its hosts are full: name more of them/);
  });

  it('looks for the program itself where no boundary explains a busy event loop, and for objects that modules gave', () => {
    const { findings } = diagnose(report({ loop: busy }));
    assert.deepEqual(
      findings.map(({ what }) => what),
      ['own-code'],
    );
    assert.match(findings[0].sentence, /or objects and functions that a module returned/);
    assert.match(findings[0].remedy, /'ignis profile PID'.*a function in a file of your own/);
  });

  it('names rare calls that keep everybody waiting, calls that fail, and recipes without effect', () => {
    const one = report({
      boundaries: [boundary('./app.js -> uri-js', { calls: 100, failures: 30, maxMs: 900, calledAt: 'lib/links.js:12', functions: sync })],
      warnings: ['the recipe in ignis.config.js has the target marekd, but no import matched it'],
    });
    assert.deepEqual(whats(one), ['long-call', 'failing', 'recipe']);
    one.boundaries[0].state = 'declined';
    assert.match(
      diagnose(one).findings[0].remedy,
      /'uri-js' the recipe \{ state: 'none', functions: \{ parse: \{ call: 'await', pure: true \} \} \}/,
    );
    assert.match(diagnose(one).findings[1].sentence, /30 % of the calls of uri-js fail \(30 of 100\)/);
  });

  it('does not have a recipe corrected for a launcher, which imports nothing that is watched', () => {
    const remedyOf = (more) => diagnose(report({ warnings: ['no import matched ./src/render.ts'], ...more })).findings.at(-1).remedy;
    assert.match(remedyOf({ boundaries: [] }), /look at the report of the program that it started/);
    assert.equal(remedyOf({ boundaries: [boundary('./app.js -> uri-js', { calls: 1 })] }), 'correct the recipe, or remove it');
  });

  it('does not tell who wrote a recipe that lets a module go to write one, where a call was long before it went', () => {
    const long = (functions) => report({ boundaries: [hot({ share: 0, state: 'home', functions })] });
    assert.match(diagnose(long(sync)).findings[0].remedy, /^its recipe lets it leave, .* copies: \[1, n\]/);
    const kept = { parse: { ...sync.parse, kept: { calls: 900, why: NOT_LIFTED } } };
    assert.match(diagnose(long(kept)).findings[0].remedy, /^make the functions that call it async/);
  });

  it('never takes more than ten lines, the worst first, and counts what is left out', () => {
    const boundaries = Array.from({ length: 30 }, (_, i) =>
      boundary(`./app.js -> module-${i}`, { calls: 100, failures: 50, share: 0.2, state: 'declined', functions: sync, maxMs: 70 }),
    );
    const about = '/srv/applications/with/a/long/name/server.js';
    const lines = prescription(report({ loop: busy, boundaries }), { about });
    assert.ok(lines[0].startsWith(`${about}: the event loop was`));
    assert.ok(lines.length <= 10, lines.join('\n'));
    assert.ok(lines.every((line) => line.length <= 110));
    assert.match(lines.at(-1), /^and 5\d less important findings: --json/);
  });

  it('reads a report that lacks what older ones did not have', () => {
    const old = report({ loop: {}, warnings: undefined, prospects: undefined, busiest: undefined });
    assert.equal(diagnose(old).findings.length, 0);
  });
});
