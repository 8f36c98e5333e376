'use strict';

// Holds 600 stubs, a tenth of which stay in use, until most of the others were told of.
// In: nothing. Out: to the parent, how many collections it took, how many stubs were released, how many are held, and whether one in use
// was released. In a thread of its own: how long a collection takes, and so how soon the next may come, depends on all that lives beside.

const { parentPort } = require('node:worker_threads');
const { HeldTable } = require('../../lib/session/reference-table');
const { makeCollector } = require('../../lib/object/kept');
const { thin } = require('../../lib/spawn/thinner');
const { until } = require('../helpers/until');

async function run() {
  const released = new Set();
  const held = new HeldTable((counts) => counts.forEach((id, i) => i % 2 === 0 && released.add(id)));
  let collections = 0;
  // What the collections took: the next one rests 40 times what the last took, which is long where the machine is busy.
  let tookMs = 0;
  thin(held, () => {
    const collect = makeCollector();
    return () => {
      collections += 1;
      const begun = performance.now();
      collect();
      tookMs += performance.now() - begun;
    };
  });
  const used = [];
  for (let id = 1; id <= 600; id++) {
    const stub = held.hold(id, () => () => id);
    if (id % 10 === 0) used.push(stub);
    // Each comes in a turn of its own, as calls do.
    if (id % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await until(
    () => collections > 0 && released.size >= 400,
    () => `only ${released.size} were told of, after ${collections} collections of ${tookMs} ms in all`,
    8000 + 50 * tookMs,
  );
  const isUsedReleased = used.some((stub) => released.has(stub()));
  parentPort?.postMessage({ collections, released: released.size, held: held.size, isUsedReleased });
}

void run();
