'use strict';

// How many of this machine's cores fall to each module.
// In: the load of every module that has replicas or may get some. Out: a number of cores for each. Pure.

/**
 * Shares by load. Each module gets at least one core, since one replica already frees the event loop; a module that is
 * alone with its load gets them all.
 * @param {Map<string, number>} loads by module: how many cores it could keep busy
 * @param {number} cpus
 * @returns {Map<string, number>} whole cores by module, each at least 1
 */
function shareCores(loads, cpus) {
  let total = 0;
  for (const load of loads.values()) total += load;
  const shares = new Map();
  for (const [module, load] of loads) {
    const cores = total === 0 ? cpus : Math.round((cpus * load) / total);
    shares.set(module, Math.min(cpus, Math.max(1, cores)));
  }
  return shares;
}

exports.shareCores = shareCores;
