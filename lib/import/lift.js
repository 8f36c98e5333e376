'use strict';
/*
 * Lift: calls of a module's functions become awaited ones, where `await` may stand. In: a source, and which functions of which imports are
 * meant. Out: the changed source with its map, what was lifted, and what was not, with the reason; null when there is nothing to do, or the
 * source cannot be parsed. Pure: it reads no file but a source map that the source names. What a lifted call becomes:
 *
 *   x.parse(a)     L.value(L.isAway(L.method(x,"parse","x.parse")(a))?await L.away():L.here())      the receiver and the function are read first, then the
 *   parse(a)       L.value(L.isAway(L.call(parse,"parse")(a))?await L.away():L.here())              arguments, as before; what is no function throws then
 *   x?.parse(a)    L.value(L.isAway(L.method(x,"parse","x?.parse",1)?.(a))?await L.away():L.here())
 *
 * Like the original it begins with a name and ends as a call, so automatic semicolons stay where they were. A call that stayed at home is
 * not awaited: what comes after it runs in the same turn, as before. Neither is a promise that the function itself returns.
 */
const fs = require('node:fs');
const { resolveNames } = require('./scopes');
const { childrenOf } = require('./syntax-tree');
const { Follower } = require('./lift-follow');
const { waitsAtTop, whyNotHere } = require('./lift-place');
const { Deepening } = require('./lift-deep');
const { Edits, mapBefore, mapOf } = require('./lift-edit');
const { liftedIn } = require('./lift-recipe');
const { closeCall, printed, writeAsync, writeCall } = require('./lift-write');
const { Map, Set } = require('../engine');

/** @typedef {any} Node of ESTree */
/** @typedef {{(path: string): boolean, isDeep?: boolean}} Chosen */
/** @typedef {null | true | 'deep' | readonly string[] | Chosen} Lifted which functions of a module are lifted, by their paths */
/** @typedef {{node: Node, origin: import('./lift-follow').Origin, isDeep: boolean}} Call */

/**
 * @typedef {object} Site
 * @property {number} line from 1
 * @property {number} column from 1
 * @property {string} call 'uri.parse'
 * @property {string} specifier
 * @property {string} path in the exports
 *
 * @typedef {Site & {reason: string}} Refusal
 *
 * @typedef {object} Given
 * @property {string} source
 * @property {string} filename absolute
 * @property {'module' | 'script'} sourceType
 * @property {(specifier: string) => Lifted} liftedOf
 * @property {readonly string[] | null} [names] a source with none of these has nothing to lift; null: not known
 * @property {string} [helperSpecifier] in a module, where `lifted` is imported from (lib/wrap/lifted.js)
 * @property {boolean} [mayWaitAtTop] whether a module without a top-level await may get one (default true): `require` refuses a module that
 *   has one, and an importer of one runs later than the modules after it
 *
 * @typedef {object} Outcome
 * @property {string} code with as many lines as the source; without a map
 * @property {import('./lift-edit').MapRecord | null} map null: nothing was lifted
 * @property {string} helper the name that the code uses; a script is compiled with it as a parameter
 * @property {boolean} hadMap the source named a map
 * @property {Site[]} lifted
 * @property {Refusal[]} refused
 */

/** What every function and object has does not count as a function of the module, unless a recipe names it. */
const EVERYBODYS = new Set([...Object.getOwnPropertyNames(Function.prototype), ...Object.getOwnPropertyNames(Object.prototype)]);

/** Finds special imports: `import source m from`, `import defer * as m from`, and `import.source(...)`, `import.defer(...)`. */
const PHASES =
  /\bimport(?:\s+(?:source|defer)(?=\s+(?:\*|[\p{ID_Start}$_][\p{ID_Continue}$]*\s+from\b))|\s*\.\s*(?:source|defer)(?=\s*\())/gu;

/** @param {string} source @returns {string} of the same length, with plain imports: acorn knows no others */
const withoutPhases = (source) => source.replace(PHASES, (text) => `import${text.slice('import'.length).replaceAll(/\S/g, ' ')}`);

/**
 * @param {string} source
 * @param {'module' | 'script'} sourceType
 * @returns {{program: Node, tokens: any[]} | null} null: it cannot be parsed
 */
function parse(source, sourceType) {
  const parsed = parseAs(source, sourceType);
  if (parsed !== null) return parsed;
  const plain = withoutPhases(source);
  return plain === source ? null : parseAs(plain, sourceType);
}

/** @param {string} source @param {'module' | 'script'} sourceType @returns {{program: Node, tokens: any[]} | null} */
function parseAs(source, sourceType) {
  // Loaded only when the first source is to be lifted.
  const acorn = require('acorn');
  /** @type {any[]} */
  const tokens = [];
  try {
    const program = acorn.parse(source, {
      ecmaVersion: 'latest',
      sourceType: sourceType === 'module' ? 'module' : 'commonjs',
      allowHashBang: true,
      onToken: tokens,
    });
    return { program, tokens };
  } catch {
    return null;
  }
}

/** @param {Given} given @returns {Outcome | null} */
function liftSource({ source, filename, sourceType, liftedOf, names = null, helperSpecifier, mayWaitAtTop = true }) {
  if (names !== null && !names.some((name) => source.includes(name))) return null;
  const parsed = parse(source, sourceType);
  if (parsed === null) return null;
  const { program, tokens } = parsed;
  const resolved = resolveNames(program);
  const isModule = sourceType === 'module';
  const follower = new Follower(resolved, !isModule);
  const calls = callsIn(program, follower, remember(liftedOf));
  const { lifted, refused, plans } = sort(
    calls,
    { names: resolved, source, isModule, mayWaitAtTop: mayWaitAtTop || waitsAtTop(program) },
    follower,
  );
  const helper = freeName(source);
  const sites = { lifted: lifted.map(({ site }) => site), refused };
  if (lifted.length === 0) return refused.length === 0 ? null : { code: source, map: null, helper, hadMap: false, ...sites };
  const edits = new Edits(source);
  const target = { edits, tokens, helper };
  // Imports come first, wherever they stand.
  if (isModule) edits.insert(program.body[0].start, `import{lifted as ${helper}}from${JSON.stringify(helperSpecifier)};`);
  for (const { node } of lifted) closeCall(node, target);
  for (const plan of plans) writeAsync(plan, target);
  for (const { node } of lifted) writeCall(node, target);
  const before = mapBefore(source, filename, (path) => fs.readFileSync(path, 'utf8'));
  const { code, lines } = edits.apply();
  return { code, map: mapOf(lines, { filename, source, before }), helper, hadMap: before !== null, ...sites };
}

/**
 * @param {Call[]} calls
 * @param {import('./lift-place').File} file
 * @param {Follower} follower
 * @returns {{lifted: {node: Node, site: Site}[], refused: Refusal[], plans: Set<import('./lift-deep').Plan>}}
 */
function sort(calls, file, follower) {
  const deepening = new Deepening(file, follower);
  const ends = lineEnds(file.source);
  /** @type {{node: Node, site: Site}[]} */
  const lifted = [];
  /** @type {Refusal[]} */
  const refused = [];
  /** @type {Set<import('./lift-deep').Plan>} */
  const plans = new Set();
  for (const { node, origin, isDeep } of calls) {
    const site = { ...placeOf(node.start, ends), call: printed(node.callee), specifier: origin.specifier, path: origin.path.join('.') };
    const plain = whyNotHere(node, file);
    const deep = plain !== null && isDeep ? deepening.whyNotDeep(node, plain) : plain;
    if (typeof deep === 'string') refused.push({ ...site, reason: deep });
    else {
      lifted.push({ node, site });
      if (deep !== null) plans.add(deep);
    }
  }
  return { lifted, refused, plans };
}

/**
 * @param {Node} program @param {Follower} follower @param {(specifier: string) => Lifted} liftedOf
 * @returns {Call[]} outer calls before inner ones
 */
function callsIn(program, follower, liftedOf) {
  /** @type {Call[]} */
  const found = [];
  const visit = (/** @type {Node} */ node) => {
    const origin = node.type === 'CallExpression' && follower.importedBy(node) === null ? follower.originOf(node.callee) : null;
    const meant = origin === null ? null : (liftedIn(origin.recipe) ?? liftedOf(origin.specifier));
    const isDeep = meant === 'deep' || (typeof meant === 'function' && meant.isDeep === true);
    if (origin !== null && isMeant(origin, meant)) found.push({ node, origin, isDeep });
    childrenOf(node).forEach(visit);
  };
  visit(program);
  return found;
}

/** @param {import('./lift-follow').Origin} origin @param {Lifted} lifted */
function isMeant({ path }, lifted) {
  if (lifted === null) return false;
  // The `default` of an import is one property of an ES module, but all of a CommonJS one.
  const paths = path[0] === 'default' ? [path, path.slice(1)] : [path];
  if (lifted === true || lifted === 'deep') return !EVERYBODYS.has(path[path.length - 1]);
  const names = (/** @type {string} */ name) => (typeof lifted === 'function' ? lifted(name) : lifted.includes(name));
  return paths.some((one) => names(one.join('.')));
}

/** @param {string} source @returns {string} a name that does not occur in it */
function freeName(source) {
  let name = '__ignisLift';
  while (source.includes(name)) name += '_';
  return name;
}

/** @param {string} source @returns {number[]} where each line but the first begins */
function lineEnds(source) {
  return [...source.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map(({ index, 0: end }) => index + end.length);
}

/** @param {number} at @param {number[]} starts @returns {{line: number, column: number}} */
function placeOf(at, starts) {
  const line = starts.filter((start) => start <= at).length;
  return { line: line + 1, column: at - (line === 0 ? 0 : starts[line - 1]) + 1 };
}

/** @template T @param {(key: string) => T} ask @returns {(key: string) => T} */
function remember(ask) {
  /** @type {Map<string, T>} */
  const known = new Map();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const answer = ask(key);
    known.set(key, answer);
    return answer;
  };
}

exports.liftSource = liftSource;
exports.parse = parse;
