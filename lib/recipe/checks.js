'use strict';

// Checks values of a recipe's fields, where several rows need a check or it takes more than a line. In: a value as somebody wrote it. Out:
// true, or what it must be, as the end of a sentence. Pure.

const { isPlainObject, oneOf, wholeNumber } = require('../option-table.js');
const { checkTarget } = require('./pattern.js');
const { Object, Set, isArray, isFinite } = require('../engine');

/** @typedef {import('../option-table.js').OptionRow} OptionRow */

/** @type {OptionRow['check']} */
const hook = (value) => typeof value === 'function' || 'a function';

/** @type {OptionRow['check']} */
function targets(value) {
  for (const target of isArray(value) ? value : [value]) {
    const verdict = checkTarget(target);
    if (verdict !== true) return `${verdict}, or a list of these`;
  }
  return true;
}

const isCount = wholeNumber(0, 1000);

/** @type {OptionRow['check']} */
function copies(value) {
  if (typeof value === 'boolean' || isCount(value) === true) return true;
  const isRange = isArray(value) && value.length === 2 && value.every((count) => isCount(count) === true);
  if (!isRange) return 'true, false, a whole number from 0 to 1000, or [least, most] of these';
  const [least, most] = value;
  return least <= most || `[least, most] with the smaller number first: [${most}, ${least}]`;
}

/** @type {OptionRow['check']} */
const depth = (value) => value === Infinity || wholeNumber(1, 1e9)(value) === true || 'a whole number from 1 to 1000000000, or Infinity';

/** @type {OptionRow['check']} */
const sched = (value) =>
  typeof value === 'function' ||
  oneOf(['least', 'rr', 'hash', 'weighted', 'elu'])(value) === true ||
  "'least', 'rr', 'hash', 'weighted', 'elu' or a function";

/** @type {OptionRow['check']} */
const order = (value) => value === true || value === false || value === 'results' || "true, 'results' or false";

/** @type {OptionRow['check']} */
const names = (value) =>
  (isArray(value) && value.every((name) => typeof name === 'string')) || "a list of names of functions (['use', 'setOptions'])";

/** @type {OptionRow['check']} */
const lift = (value) =>
  typeof value === 'boolean' ||
  value === 'deep' ||
  names(value) === true ||
  "true, false, 'deep' or a list of names of functions (['parse'])";

/** @type {OptionRow['check']} */
const oneway = (value) => typeof value === 'boolean' || names(value) === true || "true, false or a list of names of functions (['log'])";

/** @type {OptionRow['check']} */
const folder = (value) => (typeof value === 'string' && value !== '') || "the path of a folder ('data')";

/** @type {OptionRow['check']} */
const folders = (value) =>
  (isArray(value) && value.length > 0 && value.every((one) => folder(one) === true) && new Set(value).size === value.length) ||
  "a list of different folders (['data', '/mnt/b/data'])";

/** @type {OptionRow['check']} */
const share = (value) => (typeof value === 'number' && value >= 0 && value <= 1) || 'a number from 0 to 1';

// What is below `modules` and `functions` is checked by checkRecipe, name by name, so that a message can name it.
/** @type {OptionRow['check']} */
const below = (value) => isPlainObject(value) || 'an object';

/** @type {OptionRow['check']} */
const name = (value) => (typeof value === 'string' && value.trim() === value && value !== '') || 'a name without spaces around it';

const isPort = wholeNumber(1, 65535);
const NODE = "a list of hosts, each { ip, port, name?, weight? }: [{ ip: '192.0.2.7', port: 7100 }]";

/** @type {OptionRow['check']} */
function nodes(value) {
  if (!isArray(value) || value.length > 256) return NODE;
  for (const node of value) {
    if (!isPlainObject(node) || name(node.ip) !== true || isPort(node.port) !== true) return NODE;
    if (node.name !== undefined && name(node.name) !== true) return NODE;
    if (node.weight !== undefined && weight(node.weight) !== true) return NODE;
    if (Object.keys(node).some((field) => !['ip', 'port', 'name', 'weight'].includes(field))) return NODE;
  }
  return true;
}

/** @type {OptionRow['check']} */
const weight = (value) => (isFinite(value) && value > 0 && value <= 1e6) || 'a number above 0, at most 1000000';

/** @type {OptionRow['check']} */
const variables = (value) =>
  (isArray(value) && value.every((one) => typeof one === 'string' && one !== '' && !/[=\0]/.test(one))) ||
  "a list of names of environment variables (['DATABASE_URL'])";

const isTime = wholeNumber(1, 86400000);

/** @type {OptionRow['check']} */
const hedge = (value) => typeof value === 'boolean' || isTime(value) === true || 'true, false or a whole number of ms from 1 to 86400000';

exports.below = below;
exports.copies = copies;
exports.depth = depth;
exports.folder = folder;
exports.folders = folders;
exports.hedge = hedge;
exports.hook = hook;
exports.lift = lift;
exports.name = name;
exports.names = names;
exports.nodes = nodes;
exports.oneway = oneway;
exports.order = order;
exports.sched = sched;
exports.share = share;
exports.targets = targets;
exports.variables = variables;
exports.weight = weight;
