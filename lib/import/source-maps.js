'use strict';
/*
 * Registers source maps of files that Ignis compiles itself: Node does not read those. In: a source with the comment that names its map.
 * Out: that comment, and stacks that show original lines where source maps are on.
 */
const { pathToFileURL } = require('node:url');

const MAP_COMMENT = /\/[/*][#@][ \t]*sourceMappingURL=([^\s'"*]+)[ \t]*(?:\*\/)?/g;

/** @param {string} source @returns {string | null} where its map is, as the last such comment says */
function mapUrlOf(source) {
  return source.includes('sourceMappingURL=') ? ([...source.matchAll(MAP_COMMENT)].at(-1)?.[1] ?? null) : null;
}

/**
 * Node reads the maps of what it compiles itself, and of `eval` code that names its file: a mere comment in such code suffices
 * (lib/internal/source_map).
 * @param {string} source
 * @param {string} filename absolute
 */
function registerMap(source, filename) {
  const url = process.sourceMapsEnabled ? mapUrlOf(source) : null;
  if (url === null) return;
  try {
    (0, eval)(`//# sourceMappingURL=${url}\n//# sourceURL=${pathToFileURL(filename).href}`);
  } catch {
    // Where code from text is forbidden, stacks show the lines and columns of the code that runs.
  }
}

exports.mapUrlOf = mapUrlOf;
exports.registerMap = registerMap;
