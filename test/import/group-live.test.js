'use strict';

// Groups of recipes that change while a program runs: modules enter a group, and leave it.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');

const IGNIS = path.join(__dirname, '../..');

const FILES = {
  'words.js': `
const { threadId } = require('node:worker_threads');
let count = 0;
exports.next = () => [++count, threadId];
exports.tag = '';
exports.tagged = () => exports.tag;`,
  'lines.js': "const words = require('./words'); exports.next = () => words.next();",
};

describe('groups that change while the program runs', function () {
  this.timeout(60_000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-live-group-')));
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** What a program tells; `body` runs in an async function, and Ignis is closed after it. */
  async function run(recipe, body) {
    const file = path.join(folder, 'app.js');
    fs.writeFileSync(
      file,
      `const ignis = require(${JSON.stringify(IGNIS)});
      const tell = (x) => require('node:fs').writeSync(1, JSON.stringify(x));
      const caught = (f) => { try { return f(); } catch (e) { return [e.code, e.message]; } };
      const until = async (is) => { while (!is()) await new Promise((done) => setTimeout(done, 5)); };
      const ready = (set) => ignis.report().replicas.filter(({ module, state }) => module === set && state === 'ready').length;
      const sets = () => Object.fromEntries(ignis.boundaries().filter(({ child }) => child.startsWith('./')).map(({ id, set }) => [id, set]));
      ignis.start({ quiet: true, recipe: ${JSON.stringify({ modules: recipe })} });
      const own = { where: 'thread', call: 'await', state: 'private', copies: 1 };
      const words = require('./words'), lines = require('./lines');
      (async () => { ${body} })().catch((error) => tell(String(error))).finally(() => ignis.close());`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, timeout: 50_000 });
    return JSON.parse(stdout);
  }

  const OWN = { where: 'thread', call: 'await', state: 'private', copies: 1 };
  const BOTH = { ...OWN, state: 'shared', group: 'both' };

  it('move modules from replicas of their own into those of the group, and back', async () => {
    const told = await run(
      { './words.js': OWN, './lines.js': OWN },
      `await until(() => ready('./words.js') === 1 && ready('./lines.js') === 1);
      const apart = [(await words.next())[1], (await lines.next())[1]];
      for (const name of ['./words.js', './lines.js']) ignis.recipe(name, { ...own, group: 'both' });
      const inGroup = sets();
      await until(() => ready('group both') === 1 && ready('./words.js') + ready('./lines.js') === 0);
      const together = [await words.next(), await lines.next()];
      for (const name of ['./words.js', './lines.js']) ignis.recipe(name, null);
      await until(() => ready('group both') === 0 && ready('./words.js') === 1 && ready('./lines.js') === 1);
      const again = [(await words.next())[1], (await lines.next())[1]];
      tell({ apart, inGroup, together, again, after: sets() });`,
    );
    assert.notEqual(told.apart[0], told.apart[1]);
    assert.deepEqual(new Set(Object.values(told.inGroup)), new Set(['group both']));
    const [[first, place], [second, other]] = told.together;
    assert.deepEqual([first, second, place], [1, 2, other]);
    assert.notEqual(place, 0);
    assert.notEqual(told.again[0], told.again[1]);
    assert.deepEqual(new Set(Object.values(told.after)), new Set(['./words.js', './lines.js']));
  });

  it('are refused where the recipes of a group do not go together, and change nothing then', async () => {
    const told = await run(
      { './words.js': OWN, './lines.js': { ...OWN, group: 'both' } },
      `const before = sets();
      const refused = caught(() => ignis.recipe('./words.js', { group: 'both', state: 'none' }));
      const isSame = JSON.stringify(sets()) === JSON.stringify(before);
      ignis.recipe('./words.js', { group: 'both' });
      tell({ refused, isSame, after: sets() });`,
    );
    assert.equal(told.refused[0], 'IGNIS_BAD_RECIPE');
    assert.match(told.refused[1], /modules of group 'both' share their replicas, so 'state' must be the same for all/);
    assert.equal(told.isSame, true);
    assert.deepEqual(new Set(Object.values(told.after)), new Set(['group both']));
  });

  it('cannot take a module out of a group that remembers something in a replica, nor put one into it', async () => {
    const told = await run(
      { './lines.js': BOTH },
      `await until(() => ready('group both') === 1);
      const [count, place] = await lines.next();
      const late = caught(() => ignis.recipe('./words.js', { where: 'thread', call: 'await', state: 'shared', copies: 1, group: 'both' }));
      const out = caught(() => ignis.recipe('./lines.js', { group: 'other' }));
      ignis.recipe('./lines.js', { timeout: 60000, weight: 2, priority: 1 });
      tell({ count, isAway: place > 0, late, out, next: (await lines.next())[0], sets: sets() });`,
    );
    assert.deepEqual([told.count, told.isAway, told.next], [1, true, 2]);
    assert.match(told.late[1], /what group both remembers is in a replica, which began without it/);
    assert.match(told.out[1], /what it remembers is in a replica, so group cannot change/);
    assert.equal(told.sets['app.js -> words.js'], './words.js');
  });

  it('cannot have a module that was written to, since that was noted for the replicas that it had', async () => {
    const told = await run(
      { './words.js': OWN },
      `words.tag = 'new';
      const refused = caught(() => ignis.recipe('./words.js', { group: 'both' }));
      await until(() => ready('./words.js') === 1);
      tell({ refused, tag: await words.tagged(), set: sets()['app.js -> words.js'] });`,
    );
    assert.match(told.refused[1], /what set it up, or was written to it, was noted for the replicas of \.\/words\.js/);
    assert.deepEqual([told.tag, told.set], ['new', './words.js']);
  });
});
