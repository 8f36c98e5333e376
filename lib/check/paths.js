'use strict';
/*
 * Where the names in a function lead, as far as its text says: to a variable around it, through which properties; variables of its own that
 * are set once are followed. In: a function read as syntax. Out: paths. Pure.
 */
const { childrenOf, keyOf, leavesOf } = require('../import/syntax-tree');

/** @typedef {any} Node of ESTree */
/**
 * @typedef {{path: string[], isOpen: boolean}} Path names and properties; the first is 'this' or a variable around the function; `isOpen`:
 *   some property follows that the text does not say
 */

const MOST_ALIASES = 9;
/** @type {WeakMap<import('./syntax').Source, Path[]>} */
const known = new WeakMap();

/** @param {Node} node @returns {Node} without what does not change where it leads: `a?.b`, `(0, a.b)` */
function bare(node) {
  if (node.type === 'ChainExpression') return bare(node.expression);
  return node.type === 'SequenceExpression' ? bare(node.expressions.at(-1)) : node;
}

/**
 * Includes the name of the function or class itself: all its calls share it.
 *
 * @param {Node} name
 * @param {import('./syntax').Source} source
 * @returns {boolean}
 */
function isOuter(name, { fn, names }) {
  const binding = names.bindings.get(name);
  if (binding === null || binding === undefined) return binding === null;
  const { owner } = binding.scope;
  return (owner === fn || owner.type === 'Program') && binding.name === fn.id?.name && binding.values.length === 1;
}

/**
 * @param {Node} node
 * @param {import('./syntax').Source} source
 * @param {number} [depth]
 * @returns {Path | null} null: to something of its own
 */
function pathOf(node, source, depth = 0) {
  const one = bare(node);
  if (one.type === 'ThisExpression') return { path: ['this'], isOpen: false };
  if (one.type === 'MemberExpression') {
    const from = pathOf(one.object, source, depth);
    return from === null || from.isOpen ? from : further(from, [indexOf(one, source, depth)]);
  }
  if (one.type !== 'Identifier') return null;
  if (isOuter(one, source)) return { path: [one.name], isOpen: false };
  const binding = source.names.bindings.get(one);
  const [value] = binding?.values ?? [];
  if (!value?.node || binding?.values.length !== 1 || binding.writes.length > 0 || depth > MOST_ALIASES) return null;
  const from = pathOf(value.node, source, depth + 1);
  return from === null || from.isOpen ? from : further(from, value.path ?? [null]);
}

/** @param {Path} from @param {(string | null)[]} names @returns {Path} */
function further({ path }, names) {
  const end = names.indexOf(null);
  return { path: [...path, .../** @type {string[]} */ (end < 0 ? names : names.slice(0, end))], isOpen: end >= 0 };
}

/** @param {Node} member @param {import('./syntax').Source} source @param {number} depth @returns {string | null} */
function indexOf(member, source, depth) {
  if (typeof member.property.value === 'number') return String(member.property.value);
  if (!member.computed || !source.constant || depth > MOST_ALIASES) return keyOf(member);
  const index = pathOf(member.property, source, depth + 1);
  return index === null || index.isOpen ? keyOf(member) : source.constant(index.path);
}

/** @param {import('./syntax').Source} source @returns {Path[]} each that it names, once */
function pathsIn(source) {
  const earlier = known.get(source);
  if (earlier !== undefined) return earlier;
  /** @type {Map<string, Path>} */
  const found = new Map();
  const add = (/** @type {Path | null} */ one) => {
    if (one !== null) found.set(`${one.path.join('\0')}\0${one.isOpen}`, one);
  };
  const visit = (/** @type {Node} */ node) => {
    if (/^(?:MemberExpression|ThisExpression)$/.test(node.type) || source.names.bindings.has(node)) add(pathOf(node, source));
    const [pattern, value] = node.type === 'VariableDeclarator' ? [node.id, node.init] : [node.left, node.right];
    if (/^(?:VariableDeclarator|AssignmentExpression)$/.test(node.type) && /Pattern$/.test(pattern.type) && value) {
      const from = pathOf(value, source);
      if (from !== null && !from.isOpen) for (const leaf of leavesOf(pattern)) add(further(from, leaf.path ?? [null]));
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(source.fn);
  const paths = [...found.values()];
  known.set(source, paths);
  return paths;
}

exports.bare = bare;
exports.isOuter = isOuter;
exports.pathOf = pathOf;
exports.pathsIn = pathsIn;
