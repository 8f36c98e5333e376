'use strict';

// Does Ignis decide well? Workloads that want different things, each plain, in the best static configuration, and with Ignis
// deciding alone.
//   node bench/decide.js [--json] [--only one-hot,burst] [--rounds 3] [--seconds 4] [--seed 1]
// In: nothing but the options. Out: for each workload a table of all configurations and what Ignis decided; then three tables:
// how near Ignis came to the best, the steps it took, and what it had foretold against what was measured. A run that is ended early
// (Ctrl+C) prints them of the workloads that are done.

const { machine } = require('./lib/harness.js');
const { valuesOf } = require('./lib/options.js');
const { WORKLOADS } = require('./decide/list.js');
const { measure } = require('./decide/measure.js');
const { details, predictions, sentences, steps, verdicts } = require('./decide/tables.js');

/** @param {string} text shown in place on a terminal, nowhere else */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

async function main() {
  const values = valuesOf(__filename, {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(WORKLOADS).join(',') },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  });
  const [rounds, seconds, seed] = [values.rounds, values.seconds, values.seed].map(positive);
  const names = values.only.split(',');
  const unknown = names.find((name) => !Object.hasOwn(WORKLOADS, name));
  if (unknown !== undefined)
    throw new Error(`there is no workload ${JSON.stringify(unknown)}; there are ${Object.keys(WORKLOADS).join(', ')}`);
  /** @type {import('./decide/measure.js').Result[]} */
  const results = [];
  const title = 'decide: Ignis alone against the best static configuration';
  const tell = () => {
    if (values.json) console.log(JSON.stringify({ title, rounds, seconds, seed, results, machine: machine() }));
    else if (results.length > 0) console.log(summary(title, results, rounds));
  };
  const endEarly = (/** @type {NodeJS.Signals} */ _signal, /** @type {number} */ number) => {
    tell();
    process.exit(128 + number);
  };
  process.once('SIGINT', endEarly).once('SIGTERM', endEarly);
  for (const name of names) {
    try {
      const result = await measure(name, { rounds, seconds, seed, progress });
      results.push(result);
      progress('');
      if (!values.json) console.log(`${details(result)}\n\n${sentences(result)}`);
    } catch (error) {
      // An hour of others' figures is not thrown away for one that failed.
      progress('');
      console.error(`bench/decide: ${/** @type {Error} */ (error).message}`);
      process.exitCode = 1;
    }
  }
  tell();
}

/** @param {string} value @returns {number} @throws {Error} */
function positive(value) {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new Error(`${JSON.stringify(value)} is not a whole number from 1 on`);
  return count;
}

/** @param {string} title @param {import('./decide/measure.js').Result[]} results @param {number} rounds @returns {string} */
function summary(title, results, rounds) {
  const { node, platform, cores, cpu, date } = machine();
  const foot = `medians of ${rounds === 1 ? '1 round' : `${rounds} rounds`}; Node ${node}, ${platform}, ${cores} cores, ${cpu}, ${date}`;
  return [`\n## ${title}`, verdicts(results), steps(results), predictions(results), foot].join('\n\n');
}

if (require.main === module) {
  main().catch((error) => {
    console.error(`bench/decide: ${error.message}`);
    process.exitCode = 1;
  });
}
