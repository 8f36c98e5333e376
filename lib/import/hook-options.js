'use strict';
/*
 * Makes the options of the hook on `require`: what it asks the rooms of a program. In: the rooms. Out: the options. It keeps no state.
 */
const { boundaryOf } = require('../wrap/boundary');
const { lookFor } = require('./close-looks');

/** @param {any} importRecipe stronger than all else that is said about the module; checked when the module is handed out */
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
 * @param {Set<string>} [rooms.served] in a replica: files that home calls here, so these do not move on
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
    // Files have one home, and that is never a replica.
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
