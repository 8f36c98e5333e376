'use strict';

// `npm run faults:fs -- [seeds] [first seed] [--cluster nats|etcd]`: storms of growing size over both modes, `eventual` also with more
// disks than copies (spread), each with the checks of checks.js. With --cluster those of `eventual`, with their log on a server that is
// killed and started again, too. Ends with 1 where one fails, and names its seed.

const { parseArgs } = require('node:util');
const { needs, startEtcd, startNats } = require('../helpers/servers');
const { checkStorm } = require('./checks');
const { storm } = require('./storm');

/** @param {string | undefined} kind */
async function serverOf(kind) {
  if (kind === undefined) return undefined;
  if (kind !== 'nats' && kind !== 'etcd') throw new Error(`--cluster is nats or etcd, not ${kind}`);
  const skip = () => {};
  return (kind === 'nats' ? startNats : startEtcd)(needs(kind, { skip }));
}

async function main(args) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { cluster: { type: 'string' } } });
  const [count = '20', first = '1'] = positionals;
  for (const text of [count, first]) if (!/^\d+$/.test(text)) throw new Error(`seeds are whole numbers, not ${text}`);
  const server = await serverOf(values.cluster);
  let failed = 0;
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    for (const mode of server === undefined ? ['strong', 'eventual', 'spread'] : ['eventual', 'spread']) {
      const seen = await storm({
        mode,
        seed,
        server,
        steps: 18,
        kills: 4,
        cuts: 3,
        ...(mode === 'strong' && process.platform === 'linux' ? { stops: 2 } : {}),
      });
      const problems = await checkStorm(mode, seen);
      failed += problems.length;
      const told = problems.length === 0 ? 'well' : problems.join('\n  ');
      process.stdout.write(
        `${mode} ${seed}: ${seen.killed} nodes killed, ${seen.cut} cut off, ${seen.stopped} stopped for good, the server killed ${seen.crashed} times, ${seen.lost} operations lost with a word: ${told}\n`,
      );
    }
  }
  await server?.end();
  process.exitCode = failed === 0 ? 0 : 1;
}

void main(process.argv.slice(2));
