'use strict';

// `npm run faults:fs -- [seeds] [first seed]`: storms of growing size over both modes, `eventual` also with more disks than copies (spread), each with the checks of checks.js. Ends with 1 where one fails, and names its seed.

const { checkStorm } = require('./checks');
const { storm } = require('./storm');

async function main([count = '20', first = '1']) {
  let failed = 0;
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    for (const mode of ['strong', 'eventual', 'spread']) {
      const seen = await storm({
        mode,
        seed,
        steps: 18,
        kills: 4,
        cuts: 3,
        ...(mode === 'strong' && process.platform === 'linux' ? { stops: 2 } : {}),
      });
      const problems = await checkStorm(mode, seen);
      failed += problems.length;
      const told = problems.length === 0 ? 'well' : problems.join('\n  ');
      process.stdout.write(
        `${mode} ${seed}: ${seen.killed} nodes killed, ${seen.cut} cut off, ${seen.stopped} stopped for good, ${seen.lost} operations lost with a word: ${told}\n`,
      );
    }
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

void main(process.argv.slice(2));
