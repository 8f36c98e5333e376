'use strict';
/*
 * Labels say what a value may be part of, and what built-in functions make of it. "'cache'" is what that variable holds, "'cache'." a part
 * of it; "~list='cache'" is a new object whose property `list` holds such a part: changing the object does not change the cache, changing
 * what is in it does. `~*=` is any property, `~*-a,b=` any but these. Pure.
 */

/** @typedef {Set<string>} Labels */
/** @typedef {{params: Labels[], self: Labels}} Handed to a function */

/** @type {Labels} */
const NOBODY = Object.freeze(new Set());
/** How many nested new objects are told apart. */
const DEEPEST = 2;
/** Labels of one value; with more, new objects that hold parts of one thing are no longer told apart. */
const MOST_LABELS = 24;
const HELD = /^~([^=]*)=(.*)$/s;

/** Methods that answer with texts, numbers, facts, or new lists of these. */
const FRESH = new Set([
  ...Object.getOwnPropertyNames(Number.prototype),
  ...Object.getOwnPropertyNames(String.prototype).filter((name) => !/^(?:at|concat|slice|valueOf)$/.test(name)),
  ...Object.getOwnPropertyNames(Date.prototype),
  ...'exec test push unshift join includes indexOf lastIndexOf some every findIndex findLastIndex has delete clear forEach keys'.split(' '),
  ...'hasOwnProperty isPrototypeOf propertyIsEnumerable'.split(' '),
]);
FRESH.delete('valueOf');
/** Methods that answer with new lists of what was there. */
const HOLDING = new Set(
  'slice filter concat flat flatMap splice map with toSorted toReversed toSpliced values entries assign from of'.split(' '),
);
/** Methods that answer with a part of what was there. */
const PARTS = new Set('at find findLast get pop shift reduce reduceRight next'.split(' '));
/** Methods whose answers may contain their arguments. */
const TAKES = /^(?:concat|with|splice|toSpliced|assign|from|of|reduce(?:Right)?)$/;
/** Functions of `Object` and `Reflect` that answer with their first argument, or a part of it. */
const FIRST = /^(?:define\w*|freeze|seal|preventExtensions|setPrototypeOf|getPrototypeOf|get)$/;
/** Global functions that answer only with new values. */
const MAKERS =
  /^(?:Math|JSON|String|Number|BigInt|Boolean|Symbol|Date|RegExp|Error|RangeError|TypeError|SyntaxError|parseInt|parseFloat|isNaN|isFinite|structuredClone|(?:en|de)codeURI(?:Component)?|Intl|Atomics)$/;

/** @param {Labels[]} all @returns {Labels} */
function union(...all) {
  const some = all.filter((one) => one !== undefined && one.size > 0);
  if (some.length < 2) return some[0] ?? NOBODY;
  /** @type {Set<string>} */
  const whole = new Set();
  for (const one of some) addTo(whole, one);
  return limited(whole);
}

/** @param {Labels} labels @returns {Labels} if there are too many, with less told apart */
function limited(labels) {
  if (labels.size <= MOST_LABELS) return labels;
  return new Set([...labels].map((label) => (label.startsWith('~') ? `~*=${lastOf(label)}` : label)));
}

/** @param {Labels} labels @param {string} [where] the property @returns {Labels} those of a new object that holds the value there */
function held(labels, where = '*') {
  if (labels.size === 0) return NOBODY;
  const place = /[=,]/.test(where) && !where.startsWith('*-') ? '*' : where;
  // Anything deeper counts as being anywhere within the deepest level that is told apart.
  return new Set([...labels].map((label) => `~${place}=${label.split('~').length > DEEPEST ? `~*=${lastOf(label)}` : label}`));
}

/**
 * @param {Set<string>} known new ones are added
 * @param {Iterable<string>} more
 * @returns {boolean} whether any was new
 */
function addTo(known, more) {
  let isNew = false;
  for (const label of more) {
    if (known.has(label) || (label.startsWith('~') && known.has(`~*=${lastOf(label)}`))) continue;
    isNew = true;
    known.add(known.size < MOST_LABELS || !label.startsWith('~') ? label : `~*=${lastOf(label)}`);
  }
  return isNew;
}

/** @param {string} label */
const lastOf = (label) => label.slice(label.lastIndexOf('=') + 1);

/** @param {Labels} labels @param {string | null} key of the property; null: any of them @returns {Labels} those of what is there */
function partsOf(labels, key = null) {
  if (labels.size === 0) return NOBODY;
  return new Set([...labels].flatMap((label) => partOf(label, key)));
}

/** @param {string} label @param {string | null} key @returns {string[]} */
function partOf(label, key) {
  const [, place, inner] = HELD.exec(label) ?? [];
  if (place === undefined) return [/^(?:'.*'|%\w+)$/s.test(label) ? `${label}.` : label];
  if (key === null || place === '*' || place === key) return [inner];
  return place.startsWith('*-') && !place.slice(2).split(',').includes(key) ? [inner] : [];
}

/** @param {Labels} labels @returns {string[]} to whom the value itself may belong */
const ownOf = (labels) => [...labels].filter((label) => !label.startsWith('~'));

/** @param {Labels} labels @returns {Labels} those of a new list or object with the same contents */
const copied = (labels) => union(new Set([...labels].filter((label) => label.startsWith('~'))), held(new Set(ownOf(labels))));

/**
 * What a method answers of which only the name is known.
 *
 * @param {string | null} name
 * @param {Labels} receiver
 * @param {Labels[]} args
 * @returns {Labels}
 */
function answerOf(name, receiver, args) {
  if (name === null) return union(receiver, ...args);
  if (FRESH.has(name)) return NOBODY;
  if (HOLDING.has(name)) return union(copied(receiver), ...(TAKES.test(name) ? args.map(copied) : []));
  if (PARTS.has(name)) return union(partsOf(receiver), ...(TAKES.test(name) ? args : []));
  return union(receiver, ...args.map((labels) => held(labels)));
}

/**
 * What global functions answer: `Object.values(a)`, `String(a)`.
 *
 * @param {string[]} path of their names
 * @param {Labels[]} args
 * @returns {Labels | null} null: it is none of these
 */
function answerOfGlobal([name, member], args) {
  if (MAKERS.test(name)) return NOBODY;
  const [first = NOBODY, ...rest] = args;
  if (name === 'Object' || name === 'Reflect') {
    if (member === undefined || FIRST.test(member)) return first;
    if (member === 'assign') return union(first, ...rest.map(copied));
    return /^(?:values|entries|fromEntries|groupBy|getOwnPropertyDescriptors?)$/.test(member) ? copied(first) : NOBODY;
  }
  if (/^(?:Array|Map|Set|WeakMap|Promise|Buffer|\w+Array|DataView)$/.test(name)) return union(...args.map(copied));
  return null;
}

/**
 * @param {Labels} labels of an object
 * @param {string} key that gets a new value
 * @returns {Labels}
 */
function without(labels, key) {
  if (/[=,]/.test(key)) return labels;
  const kept = [...labels].filter((label) => !label.startsWith(`~${key}=`));
  return new Set(kept.map((label) => label.replace(/^~\*(-[^=]*)?=/, (_, known) => `~*${known === undefined ? '-' : `${known},`}${key}=`)));
}

/** @param {string} name @returns {boolean} whether an unknown method of this name may put its arguments into its object */
const isStoring = (name) =>
  !FRESH.has(name) && !HOLDING.has(name) && !PARTS.has(name) && !/^(?:concat|at|slice|valueOf|then|catch|finally|sort|reverse)$/.test(name);

/** @param {Handed | undefined} known @param {Handed} more @returns {Handed} the known one if there is nothing new */
function joined(known, more) {
  if (known === undefined) return more;
  const length = Math.max(known.params.length, more.params.length);
  const params = Array.from({ length }, (_, i) => union(known.params[i] ?? NOBODY, more.params[i] ?? NOBODY));
  const self = union(known.self, more.self);
  const isMore = self.size > known.self.size || params.some((labels, i) => labels.size > (known.params[i]?.size ?? 0));
  return isMore ? { params, self } : known;
}

/**
 * A function's own arguments, while it is read to learn what it puts into them: `%0` is the first, `%this`.
 *
 * @param {string} label
 */
const isMark = (label) => lastOf(label).startsWith('%');

/** @param {string} label @returns {string} that of the variable, if it is a part of what that holds */
const wholeOf = (label) => label.replace(/^('.*')\.$/s, '$1');

/** @param {Labels} labels @returns {string[]} those of variables that hold the value itself, or something that it is part of */
const wholesOf = (labels) =>
  ownOf(labels)
    .filter((label) => !isMark(label))
    .map(wholeOf);

/** @param {Labels} labels @returns {Labels} */
const unmarked = (labels) => ([...labels].some(isMark) ? new Set([...labels].filter((label) => !isMark(label))) : labels);

/**
 * What a method answers, judging by what its callback answers.
 *
 * @param {string | null} name
 * @param {Labels} labels
 * @returns {Labels}
 */
const answerWith = (name, labels) => (name !== null && HOLDING.has(name) ? held(labels) : labels);

exports.NOBODY = NOBODY;
exports.answerWith = answerWith;
exports.addTo = addTo;
exports.answerOf = answerOf;
exports.answerOfGlobal = answerOfGlobal;
exports.copied = copied;
exports.held = held;
exports.joined = joined;
exports.isMark = isMark;
exports.isStoring = isStoring;
exports.ownOf = ownOf;
exports.partsOf = partsOf;
exports.union = union;
exports.unmarked = unmarked;
exports.wholeOf = wholeOf;
exports.wholesOf = wholesOf;
exports.without = without;
