'use strict';
/*
 * `node -r ignis/register program.js`: starts Ignis before the program's first import. In: environment variables and the recipe file. If
 * something is wrong with them, the process ends at once with one sentence and exit code 2: no program starts half-configured.
 */
require('./import/refuse-bundle').refuseBundle(module);
const { isHooksThread, isLeftAlone, isReplica } = require('./import/watched');

// A replica inherits home's preloads, this one too. It watches nothing there, and loading all of Ignis would take half of its start.
if (!isHooksThread() && !isReplica() && !isLeftAlone()) startNow();

function startNow() {
  try {
    require('./index').start({}, 'the environment');
  } catch (/** @type {any} */ error) {
    // Not by its class: if Ignis cannot run at all, the error is of another copy's class.
    if (!String(error?.code).startsWith('IGNIS_')) throw error;
    process.stderr.write(`ignis: ${error.message} (${error.code})\n`);
    if (process.env.IGNIS_DEBUG) process.stderr.write(`${error.stack}\n`);
    process.exit(2);
  }
}
