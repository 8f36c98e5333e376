'use strict';

const assert = require('node:assert/strict');
const { mergeLayers } = require('../../lib/recipe/merge');
const { actSources, feedSources } = require('../../lib/view/sources');

describe('what a program says of itself to who looks', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('is how long it runs, whatever is done to its clock', () => {
    const program = { name: '/srv/app.js', pid: 7, node: 'v20', cpus: 2, ignis: '0', startedAt: now() };
    const loop = { read: () => ({ utilisation: 0, delayMs: null }) };
    const sources = feedSources(/** @type {any} */ ({ program, loop }));
    const before = sources.program().uptimeMs;
    Date.now = () => 0;
    assert.ok(sources.program().uptimeMs >= before && before > 0);
  });

  it('knows of which modules the recipes that hold say that replicas may differ', () => {
    const imported = [{ pure: true }, { state: 'private' }, { state: 'none' }, { state: 'shared' }, {}];
    const boundaries = imported.map((recipe, i) => ({ id: `a.js -> m${i}`, recipe }));
    const { mayDiffer } = actSources(/** @type {any} */ ({ imports: { boundaries } }));
    assert.deepEqual(
      boundaries.map(({ id }) => mayDiffer(id)),
      [true, true, true, false, false],
    );
    assert.equal(mayDiffer('b.js -> m0 (in ./b.js #1)'), false);
  });

  it('has of each recipe what was said, and of a function what is said of it alone', () => {
    const recipe = mergeLayers(
      /** @type {any} */ ([
        { by: 'target', where: 'ignis.config.json', recipe: { functions: { f: { pure: true, timeout: 10 } } } },
        { by: 'import', where: 'app.js:1', recipe: { pure: true } },
      ]),
      2,
    );
    const boundaries = [{ id: 'app.js -> m', child: { name: 'm' }, recipe }];
    const sources = feedSources(/** @type {any} */ ({ imports: { boundaries } }));
    assert.deepEqual(sources.recipes(), [
      { module: 'm', text: '{ pure: true, functions: { f: { timeout: 10 } } }', given: { pure: { by: 'import', where: 'app.js:1' } } },
    ]);
  });
});
