'use strict';
/*
 * Finds which expressions of a file are functions of an imported module. In: the resolved names of a file. Out: for an expression, the
 * specifier it comes from and its path in the exports, if the text proves it: through `require`, `import`, `import()`, and constants and
 * patterns in between. A name that is assigned again or declared twice leads nowhere.
 */
const { isInteropName } = require('../wrap/interop');
const { keyOf } = require('./syntax-tree');
const { Map, Set } = require('../engine');

/** @typedef {import('./scopes').Names} Names */
/** @typedef {any} Node of ESTree */

/**
 * @typedef {object} Origin
 * @property {string} specifier as written
 * @property {string[]} path in the exports; a first 'default' may mean the exports themselves
 * @property {Node | null} recipe the second argument of `require`
 */

const MAKES_REQUIRE = new Set(['module', 'node:module']);

class Follower {
  #names;
  #isScript;
  /** @type {Map<Node, Origin | null>} */
  #known = new Map();

  /** @param {Names} names @param {boolean} isScript true: `require` exists without a declaration */
  constructor(names, isScript) {
    this.#names = names;
    this.#isScript = isScript;
  }

  /** @param {Node} node @returns {Origin | null} */
  originOf(node) {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    // A name defined by itself leads nowhere.
    this.#known.set(node, null);
    const found = this.#follow(node);
    this.#known.set(node, found);
    return found;
  }

  /**
   * @param {Node} node of a call
   * @returns {string | null} what it imports, if it is a `require` or `import()` of a literal name
   */
  importedBy(node) {
    if (node.type === 'ImportExpression') return textOf(node.source);
    if (node.type !== 'CallExpression' || !this.#isRequire(node.callee)) return null;
    return textOf(node.arguments[0]);
  }

  /**
   * @param {Node | null} node the second argument of `require`
   * @returns {Node | null} the object literal, if the text shows it
   */
  objectOf(node) {
    if (node?.type === 'ObjectExpression') return node;
    const value = node?.type === 'Identifier' ? this.#valueOf(node) : null;
    return value?.node?.type === 'ObjectExpression' && value.path?.length === 0 ? value.node : null;
  }

  /** @param {Node} node @returns {Origin | null} the imported function or class whose call or `new` made the object */
  makerOf(node) {
    const value = node.type === 'Identifier' ? this.#valueOf(node) : { node, path: [] };
    const isMade = value?.path?.length === 0 && (value.node?.type === 'CallExpression' || value.node?.type === 'NewExpression');
    return isMade ? this.originOf(value.node.callee) : null;
  }

  /** @param {Node} node @returns {Origin | null} */
  #follow(node) {
    switch (node.type) {
      case 'Identifier': {
        const value = this.#valueOf(node);
        if (value === null) return null;
        if (value.imported !== null) return { ...value.imported, recipe: null };
        return value.node === null || value.path === null ? null : below(this.originOf(value.node), value.path);
      }
      case 'MemberExpression': {
        const key = node.object.type === 'Super' ? null : keyOf(node);
        return key === null ? null : below(this.originOf(node.object), [key]);
      }
      case 'ChainExpression':
        return this.originOf(node.expression);
      case 'SequenceExpression':
        // `(0, x.parse)(a)`: compilers write a call of an import so.
        return this.originOf(node.expressions[node.expressions.length - 1]);
      case 'AssignmentExpression':
        return node.operator === '=' ? this.originOf(node.right) : null;
      case 'AwaitExpression': {
        const specifier = node.argument.type === 'ImportExpression' ? textOf(node.argument.source) : null;
        return specifier === null ? null : { specifier, path: [], recipe: null };
      }
      case 'CallExpression':
        return this.#followCall(node);
      default:
        return null;
    }
  }

  /** @param {Node} node @returns {Origin | null} */
  #followCall(node) {
    const { callee, arguments: args } = node;
    if (args.length > 0 && namesOf(callee).some(isInteropName)) return this.originOf(args[0]);
    const specifier = this.importedBy(node);
    return specifier === null ? null : { specifier, path: [], recipe: this.objectOf(args[1] ?? null) };
  }

  /** @param {Node} callee */
  #isRequire(callee) {
    if (callee.type !== 'Identifier') return false;
    const binding = this.#names.bindings.get(callee);
    if (binding === null) return this.#isScript && callee.name === 'require';
    const made = this.#valueOf(callee)?.node;
    if (made?.type !== 'CallExpression') return false;
    const maker = this.originOf(made.callee);
    return maker !== null && MAKES_REQUIRE.has(maker.specifier) && maker.path.at(-1) === 'createRequire';
  }

  /** The only value that a name ever has, besides undefined. @param {Node} name @returns {import('./scopes').Value | null} */
  #valueOf(name) {
    const binding = this.#names.bindings.get(name);
    if (binding === null || binding === undefined || binding.values.length !== 1) return null;
    const [value] = binding.values;
    if (binding.writes.length === 0) return value.isEmpty ? null : value;
    if (!value.isEmpty || binding.writes.length > 1) return null;
    const [{ node, path }] = binding.writes;
    return { node, path, isEmpty: false, imported: null, fn: null };
  }
}

/** @param {Origin | null} origin @param {string[]} path @returns {Origin | null} */
function below(origin, path) {
  return origin === null ? null : { ...origin, path: [...origin.path, ...path] };
}

/**
 * @param {Node} callee
 * @returns {string[]} the names that a helper may have: `_interopRequireDefault`, `tslib_1.__importDefault`, and swc's
 *   `_interop_require_default._`
 */
function namesOf(callee) {
  if (callee.type === 'Identifier') return [callee.name];
  return callee.type === 'MemberExpression' ? [keyOf(callee) ?? '', callee.object.name ?? ''] : [];
}

/** @param {Node | undefined} node @returns {string | null} */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0].value.cooked : null;
}

exports.Follower = Follower;
