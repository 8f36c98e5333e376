'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { recipeOf } = require('../../bench/lift');
const { APPS } = require('../../bench/lift/apps');
const { awayOf, differing, expectedOf, sumOf, talliesOf } = require('../../bench/lift/tally');
const { layOutPlain } = require('../../bench/wiki/plain-source');
const { RecipeBook } = require('../../lib/recipe/book');

const refusal = (file, line, reason = "the function 'f' is not async") => ({ file, line, column: 1, call: 'x.f', reason });

/** Two processes that loaded one file of the application, and one of elsewhere. */
const records = () =>
  [1, 2].map((pid) => ({
    files: [
      { file: path.resolve('/app/lib/a.js'), lifted: 2, refused: 1 },
      { file: path.resolve('/elsewhere/b.js'), lifted: 7, refused: 0 },
    ],
    refused: [refusal(path.resolve('/app/lib/a.js'), 4)],
    replicas: [{ module: 'slow', calls: pid }],
  }));

const dryRun = {
  files: ['lib/a.js', 'lib/none.js'],
  lifted: [{ file: 'lib/a.js' }, { file: 'lib/a.js' }],
  refused: [refusal('lib/a.js', 4)],
};

describe('lift over applications: the tally', () => {
  const folder = path.resolve('/app');

  it('counts a file once that several processes loaded, and none of elsewhere', () => {
    const seen = talliesOf(records(), folder);
    assert.deepEqual([...seen.keys()], ['lib/a.js']);
    assert.deepEqual(sumOf([...seen.values()].flat()), { files: 1, sites: 3, lifted: 2, share: 2 / 3, reasons: { 'not async': 1 } });
  });

  it('has no share where there is no call', () => {
    assert.equal(sumOf([]).share, null);
  });

  it('agrees with a dry run that says the same', () => {
    assert.deepEqual(differing(talliesOf(records(), folder), expectedOf([dryRun])), []);
  });

  it('names a file of which the dry run says another count, another place or another reason', () => {
    const seen = talliesOf(records(), folder);
    for (const other of [
      { ...dryRun, lifted: [] },
      { ...dryRun, refused: [refusal('lib/a.js', 5)] },
      { ...dryRun, refused: [refusal('lib/a.js', 4, 'it is inside `with`')] },
      { ...dryRun, refused: [] },
    ])
      assert.deepEqual(differing(seen, expectedOf([other])), ['lib/a.js']);
  });

  it('names a file that two processes loaded differently, and that no dry run met', () => {
    const [one, other] = records();
    other.files[0].lifted = 3;
    assert.deepEqual(differing(talliesOf([one, other], folder), new Map()), ['lib/a.js']);
    assert.deepEqual(differing(talliesOf([one], folder), new Map()), []);
  });

  it('sums the calls that replicas answered', () => {
    assert.deepEqual(awayOf(records()), { slow: 3 });
  });
});

describe('lift over applications: the list', () => {
  it('names exact versions, and each application once', () => {
    assert.equal(new Set(APPS.map(({ name }) => name)).size, APPS.length);
    for (const { name, version, needs, source } of APPS) {
      assert.equal(source, 'registry', name);
      for (const one of [version, ...Object.values(needs)]) assert.match(one, /^(?:npm:[\w-]+@)?\d+\.\d+\.\d+$/, name);
    }
  });

  it('has recipes that Ignis takes', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-lift-test-'));
    try {
      for (const app of APPS) {
        const recipeFile = path.join(folder, `${app.name}.json`);
        fs.writeFileSync(recipeFile, JSON.stringify(recipeOf(app, 'away')));
        const { lifted } = new RecipeBook({ appRoot: folder, recipeFile });
        for (const name of app.pure) assert.ok(lifted.includes(name), `${app.name}: ${name}`);
        assert.ok(lifted.includes(null), app.name);
      }
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the plain source of the wiki', () => {
  it('is that of the wiki, but for the two lines', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-plain-test-'));
    try {
      const plain = layOutPlain(path.join(folder, 'wiki'));
      const wiki = path.join(__dirname, '../../examples/wiki');
      const linesOf = (root, file) => fs.readFileSync(path.join(root, file), 'utf8').split('\n');
      for (const file of ['server.js', 'lib/page-routes.js']) assert.deepEqual(linesOf(plain, file), linesOf(wiki, file));
      const [own, written] = [linesOf(plain, 'lib/links.js'), linesOf(wiki, 'lib/links.js')];
      assert.deepEqual(
        own.filter((line, at) => line !== written[at]).map((line) => line.trim()),
        ["const uri = require('uri-js');", 'const parts = uri.parse(link);'],
      );
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
