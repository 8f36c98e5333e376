'use strict';

// One list of behaviours of a module, run by the same code with the module at home, in a thread, in a process and on a host. At home it
// must be green: that proves each case right. Elsewhere it proves that the module cannot be told apart from the one at home.
// A behaviour gets the module `m` and tools `t`; a failed one leaves its replica to nobody: the next starts with a new one.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { DIFFERENCES } = require('./differences');
const { closeHost, openHost } = require('./host');
const { PLACES, open } = require('./places');
const { FIXTURES, THEMES } = require('./themes');

const WORDS = { home: 'at home', thread: 'in a thread', process: 'in a process', host: 'on a host' };
const MOST_MS = 20000;
/** What a host could do otherwise than a process, whose line it has; IGNIS_TEST_CONTRACT=all has all of them there. */
const ON_A_HOST = [
  'errors as values',
  'callbacks during a call',
  'exports',
  'promises and signals',
  'more than one replica, and their end',
];

/** @returns {boolean} whether a module there is known to differ in it */
const isDifferent = (where, theme, title) =>
  DIFFERENCES.some((known) => known.places.includes(where) && known.theme === theme && known.title === title);

/** All behaviours of a theme in one place, in one replica as long as none fails. */
function runTheme(theme, where) {
  let place = null;
  const discard = async () => {
    place?.kill();
    await place?.close();
    place = null;
  };
  afterEach(async function () {
    if (this.currentTest.state !== 'passed') await discard();
  });
  after(() => place?.close());
  for (const [title, run] of Object.entries(theme.behaviours)) {
    it(title, async () => {
      place ??= open(where);
      const load = (file, from = place) => from.require(path.join(FIXTURES, file));
      const result = (async () => run(load(theme.fixture), { where, load, open: () => open(where) }))();
      if (!isDifferent(where, theme.title, title)) return result;
      await assert.rejects(result, 'it is listed as a known difference, and passes');
      await discard();
    });
  }
}

for (const where of PLACES) {
  describe(`a module ${WORDS[where]}`, function () {
    this.timeout(MOST_MS);
    if (where === 'host') {
      before(openHost);
      after(closeHost);
    }
    for (const theme of THEMES) {
      if (!(theme.places ?? PLACES).includes(where)) continue;
      if (where === 'host' && process.env.IGNIS_TEST_CONTRACT !== 'all' && !ON_A_HOST.includes(theme.title)) continue;
      describe(`: ${theme.title}`, () => runTheme(theme, where));
    }
  });
}

describe('the list of behaviours', () => {
  it('has every one that is known to differ', () => {
    for (const { theme, title } of DIFFERENCES) {
      const found = THEMES.find((each) => each.title === theme);
      assert.ok(found !== undefined && Object.hasOwn(found.behaviours, title), `${theme}: ${title}`);
    }
  });

  it('has the themes that are tried on a host', () => {
    const titles = THEMES.map(({ title }) => title);
    for (const title of ON_A_HOST) assert.ok(titles.includes(title), title);
  });

  it('leaves no module of its fixtures unused', () => {
    const used = THEMES.flatMap((theme) => [theme.fixture, ...(theme.alsoUses ?? [])]);
    // A package of their own, which is what a host gets.
    const there = fs.readdirSync(FIXTURES).filter((file) => file !== 'package.json');
    assert.deepEqual([...new Set(used)].sort(), there.sort());
  });
});
