'use strict';
/*
 * The conditions that a program adds for `exports` and `imports` of packages (`node -C development`). They decide which file a name means,
 * so a replica on a host needs them too, or it would load other files than home. In: the arguments of Node, and its variable. Out: their
 * names; on the host, the arguments that say the same.
 */
const { bare, wordsOf } = require('../boot/node-options');
const { Set, isArray } = require('../engine');

const FLAG = /^(?:-C|--conditions)(?:=(.*))?$/s;
const NAME = /^[\w@.:/-]{1,64}$/;
const MOST = 32;

/**
 * @param {readonly string[]} [execArgv]
 * @param {string} [options] NODE_OPTIONS
 * @returns {string[]} those of this program; `areConditions` accepts them
 */
function ownConditions(execArgv = process.execArgv, options = undefined) {
  const words = [...wordsOf(options).map(bare), ...execArgv];
  const names = words.flatMap((word, i) => {
    const found = FLAG.exec(word);
    return found === null ? [] : [found[1] ?? words[i + 1] ?? ''];
  });
  return [...new Set(names)].filter((name) => NAME.test(name)).slice(0, MOST);
}

/** @param {any} value @returns {boolean} */
const areConditions = (value) =>
  isArray(value) && value.length <= MOST && value.every((name) => typeof name === 'string' && NAME.test(name));

/** @param {readonly string[]} conditions @returns {string[]} arguments of Node */
const flagsOf = (conditions) => conditions.map((name) => `--conditions=${name}`);

exports.areConditions = areConditions;
exports.flagsOf = flagsOf;
exports.ownConditions = ownConditions;
