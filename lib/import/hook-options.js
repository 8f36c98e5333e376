'use strict';
/*
 * What the hook on `require` asks the rooms of a program. In: the rooms. Out: the hook's options. It keeps nothing.
 */
const { boundaryOf } = require('../wrap/boundary');
const { lookFor } = require('./close-looks');

/** @param {any} importRecipe it is stronger than what else is said of the module, and checked when that is handed out */
const isWarm = (importRecipe) => importRecipe?.hot === true || importRecipe?.cold === false;

/**
 * @param {object} rooms
 * @param {import('./imports').Imports} rooms.imports
 * @param {import('../recipe/book').RecipeBook} rooms.book
 * @param {import('./lifting').Lifting} rooms.lifting
 * @param {import('../fs/files').Files} rooms.files
 * @param {import('./recipes').Recipes} rooms.recipes
 * @param {(filename: string) => import('../types').ModuleId} rooms.identify
 * @param {(content: string, filename: string) => void} rooms.noteSource
 * @param {Set<string>} [rooms.served] in a replica: files that home calls here, so they go nowhere else
 * @returns {import('./hook').HookOptions}
 */
function hookOptions({ imports, book, lifting, files, recipes, identify, noteSource, served }) {
  const isServed = (/** @type {import('./hook').Edge} */ { filename }) => served !== undefined && filename !== null && served.has(filename);
  return {
    level: book.level,
    lift: (content) => (lifting.mayLift(content) ? (filename, source) => lifting.script(filename, source) : null),
    mayBeHot: () => book.hasChapters,
    isHot: (edge) => imports.isHot(edge),
    isCold: (edge, importRecipe) => isServed(edge) || (!isWarm(importRecipe) && imports.isCold(edge)),
    mayReside: (importRecipe) => imports.mayReside(importRecipe),
    isResident: (edge, importRecipe) => !isServed(edge) && imports.isResident(edge, importRecipe),
    onResident: (edge, importRecipe, isFresh) => {
      files.noteReplica(identify(String(edge.filename)).name);
      return imports.requireResident(edge, importRecipe, isFresh);
    },
    // Files have one home, and that is not a replica.
    onFiles: (edge, importRecipe) => (served === undefined ? imports.filesOf(edge, importRecipe) : null),
    onIdle: (request, importRecipe, parentFile) => served === undefined && recipes.tellIdle(request, importRecipe, parentFile),
    onImport: (seen) => imports.import(seen),
    onAgain: (_edge, handed) => {
      const boundary = boundaryOf(handed);
      boundary?.refresh();
      return boundary === undefined ? handed : boundary.wrapped;
    },
    onExposed: (handed) => boundaryOf(handed)?.expectDefinitions(),
    onSettle: (handed) => boundaryOf(handed)?.reconcile(),
    onLoaded: (edge) => imports.loaded(edge),
    onSource: (content, filename) => {
      lookFor(content, filename);
      noteSource(content, filename);
    },
  };
}

exports.hookOptions = hookOptions;
