'use strict';
/*
 * Source maps of files that Ignis compiles itself: of these Node does not read the map. In: a source with the comment that names its map.
 * Out: the comment, and stacks that show the original lines where source maps are on.
 */
const { pathToFileURL } = require('node:url');

const MAP_COMMENT = /\/[/*][#@][ \t]*sourceMappingURL=([^\s'"*]+)[ \t]*(?:\*\/)?/g;

/** @param {string} source @returns {string | null} where its map is, by the last such comment */
function mapUrlOf(source) {
  return source.includes('sourceMappingURL=') ? ([...source.matchAll(MAP_COMMENT)].at(-1)?.[1] ?? null) : null;
}

/**
 * Node reads the maps of what it compiles itself, and of code from `eval` that says which file it is: a comment alone will do
 * (lib/internal/source_map).
 *
 * @param {string} source @param {string} filename absolute
 */
function registerMap(source, filename) {
  const url = process.sourceMapsEnabled ? mapUrlOf(source) : null;
  if (url === null) return;
  try {
    (0, eval)(`//# sourceMappingURL=${url}\n//# sourceURL=${pathToFileURL(filename).href}`);
  } catch {
    // Where code from text is forbidden, stacks show the lines and columns of what runs.
  }
}

exports.mapUrlOf = mapUrlOf;
exports.registerMap = registerMap;
