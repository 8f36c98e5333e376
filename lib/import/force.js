'use strict';
/*
 * Which files are forced into a replica: IGNIS_FORCE. In: names of packages, folders, files, and globs of files, as somebody wrote them. Out: whether a file
 * is one of them. An import from a file that is none to one that is crosses; what is below `node_modules` of a forced folder is not meant.
 */
const fs = require('node:fs');
const path = require('node:path');
const { packageOf } = require('./module-id');
const engine = require('../engine');

const { Map } = engine;

/** @typedef {(filename: string) => boolean} Means */

/**
 * @param {string} text 'lodash', './lib', 'lib/*.js,index.js': separated by commas
 * @param {string} cwd what relative names are relative to
 * @returns {Means}
 */
function parseForce(text, cwd) {
  const all = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => parseOne(part, cwd));
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
  if (real === null || (!/^[./]/.test(part) && isPackageName(part) && !fs.existsSync(place))) {
    return (filename) => packageOf(filename)?.name === part;
  }
  if (!fs.statSync(real).isDirectory()) return (filename) => filename === real;
  const folder = real + path.sep;
  const modules = `${path.sep}node_modules${path.sep}`;
  return (filename) => filename.startsWith(folder) && !filename.slice(real.length).includes(modules);
}

/** @param {string} place @returns {string | null} */
function realOf(place) {
  try {
    return fs.realpathSync(place);
  } catch {
    return null;
  }
}

/** @param {string} part */
const isPackageName = (part) => /^(?:@[\w.-]+\/)?[\w.-]+$/.test(part);

/** @param {string} glob absolute; * within a folder, ** across folders */
function globExpression(glob) {
  const source = glob.split(/(\*+)/).map((part) => {
    if (part === '*') return '[^/]*';
    return part.startsWith('**') ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`);
}

exports.parseForce = parseForce;
