'use strict';

// The screen of ignis top and its keys, without a terminal.

const assert = require('node:assert/strict');
const { plain, widthOf } = require('../../lib/view/columns.js');
const { detailLines } = require('../../lib/view/top-detail.js');
const { printed, screen } = require('../../lib/view/top-screen.js');
const { START, press, rows, selectedOf, withSnapshot } = require('../../lib/view/top-state.js');
const { pathLines } = require('../../lib/view/top-paths.js');
const { rowLine, short, tally } = require('../../lib/view/top-table.js');
const { Random } = require('../helpers/random.js');
const { boundary, fakeFeed } = require('./fake-feed.js');

const BOUNDARIES = [
  boundary('./server.js -> ./lib/links.js', {
    child: './lib/links.js',
    share: 0.1,
    callsPerSecond: 50,
    exclusiveMs: 20,
    p99Ms: 3,
    calls: 9,
  }),
  boundary('./lib/links.js -> uri-js', {
    share: 0.9,
    callsPerSecond: 5,
    exclusiveMs: 12_345.6,
    p50Ms: 0.004,
    p99Ms: 1234,
    pending: 12,
    replicas: 2,
    state: 'distributed',
    calls: 5,
    sentence: 'synchronous; in 2 replicas',
  }),
  boundary('./日本語のとても長い名前のファイル.js -> 日本語のモジュール', { share: 0.3, callsPerSecond: 1, calls: 1, state: 'declined' }),
];

const FUNCTIONS = {
  parse: { kind: 'sync', calls: 5, exclusiveMs: 12_345.6, p50Ms: 1, p99Ms: 9, argBytes: 2000, resultBytes: null, latencyMs: null },
};

const PATHS = [
  { path: './server.js -> ./lib/links.js checkLinks ~> uri-js parse', steps: [], calls: 147, exclusiveMs: 1500, latencyMs: 0 },
  { path: `./server.js -> ${'./a/long/name.js called -> '.repeat(9)}日本語 名前`, steps: [], calls: 9000, exclusiveMs: 500, latencyMs: 0 },
  { path: '(other paths)', steps: [], calls: 3, exclusiveMs: 0, latencyMs: 0 },
];

const FEED = fakeFeed({
  boundaries: () => BOUNDARIES.map((one) => ({ ...one, functions: FUNCTIONS })),
  replicas: () => [
    {
      id: '1',
      module: 'uri-js',
      where: 'process',
      pid: 99,
      state: 'ready',
      calls: 7,
      pending: 1,
      utilisation: 0.5,
      rssBytes: 4e7,
      endedWhy: null,
    },
  ],
  decisions: () => ({
    decided: 1,
    kept: [
      {
        time: new Date(2026, 0, 2, 9, 5, 7).getTime(),
        module: 'uri-js',
        action: 'scale-out',
        from: 0,
        to: 2,
        sentence: 'uri-js: 5 calls kept the event loop: start 2',
      },
    ],
  }),
  latencies: () => [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map((ms) => ({ ms, calls: ms })),
  prospect: () => 'with 2 replicas 30 calls a second',
  paths: () => PATHS,
  recipes: () => [{ module: 'uri-js', text: "{ call: 'await' }", given: { call: { by: 'import', where: 'lib/links.js:7' } } }],
});

const TERMINAL = Object.freeze({ columns: 80, rows: 24, isUnicode: true, hasColour: false });

const start = () => withSnapshot(START, FEED.snapshot());
const key = (name) => (name.length === 1 ? { name, text: name } : { name, text: name === 'return' ? '\r' : undefined });
/** Presses one after the other; gives the last state and all that was to be done. */
function pressed(state, ...names) {
  const deeds = [];
  for (const name of names) {
    const next = press(state, key(name));
    state = next.state;
    if (next.deed !== null) deeds.push(next.deed);
  }
  return { state, deeds };
}
// eslint-disable-next-line no-control-regex
const bare = (line) => line.replace(/\u001b\[\d+m/g, '');

describe('the screen of ignis top', () => {
  it('shows the program, the boundaries by heat, and why the chosen one is where it is', () => {
    const lines = screen(start(), TERMINAL);
    assert.equal(lines.length, 24);
    assert.match(lines[0], /^app\.js \(4711\) {2}loop ███▍ {4} 42% {2}delay 1\.50 ms {2}1 replica {2}up 1 min 1 s/);
    assert.match(lines[1], /last decision: uri-js: 5 calls kept/);
    assert.match(lines[2], /^ heat▾ +module +called by +calls\/s own ms +p50 +p99 +pend +repl +state/);
    assert.match(lines[3], /^> ?\d+% █+.? uri-js +~?\/?links\.js +5\.00 +12k +<\.01 +1234 +12 +2 +away/);
    assert.match(lines[4], /^ {2}30% .*モジュール/);
    assert.match(lines.join('\n'), /lib\/links\.js -> uri-js: synchronous; in 2 replicas/);
    assert.match(lines[23], /q quit/);
  });

  it('says how to get help and out also where the other keys have no room', () => {
    const last = (/** @type {number} */ columns, view = 'table') => screen({ ...start(), view }, { ...TERMINAL, columns }).at(-1);
    assert.equal(last(60), 'enter open  p paths  s sort  / filter  ? help  q quit');
    assert.match(last(80), /space pause {2}h c r u act {2}\? help {2}q quit$/);
    assert.equal(last(16), '? help  q quit');
    for (const view of ['detail', 'recipe', 'paths', 'help']) assert.match(last(40, view), /q quit$/);
  });

  it('marks a sentence below the table that goes on', () => {
    const long = { ...boundary('a.js -> b'), sentence: `${'word '.repeat(60)}end` };
    const shownAt = (/** @type {number} */ columns) =>
      screen(withSnapshot(START, fakeFeed({ boundaries: () => [long] }).snapshot()), { ...TERMINAL, columns }).join('\n');
    assert.match(shownAt(80), /word ?w?o?r?d?~\n/);
    assert.match(shownAt(140), /word end\n/);
  });

  it('tells how long short calls took', () => {
    const latencies = [0.0018, 0.0035, 0.007, 0.014, 0.028, 40, 80, 160, 320].map((ms) => ({ ms, calls: 1 }));
    const lines = detailLines({ ...FEED.detail('./lib/links.js -> uri-js'), latencies }, TERMINAL);
    for (const range of [/^ +0\.0018 to 0\.0035 ms /, /^ +0\.0070 to 0\.01 ms /, /^ +320 ms /])
      assert.ok(
        lines.some((line) => range.test(line)),
        String(range),
      );
  });

  it('shows the replica that a boundary is in where others show who calls', () => {
    const inside = { ...boundary('b.js -> c.js (in ./b.js #7)'), home: './b.js #7', child: './c.js', heat: 0.5, away: 0 };
    const line = rowLine(inside, 100, { isUnicode: true, paint: (_heat, text) => text });
    assert.match(line, /^ 50% .* c\.js +b\.js #7 /);
  });

  it('has all rows in the same columns, the chosen one too, at every width, with and without colours', () => {
    for (const hasColour of [false, true])
      for (let columns = 50; columns <= 140; columns++) {
        const [, , title, chosen, other] = screen(start(), { ...TERMINAL, columns, hasColour }).map(bare);
        // Where a column ends: the calls of a second, and before it the names, which are as wide as their wide characters are.
        const at = [chosen.indexOf('5.00'), [...other].findIndex((_, i, all) => all.slice(i, i + 4).join('') === '1.00')];
        const wide = [...other.slice(0, other.indexOf('1.00'))].filter((one) => one > '\u2e80').length;
        assert.deepEqual([at[0], at[1] + wide], [title.indexOf('calls/s') + 3, title.indexOf('calls/s') + 3], `${columns} columns`);
        assert.equal(chosen.indexOf('away'), title.indexOf('state'), `${columns} columns`);
      }
  });

  it('is never wider than the terminal, in every view, at every width and height, with and without colours', () => {
    const random = new Random(11);
    const detail = FEED.detail('./lib/links.js -> uri-js');
    const proposal = {
      module: 'uri-js',
      recipe: {},
      text: `// ignis.config.js\nmodule.exports = ${'x'.repeat(200)}\n`,
      why: '',
      notes: ['日本語 '.repeat(30)],
    };
    for (let i = 0; i < 600; i++) {
      const terminal = {
        columns: 40 + random.below(160),
        rows: 3 + random.below(50),
        isUnicode: random.below(2) === 0,
        hasColour: random.below(2) === 0,
      };
      const view = random.pick(['table', 'detail', 'recipe', 'paths', 'help']);
      const state = {
        ...start(),
        view,
        detail: random.pick([null, detail]),
        proposal: random.pick([null, proposal]),
        scroll: random.below(60),
        filter: random.pick(['', 'uri', 'nothing']),
        note: random.pick(['', '日'.repeat(99)]),
        isPaused: random.below(2) === 0,
      };
      const lines = screen(state, terminal);
      assert.equal(lines.length, terminal.rows);
      for (const line of lines) {
        assert.ok(widthOf(bare(line)) <= terminal.columns, `${view} ${JSON.stringify(terminal)}: ${line}`);
        assert.equal(plain(bare(line)), bare(line));
        assert.ok(terminal.hasColour || !line.includes('\u001b'));
      }
    }
  });

  it('waits without a snapshot, and says where nothing is to be shown', () => {
    assert.match(screen(START, TERMINAL)[0], /waiting for the program/);
    assert.match(screen({ ...START, silentMs: 61_000 }, TERMINAL)[1], /it has not answered for 1 min 1 s: its event loop is busy, or/);
    const empty = withSnapshot(START, fakeFeed({ boundaries: () => [] }).snapshot());
    assert.match(screen(empty, TERMINAL).join('\n'), /No boundary has been crossed yet/);
    assert.match(screen({ ...start(), filter: 'zzz' }, TERMINAL).join('\n'), /No boundary has this text in its name/);
  });

  it('opens one boundary: functions, latencies, replicas, decisions, prospect and recipe', () => {
    const { state, deeds } = pressed(start(), 'return');
    assert.deepEqual(deeds, [{ do: 'detail', boundary: './lib/links.js -> uri-js' }]);
    assert.match(screen(state, TERMINAL).join('\n'), /Asking the program/);
    const text = screen({ ...state, detail: FEED.detail('./lib/links.js -> uri-js') }, { ...TERMINAL, rows: 60 }).join('\n');
    for (const part of [
      /parse +sync +5 +12k/,
      /2\.00 kB/,
      /Replicas/,
      /1 +process +99/,
      /\n09:05:07 scale-out 0 -> 2: uri-js/,
      /with 2 replicas/,
      /call by import, lib\/links\.js:7/,
    ])
      assert.match(text, part);
    assert.equal(pressed(state, 'escape').state.view, 'table');
  });

  it('keeps the chosen row in sight, and chosen when rows change their places', () => {
    const many = Array.from({ length: 100 }, (_, i) => boundary(`./app.js -> m${i}`, { share: (100 - i) / 1000 }));
    const state = withSnapshot(START, fakeFeed({ boundaries: () => many }).snapshot());
    const { state: moved } = pressed(state, ...Array(42).fill('down'));
    assert.equal(selectedOf(moved).child, 'm42');
    assert.ok(screen(moved, TERMINAL).some((line) => /^>.* m42 /.test(line)));
    const turned = withSnapshot(moved, fakeFeed({ boundaries: () => many.map((one) => ({ ...one, share: 1 - one.share })) }).snapshot());
    assert.equal(selectedOf(turned).child, 'm42');
    assert.equal(selectedOf(pressed(moved, 'home').state).child, 'm0');
    assert.equal(selectedOf(pressed(moved, 'end', 'down').state).child, 'm99');
  });

  it('sorts by the next column, filters while one types, and pauses', () => {
    assert.equal(rows(pressed(start(), 's').state)[0].child, './lib/links.js');
    const { state } = pressed(start(), '/', 'u', 'r', 'i', 'return');
    assert.deepEqual(
      rows(state).map(({ child }) => child),
      ['uri-js'],
    );
    assert.match(screen(state, TERMINAL)[1], /\[only 'uri'\]/);
    assert.equal(pressed(state, 'escape').state.filter, '');
    assert.equal(pressed(state, '/', 'backspace').state.filter, 'ur');
    const paused = pressed(start(), ' ').state;
    const later = fakeFeed().snapshot();
    assert.equal(withSnapshot(paused, later).snapshot, paused.snapshot);
    assert.equal(withSnapshot(pressed(paused, ' ').state, later).snapshot, later);
  });

  it('asks for what the keys say, of the chosen boundary', () => {
    const id = './lib/links.js -> uri-js';
    assert.deepEqual(
      pressed(start(), 'h', 'u', 'r').deeds.map(({ wish }) => [wish.what, wish.boundary]),
      [
        ['home', id],
        ['unpin', id],
        ['recipe', id],
      ],
    );
    assert.deepEqual(pressed(start(), 'c', '3', 'return').deeds[0].wish, { what: 'copies', boundary: id, copies: 3 });
    assert.deepEqual(pressed(start(), 'c', '0', '-', '4', 'return').deeds[0].wish.copies, [0, 4]);
    const wrong = pressed(start(), 'c', 'x', 'return');
    assert.deepEqual([wrong.deeds.length, wrong.state.note], [0, "'x' is not a number of replicas such as 2 or 0-4"]);
    assert.equal(pressed(start(), 'c', 'q', 'escape').deeds.length, 0);
  });

  it('copies a recipe, and takes it up, only where one is shown', () => {
    assert.equal(pressed(start(), 'a', 'y').deeds.length, 0);
    const shown = { ...start(), view: 'recipe', proposal: { module: 'uri-js', recipe: {}, text: 'text\n', why: '', notes: [] } };
    assert.deepEqual(pressed(shown, 'y').deeds, [{ do: 'copy', text: 'text\n' }]);
    assert.equal(pressed(shown, 'a').deeds[0].wish.apply, true);
  });

  it('shows hot paths, the dearest first, or the most frequent, and acts on nothing there', () => {
    const { state, deeds } = pressed(start(), 'p', 'h', 'c', 'return', 'u', 'r');
    assert.deepEqual([deeds, state.view, state.prompt], [[], 'paths', null]);
    const body = (/** @type {any} */ at) => screen(at, TERMINAL).slice(2, -1);
    assert.match(body(state)[0], /^Hot paths, the most expensive first/);
    assert.match(body(state)[1], /^own ms part +calls {2}path$/);
    assert.equal(body(state)[2], '  1500  75%     147  ./server.js -> ./lib/links.js checkLinks ~> uri-js parse');
    assert.match(body(state)[3], /^ {3}500 +25% +9000 {2}\.\/server\.js -> /);
    assert.match(body(state).join('').replaceAll(/ +/g, ' '), /name\.js called -> 日本語 名前/);
    const other = pressed(state, 's').state;
    assert.match(body(other)[0], /^Hot paths, the most frequent first/);
    assert.match(body(other)[2], /^ {3}500 +25% +9000 /);
    assert.equal(pressed(other, 'escape').state.view, 'table');
    assert.equal(pressed(other, 'p').state.view, 'table');
    assert.match(screen({ ...pressed(START, 'p').state, snapshot: fakeFeed().snapshot() }, TERMINAL)[3], /No call was seen yet/);
  });

  it('quits by q and Ctrl-C, also while something is typed', () => {
    assert.deepEqual(pressed(start(), 'q').deeds, [{ do: 'quit' }]);
    const { state } = pressed(start(), '/', 'q');
    assert.equal(state.filter, 'q');
    assert.deepEqual(press(state, { name: 'c', ctrl: true }).deed, { do: 'quit' });
  });

  it('is printed whole for a pipe, with the sentence of each boundary that was called', () => {
    const text = printed(FEED.snapshot());
    assert.ok(text.split('\n').every((line) => widthOf(line) <= 100));
    assert.match(text, /\n\.\/lib\/links\.js -> uri-js: synchronous; in 2 replicas\n/);
    assert.match(printed(FEED.snapshot(), { most: 1 }), /\nand 2 more\n/);
    assert.match(text, /\nHot paths, the most expensive first\nown ms part +calls {2}path\n +1500 +75% +147 {2}\.\/server\.js -> /);
    assert.doesNotMatch(printed(fakeFeed().snapshot()), /Hot paths/);
  });
});

describe('figures in a narrow column', () => {
  it('are whole for what is counted: calls, and those that are pending', () => {
    assert.match(
      rowLine(boundary('./a.js -> b', { calls: 4, pending: 4, p99Ms: 4 }), 80, { isUnicode: true, paint: (_, text) => text }),
      / 4\.00 {4}4 /,
    );
    const paths = [{ path: './a.js -> b f', steps: [], calls: 7, exclusiveMs: 2, latencyMs: 0 }];
    assert.match(pathLines(paths, { columns: 80, byCalls: false })[1], /^ {2}2\.00 100% {7}7 {2}\.\/a\.js/);
    assert.equal(tally(123_456), short(123_456));
  });

  it('take at most five characters', () => {
    const figures = [0, 0.001, 0.01, 1.234, 12.34, 123.4, 1234, 9999.4, 12_345, 999_999, 9_999_999, 123_456_789, null, NaN];
    assert.deepEqual(figures.map(short), [
      '0',
      '<.01',
      '0.01',
      '1.23',
      '12.3',
      '123',
      '1234',
      '9999',
      '12k',
      '1.0M',
      '10.0M',
      '123M',
      '-',
      '-',
    ]);
  });
});
