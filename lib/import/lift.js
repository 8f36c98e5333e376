'use strict';
/*
 * Lift: calls of a module's functions that stand where `await` may stand become awaited ones. In: a source, and which functions of which imports are meant. Out:
 * the changed source with its map, what was lifted, and what was not, with the reason; null when there is nothing to do, or the source cannot be parsed. Pure:
 * it reads no file but a source map that the source names. What a lifted call becomes:
 *
 *   x.parse(a)     L.value(await L.method(x,"parse","x.parse")(a))      the receiver and the function are read first, then the arguments
 *   parse(a)       L.value(await L.call(parse,"parse")(a))              as ever; what is not a function throws when the arguments are there
 *   x?.parse(a)    L.value(await L.method(x,"parse","x?.parse",1)?.(a))
 *
 * It begins with a name and ends as a call, like what it takes the place of, so that semicolons which are not written still stand where they stood. A promise
 * that a function returns is not waited for: `value` gives it out.
 */
const fs = require('node:fs');
const { resolveNames } = require('./lift-scope');
const { childrenOf } = require('./lift-tree');
const { Follower } = require('./lift-follow');
const { whyNotHere } = require('./lift-place');
const { Edits, mapBefore, mapOf } = require('./lift-edit');
const { liftedIn } = require('./lift-recipe');

/** @typedef {any} Node of ESTree */
/** @typedef {null | true | readonly string[] | ((path: string) => boolean)} Lifted of a module: which of its functions, by their paths */

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
 * @property {readonly string[] | null} [names] of which the source must hold one, or there is nothing to do; null: not known
 * @property {string} [helperSpecifier] in a module, where `lifted` is imported from (lib/wrap/lifted.js)
 * @property {boolean} [mayWaitAtTop] in a module, whether it may have a top-level await (default true): `require` takes none that has
 *
 * @typedef {object} Outcome
 * @property {string} code with as many lines; without a map
 * @property {import('./lift-edit').MapRecord | null} map null: nothing was lifted
 * @property {string} helper the name that the code uses; a script is compiled with it as a parameter
 * @property {boolean} hadMap the source named a map
 * @property {Site[]} lifted
 * @property {Refusal[]} refused
 */

/** What every function and object has is no function of the module, unless a recipe names it. */
const EVERYBODYS = new Set([...Object.getOwnPropertyNames(Function.prototype), ...Object.getOwnPropertyNames(Object.prototype)]);

/** @param {string} source @param {'module' | 'script'} sourceType @returns {{program: Node, tokens: any[]} | null} null: it cannot be parsed */
function parse(source, sourceType) {
  // Loaded when the first source is to be lifted.
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
  const file = { names: resolved, source, isModule, mayWaitAtTop };
  const calls = callsIn(program, new Follower(resolved, !isModule), remember(liftedOf));
  /** @type {Site[]} */
  const lifted = [];
  /** @type {Refusal[]} */
  const refused = [];
  const edits = new Edits(source);
  const helper = freeName(source);
  const ends = lineEnds(source);
  for (const { node, origin } of calls) {
    const site = { ...placeOf(node.start, ends), call: printed(node.callee), specifier: origin.specifier, path: origin.path.join('.') };
    const reason = whyNotHere(node, file);
    if (reason !== null) refused.push({ ...site, reason });
    else {
      lifted.push(site);
      edit(node, edits, tokens, helper);
    }
  }
  if (lifted.length === 0) return refused.length === 0 ? null : { code: source, map: null, helper, hadMap: false, lifted, refused };
  // Imports come first wherever they stand.
  if (isModule) edits.insert(program.body[0].start, `import{lifted as ${helper}}from${JSON.stringify(helperSpecifier)};`);
  const before = mapBefore(source, filename, (path) => fs.readFileSync(path, 'utf8'));
  const { code, lines } = edits.apply();
  return { code, map: mapOf(lines, { filename, source, before }), helper, hadMap: before !== null, lifted, refused };
}

/**
 * @param {Node} program @param {Follower} follower @param {(specifier: string) => Lifted} liftedOf
 * @returns {{node: Node, origin: import('./lift-follow').Origin}[]} outer calls before inner ones
 */
function callsIn(program, follower, liftedOf) {
  /** @type {{node: Node, origin: import('./lift-follow').Origin}[]} */
  const found = [];
  const visit = (/** @type {Node} */ node) => {
    const origin = node.type === 'CallExpression' && follower.importedBy(node) === null ? follower.originOf(node.callee) : null;
    if (origin !== null && isMeant(origin, liftedIn(origin.recipe) ?? liftedOf(origin.specifier))) found.push({ node, origin });
    childrenOf(node).forEach(visit);
  };
  visit(program);
  return found;
}

/** @param {import('./lift-follow').Origin} origin @param {Lifted} lifted */
function isMeant({ path }, lifted) {
  if (lifted === null) return false;
  // An import's `default` is a property of an ES module, and all of a CommonJS one.
  const paths = path[0] === 'default' ? [path, path.slice(1)] : [path];
  if (lifted === true) return !EVERYBODYS.has(path[path.length - 1]);
  const names = (/** @type {string} */ name) => (typeof lifted === 'function' ? lifted(name) : lifted.includes(name));
  return paths.some((one) => names(one.join('.')));
}

/**
 * @param {Node} call @param {Edits} edits @param {any[]} tokens of the whole file @param {string} helper
 */
function edit(call, edits, tokens, helper) {
  const { callee } = call;
  const text = JSON.stringify(printed(callee));
  const open = openOf(call, tokens);
  const isMethod = callee.type === 'MemberExpression';
  const previous = tokens[firstFrom(tokens, call.start) - 1];
  // `return(0,x.parse)(a)` must not become one word.
  const space = previous?.end === call.start && isWord(previous) ? ' ' : '';
  edits.insert(call.start, `${space}${helper}.value(await ${helper}.${isMethod ? 'method' : 'call'}(`);
  const isOptional = (isMethod && callee.optional) || call.optional;
  const how = isOptional ? `,${(isMethod && callee.optional ? 1 : 0) + (call.optional ? 2 : 0)}` : '';
  if (isMethod) {
    // Parentheses around it would close too early.
    for (const one of between(tokens, call.start, callee.start)) edits.replace(one.start, one.end, ' ');
    for (const one of between(tokens, callee.object.end, callee.property.start)) {
      if (one.type.label !== ')') edits.replace(one.start, one.end, ',');
    }
    if (!callee.computed) edits.replace(callee.property.start, callee.property.end, JSON.stringify(callee.property.name));
    for (const one of between(tokens, callee.property.end, open.at)) edits.replace(one.start, one.end, ' ');
  }
  edits.insert(open.at, `,${text}${how})${isOptional && !call.optional ? '?.' : ''}`, isMethod ? callee.property.start : callee.start);
  edits.insert(call.end, ')');
}

/** @param {any} token */
const isWord = ({ type }) => type.keyword !== undefined || type.label === 'name';

/** @param {Node} call @param {any[]} tokens @returns {{at: number}} where `(` of its arguments, or `?.` before that, stands */
function openOf(call, tokens) {
  const end = call.arguments.length > 0 ? call.arguments[0].start : call.end;
  const inside = between(tokens, call.callee.end, end);
  if (call.optional) return { at: inside.find((one) => one.type.label === '?.').start };
  // Closing ones belong to the callee; the first that opens is the call's.
  return { at: inside.find((one) => one.type.label === '(').start };
}

/** @param {any[]} tokens @param {number} start @param {number} end @returns {any[]} those that stand between */
function between(tokens, start, end) {
  const found = [];
  for (let index = firstFrom(tokens, start); index < tokens.length && tokens[index].end <= end; index++) found.push(tokens[index]);
  return found;
}

/** @param {any[]} tokens @param {number} start @returns {number} index of the first that begins there or later */
function firstFrom(tokens, start) {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle].start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {Node} node @returns {string} a callee as V8 names it in "x.parse is not a function" */
function printed(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression': {
      const dot = node.optional ? '?.' : '.';
      const isText = node.computed && typeof node.property.value === 'string';
      return `${printed(node.object)}${dot}${isText ? node.property.value : node.property.name}`;
    }
    case 'CallExpression':
      return `${printed(node.callee)}(...)`;
    case 'ChainExpression':
      return printed(node.expression);
    case 'SequenceExpression':
      return `(${node.expressions.map(printed).join(' , ')})`;
    case 'Literal':
      return String(node.value);
    default:
      return '(intermediate value)';
  }
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

exports.EVERYBODYS = EVERYBODYS;
exports.liftSource = liftSource;
exports.parse = parse;
