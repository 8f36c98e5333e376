'use strict';

// The wiki as it would be if nobody had thought of Ignis: its two lines are written the ordinary way.
// In: a folder. Out: a copy of the wiki there. The wiki itself is only read.

const fs = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');
const WIKI = path.join(ROOT, 'examples', 'wiki');
const LEFT_OUT = new Set(['node_modules', 'data', 'test', 'load']);

/** The two lines of lib/links.js, and what they were. */
const LINES = /** @type {const} */ ([
  ["require('uri-js', { call: 'await', pure: true, copies: [0, 4] })", "require('uri-js')"],
  ['await uri.parse(link)', 'uri.parse(link)'],
]);

/**
 * @param {string} target a folder that is not there yet
 * @returns {string} the same
 * @throws {Error} when the wiki has other lines now
 */
function layOutPlain(target) {
  fs.cpSync(WIKI, target, { recursive: true, filter: (file) => !LEFT_OUT.has(path.relative(WIKI, file)) });
  const nearest = [WIKI, ROOT]
    .map((folder) => path.join(folder, 'node_modules'))
    .find((folder) => fs.existsSync(path.join(folder, 'uri-js')));
  fs.symlinkSync(nearest ?? path.join(ROOT, 'node_modules'), path.join(target, 'node_modules'), 'junction');
  const links = path.join(target, 'lib', 'links.js');
  let text = fs.readFileSync(links, 'utf8');
  for (const [written, plain] of LINES) {
    if (!text.includes(written)) throw new Error(`${links} does not say ${written}`);
    text = text.replace(written, plain);
  }
  fs.writeFileSync(links, text);
  return target;
}

exports.layOutPlain = layOutPlain;
