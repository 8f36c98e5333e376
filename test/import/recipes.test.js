'use strict';

// Recipes that change while a program runs, in programs of their own: there is one Ignis in a process.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');

const IGNIS = path.join(__dirname, '../..');

const WORK = `
const { threadId } = require('node:worker_threads');
exports.place = (x) => [x, threadId === 0 ? 'home' : 'away'];
exports.busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); return threadId === 0 ? 'home' : 'away'; };
exports.tellBegin = (ms, i) => {
  const place = threadId === 0 ? 'home' : 'away';
  require('node:fs').appendFileSync(require('node:path').join(__dirname, 'begun'), i + ' ' + place + ',');
  const end = performance.now() + ms;
  while (performance.now() < end);
  return i + ' ' + place;
};
exports.use = (x) => x;
exports.defaults = { size: 1 };
`;

const COUNTER = `
const { threadId } = require('node:worker_threads');
let count = 0;
exports.add = async () => [++count, threadId === 0 ? 'home' : 'away'];
`;

const BEGIN = `
const ignis = require(${JSON.stringify(IGNIS)});
const fs = require('node:fs');
const tell = (x) => fs.writeSync(1, JSON.stringify(x));
const caught = (f) => { try { return f(); } catch (e) { return { code: e.code, message: e.message, fields: e.problems?.map((one) => one.field) }; } };
const until = async (look) => { for (;;) { const seen = await look(); if (seen) return seen; await new Promise((go) => setTimeout(go, 2)); } };
const alive = () => ignis.report().replicas.filter(({ state }) => state !== 'ended').length;
const stateOf = (child) => ignis.boundaries().find((one) => one.child === child);
const warnings = [];
process.on('warning', (warning) => warnings.push(warning.message));
`;

describe('recipes that change while the program runs', function () {
  this.timeout(60_000);

  let folder;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-live-')));
    fs.writeFileSync(path.join(folder, 'work.js'), WORK);
    fs.writeFileSync(path.join(folder, 'counter.js'), COUNTER);
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "name": "app", "dependencies": { "uri-js": "1" } }');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  /** What a program tells; `body` runs in an async function, and Ignis is closed after it. */
  async function run(body, args = []) {
    const file = path.join(folder, 'app.js');
    fs.writeFileSync(file, `${BEGIN}\n(async () => { ${body} })().finally(() => ignis.close());`);
    const { stdout } = await promisify(execFile)(process.execPath, [...args, file], { cwd: folder, timeout: 50_000 });
    return JSON.parse(stdout);
  }

  const ALL = `
    // Calls under way all the time, until told to end; each answer is checked.
    const answers = { home: 0, away: 0 };
    let lost = 0;
    let isOver = false;
    const caller = async (work) => {
      for (let i = 0; !isOver; i++) {
        const [x, place] = await work.place(i);
        if (x !== i) lost++;
        answers[place]++;
        await new Promise(setImmediate);
      }
    };
    const callers = (work) => [1, 2, 3].map(() => caller(work));
  `;

  it('leave alone what the program calls cold, unless the import itself says hot, or that it is not cold', async () => {
    fs.writeFileSync(
      path.join(folder, 'user.js'),
      `require('./work.js', { call: 'await', pure: true, copies: 1 });
      require('./counter.js', { hot: true });
      require('zlib', { cold: false });`,
    );
    const told = await run(`
      ignis.start({ quiet: true, recipe: { cold: ['./work.js', './counter.js', 'node:zlib'] } });
      require('./user.js');
      tell(ignis.boundaries().map(({ id }) => id).filter((id) => id.startsWith('user.js')));`);
    assert.deepEqual(told.sort(), ['user.js -> counter.js', 'user.js -> node:zlib']);
  });

  it('bring a module to replicas and home again, and lose none of the calls under way', async () => {
    const told = await run(`${ALL}
      ignis.start({ quiet: true });
      const work = require('./work.js');
      const all = callers(work);
      await until(() => answers.home > 10);
      const states = [stateOf('./work.js').state];
      const held = ignis.recipe('./work.js', { call: 'await', state: 'none', copies: [2, 2], where: 'thread' });
      await until(() => answers.away > 50 && stateOf('./work.js').replicas === 2);
      states.push(stateOf('./work.js').state);
      // Replicas are at work when they are asked home; a call that still waits for one may come home at once.
      const busy = [work.tellBegin(100, 0), work.tellBegin(100, 1), work.tellBegin(100, 2)];
      const linesBegun = () => (fs.existsSync('begun') ? fs.readFileSync('begun', 'utf8').split(',').filter(Boolean) : []);
      // The file is there a moment before it has a line.
      await until(() => linesBegun().length > 0);
      const begun = linesBegun();
      ignis.recipe('./work.js', { cold: true });
      const before = answers.home;
      await until(() => answers.home > before + 10 && alive() === 0);
      states.push(stateOf('./work.js').state);
      const drained = await Promise.all(busy);
      ignis.recipe('./work.js', { call: 'await', state: 'none', copies: [1, 4], where: 'thread' });
      const middle = answers.away;
      await until(() => answers.away > middle + 10);
      ignis.recipe('./work.js', null);
      await until(() => alive() === 0);
      states.push(stateOf('./work.js').state);
      isOver = true;
      await Promise.all(all);
      const ended = ignis.report().replicas.map(({ state, endedWhy }) => [state, endedWhy !== null]);
      tell({ states, held, lost, begun, drained, calls: answers.home + answers.away, ended });
    `);
    assert.deepEqual(told.states, ['declined', 'distributed', 'declined', 'declined']);
    assert.ok(told.begun.length > 0);
    for (const one of told.begun) assert.ok(one.endsWith(' away') && told.drained.includes(one), `${one} of ${told.drained}`);
    assert.deepEqual(
      told.drained.map((one) => one[0]),
      ['0', '1', '2'],
    );
    assert.equal(told.lost, 0);
    const [[id, recipe]] = Object.entries(told.held);
    assert.equal(id, 'app.js -> work.js');
    assert.deepEqual([recipe.call, recipe.copies, recipe.given.call.by], ['await', [2, 2], 'live']);
    assert.match(recipe.given.call.where, /app\.js:\d+$/);
    assert.deepEqual([...new Set(told.ended.map(String))], ['ended,true']);
  });

  it('scale out where more copies are asked for', async () => {
    const told = await run(`${ALL}
      ignis.start({ quiet: true });
      const work = require('./work.js');
      ignis.recipe(/work/, { call: 'await', state: 'none', copies: 1, where: 'thread' });
      const all = callers(work);
      await until(() => stateOf('./work.js').replicas === 1);
      ignis.recipe(/work/, { call: 'await', state: 'none', copies: [2, 4], where: 'thread' });
      await until(() => stateOf('./work.js').replicas >= 2);
      isOver = true;
      await Promise.all(all);
      tell([lost, ignis.report().replicas.filter(({ state }) => state === 'ended').length]);
    `);
    assert.deepEqual(told, [0, 0]);
  });

  it('merge over those of the import, the last word on a target being the one that holds', async () => {
    const told = await run(`
      require = ignis();
      const work = require('./work.js', { call: 'local', state: 'none', qDepth: 7 });
      const show = (held) => Object.values(held).map(({ call, qDepth, sched, copies }) => [call, qDepth, sched, copies]);
      tell([
        show(ignis.recipe('./work.js', { call: 'await', copies: [0, 3] })),
        show(ignis.recipe('./work.js', { sched: 'rr', copies: [0, 2] })),
        show(ignis.recipe('./*', { sched: 'hash', call: 'await', copies: [0, 5] })),
        show(ignis.recipe('./work.js', null)),
        show(ignis.recipe('./other.js', { copies: 0 })),
      ]);
    `);
    assert.deepEqual(told, [
      [['await', 7, 'least', [0, 3]]],
      [['local', 7, 'rr', [0, 2]]],
      [['await', 7, 'rr', [0, 2]]],
      [['await', 7, 'hash', [0, 5]]],
      [],
    ]);
  });

  it('change how a call goes: what was local is awaited, with another choice of replica and in another place', async () => {
    const told = await run(`${ALL}
      ignis.start({ quiet: true });
      const work = require('./work.js');
      const all = callers(work);
      const awaited = { call: 'await', state: 'none', copies: 2, where: 'thread' };
      ignis.recipe('./work.js', awaited);
      await until(() => answers.away > 20);
      const first = ignis.report().replicas.map(({ id }) => id);
      ignis.recipe('./work.js', { ...awaited, sched: 'rr' });
      // The new set is a set of its own; the calls in the old one end there.
      await until(() => ignis.report().replicas.filter(({ id, state }) => !first.includes(id) && state === 'ready').length === 2);
      await until(() => ignis.report().replicas.filter(({ id, state }) => first.includes(id) && state === 'ended').length === first.length);
      const why = ignis.report().replicas.find(({ id }) => first.includes(id)).endedWhy;
      ignis.recipe('./work.js', { ...awaited, functions: { place: { call: 'local' } } });
      const before = answers.home;
      await until(() => answers.home > before + 20);
      isOver = true;
      await Promise.all(all);
      tell([lost, why]);
    `);
    assert.deepEqual(told, [0, 'its recipe changed']);
  });

  it('keep the order of calls, whatever replicas those before them are in', async () => {
    const told = await run(`
      ignis.start({ quiet: true });
      const work = require('./work.js');
      const ordered = { call: 'await', state: 'none', copies: 2, where: 'thread', order: 'results' };
      ignis.recipe('./work.js', ordered);
      await until(() => stateOf('./work.js').replicas === 2);
      const settled = [];
      const calls = [200, 1].map((ms, i) => Promise.resolve(work.busy(ms)).then((place) => settled.push([i, place])));
      ignis.recipe('./work.js', { ...ordered, sched: 'rr' });
      calls.push(...[2, 3].map((i) => Promise.resolve(work.place(i)).then(([, place]) => settled.push([i, place]))));
      await Promise.all(calls);
      tell(settled.map(([i]) => i));
    `);
    assert.deepEqual(told, [0, 1, 2, 3]);
  });

  it('are refused with all that is wrong, and change nothing then', async () => {
    const told = await run(`
      ignis.start({ quiet: true });
      const work = require('./work.js');
      ignis.recipe('./work.js', { call: 'await', copies: [0, 3] });
      const wrong = [
        caught(() => ignis.recipe('./work.js', { shed: 'rr', copies: -1 })),
        caught(() => ignis.recipe('./work.js', { hot: true, cold: true })),
        caught(() => ignis.recipe('', {})),
        caught(() => ignis.recipe('./work.js', { level: 2 })),
        caught(() => ignis.recipe('./work.js', { call: 'block' })),
        caught(() => ignis.recipe('./work.js', { state: 'keyed', call: 'await' })),
      ];
      const held = Object.values(ignis.recipe('./nothing/', null)).length;
      const { call, copies } = ignis.recipe(/work/, {})['app.js -> work.js'];
      tell({ wrong, held, call, copies });
    `);
    assert.deepEqual(
      told.wrong.map(({ code }) => code),
      Array(6).fill('IGNIS_BAD_RECIPE'),
    );
    assert.deepEqual(told.wrong[0].fields, ['shed', 'copies']);
    assert.match(told.wrong[0].message, /app\.js:\d+/);
    assert.match(told.wrong[3].message, /'level'.*only program-wide/);
    assert.match(told.wrong[4].message, /work\.js cannot change like this while the program runs.*app\.js:\d+.*already loaded at home/);
    assert.match(told.wrong[5].message, /'state' is 'keyed'.*there is no 'key'/);
    assert.deepEqual([told.call, told.copies, told.held], ['await', [0, 3], 0]);
  });

  it('cannot take home what a module remembers in a replica, nor change where that is', async () => {
    const told = await run(`
      require = ignis();
      const counter = require('./counter.js', { call: 'await', state: 'shared', copies: 1, where: 'thread' });
      const first = await counter.add();
      const refused = [{ cold: true }, { copies: 0 }, { where: 'process' }, { state: 'private' }].map((recipe) => caught(() => ignis.recipe('./counter.js', recipe)).message);
      // What has nothing to do with the place may change.
      const { order } = ignis.recipe('./counter.js', { order: true })['app.js -> counter.js'];
      tell({ first, refused, order, second: await counter.add() });
    `);
    assert.deepEqual([told.first, told.second, told.order], [[1, 'away'], [2, 'away'], true]);
    for (const index of [0, 1]) assert.match(told.refused[index], /what it remembers is in a replica, and cannot come home/);
    assert.match(told.refused[2], /so where cannot change/);
    assert.match(told.refused[3], /so state cannot change/);
  });

  it('cannot change a module that lives in a replica, and can one that is not loaded yet', async () => {
    const told = await run(`
      ignis.start({ quiet: true, recipe: { modules: { './work.js': { call: 'block', where: 'thread' } } } });
      const work = require('./work.js');
      const refused = caught(() => ignis.recipe('./work.js', { call: 'await' })).message;
      ignis.recipe('./counter.js', { call: 'block', where: 'thread' });
      tell([work.busy(1), refused, await require('./counter.js').add()]);
    `);
    assert.deepEqual([told[0], told[2]], ['away', [1, 'away']]);
    assert.match(told[1], /with call: 'block' it has lived in a replica since its import/);
  });

  it('warn of a module that they let go, and of which no call is seen, with what would help', async () => {
    const files = {
      'made.js': 'class Made { render() {} } module.exports = new Made();',
      'derived.js': 'module.exports = Object.create({ render() {} });',
      'class.js': 'module.exports = class Made { #a = 1; render() { return this.#a; } };',
      'list.js': 'module.exports = [1, 2];',
      'named.js': 'class Made { render() {} } module.exports = new Made();',
      'other.js': 'class Made { render() {} } module.exports = new Made();',
    };
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    const told = await run(`
      const modules = { './named.js': { copies: 1, functions: { render: { pure: true } } }, './oth*.js': { copies: 1 } };
      for (const name of ['made.js', 'derived.js', 'class.js', 'list.js']) modules['./' + name] = { copies: [0, 1] };
      ignis.start({ recipe: { modules } });
      for (const name of ['made.js', 'derived.js', 'class.js', 'list.js', 'named.js', 'other.js']) require('./' + name);
      await new Promise(setImmediate);
      tell([warnings, ignis.report().warnings]);
    `);
    for (const sentences of told) {
      assert.equal(sentences.length, 4, sentences.join('\n'));
      const of = (name) => sentences.find((one) => one.startsWith(`the recipe of ./${name} (given in`));
      const named =
        /has no effect: it exports an object of a class, of which only functions that a recipe names can leave, as in functions: \{/;
      for (const name of ['made.js', 'derived.js']) assert.match(of(name), named);
      assert.match(of('class.js'), /has no effect: it exports a class, whose objects live where they are made; put the slow part behind/);
      assert.match(of('list.js'), /has no effect: it exports no functions$/);
    }
  });

  it('name functions of an instance of a class that an ES module exports, by its path among the exports, in whichever way it is imported', async () => {
    fs.writeFileSync(
      path.join(folder, 'made.mjs'),
      `import { threadId } from 'node:worker_threads';
      class Made { #a = 1; place() { return [this.#a, threadId === 0 ? 'home' : 'away']; } }
      export const other = new Made();
      export default new Made();`,
    );
    const names = { static: 'made, { other }', space: '* as all' };
    for (const [name, what] of Object.entries(names)) {
      fs.writeFileSync(
        path.join(folder, `${name}.mjs`),
        `import ${what} from './made.mjs'; export default () => [${name === 'static' ? 'made, other' : 'all.default, all.other'}];`,
      );
    }
    fs.writeFileSync(
      path.join(folder, 'dynamic.mjs'),
      "export default async () => { const { default: made, other } = await import('./made.mjs'); return [made, other]; };",
    );
    const [seen, boundaries, told] = await run(
      `
      const functions = { 'default.place': { pure: true }, 'other.place': { pure: true } };
      ignis.start({ recipe: { where: 'thread', modules: { './made.mjs': { call: 'await', copies: 1, pure: true, functions } } } });
      const seen = [];
      for (const name of ['static', 'space', 'dynamic']) {
        const { default: get } = await ignis.import('./' + name + '.mjs');
        for (const made of await get()) {
          let last;
          await until(async () => (last = await made.place())[1] === 'away' && made.place() instanceof Promise);
          seen.push(last);
        }
      }
      tell([seen, ignis.boundaries().filter(({ child }) => child === './made.mjs').map(({ parent, functions }) => [parent, Object.keys(functions)]), warnings]);
    `,
      ['--import', path.join(IGNIS, 'lib/register.js')],
    );
    assert.deepEqual(seen, Array(6).fill([1, 'away']));
    const both = ['default.place', 'other.place'];
    assert.deepEqual(
      boundaries.sort(),
      ['./dynamic.mjs', './space.mjs', './static.mjs'].map((parent) => [parent, both]),
    );
    assert.deepEqual(told, []);
  });

  it('say by which name a function of an instance of a class that an ES module exports is to be named', async () => {
    fs.writeFileSync(path.join(folder, 'made.mjs'), 'class Made { render() {} }\nexport default new Made();');
    fs.writeFileSync(path.join(folder, 'asks.mjs'), "import made from './made.mjs'; made.render();");
    const told = await run(
      `
      ignis.start({ recipe: { modules: { './made.mjs': { copies: 1, functions: { render: { pure: true } } } } } });
      await import('./asks.mjs');
      await new Promise(setImmediate);
      tell(warnings);
    `,
      ['--import', path.join(IGNIS, 'lib/register.js')],
    );
    assert.equal(told.length, 1);
    assert.match(
      told[0],
      /^the recipe of \.\/made\.mjs .* has no effect: .* as in functions: \{ 'default\.render': \{ pure: true \} \}; or put/,
    );
  });

  it('do not warn of the data of a package that they let go', async () => {
    const at = path.join(folder, 'node_modules/fit');
    fs.mkdirSync(at, { recursive: true });
    fs.writeFileSync(path.join(at, 'package.json'), '{"name":"fit","version":"1.2.3"}');
    fs.writeFileSync(path.join(at, 'index.js'), 'exports.work = () => 1;');
    const told = await run(`
      ignis.start({ recipe: { modules: { fit: { hot: true, pure: true } } } });
      const { version } = require('fit/package.json');
      require('fit').work();
      await new Promise(setImmediate);
      tell([version, warnings, ignis.report().warnings]);
    `);
    assert.deepEqual(told, ['1.2.3', [], []]);
  });

  it('warn of a module that was to live in a replica, and was loaded at home before, or is a built-in', async () => {
    fs.writeFileSync(path.join(folder, 'early.js'), "exports.work = require('./work.js');");
    fs.writeFileSync(path.join(folder, 'late.js'), "exports.work = require('./work.js', { call: 'block', where: 'thread' });");
    fs.writeFileSync(path.join(folder, 'builtin.js'), "exports.all = [require('zlib'), require('dns')];");
    const told = await run(`
      ignis.start({ recipe: { modules: { zlib: { call: 'block' }, 'node:dn*': { call: 'block' } } } });
      require('./early.js');
      const { work } = require('./late.js');
      require('./builtin.js');
      const again = await ignis.import('./counter.js').then(() => ignis.import('./counter.js', { call: 'block', where: 'thread' }));
      await new Promise(setImmediate);
      tell([[work.busy(1), (await again.default.add())[1]], warnings, ignis.report().warnings]);
    `);
    const AT_HOME = [
      /^the recipe of \.\/work\.js: 'call' is 'block' \(given in .*late\.js.*\), which has no effect: it was already loaded at home/,
      /^the recipe of node:zlib: 'call' is 'block' \(given in .*\), which has no effect: built-ins always run at home/,
      /^the recipe of \.\/counter\.js: 'call' is 'block' \(given in .*\), which has no effect: it was already loaded at home/,
    ];
    assert.deepEqual(told[0], ['home', 'home']);
    for (const list of [told[1], told[2]]) {
      assert.equal(list.length, AT_HOME.length, list.join('\n'));
      for (const [i, form] of AT_HOME.entries()) assert.match(list[i], form);
    }
  });

  for (const [title, before] of [
    ['was written', 'work.extra = 1;'],
    ['was set up', "work.use('plugin');"],
    ['gave its options away', 'work.defaults.size = 2;'],
  ]) {
    it(`keep a module at home that ${title} before one let it be distributed, and say so`, async () => {
      const told = await run(`
        ignis.start({ quiet: true });
        const work = require('./work.js');
        ${before}
        ignis.recipe('./work.js', { call: 'await', state: 'none', copies: 1, where: 'thread', setup: ['use'] });
        await until(() => ignis.report().decisions.some(({ sentence }) => sentence.includes('before its recipe let it be distributed')));
        tell([await work.place(1), stateOf('./work.js').state]);
      `);
      assert.deepEqual(told, [[1, 'home'], 'declined']);
    });
  }

  it('take a new level for the imports to come, given in code', async () => {
    const modules = path.join(folder, 'node_modules');
    for (const [name, text] of [
      ['a', "exports.b = require('b');"],
      ['b', 'exports.f = () => 1;'],
    ]) {
      fs.mkdirSync(path.join(modules, name), { recursive: true });
      fs.writeFileSync(path.join(modules, name, 'package.json'), JSON.stringify({ name }));
      fs.writeFileSync(path.join(modules, name, 'index.js'), text);
    }
    const told = await run(`ignis({ level: 2 }); require('a').b.f(); tell(ignis.boundaries().map(({ id }) => id).sort());`);
    assert.deepEqual(told, ['a -> b', 'app.js -> a']);
  });

  it('throw IGNIS_CLOSED before there is anything to change', async () => {
    assert.equal((await run(`tell(caught(() => ignis.recipe('x', {})));`)).code, 'IGNIS_CLOSED');
  });

  describe('in the recipe file', () => {
    const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
    const WAIT = `
      const events = [];
      require('node:diagnostics_channel').subscribe('ignis:recipe', ({ event }) => events.push(event));
      const hotOf = (name) => Object.values(ignis.recipe(name, null))[0].hot;
      const beside = (file, text) => { fs.writeFileSync(file + '.new', text); fs.renameSync(file + '.new', file); };
    `;

    for (const [name, off, on, bad] of [
      ['ignis.config.json', '{}', '{ "hot": "./work.js" }', '{ "hto": "./work.js" }'],
      ['ignis.config.js', 'module.exports = {}', "module.exports = { hot: require('./names.js').hot }", 'module.exports = {'],
      ['ignis.config.mjs', 'export default {}', "export default { hot: './work.js' }", 'export default {'],
    ]) {
      it(`are taken up from ${name}, written or renamed, and what is wrong is not`, async () => {
        write(name, off);
        write('names.js', "exports.hot = './work.js'");
        const told = await run(`${WAIT}
          ignis.start();
          require('./work.js').use(1);
          const seen = [hotOf('./work.js')];
          events.length = 0;
          fs.writeFileSync(${JSON.stringify(name)}, ${JSON.stringify(on)});
          await until(() => events.includes('taken'));
          seen.push(hotOf('./work.js'));
          events.length = 0;
          beside(${JSON.stringify(name)}, ${JSON.stringify(bad)});
          await until(() => events.includes('refused'));
          seen.push(hotOf('./work.js'));
          events.length = 0;
          beside(${JSON.stringify(name)}, ${JSON.stringify(off)});
          await until(() => events.includes('taken'));
          seen.push(hotOf('./work.js'));
          tell({ seen, warnings });
        `);
        assert.deepEqual(told.seen, [false, true, true, false]);
        assert.equal(told.warnings.length, 1);
        assert.match(
          told.warnings[0],
          new RegExp(
            `^${name.replaceAll('.', '\\.')} has changed and has a mistake, so what it said before stays in force: a recipe is wrong:`,
          ),
        );
      });
    }

    it('are taken up with what the file required, which nobody else did', async () => {
      write('names.js', "exports.hot = './work.js'");
      write('shared.js', 'exports.loads = (globalThis.loads = (globalThis.loads ?? 0) + 1)');
      write('ignis.config.js', "require('./shared.js'); module.exports = { hot: require('./names.js').hot }");
      const told = await run(`${WAIT}
        ignis.start();
        require('./shared.js');
        require('./work.js').use(1);
        const seen = [hotOf('./work.js')];
        events.length = 0;
        fs.writeFileSync('names.js', "exports.hot = './counter.js'");
        fs.appendFileSync('ignis.config.js', ' // changed');
        await until(() => events.includes('taken'));
        seen.push(hotOf('./work.js'), globalThis.loads);
        tell(seen);
      `);
      assert.deepEqual(told, [true, false, 1]);
    });

    it('move calls that are under way, by the file alone', async () => {
      write('ignis.config.json', '{}');
      const told = await run(`${ALL}
        ignis.start();
        const work = require('./work.js');
        const all = callers(work);
        const modules = { './work.js': { call: 'await', state: 'none', copies: 2, where: 'thread' } };
        fs.writeFileSync('ignis.config.json', JSON.stringify({ modules }));
        await until(() => answers.away > 20);
        fs.writeFileSync('ignis.config.json', '{}');
        await until(() => alive() === 0);
        isOver = true;
        await Promise.all(all);
        tell([lost, warnings]);
      `);
      assert.deepEqual(told, [0, []]);
    });

    it('wait for a file that was truncated, and for one that is gone, and say what cannot change', async () => {
      write('ignis.config.json', '{ "hot": "./work.js" }');
      const told = await run(`${WAIT}
        ignis.start({ recipe: 'ignis.config.json' });
        require('./work.js').use(1);
        // The folder tells whoever watches in one turn of the loop.
        const seenBy = (change) => new Promise((go) => {
          const own = fs.watch('.', (_, name) => { if (name === 'ignis.config.json') { own.close(); setImmediate(() => setImmediate(go)); } });
          change();
        });
        await seenBy(() => fs.writeFileSync('ignis.config.json', ''));
        await seenBy(() => fs.rmSync('ignis.config.json'));
        const seen = [[...events], hotOf('./work.js')];
        events.length = 0;
        fs.writeFileSync('ignis.config.json', '{ "level": 2 }');
        await until(() => events.includes('taken'));
        tell([...seen, hotOf('./work.js'), warnings, ignis.report().warnings]);
      `);
      assert.deepEqual(told.slice(0, 3), [[], true, false]);
      const level = ['the level in ignis.config.json has changed; that takes effect when the program is started again'];
      assert.deepEqual(told.slice(3), [level, level]);
    });

    it('keep no program alive', async () => {
      write('ignis.config.json', '{}');
      write('app.js', `require(${JSON.stringify(IGNIS)}).start(); process.once('exit', () => console.log('ended'));`);
      const { stdout } = await promisify(execFile)(process.execPath, ['app.js'], { cwd: folder, timeout: 20_000 });
      assert.equal(stdout, 'ended\n');
    });

    it('name the alternative where Node cannot require an ES module', async () => {
      write('ignis.config.mjs', 'export default {}');
      const told = await run(`tell(caught(() => ignis.start()));`, ['--no-experimental-require-module']);
      assert.equal(told.code, 'IGNIS_BAD_RECIPE');
      assert.match(told.message, /ignis\.config\.mjs.*write it as ignis\.config\.cjs or ignis\.config\.json/);
    });
  });

  describe('have targets', () => {
    it('that are built-ins which are never watched, which is said; to keep them at home is no mistake', async () => {
      fs.writeFileSync(
        path.join(folder, 'ignis.config.js'),
        `module.exports = { hot: ['node:http', 'crypto'], cold: ['net'], modules: { stream: { copies: 2 }, 'node:fs/promises': {}, 'node:url': { cold: true } } }`,
      );
      const told = await run(`
        ignis.start();
        require('node:http');
        await new Promise(setImmediate);
        tell({ warnings, report: ignis.report().warnings, boundaries: ignis.boundaries().map(({ child }) => child) });
      `);
      const idle = (target) =>
        `the recipe in ignis.config.js has the target '${target}', which has no effect: of the built-in modules only crypto, zlib, dns, fs, child_process, fs/promises, dns/promises are watched`;
      assert.deepEqual([...told.warnings].sort(), [idle('node:http'), idle('stream')]);
      const inVain = (target) =>
        `the recipe in ignis.config.js has the target '${target}', but no import matched it in this thread; modules that a bundler has included are no longer imported, and processes that a program forks (node:cluster) have their own imports`;
      assert.deepEqual([...told.report].sort(), [inVain('crypto'), inVain('node:fs/promises'), idle('node:http'), idle('stream')].sort());
      assert.ok(!told.boundaries.includes('node:http'));
    });

    it('checks and tells a recipe at the import of such a built-in, too, by require and by ignis.import', async () => {
      const told = await run(`
        const load = ignis();
        const wrong = [caught(() => load('http', { copys: 2 })), await ignis.import('node:stream', { copys: 2 }).catch((error) => error)];
        for (let i = 0; i < 2; i++) load('http', { call: 'await', copies: 2 });
        load('net', { cold: true });
        const { Readable } = await ignis.import('node:stream', { copies: 2 });
        await new Promise(setImmediate);
        tell({ wrong: wrong.map(({ code, message }) => [code, message]), warnings, report: ignis.report().warnings, isNodes: Readable === load('stream').Readable });
      `);
      for (const [code, message] of told.wrong) {
        assert.equal(code, 'IGNIS_BAD_RECIPE');
        assert.match(message, /no field is called 'copys'.*given in app\.js:\d+.*did you mean 'copies'/);
      }
      assert.equal(told.warnings.length, 2, String(told.warnings));
      assert.match(
        told.warnings[0],
        /^the recipe of http \(given in app\.js:\d+\) has no effect: of the built-in modules only crypto, .* are watched$/,
      );
      assert.match(told.warnings[1], /^the recipe of node:stream \(given in app\.js:\d+\) has no effect/);
      assert.deepEqual([...told.report].sort(), [...told.warnings].sort());
      assert.ok(told.isNodes);
    });

    it('that name nothing, which is said once, with the nearest; lazily loaded modules are none of these', async () => {
      const inner = path.join(folder, 'node_modules/uri-js/node_modules/inner');
      fs.mkdirSync(inner, { recursive: true });
      fs.writeFileSync(
        path.join(folder, 'ignis.config.js'),
        `module.exports = {
          hot: ['uri-js', 'inner', './counter', './work.js', 'crypto', 'fs/promises', 'ury-js', './'],
          cold: ['./wrok.js', './lib/', 'node:cyrpto', 'counter.js'],
          modules: { 'uri-jss/dist': {}, 'x*': { copies: 0 }, '/^never/': {}, './w*': {} },
        }`,
      );
      const told = await run(`
        ignis.start();
        require('./work.js').use(1);
        await new Promise(setImmediate);
        tell({ warnings, report: ignis.report().warnings });
      `);
      const nothing = (target, kind, nearest) =>
        `the recipe in ignis.config.js has the target '${target}', but there is no such ${kind}${nearest === '' ? '' : `; the nearest is '${nearest}'`}`;
      assert.deepEqual(
        told.warnings,
        [
          nothing('ury-js', 'package, file or built-in', 'uri-js'),
          nothing('./wrok.js', 'file', './work.js'),
          nothing('./lib/', 'folder', './node_modules/'),
          nothing('node:cyrpto', 'built-in', 'node:crypto'),
          nothing('counter.js', 'package', './counter.js'),
          nothing('uri-jss/dist', 'package, file or built-in', 'uri-js'),
        ].sort((a, b) => told.warnings.indexOf(a) - told.warnings.indexOf(b)),
      );
      assert.deepEqual(
        told.report.filter((line) => !told.warnings.includes(line)),
        [
          ...['uri-js', 'inner', './counter', 'crypto', 'fs/promises'].map(
            (target) =>
              `the recipe in ignis.config.js has the target '${target}', but no import matched it in this thread; modules that a bundler has included are no longer imported, and processes that a program forks (node:cluster) have their own imports`,
          ),
          "the recipe in ignis.config.js has the target '/^never/', but no import matched it",
          "the recipe in ignis.config.js has the target 'x*', but no import matched it",
        ],
      );
    });
  });

  it('may stand in a file of the program, whose exports are watched', async () => {
    fs.writeFileSync(
      path.join(folder, 'rules.js'),
      `exports.place = { call: 'await', state: 'keyed', key: ([x]) => String(x), functions: { place: { timeout: 900, key: ([x]) => x } } };
      exports.modules = { './work.js': exports.place };
      exports.wrong = { copies: -1, key: (args) => args };`,
    );
    const told = await run(`
      ignis.start({ quiet: true });
      const rules = require('./rules.js');
      const work = require('./work.js', rules.place);
      const held = Object.values(ignis.recipe('./work.js', rules.place));
      const wrong = caught(() => ignis.recipe('./work.js', rules.wrong));
      ignis({ modules: rules.modules });
      const program = caught(() => ignis({ modules: { './work.js': rules.wrong } }));
      tell({ answer: (await work.place(7))[0], held: held.map(({ state, functions }) => [state, functions.place.timeout]), wrong: wrong.fields, program: program.fields });
    `);
    assert.deepEqual(told, { answer: 7, held: [['keyed', 900]], wrong: ['copies'], program: ['copies'] });
  });
});
