'use strict';
/*
 * Knows how far each package is from the program: its files import direct dependencies, those import theirs. In: imports by file. Out: the
 * depth of a file. It reads nothing from disk but package.json files.
 */
const { isApplicationFile, packageOf } = require('./module-id');
const { Map } = require('../engine');

class Depths {
  /** @type {Map<string, number>} by root of a package: its depth, 1 for a direct dependency */
  #known = new Map();

  /** @param {number} limit imports of files less deep than this are watched */
  constructor(limit) {
    this.limit = limit;
  }

  /** @param {string} filename @returns {number} 0 for the program's own files, Infinity for files that came with Ignis */
  of(filename) {
    if (isApplicationFile(filename)) return 0;
    if (this.#known.size === 0) return Infinity;
    return this.#known.get(packageOf(filename)?.root ?? '') ?? Infinity;
  }

  /**
   * A package is one step further away than the nearest file that imports it. Noted before the package loads, because its depth decides
   * about its own imports.
   * @param {string} parentFile
   * @param {string | null} filename null: no file
   */
  note(parentFile, filename) {
    if (this.limit <= 1 || filename === null || isApplicationFile(filename)) return;
    const root = packageOf(filename)?.root ?? '';
    if (!isApplicationFile(parentFile) && root === packageOf(parentFile)?.root) return;
    const depth = this.of(parentFile) + 1;
    if (depth < (this.#known.get(root) ?? Infinity)) this.#known.set(root, depth);
  }
}

exports.Depths = Depths;
