'use strict';
/*
 * Which files are forced into a replica: IGNIS_FORCE. In: names of packages, or of what they give out (lodash/fp), folders, files, and
 * globs of files, as somebody wrote them. Out: whether a file is one of them, and which of them are none. An import from a file that is
 * none to one that is crosses; what is below `node_modules` of a forced folder is not meant.
 */
const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const { realOf } = require('../boot/real-path');
const { mayMean, nearest } = require('../option-table');
const { globExpression, toPattern } = require('../recipe/pattern');
const { identify, packageOf } = require('./module-id');
const { filesOf, hasPackage, missing } = require('./targets');
const engine = require('../engine');

const { Map } = engine;

/** What a package gives out besides its main file, 'lodash/fp'; the package's name is the first group. */
const NAME_IN_PACKAGE = /^((?:@[\w.-]+\/)?(?![.@])[\w.-]+)\/.*[^/]$/s;

/** @typedef {(filename: string) => boolean} Means */

/**
 * @param {string} text 'lodash', './lib', 'lib/*.js,index.js': separated by commas
 * @param {string} cwd what relative names are relative to
 * @returns {Means}
 */
function parseForce(text, cwd) {
  const all = partsOf(text).map((part) => parseOne(part, cwd));
  /** @type {Map<string, boolean>} */
  const known = new Map();
  return (filename) => {
    let answer = known.get(filename);
    if (answer === undefined) known.set(filename, (answer = all.some((means) => means(filename))));
    return answer;
  };
}

/** @param {string} part @param {string} cwd @returns {Means} */
function parseOne(part, cwd) {
  const place = path.resolve(cwd, part);
  if (part.includes('*')) {
    const expression = globExpression(place);
    return (filename) => expression.test(filename);
  }
  const real = realOf(place);
  if (real === null && NAME_IN_PACKAGE.test(part)) {
    const { means } = toPattern(part);
    return (filename) => means(identify({ filename, appRoot: cwd }));
  }
  if (real === null || (!/^[./]/.test(part) && isPackageName(part) && !fs.existsSync(place))) {
    return (filename) => packageOf(filename)?.name === part;
  }
  if (!fs.statSync(real).isDirectory()) return (filename) => filename === real;
  const folder = real + path.sep;
  const modules = `${path.sep}node_modules${path.sep}`;
  return (filename) => filename.startsWith(folder) && !filename.slice(real.length).includes(modules);
}

/**
 * @param {string} text as for parseForce
 * @param {string} cwd
 * @param {string} appRoot absolute; where packages and the nearest names are looked for
 * @returns {string[]} what of it has no effect, as sentences
 */
function idleIn(text, cwd, appRoot) {
  return partsOf(text).flatMap((part) => {
    const why = whyIdle(part, cwd, appRoot);
    return why === null ? [] : [`force names '${part}', and ${why}`];
  });
}

/**
 * Globs may mean files that are still to come.
 *
 * @param {string} part
 * @param {string} cwd
 * @param {string} appRoot
 * @returns {string | null}
 */
function whyIdle(part, cwd, appRoot) {
  if (part.includes('*') || fs.existsSync(path.resolve(cwd, part))) return null;
  const within = NAME_IN_PACKAGE.exec(part);
  if (within !== null && hasPackage(within[1], appRoot)) return null;
  const isName = !part.startsWith('.') && isPackageName(part);
  if (isName && hasPackage(part, appRoot)) return null;
  if (isBuiltin(part)) return 'a built-in is not forced';
  const packaged = isName ? missing(part, appRoot)?.nearest : undefined;
  const isOther = packaged !== undefined && !packaged.startsWith('./') && !isBuiltin(packaged);
  const file = nearest(part, filesOf(appRoot, false));
  const hint = isOther ? packaged : fromHere(mayMean(part, file) ? file : '', cwd, appRoot);
  return `there is no such ${isName ? 'package, file or folder' : 'file or folder'}${hint === '' ? '' : `; the nearest is '${hint}'`}`;
}

/**
 * As it has to be written here.
 *
 * @param {string} file './lib/a.js', from the program's root; or ''
 * @param {string} cwd
 * @param {string} appRoot
 * @returns {string}
 */
function fromHere(file, cwd, appRoot) {
  if (file === '') return '';
  const name = path.relative(cwd, path.join(appRoot, file));
  return name.startsWith('.') ? name : `./${name}`;
}

/** @param {string} text @returns {string[]} */
const partsOf = (text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** @param {string} part */
const isPackageName = (part) => /^(?:@[\w.-]+\/)?[\w.-]+$/.test(part);

exports.idleIn = idleIn;
exports.parseForce = parseForce;
