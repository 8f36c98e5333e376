'use strict';
/*
 * What the source of a function names of the world: the clock, random numbers, the environment, timers; and what it assigns to that is not its own. Tests do not come everywhere, and a call
 * to Math.random in a branch that no test took shows in no replay. In: a function. Out: what its own source, and that of the functions it calls by name, speaks of. Text is read, nothing is run; what it reaches by
 * other ways (methods of objects it is given) is not found.
 */

const { namedGlobals } = require('./globals');

/** @type {readonly [RegExp, string][]} */
const NAMES = Object.freeze([
  [/\bMath\s*\.\s*random\b/, 'Math.random'],
  [/\bDate\s*\.\s*now\b|\bDate\s*\(\s*\)|\bnew\s+Date\s*(?:\(\s*\)|[;,)\]])/, 'the time'],
  [/\b(?:performance|hrtime)\b/, 'the time'],
  [/\b(?:crypto|randomBytes|randomUUID|randomInt|getRandomValues)\b/, 'random numbers'],
  [/\bprocess\s*\.\s*(?!nextTick\b)/, 'process'],
  [/\b(?:setTimeout|setInterval)\b/, 'timers'],
  [/\beval\b|\bFunction\s*\(/, 'code that is made while it runs'],
]);
const MOST_FUNCTIONS = 400;

/** `name.member[other] =`, `name++`, `name ||=`: the name, and what follows it */
const ASSIGNED =
  /(?<![\w$.])([A-Za-z_$][\w$]*)((?:\s*\.\s*[\w$]+|\s*\[[^\]\n]*\])*)\s*(?:=(?![=>])|[-+*/%&|^]=|\*\*=|<<=|>>>?=|\?\?=|&&=|\|\|=|\+\+|--)/g;
const CHANGING =
  /(?<![\w$.])([A-Za-z_$][\w$]*)((?:\s*\.\s*[\w$]+)*)\s*\.\s*(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear)\s*\(/g;
const DECLARED =
  /\b(?:var|let|const)\b([^;]*)|\b(?:function|class)\s+([\w$]+)|(?<!\b(?:if|for|while|switch|with)\s*)\(([^()]*)\)\s*(?:=>|\{)|([\w$]+)\s*=>/g;

const sourceOf = Function.prototype.toString;

/** @param {string} source @returns {string} without comments and quoted texts; roughly */
function bare(source) {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, ' ');
}

/**
 * @param {Function} fn
 * @param {any} holder what it was found in
 * @param {import('./scopes').Scopes} scopes
 * @param {readonly string[]} [globals] that its module has made
 * @returns {string[]} 'Math.random', ...
 */
function suspectsOf(fn, holder, scopes, globals = []) {
  /** @type {Set<string>} */
  const found = new Set();
  const seen = new Set();
  /** @type {[any, any][]} */
  const open = [[fn, holder]];
  for (let next = open.pop(); next !== undefined && seen.size < MOST_FUNCTIONS; next = open.pop()) {
    const [one, self] = next;
    if (typeof one !== 'function' || seen.has(one)) continue;
    seen.add(one);
    const source = sourceOf.call(one);
    if (source.includes('[native code]')) continue;
    const text = bare(source);
    for (const [pattern, name] of NAMES) if (pattern.test(text)) found.add(name);
    const hidden = scopes.hidden(one);
    for (const name of namedGlobals(text, globals)) found.add(`the global ${name}`);
    for (const what of changesIn(text, hidden, one === fn)) found.add(what);
    open.push(...namedIn(text, hidden, self));
  }
  return [...found];
}

/** @param {string} text @param {[string, any][]} hidden @param {boolean} isFirst its arguments are the caller's @returns {string[]} what it would change, of its surroundings and its arguments */
function changesIn(text, hidden, isFirst) {
  const parameters = new Set((/^[^(]*\(([^)]*)\)/.exec(text)?.[1] ?? /^(?:async\s+)?([\w$]+)\s*=>/.exec(text)?.[1] ?? '').match(/[\w$]+/g));
  const local = new Set([...text.matchAll(DECLARED)].flatMap(([, list, name, inner, only]) => namesOf(list ?? name ?? inner ?? only)));
  const found = [];
  for (const [, name, members] of [...text.matchAll(ASSIGNED), ...[...text.matchAll(CHANGING)].map(([all, name]) => [all, name, '.'])]) {
    if (isFirst && parameters.has(name) && members !== '') found.push(`a change of its argument '${name}'`);
    const isOuter = !local.has(name) && hidden.some(([kind, variables]) => kind.startsWith('scope') && Object.hasOwn(variables, name));
    if (isOuter) found.push(`a change of '${name}'`);
  }
  return found;
}

/** @param {string} list 'a = 1, b' @returns {string[]} */
function namesOf(list) {
  return [...list.matchAll(/(?:^|,)\s*(?:\.\.\.)?([\w$]+)/g)].map(([, name]) => name);
}

/** @param {string} text @param {[string, any][]} hidden @param {any} self @returns {[any, any][]} functions that it names, each with what it was found in */
function namedIn(text, hidden, self) {
  /** @type {[any, any][]} */
  const named = [];
  for (const [, name, member] of text.matchAll(/(?<![\w$.])([A-Za-z_$][\w$]*)(?:\s*\.\s*([A-Za-z_$][\w$]*))?/g)) {
    const scope = hidden.find(([kind, variables]) => kind.startsWith('scope') && Object.hasOwn(variables, name));
    const value = name === 'this' ? self : scope?.[1][name];
    if (name !== 'this') named.push([value, undefined]);
    if (member === undefined || value === null || (typeof value !== 'object' && typeof value !== 'function')) continue;
    named.push([Reflect.getOwnPropertyDescriptor(value, member)?.value, value]);
  }
  return named;
}

exports.suspectsOf = suspectsOf;
