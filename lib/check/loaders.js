'use strict';
/*
 * By what the files of a program are translated and found, as far as Node's arguments say so: `node --import tsx --test`. In:
 * process.execArgv of a process of the tests. Out: of it what a replica of a module needs, and not Ignis itself.
 */

/** With a value, in the same word or in the next. */
const LOADS = /^(?:-r|--require|--import|--(?:experimental-)?loader|-C|--conditions)(?:=(?<value>.*))?$/s;
const TRANSLATES = /^--experimental-(?:strip|transform)-types$/;
const OURS = /(?:^|[\\/])ignis[\\/](?:lib[\\/])?register(?:\.js)?$/;

/** @param {readonly string[]} execArgv @returns {string[]} */
function loadersOf(execArgv) {
  const kept = [];
  for (let i = 0; i < execArgv.length; i++) {
    const found = LOADS.exec(execArgv[i]);
    if (found === null && !TRANSLATES.test(execArgv[i])) continue;
    const words = found === null || found.groups?.value !== undefined ? [execArgv[i]] : [execArgv[i], execArgv[++i] ?? ''];
    if (!OURS.test(found?.groups?.value ?? words[1] ?? '')) kept.push(...words);
  }
  return kept;
}

exports.loadersOf = loadersOf;
