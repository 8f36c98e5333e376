// Preloaded before the tests of a suite: the package is imported by ES modules, and `require` of it in the tests gives what those got. In: SUITES_SOURCES, the package's own code; SUITES_LIST, a file with the
// names of the modules that tests require, which the first run (SUITES_RECORD) finds out. Out: tests that use the package through `import` without knowing.

import fs from 'node:fs';
import Module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = Module.createRequire(import.meta.url);
const { parseForce } = require('../../../lib/import/force.js');

const { SUITES_SOURCES = '', SUITES_LIST = '', SUITES_RECORD } = process.env;
const isSource = parseForce(SUITES_SOURCES, process.cwd());

/** @returns {string[]} */
const listed = () => (fs.existsSync(SUITES_LIST) ? JSON.parse(fs.readFileSync(SUITES_LIST, 'utf8')) : []);

/** @param {(filename: string, isPlain: () => any) => any} answer for a `require` that enters the package */
function patch(answer) {
  const load = Module._load;
  Module._load = function (request, parent) {
    const plain = () => Reflect.apply(load, this, arguments);
    if (typeof parent?.filename !== 'string' || isSource(parent.filename) || Module.isBuiltin(request)) return plain();
    let filename;
    try {
      filename = Module._resolveFilename(request, parent, false);
    } catch {
      return plain();
    }
    return isSource(filename) && /\.c?js$/.test(filename) ? answer(filename, plain) : plain();
  };
}

/** The names of what the tests require are kept. */
function record() {
  const seen = new Set();
  patch((filename, plain) => {
    seen.add(filename);
    return plain();
  });
  process.on('exit', () => fs.writeFileSync(SUITES_LIST, JSON.stringify([...new Set([...listed(), ...seen])])));
}

/** @param {string[]} filenames */
async function importAll(filenames) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'suites-imports-')));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const imported = new Map();
  for (const [index, filename] of filenames.entries()) {
    const file = path.join(folder, `${index}.mjs`);
    fs.writeFileSync(file, `import exports from ${JSON.stringify(pathToFileURL(filename).href)};\nexport default exports;\n`);
    imported.set(filename, (await import(pathToFileURL(file).href)).default);
  }
  // A test that deletes the module from the cache wants it anew, and `require` gives it that.
  patch((filename, plain) => (imported.has(filename) && Module._cache[filename] !== undefined ? imported.get(filename) : plain()));
}

if (SUITES_RECORD === undefined) await importAll(listed());
else record();
