'use strict';

// Imports fixtures through a hook that wraps every edge of theirs.
// In: nothing, or options of the hook. Out: what was imported, and the boundaries made on the way. `end()` takes all back.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { installHook } = require('../../lib/import/hook');
const { identify } = require('../../lib/import/module-id');
const { Boundary, boundaryOf } = require('../../lib/wrap/boundary');

// In a folder of their own, where `packages` can be called node_modules.
const FIXTURES = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-fixtures-')));
fs.cpSync(path.resolve(__dirname, '../fixtures/modules'), FIXTURES, { recursive: true });
fs.renameSync(path.join(FIXTURES, 'packages'), path.join(FIXTURES, 'node_modules'));
process.once('exit', () => fs.rmSync(FIXTURES, { recursive: true, force: true }));

/** @param {string} name */
const fixture = (name) => path.join(FIXTURES, name);

/** @param {object} [options] */
function watched(options = {}) {
  const imports = [];
  const boundaries = [];
  const hook = installHook({
    onImport(seen) {
      if (!seen.parentFile.startsWith(FIXTURES)) return seen.exports;
      imports.push(seen);
      if (seen.handed !== undefined) return seen.handed;
      const boundary = new Boundary({
        parent: identify({ filename: seen.parentFile, appRoot: FIXTURES }),
        child: identify({ filename: seen.filename ?? seen.builtin, appRoot: FIXTURES }),
        recipe: seen.recipe ?? options.recipe ?? {},
        exports: seen.exports,
        isPartial: seen.isPartial,
      });
      boundaries.push(boundary);
      return boundary.wrapped;
    },
    onLoaded: (edge) =>
      boundaries.filter((boundary) => boundary.child.filename === edge.filename).forEach((boundary) => boundary.reconcile()),
    onAgain: (edge, handed) => (boundaryOf(handed)?.refresh(), handed),
    ...options,
  });
  return {
    hook,
    imports,
    boundaries,
    load: (name) => require(fixture(name)),
    end() {
      hook.uninstall();
      for (const file of Object.keys(require.cache)) if (file.startsWith(FIXTURES)) delete require.cache[file];
    },
  };
}

/** A boundary around exports made on the spot. */
function boundaryAround(exports, recipe = {}, more = {}) {
  const id = (name) => ({ name, kind: 'file', filename: name, packageName: null, version: null, inside: '' });
  return new Boundary({ parent: id('./parent.js'), child: id('./child.js'), exports, recipe, ...more });
}

exports.FIXTURES = FIXTURES;
exports.fixture = fixture;
exports.watched = watched;
exports.boundaryAround = boundaryAround;
