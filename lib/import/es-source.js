'use strict';
/*
 * Reads from the source of a module what it imports and exports, before anything has run. In: source and format. Out: names. A source that
 * cannot be parsed gives null: such a module stays as it is.
 */
const { bindingsOf, declaredBy } = require('./es-bindings');
const { withoutTypes } = require('./strip-types');
const { Map, Set } = require('../engine');

/**
 * @typedef {object} Surface
 * @property {Map<string, Exported>} exports
 * @property {string[]} stars specifiers of `export * from`
 * @property {string[]} imports specifiers of all static imports and re-exports, each once
 * @property {Map<string, Set<string>>} wanted by specifier: the names that are imported from it one by one
 * @property {Map<string, Set<string>>} read by specifier: the names that are read from its namespace, whether they exist or not
 * @property {Set<string> | null} whole specifiers from which it may ask for any name; null: all of them
 * @property {boolean} hasMeta whether it contains `import.meta`
 * @property {boolean} isCommonJs
 *
 * @typedef {{isLive: boolean, early: Early} | {from: string, name: string | null}} Exported the module's own, with isLive: it may change
 *   after the module has run; or another module's, with `name` null for its whole namespace
 *
 * @typedef {'function' | 'var' | null} Early what a name is before the module has run: a function, undefined, or nothing that can be read
 */

/** Comments and texts. */
const NO_CODE = /\/\*[^]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"|`(?:[^`\\]|\\[^])*`/g;
const DEFAULT = /\bexport\s+default\b(?!\s+(?:interface|type)\s+\w)|\bexport\s*\*\s*as\s+default\b/;
/** The names between braces; and one of them that is the default export. */
const NAMES = /\bexport\s*\{([^}]*)\}/g;
const AS_DEFAULT = /^(?!type\s)(?:[^]*\sas\s+)?default$/;

const META = /\bimport\s*\.\s*meta\b/;

const TYPESCRIPT = new Set(['module-typescript', 'commonjs-typescript']);

const OPTIONS = Object.freeze({ ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });

/**
 * @param {string} source
 * @param {string} format as a load hook tells it
 * @param {string} filename
 * @returns {Surface | null}
 */
function surfaceOf(source, format, filename) {
  const text = TYPESCRIPT.has(format) ? withoutTypes(source) : source;
  if (text === null) return null;
  if (format.startsWith('commonjs')) return ofCommonJs(text);
  // A loader that has not translated it yet may call TypeScript a module.
  const program = parse(text) ?? (/\.[cm]?tsx?$/.test(filename) ? parse(withoutTypes(text) ?? '') : null);
  return program === null ? null : ofModule(program, META.test(text));
}

/** @param {string} source */
function parse(source) {
  if (source === '') return null;
  const acorn = require('acorn');
  try {
    return acorn.parse(source, OPTIONS);
  } catch {
    return Object.keys(Object.prototype).length > 0 ? parseApart(acorn, source) : null;
  }
}

/**
 * acorn goes through its options and nodes by `for (... in ...)`, and meets what a program has put on `Object.prototype`. A getter there
 * that throws (test suites have one) would make parsing impossible.
 * @param {any} acorn which the program may have, too
 * @param {string} source
 */
function parseApart(acorn, source) {
  const { Node, Parser, defaultOptions } = acorn;
  class Apart extends Parser {
    copyNode(/** @type {any} */ node) {
      return Object.assign(new Node(this, node.start), node);
    }
  }
  const prototype = Object.getPrototypeOf(defaultOptions);
  Object.setPrototypeOf(defaultOptions, null);
  try {
    return Apart.parse(source, OPTIONS);
  } catch {
    return null;
  } finally {
    Object.setPrototypeOf(defaultOptions, prototype);
  }
}

/**
 * The only source of this fact where a module cannot be parsed here: `export *` hands on all names but this one.
 * @param {string} source
 * @returns {boolean} whether it has a default export, as far as one can tell without parsing; a type does not count
 */
function hasDefaultIn(source) {
  const code = source.replace(NO_CODE, ' ');
  return DEFAULT.test(code) || [...code.matchAll(NAMES)].some(([, names]) => names.split(',').some((name) => AS_DEFAULT.test(name.trim())));
}

/** @param {string} source @returns {Surface | null} */
function ofCommonJs(source) {
  try {
    const found = require('cjs-module-lexer').parse(source);
    /** @type {Exported} */
    const settled = { isLive: false, early: 'var' };
    const exports = new Map([...found.exports, 'default'].map((name) => [name, settled]));
    return {
      exports,
      stars: [...found.reexports],
      imports: [],
      wanted: new Map(),
      read: new Map(),
      whole: null,
      hasMeta: false,
      isCommonJs: true,
    };
  } catch {
    return null;
  }
}

/** @param {any} name of an import or export: an identifier or a string @returns {string} */
const textOf = (name) => name.name ?? name.value;

/** @param {any} program @param {boolean} hasMeta @returns {Surface} */
function ofModule(program, hasMeta) {
  const { changing, asked, members } = bindingsOf(program);
  const early = earlyNames(program);
  /** @type {Surface} */
  const surface = {
    ...{ exports: new Map(), stars: [], imports: [], wanted: new Map(), read: new Map() },
    ...{ whole: asked, hasMeta, isCommonJs: false },
  };
  /** @type {Map<string, Exported>} by local name: what was imported under it */
  const imported = new Map();
  for (const node of program.body) {
    if (typeof node.source?.value === 'string') noteImport(surface, imported, members, node);
  }
  const local = (/** @type {string} */ name) => imported.get(name) ?? { isLive: changing.has(name), early: early.get(name) ?? null };
  for (const node of program.body) {
    if (node.type === 'ExportAllDeclaration') {
      if (node.exported === null) surface.stars.push(node.source.value);
      else surface.exports.set(textOf(node.exported), { from: node.source.value, name: null });
    } else if (node.type === 'ExportDefaultDeclaration') {
      const isFunction = node.declaration.type === 'FunctionDeclaration';
      surface.exports.set('default', { isLive: changing.has(node.declaration.id?.name), early: isFunction ? 'function' : null });
    } else if (node.type === 'ExportNamedDeclaration') {
      for (const name of node.declaration ? declaredBy(node.declaration) : []) surface.exports.set(name, local(name));
      for (const one of node.specifiers) {
        const name = textOf(one.local);
        surface.exports.set(textOf(one.exported), node.source ? { from: node.source.value, name } : local(name));
      }
    }
  }
  return surface;
}

/** @param {any} program @returns {Map<string, Early>} */
function earlyNames(program) {
  /** @type {Map<string, Early>} */
  const found = new Map();
  for (const statement of program.body) {
    const node = statement.declaration ?? statement;
    const isVar = node.type === 'VariableDeclaration' && node.kind === 'var';
    if (isVar || node.type === 'FunctionDeclaration') for (const name of declaredBy(node)) found.set(name, isVar ? 'var' : 'function');
  }
  return found;
}

/**
 * @param {Surface} surface
 * @param {Map<string, Exported>} imported
 * @param {Map<string, Set<string> | null>} members
 * @param {any} node that names another module
 */
function noteImport(surface, imported, members, node) {
  const from = node.source.value;
  if (!surface.imports.includes(from)) surface.imports.push(from);
  let names = surface.wanted.get(from);
  if (names === undefined) surface.wanted.set(from, (names = new Set()));
  if (node.type === 'ExportAllDeclaration') surface.whole?.add(from);
  for (const one of node.specifiers ?? []) {
    if (one.type === 'ImportNamespaceSpecifier') {
      imported.set(one.local.name, { from, name: null });
      const read = members.get(one.local.name) ?? null;
      if (read === null) surface.whole?.add(from);
      else surface.read.set(from, new Set([...(surface.read.get(from) ?? []), ...read]));
    } else {
      const name = one.type === 'ImportDefaultSpecifier' ? 'default' : textOf(one.imported ?? one.local);
      names.add(name);
      if (node.type === 'ImportDeclaration') imported.set(one.local.name, { from, name });
    }
  }
}

exports.hasDefaultIn = hasDefaultIn;
exports.surfaceOf = surfaceOf;
