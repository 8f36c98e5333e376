'use strict';

// What oneway calls cost, over the link to a host and as datagrams, against ordinary calls of the same function there.
//   node bench/oneway.js [--json] [--rounds 7] [--calls 30000]
// In: nothing but the options. Out: a table of calls a second, until the last one is known to have ended, of home's processor time for
// each, and of those that were lost. The daemon is made here and removed; it, its replicas and home share the processors of this machine.

const assert = require('node:assert/strict');
const ignis = require('../lib/index');
const { drive } = require('./call/drive');
const { Daemons, HERE } = require('./hosts/daemons');
const { compare } = require('./lib/harness');
const { valuesOf } = require('./lib/options');

const READY_MS = 60000;
/** Calls of one turn, and ordinary calls that pend. */
const AT_ONCE = 64;
const VALUE = { path: '/index.html', ms: 12, ok: true, tags: ['a', 'b'] };

/** @param {() => boolean} look @param {string} what */
async function until(look, what) {
  const by = performance.now() + READY_MS;
  while (!look()) {
    if (performance.now() > by) throw new Error(`waited in vain: ${what}; ${JSON.stringify(ignis.report().replicas)}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** @param {string} name */
const functionOf = (name) => ignis.report().boundaries.find(({ child }) => child.includes(`sink/${name}`))?.functions.count;
/** @param {string} name */
const replicaOf = (name) => ignis.report().replicas.find(({ module, state }) => module.includes(`sink/${name}`) && state === 'ready');

/** @param {any} module @param {string} name @param {number} calls */
async function burst(module, name, calls) {
  for (let done = 0; done < calls; done += AT_ONCE) {
    for (let i = 0; i < AT_ONCE; i++) module.count(VALUE);
    await new Promise(setImmediate);
  }
  await until(() => functionOf(name)?.pending === 0, 'all to end');
}

/** @param {() => Promise<any>} work @param {number} calls @param {() => number} lost */
async function measured(work, calls, lost) {
  const [cpu, begun, before] = [process.cpuUsage(), performance.now(), lost()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return {
    'calls/s': calls / ((performance.now() - begun) / 1000),
    "home's processor time": (user + system) / calls,
    lost: lost() - before,
  };
}

async function main() {
  const values = valuesOf(__filename, {
    rounds: { type: 'string', default: '7' },
    calls: { type: 'string', default: '30000' },
    json: { type: 'boolean' },
  });
  const calls = Math.ceil(Number(values.calls) / AT_ONCE) * AT_ONCE;
  const daemons = await Daemons.start([HERE], 3);
  ignis.start({ identity: daemons.keys('home') });
  const imports = /** @type {any} */ (ignis());
  const there = { where: 'host', nodes: [daemons.nodes[0]], state: 'private', copies: [1, 2] };
  const alive = setInterval(() => {}, 1000);
  try {
    const modules = {
      ordinary: imports('./hosts/sink/ordinary.js', { ...there, copies: 1, call: 'await' }),
      link: imports('./hosts/sink/link.js', { ...there, copies: 1, oneway: ['count'] }),
      udp: imports('./hosts/sink/udp.js', { ...there, copies: 1, oneway: ['count'], comm: 'udp' }),
    };
    await until(() => Object.keys(modules).every((name) => replicaOf(name) !== undefined), 'the replicas');
    await until(() => {
      modules.udp.count(VALUE);
      return (replicaOf('udp')?.datagrams?.sent ?? 0) > 0;
    }, 'datagrams');
    const lostOf = (/** @type {string} */ name) => functionOf(name)?.oneway?.lost ?? 0;
    /** @param {'ordinary' | 'link' | 'udp'} name */
    const row = (name) => async () => {
      const before = await modules[name].total();
      const lost = lostOf(name);
      if (name === 'ordinary') for (let i = 0; i < 500; i++) await modules.ordinary.count(VALUE);
      else await burst(modules[name], name, 500);
      const sent = name === 'ordinary' ? 500 : Math.ceil(500 / AT_ONCE) * AT_ONCE;
      assert.equal((await modules[name].total()) - before + lostOf(name) - lost, sent);
    };
    await compare({
      title: `oneway calls to a host (${calls} calls of 40 bytes, ${AT_ONCE} at once)`,
      rounds: Number(values.rounds),
      keepsAll: true,
      metrics: {
        'calls/s': { unit: '' },
        "home's processor time": { unit: 'us', better: 'lower' },
        lost: { unit: 'calls', better: 'lower' },
      },
      rows: [
        {
          name: 'ordinary calls, 64 pending',
          check: row('ordinary'),
          run: () =>
            measured(
              () => drive(modules.ordinary.count, VALUE, AT_ONCE, calls),
              calls,
              () => 0,
            ),
        },
        {
          name: 'oneway, over the link',
          check: row('link'),
          run: () =>
            measured(
              () => burst(modules.link, 'link', calls),
              calls,
              () => lostOf('link'),
            ),
        },
        {
          name: 'oneway, as datagrams',
          check: row('udp'),
          run: () =>
            measured(
              () => burst(modules.udp, 'udp', calls),
              calls,
              () => lostOf('udp'),
            ),
        },
      ],
    });
  } finally {
    clearInterval(alive);
    await ignis.close();
    await daemons.end();
  }
}

main().catch((error) => {
  process.exitCode = 1;
  console.error(error);
});
