'use strict';
/*
 * Reads IGNIS_FORCE: which files are forced into a replica. In: names of packages or of their further entries (lodash/fp), folders, files
 * and globs, as somebody wrote them. Out: whether a file is one of them, and which names match nothing. An import crosses if it leads from
 * a file that is not forced to one that is. A forced folder does not include what is below its `node_modules`.
 */
const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const { realOf } = require('../boot/real-path');
const { mayMean, nearest, nearestIs } = require('../option-table');
const { globExpression, toPattern } = require('../recipe/pattern');
const { identify, packageOf } = require('./module-id');
const { filesOf, hasPackage, missing } = require('./targets');
const engine = require('../engine');

const { Map } = engine;

/** An entry of a package besides its main file, 'lodash/fp'; the first group is the package's name. */
const NAME_IN_PACKAGE = /^((?:@[\w.-]+\/)?(?![.@])[\w.-]+)\/.*[^/]$/s;

/** @typedef {(filename: string) => boolean} Means */

/**
 * @param {string} text 'lodash', './lib', 'lib/*.js,index.js': separated by commas
 * @param {string} cwd the folder that relative names start from
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
 * @param {string} appRoot absolute; where packages and similar names are looked for
 * @returns {string[]} sentences on what has no effect
 */
function idleIn(text, cwd, appRoot) {
  return partsOf(text).flatMap((part) => {
    const why = whyIdle(part, cwd, appRoot);
    return why === null ? [] : [`force names '${part}', but ${why}`];
  });
}

/**
 * Why a part matches nothing, or null. Globs may be meant for files that do not exist yet.
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
  if (isBuiltin(part)) return 'a built-in cannot be forced';
  const packaged = isName ? missing(part, appRoot)?.nearest : undefined;
  const isOther = packaged !== undefined && !packaged.startsWith('./') && !isBuiltin(packaged);
  const file = nearest(part, filesOf(appRoot, false));
  const hint = isOther ? packaged : fromHere(mayMean(part, file) ? file : '', cwd, appRoot);
  return `there is no such ${isName ? 'package, file or folder' : 'file or folder'}${nearestIs(hint)}`;
}

/**
 * The name of a file as it must be written in IGNIS_FORCE here.
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
