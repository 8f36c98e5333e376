'use strict';
/*
 * Writes the module that stands between an ES module and one that it imports. In: these two, and the names of the exports. Out: its address
 * and its source. Names whose value may change later are handed through, so that they stay live; for all others, it asks for wrappers once
 * the module has run.
 */
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const EDGES = pathToFileURL(path.join(__dirname, 'es-edges.js')).href;
/** What follows the mark belongs to another hook (import-in-the-middle), which may also have written a space as a plus. */
const MARK = /\?ignis-edge=([^&#]*).*$/;

/**
 * @typedef {object} Edge by addresses
 * @property {string} url of the imported module
 * @property {string} parentFile absolute
 * @property {number} depth of the importing file
 * @property {boolean} isResident the imported module lives in a replica and is not loaded here
 * @property {string} [recipe] the number under which the recipe of this import is kept
 */

/**
 * @param {Edge} edge
 * @returns {string} the address of the module between: the imported module's with a mark, so that it still gives the right file name;
 *   written as `URL` does, since Node takes no other form from a hook
 */
function addressOf({ url, parentFile, depth, isResident, recipe }) {
  const mark = encodeURIComponent(JSON.stringify([parentFile, depth, isResident, recipe]));
  return `${url}?ignis-edge=${mark.replaceAll("'", '%27')}`;
}

/** @param {string | undefined} address @returns {Edge | null} null: not a module between */
function edgeAt(address) {
  const found = address === undefined ? null : MARK.exec(address);
  if (found === null) return null;
  const [parentFile, depth, isResident, recipe] = JSON.parse(decodeURIComponent(found[1].replaceAll('+', ' ')));
  return { url: /** @type {string} */ (address).replace(MARK, ''), parentFile, depth, isResident, recipe: recipe ?? undefined };
}

/**
 * @typedef {object} Settled a name that is wrapped
 * @property {string} name
 * @property {import('./es-source').Early} early what it is before the module between has run, which shows in a circle
 * @param {Edge} edge
 * @param {object} of
 * @param {Settled[]} of.settled
 * @param {string[]} of.live names that are handed through unwrapped
 * @param {boolean} of.isCommonJs its `default` is the exports object
 * @param {boolean} [of.isClose] as an Edge of the hook has it
 * @param {'names' | 'with default' | 'none'} [of.rest] whether all other names are handed through, too
 */
function wrapperSource(edge, { settled, live, isCommonJs, isClose, rest = 'none' }) {
  const real = JSON.stringify(edge.url);
  const given = JSON.stringify({ ...edge, isCommonJs, isClose, names: settled.map(({ name }) => name) });
  const all = settled.map((_, index) => `$${index}`).join(', ');
  const exported = settled.map(({ name }, index) => `$${index} as ${JSON.stringify(name)}`);
  const lines = [
    edge.isResident ? 'const real = null;' : `import * as real from ${real};`,
    `import edges from ${JSON.stringify(EDGES)};`,
    ...settled.map(({ name, early }, index) => declarationOf(`$${index}`, name, early)),
    `[${all}] = edges.hand(${given}, real, (later) => ([${all}] = later));`,
    `export { ${exported.join(', ')} };`,
  ];
  if (live.length > 0) lines.push(`export { ${live.map((name) => JSON.stringify(name)).join(', ')} } from ${real};`);
  if (rest !== 'none') lines.push(plainLine(real, rest === 'with default'));
  return withName(lines.join('\n'));
}

/**
 * Its address begins like that of the true module, and coverage tools would take it for that.
 * @param {string} source
 * @returns {string}
 */
function withName(source) {
  return `${source}\n//# sourceURL=ignis-edge`;
}

/** @param {string} variable @param {string} name @param {import('./es-source').Early} early @returns {string} */
function declarationOf(variable, name, early) {
  if (early !== 'function') return `${early ?? 'let'} ${variable};`;
  const real = `real[${JSON.stringify(name)}]`;
  const made = `Reflect.construct(${real}, arguments, new.target === ${variable} ? ${real} : new.target)`;
  return `function ${variable}() { return new.target ? ${made} : Reflect.apply(${real}, this, arguments) }`;
}

/** @param {string} url @param {boolean} hasDefault @returns {string} source of a module that hands everything through */
function plainSource(url, hasDefault) {
  return withName(plainLine(JSON.stringify(url), hasDefault));
}

/**
 * @param {string} url of a CommonJS module that threw while it loaded
 * @param {string[]} names
 * @returns {string} source of a module that throws the same
 */
function failedSource(url, names) {
  const exported = names.map((name) => `none as ${JSON.stringify(name)}`).join(', ');
  return withName(`import edges from ${JSON.stringify(EDGES)};\nlet none;\nedges.fail(${JSON.stringify(url)});\nexport { ${exported} };`);
}

/** @param {string} real as a literal @param {boolean} hasDefault @returns {string} */
function plainLine(real, hasDefault) {
  return `export * from ${real};${hasDefault ? ` export { default } from ${real};` : ''}`;
}

exports.EDGES = EDGES;
exports.addressOf = addressOf;
exports.edgeAt = edgeAt;
exports.failedSource = failedSource;
exports.wrapperSource = wrapperSource;
exports.plainSource = plainSource;
