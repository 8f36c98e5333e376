'use strict';

const assert = require('node:assert/strict');
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
});
