'use strict';
/*
 * The arguments of Node that say how a program's files are translated and found: `node --import tsx --test`. In: process.execArgv of a test
 * process. Out: those that a replica of a module needs, without Ignis itself.
 */
const path = require('node:path');

/** With a value, in the same word or in the next. */
const LOADS = /^(?:-r|--require|--import|--(?:experimental-)?loader|-C|--conditions)(?:=(?<value>.*))?$/s;
const TRANSLATES = /^--experimental-(?:strip|transform)-types$/;
/** What `ignis check` has Node load, in a checkout that may have any name: newer Nodes hand it on to each test file as an argument. */
const REGISTER = path.join(__dirname, '..', 'register.js');
const OURS = /(?:^|[\\/])ignis[\\/](?:lib[\\/])?register(?:\.js)?$/;

/** @param {readonly string[]} execArgv @returns {string[]} */
function loadersOf(execArgv) {
  const kept = [];
  for (let i = 0; i < execArgv.length; i++) {
    const found = LOADS.exec(execArgv[i]);
    if (found === null && !TRANSLATES.test(execArgv[i])) continue;
    const words = found === null || found.groups?.value !== undefined ? [execArgv[i]] : [execArgv[i], execArgv[++i] ?? ''];
    const loaded = found?.groups?.value ?? words[1] ?? '';
    if (loaded !== REGISTER && !OURS.test(loaded)) kept.push(...words);
  }
  return kept;
}

exports.loadersOf = loadersOf;
