'use strict';

// Objects that a module in a replica knows by keys of its weak collections live there as long as at home: home lets go of those that nobody
// uses.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { makeHomeThinner, makeThinner } = require('../../lib/object/collecting');
const { Residents } = require('../../lib/spawn/residents');
const { makePair } = require('./pair');

const MODULE = `
require('node:v8').setFlagsFromString('--expose-gc');
const collect = require('node:vm').runInNewContext('gc');
const known = new WeakSet();
const seen = [];
exports.know = (object) => void (known.add(object), seen.push(new WeakRef(object)));
// What nothing holds any more is there until the engine happens to have a full collection.
exports.haveAllLived = () => (collect(), seen.every((one) => one.deref() !== undefined));
`;
const BATCH = 500;
// How soon it is worth it depends on the machine, and on what else it does: the time that looking takes grows with the square of this.
const MOST = 20_000;

describe('objects of home that a module in a replica knows weakly', function () {
  this.timeout(60_000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-collecting-'));
  const filename = path.join(folder, 'weak.js');
  fs.writeFileSync(filename, MODULE);
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('are collected on both sides before looking at them has made calls slow', async () => {
    const residents = new Residents({ startMs: 20_000, blockMs: 20_000, maxFrameBytes: 1 << 28 });
    try {
      const lib = residents.require({ name: 'weak.js', filename }, { where: 'thread', group: '', isFresh: false });
      let made = 0;
      do {
        for (let i = 0; i < BATCH; i++) lib.know({ number: made++ });
        await new Promise(setImmediate);
      } while (lib.haveAllLived() && made < MOST);
      assert.ok(!lib.haveAllLived(), `all of ${made} live`);
    } finally {
      await residents.close();
    }
  });

  it('are not collected for it while the replica lets go of what is looked at', () => {
    const { home } = makePair();
    let collections = 0;
    const sweep = () => void (collections += 1);
    const thin = makeHomeThinner(/** @type {any} */ ({ tables: home.tables, sweep }));
    const { twins } = home.tables;
    const objects = Array.from({ length: 1000 }, (_, i) => ({ i }));
    home.pack(objects);
    const ids = objects.map((object) => Number(twins.idOf(object)));
    while (twins.lookedMs < 1) twins.changed(Infinity);
    const before = twins.lookedMs;
    for (const id of ids.slice(0, 750)) twins.dissolve(id);
    assert.ok(Math.abs(twins.lookedMs - before / 4) < before / 100);
    for (const id of ids.slice(750)) twins.dissolve(id);
    thin();
    assert.deepEqual([twins.lookedMs, collections], [0, 0]);
  });

  it('are collected where looking at them takes as long as that, or where there are many more stubs than were left', () => {
    const [twins, held, symbols] = [{ lookedMs: 0 }, { size: 0 }, { size: 0 }];
    let collections = 0;
    const sweep = () => {
      collections += 1;
      twins.lookedMs = 0;
    };
    const mail = /** @type {any} */ ({ tables: { twins, held, symbols }, sweep });
    const after = (/** @type {() => void} */ thin) => (thin(), collections);
    const [ofReplica, ofHome] = [makeThinner(mail), makeHomeThinner(mail)];
    assert.deepEqual([after(ofReplica), after(ofHome)], [0, 0]);
    twins.lookedMs = 60_000;
    assert.deepEqual([after(ofReplica), after(ofReplica)], [1, 1]);
    held.size = 100_000;
    assert.deepEqual([after(ofReplica), after(ofReplica)], [2, 2]);
    symbols.size = 100_000;
    assert.deepEqual([after(ofReplica), after(ofReplica)], [3, 3]);
    twins.lookedMs = 60_000;
    assert.deepEqual([after(ofHome), after(ofHome)], [4, 4]);
  });
});
