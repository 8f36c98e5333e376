'use strict';

// The wiki run plain, with Ignis (its two lines; or none, and a recipe file with `lift`), with piscina by hand, and with node:cluster.
//   node bench/wiki.js [--json] [--only saturated,fixed,memory,kill,react,watch] [--rounds 3] [--seconds 8] [--rate 100]
//   node bench/wiki.js --profile-only      the same as --only watch: what watching costs while nothing is distributed
// In: nothing but the options. Out: a table for each part.
// All programs of a part run at the same time but take load in turn.

const { endOnSignals } = require('./lib/ending.js');
const { valuesOf } = require('./lib/options.js');
const { kill, react } = require('./wiki/events.js');
const { fixed, memory, saturated } = require('./wiki/steady.js');
const { watch } = require('./wiki/watch.js');

/** @typedef {import('./wiki/rows.js').Options} Options */

/** @type {Record<string, (options: Options) => Promise<unknown>>} */
const PARTS = { saturated, fixed, memory, kill, react, watch };

async function main() {
  const values = valuesOf(__filename, {
    json: { type: 'boolean' },
    only: { type: 'string', default: Object.keys(PARTS).join(',') },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    rate: { type: 'string', default: '100' },
    'profile-only': { type: 'boolean', default: false },
  });
  const wanted = values['profile-only'] ? ['watch'] : values.only.split(',');
  /** @type {Options} */
  const options = { rounds: Number(values.rounds), seconds: Number(values.seconds), rate: Number(values.rate) };
  for (const part of wanted) {
    if (!Object.hasOwn(PARTS, part))
      throw new Error(`there is no part ${JSON.stringify(part)}; there are ${Object.keys(PARTS).join(', ')}`);
    await PARTS[part](options);
  }
}

if (require.main === module) {
  endOnSignals();
  main().catch((error) => {
    console.error(`bench/wiki: ${error.message}`);
    process.exitCode = 1;
  });
}
