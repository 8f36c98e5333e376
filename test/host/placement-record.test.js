'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { openEngine } = require('../../lib/host/engine.js');
const { PlacementRegistry } = require('../../lib/host/placement-record.js');
const { breakable } = require('../helpers/breakable-engine.js');
const { until } = require('../helpers/until.js');

describe('the registry of placements', () => {
  let engine;
  let registry;
  beforeEach(async () => {
    engine = await openEngine('embedded', { app: `placement-${randomUUID()}` });
    registry = new PlacementRegistry(engine);
  });
  afterEach(() => engine.close());

  it('has nothing of what was never placed', async () => {
    assert.deepEqual(await registry.read('uri-js'), { epoch: 0, replicas: [], rev: 0 });
  });

  it('raises the epoch with each change, and not where nothing is to change', async () => {
    const first = await registry.change('uri-js', () => [{ host: 'a' }]);
    assert.equal(first.epoch, 1);
    const second = await registry.change('uri-js', ({ replicas }) => [...replicas, { host: 'b' }]);
    assert.equal(second.epoch, 2);
    assert.deepEqual(await registry.change('uri-js', () => null), second);
    assert.deepEqual(await registry.read('uri-js'), second);
    assert.deepEqual(second.replicas, [{ host: 'a' }, { host: 'b' }]);
  });

  it('loses no change of many at once', async () => {
    const others = new PlacementRegistry(engine);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? others : registry).change('hot', ({ replicas }) => [...replicas, { id: n }])),
    );
    const { epoch, replicas } = await registry.read('hot');
    assert.equal(epoch, 20);
    assert.deepEqual(
      replicas.map(({ id }) => id).sort((a, b) => a - b),
      [...Array(20).keys()],
    );
  });

  it('knows its own change when only the answer was lost', async () => {
    const link = breakable(engine);
    link.cut('answers');
    const placed = await new PlacementRegistry(link.engine).change('uri-js', ({ replicas }) => [...replicas, { host: 'a' }]);
    assert.deepEqual(placed, await registry.read('uri-js'));
    assert.equal(placed.epoch, 1);
  });

  it('says that it does not know when the engine is away', async () => {
    const link = breakable(engine);
    link.cut();
    await assert.rejects(
      new PlacementRegistry(link.engine).change('uri-js', () => []),
      (error) => error.code === 'IGNIS_ENGINE_DOWN',
    );
  });

  it('starts anew over a record that is none', async () => {
    await engine.put('placement/uri-js', { epoch: 'x', replicas: 7 });
    assert.equal((await registry.read('uri-js')).epoch, 0);
    assert.equal((await registry.change('uri-js', () => [])).epoch, 1);
  });

  it('tells who watches, also that a record is gone', async () => {
    const told = [];
    await registry.change('shop/uri-js', () => [{ host: 'a' }]);
    const stop = registry.watch('shop/', (name, { epoch, replicas }) => told.push([name, epoch, replicas.length]));
    await until(() => told.length === 1, 'it tells what is there');
    await registry.change('shop/uri-js', ({ replicas }) => [...replicas, { host: 'b' }]);
    await engine.delete('placement/shop/uri-js');
    await until(() => told.length === 3, 'it tells the changes');
    stop();
    assert.deepEqual(told, [
      ['shop/uri-js', 1, 1],
      ['shop/uri-js', 2, 2],
      ['shop/uri-js', 0, 0],
    ]);
  });
});
