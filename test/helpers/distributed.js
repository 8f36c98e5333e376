'use strict';
/*
 * A module behind a boundary that may be distributed, over real replicas, with nobody who decides but the test. In: a file and a recipe.
 * Out: what an importing file gets, the replica set, and an end that waits until all replicas are gone.
 */
const { types } = require('node:util');
const { Boundary } = require('../../lib/wrap/boundary');
const { Distribution } = require('../../lib/wrap/distribution');
const { Fleet } = require('../../lib/spawn/fleet');
const { checkRecipe } = require('../../lib/recipe/fields');
const { consentOf, mergeLayers } = require('../../lib/recipe/merge');

/** @param {string} file @returns {any} its exports, loaded anew */
function loadAnew(file) {
  delete require.cache[file];
  return require(file);
}

/** @param {string} name of a file, or of a built-in with its prefix */
function moduleId(name) {
  const isBuiltin = name.startsWith('node:');
  return { name, kind: isBuiltin ? 'builtin' : 'file', filename: isBuiltin ? null : name, packageName: null, version: null, inside: '' };
}

class Distributed {
  /** @type {Boundary[]} */
  boundaries = [];
  /** @type {Error[]} */
  failures = [];

  /** @param {string} file @param {object} recipe @param {'process' | 'thread' | 'host'} [where] @param {object} [options] of the program */
  constructor(file, recipe, where = 'thread', options = {}) {
    this.file = file;
    this.recipe = { where, ...recipe };
    this.fleet = new Fleet({ spares: 0, startMs: 30_000, closeMs: 3000, maxFrameBytes: 1 << 28, ...options });
    this.distribution = new Distribution({ fleet: this.fleet, boundaries: () => this.boundaries, consent: consentOf });
    this.lib = this.import();
  }

  /**
   * As another file would, or the same one after it deleted the module from `require.cache`.
   *
   * @param {object} [recipe]
   * @param {any} [exports]
   */
  import(recipe = this.recipe, exports = loadAnew(this.file)) {
    // What `require` gives for an ES module cannot be wrapped; its importer gets an object with the same in it.
    if (types.isModuleNamespaceObject(exports)) exports = { ...exports };
    this.exports = exports;
    const layer = {
      by: 'import',
      where: 'a test',
      recipe: checkRecipe('module', { onFail: (error) => this.failures.push(error), ...recipe }),
    };
    const effective = mergeLayers([layer], 4);
    const mayDistribute = consentOf(effective).allowed;
    const parent = moduleId(`./parent-${this.boundaries.length}.js`);
    const boundary = new Boundary({ parent, child: moduleId(this.file), recipe: effective, exports, mayDistribute });
    this.boundaries.push(boundary);
    this.distribution.add(boundary);
    return boundary.wrapped;
  }

  get set() {
    return this.fleet.get(this.file);
  }

  get permission() {
    return this.distribution.permission(this.file);
  }

  async close() {
    this.distribution.close();
    await this.fleet.close();
  }
}

exports.Distributed = Distributed;
exports.loadAnew = loadAnew;
