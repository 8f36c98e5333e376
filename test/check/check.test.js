'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { check } = require('../../lib/check/check');

const FOLDER = path.join(__dirname, '..', 'fixtures', 'check');

/** Functions that must be found pure, or the tool is of no use. */
const PURE = {
  './pure.js':
    'add upper sum merge lookUp refuse words fixedDate httpDate zonedDate sorted later fails lazy remembered nested.deep ownOnly counted',
  './globals.js': 'apart',
  './setters.js': 'looked spoken ofKind',
  './registry.js': 'square distance power',
};

/** Functions that are not, each with the reason that must be among those given. */
const NOT_PURE = {
  './state.js': {
    id: /twice in a row/,
    everyTenth: /answers differently/,
    everyHundredth: /keeps state/,
    unseenCount: /keeps state/,
    third: /answers differently/,
    cachedObject: /returns an object that it keeps/,
    memoByObject: /keeps an argument/,
    grows: /keeps state/,
    matches: /answers differently/,
    global: /keeps state/,
    onExports: /keeps state/,
    privateField: /keeps state/,
    bumpsSeldom: /names a change of 'bumps', though no call reached that/,
    changesSeldom: /names a change of its argument 'options'/,
    countsBefore: /names a change of 'before'/,
    deletes: /names a change of 'table'/,
    takesApart: /names a change of 'before'.*names a change of 'table'/,
    byAlias: /names a change of 'table'/,
    byHelper: /names a change of 'known'/,
    byMethod: /names a change of 'Tally'/,
    byThis: /names a change of 'this'/,
    shadowed: /names a change of 'before'/,
    besidesCache: /names a change of 'before'/,
    behindQuotes: /names a change of 'before'/,
    handsOn: /names a change of its argument 'options'/,
    eachPart: /names a change of its argument 'options'/,
    compiles: /names code that is made while it runs/,
    asyncCount: /answers differently|keeps state/,
  },
  './iterators.js': { next: /could not be fully examined/, drains: /could not be fully examined/ },
  './world.js': {
    now: /reads the clock/,
    year: /reads the clock/,
    sameDay: /reads the clock/,
    rarely: /names Math.random/,
    tossed: /draws random numbers/,
    token: /draws random numbers/,
    uuid: /draws random numbers/,
    elapsed: /reads the clock/,
    precise: /reads the clock/,
    mode: /reads process.env.NODE_ENV/,
    resolved: /reads process.cwd/,
    program: /reads process.argv/,
    local: /depends on the locale/,
    compared: /depends on the locale/,
    hour: /depends on the time zone/,
    parsed: /depends on the time zone/,
    parsedDay: /depends on the time zone/,
    // Since Node 26.
    ...(globalThis.Temporal === undefined ? {} : { today: /reads the clock/ }),
    host: /reads os.hostname/,
    pid: /reads process.pid/,
    reads: /uses fs.existsSync/,
    prints: /writes output/,
    nowLater: /reads the clock/,
    tokenLater: /draws random numbers/,
  },
  './arguments.js': {
    deep: /mutates an argument/,
    sortInPlace: /mutates an argument/,
    same: /returns an argument/,
    partOf: /returns a part of an argument/,
    partOfFloats: /returns a part of an argument/,
    takesGetter: /args\[0\]\.value is a getter/,
    keeps: /answers differently/,
    stale: /keeps an argument/,
    callsBack: /args\[1\] is a function/,
    maps: /args\[1\] is a function/,
    makesFunction: /result is a function/,
    makesPoint: /an instance of Point/,
    Old: /called with `new`/,
    deepLater: /mutates an argument/,
    changesLater: /leaves work for later/,
  },
  './timers.js': { delayed: /starts a timer/, level: /depends on earlier calls, of 'delayed'/, slow: /starts a timer/ },
  './globals.js': {
    named: /shares the global globalThis\.checkedRegistry/,
    bySymbol: /shares the global globalThis\[Symbol\.for/,
    titled: /shares the global String\.prototype\.checkedTitle/,
  },
  './registry.js': {
    add: /remembers something that other code sees: known, which 'has' reads/,
    define: /other code sees: definitions, which '(?:forget|lookUp)' reads/,
    forget: /other code sees: definitions, which '(?:define|lookUp)' reads/,
    raise: /other code sees: its exports/,
    show: /other code sees: shown, which is among the exports of a module/,
    hide: /other code sees: hidden, which 'reader' reads/,
    putAway: /other code sees: all, which 'size' reads/,
    write: /other code sees: byKey, which 'read' leads to/,
  },
  './options.js': { setOptions: /keeps state|only 2 different/, render: /depends on earlier calls/ },
  './setters.js': {
    marked: /another function changes: mark, which 'setMark' changes/,
    opened: /another function changes: open, which 'setOpen' changes/,
    area: /another function changes: shape, which 'setShape' changes/,
    twice: /another function changes: doubled, which 'use' changes/,
    'own.more': /another function changes: this, which 'own.set' changes/,
    fromFile: /another function changes: start, which 'set' changes/,
  },
  './patched.js': { page: /the program writes to its module/ },
};

describe('ignis check', function () {
  this.timeout(600000);
  /** @type {import('../../lib/check/check').Result} */
  let result;

  before(async () => {
    result = await check({ command: [process.execPath, 'run.js'], cwd: FOLDER, output: 'ignore', limitMs: 30000 });
  });

  const verdictOf = (module, fn) => {
    const verdict = result.modules.find(({ name }) => name === module)?.verdicts.find((one) => one.fn === fn);
    assert.ok(verdict !== undefined, `${module} ${fn} was not seen`);
    return verdict;
  };

  for (const [module, names] of Object.entries(PURE)) {
    for (const fn of names.split(' ')) {
      it(`finds that ${fn} of ${module} is pure`, () => {
        const { verdict, reasons } = verdictOf(module, fn);
        assert.equal(verdict, 'pure', reasons.map(({ why }) => why).join('; '));
      });
    }
  }

  for (const [module, functions] of Object.entries(NOT_PURE)) {
    for (const [fn, why] of Object.entries(functions)) {
      it(`does not call ${fn} of ${module} pure, and says why`, () => {
        const { verdict, reasons } = verdictOf(module, fn);
        assert.notEqual(verdict, 'pure');
        assert.match(reasons.map((reason) => `${reason.why}: ${reason.detail}`).join('; '), why);
      });
    }
  }

  it('names what a module shares with others by way of globals, and proposes no state: none for it', () => {
    const globalsOf = (name) => result.modules.find((module) => module.name === name)?.globals;
    assert.deepEqual(globalsOf('./globals.js'), [
      'globalThis.checkedRegistry',
      "globalThis[Symbol.for('checked.registry')]",
      'String.prototype.checkedTitle',
    ]);
    assert.deepEqual(globalsOf('./pure.js'), []);
    assert.doesNotMatch(result.recipe.split("'./globals.js'")[1] ?? '', /^[^}]*state: 'none'/);
  });

  it('calls nothing pure of which this test does not say so', () => {
    const found = result.modules.flatMap(({ name, verdicts }) =>
      verdicts.filter(({ verdict }) => verdict === 'pure').map(({ fn }) => `${name} ${fn}`),
    );
    const expected = Object.entries(PURE).flatMap(([name, names]) => names.split(' ').map((fn) => `${name} ${fn}`));
    assert.deepEqual(found.sort(), expected.sort());
  });

  it('leaves out calls that hold too much, and says how many', () => {
    const { calls, distinct, notes } = verdictOf('./pure.js', 'sum');
    assert.deepEqual([calls - distinct, notes], [1, ['1 call left out: too large to be copied']]);
    assert.deepEqual(verdictOf('./pure.js', 'add').notes, []);
  });

  it('keeps a function at home, or has its arguments restored, when it changes them', () => {
    assert.deepEqual(
      [verdictOf('./arguments.js', 'deep').verdict, verdictOf('./arguments.js', 'deep').changesArguments],
      ['stateless', true],
    );
    assert.equal(verdictOf('./arguments.js', 'stale').verdict, 'home');
  });

  it('names the call, and both results, of a counterexample', () => {
    const [first] = verdictOf('./state.js', 'id').reasons;
    assert.match(first.detail, /first 'a-0', then 'a-5'/);
    assert.equal(first.args, "[ 'a' ]");
    assert.match(first.at, /^run\.js:\d+$/);
  });

  it('proposes a recipe that is one, with its evidence', () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-recipe-')), 'recipe.js');
    fs.writeFileSync(file, result.recipe);
    const { checkRecipe } = require('../../lib/recipe/fields');
    const { modules } = checkRecipe('program', require(file));
    assert.equal(modules['./pure.js'].functions.add.pure, true);
    assert.equal(modules['./pure.js'].state, 'none');
    assert.equal(modules['./state.js'], undefined);
    assert.equal(modules['./arguments.js'].functions.sortInPlace.args, 'restore');
    assert.match(result.recipe, /add: 5 calls, 5 different; 25 of 25 replays equal, in 4 orders/);
    fs.rmSync(path.dirname(file), { recursive: true });
  });

  it('leaves what the program prints, and its exit code, as they are', () => {
    const run = (args) => spawnSync(process.execPath, args, { cwd: FOLDER, encoding: 'utf8' });
    const plain = run(['run.js']);
    const checked = run([
      path.join(__dirname, '..', '..', 'bin', 'ignis.js'),
      'check',
      '--module',
      './options.js',
      '--',
      process.execPath,
      'run.js',
    ]);
    assert.equal(checked.stdout.split('\n')[0], plain.stdout.trim());
    assert.equal(checked.status, 0);
    const failing = run([path.join(__dirname, '..', '..', 'bin', 'ignis.js'), 'check', '--', process.execPath, '-e', 'process.exit(3)']);
    assert.equal(failing.status, 3);
    assert.match(failing.stdout, /Nothing was seen/);
  });

  const ENDS = {
    'nobody listens': ['', [null, 'SIGTERM'], 3],
    'a listener sends it again': [
      'process.on("SIGTERM", function last() { if (process.listenerCount("SIGTERM") > 1) return; process.removeListener("SIGTERM", last); process.kill(process.pid, "SIGTERM"); });',
      [null, 'SIGTERM'],
      3,
    ],
    'a listener lets the program end': ['process.on("SIGTERM", () => { add(4, 4); setTimeout(() => process.exit(5), 1); });', [5, null], 4],
  };
  for (const [title, [listen, how, calls]] of Object.entries(ENDS)) {
    it(`sees what a process did that a signal ends, and ${title}`, async () => {
      const text = `const { add } = require('./pure'); ${listen} for (const n of [1, 2, 3]) add(n, n); setInterval(() => {}, 1000); process.kill(process.pid, 'SIGTERM');`;
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-check-signal-'));
      fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"app","version":"1.0.0"}');
      fs.copyFileSync(path.join(FOLDER, 'pure.js'), path.join(folder, 'pure.js'));
      fs.writeFileSync(path.join(folder, 'app.js'), text);
      const ended = await check({ command: [process.execPath, 'app.js'], cwd: folder, output: 'ignore' });
      fs.rmSync(folder, { recursive: true });
      assert.deepEqual([ended.exitCode, ended.signal], how);
      const [{ name, verdicts }] = ended.modules;
      assert.deepEqual([name, verdicts.map((one) => [one.fn, one.calls, one.distinct])], ['./pure.js', [['add', calls, calls]]]);
    });
  }

  const LASTS = {
    'waits for nothing': ['async (x) => { await null; return x * 2 }', 3],
    'waits for a thread of Node': ['async (x) => (await deflate(String(x))).length', 1],
  };
  for (const [title, [source, calls]] of Object.entries(LASTS)) {
    it(`compares calls of an async function that ${title}, also where the program ends with them`, async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-check-last-'));
      fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"app","version":"1.0.0"}');
      fs.writeFileSync(
        path.join(folder, 'lib.js'),
        `const deflate = require('util').promisify(require('zlib').deflate); exports.last = ${source};`,
      );
      const text = `const { last } = require('./lib'); (async () => { for (let i = 0; i < ${calls}; i++) await last(i); })();`;
      fs.writeFileSync(path.join(folder, 'app.js'), text);
      const { modules } = await check({ command: [process.execPath, 'app.js'], cwd: folder, output: 'ignore' });
      fs.rmSync(folder, { recursive: true });
      const [{ verdicts }] = modules;
      assert.deepEqual(
        verdicts.map((one) => [one.fn, one.calls, one.distinct, one.compared > 0]),
        [['last', calls, calls, true]],
      );
    });
  }

  it('leaves those out that stay at home anyway, where there is no time to look at what all of them remember', async () => {
    const { modules } = await check({ command: [process.execPath, 'wide-run.js'], cwd: FOLDER, modules: ['./wide.js'], output: 'ignore' });
    const [{ verdicts }] = modules;
    assert.equal(verdicts.length, 61);
    for (const { fn, verdict, reasons } of verdicts) {
      assert.equal(verdict, fn === 'odd' ? 'pure' : 'home');
      if (fn !== 'odd') assert.match(reasons.map(({ why }) => why).join('; '), /^cannot be sent: .*each function alone is missing/);
    }
  });

  it('blames no function when all of them together take longer than a replica has', async () => {
    const command = [process.execPath, 'slow-run.js'];
    const { modules } = await check({ command, cwd: FOLDER, modules: ['./slow.js'], output: 'ignore', limitMs: 1000 });
    const whys = modules.flatMap(({ verdicts }) => verdicts.map(({ reasons }) => reasons.map(({ why }) => why).join('; ')));
    assert.equal(whys.length, 8);
    for (const why of whys) assert.match(why, /not compared in every order \(.*each function alone is missing\)/);
    for (const why of whys) assert.doesNotMatch(why, /did not end/);
  });
});
