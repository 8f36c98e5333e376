'use strict';
/*
 * Finds recipe files in places where Ignis does not look. In: the program's root, where there is none. Out: a sentence for each. Whoever
 * wrote one believes that it has an effect, and nothing else would say that it has not.
 */
const fs = require('node:fs');
const path = require('node:path');
const { Set, workingFolder } = require('../engine');
const { fileNames } = require('../recipe/recipe-file');
const { mainFileOf } = require('./module-id');

/** The name of a recipe file in a language that Ignis does not read. */
const OTHER = /^ignis\.config\.(?:[cm]?ts|jsonc|json5|ya?ml|toml)$/;

/** @param {string} appRoot absolute @returns {string[]} sentences */
function passedOver(appRoot) {
  const main = mainFileOf();
  const names = fileNames();
  // A folder beside the root, or a tool in `node_modules`, may well have recipes of another program.
  const places = [workingFolder(), path.isAbsolute(main) ? path.dirname(main) : undefined].filter((place) => place !== undefined);
  const others = [...new Set(places)].filter((place) => place !== appRoot && (isAbove(place, appRoot) || isAbove(appRoot, place)));
  const elsewhere = others.flatMap((place) =>
    namesIn(place)
      .filter((name) => names.includes(name))
      .map(
        (name) =>
          `${path.join(place, name)} is not read: Ignis looks for recipe files in ${appRoot}, the root of the program; move it there, or name it with --recipe or IGNIS_RECIPE`,
      ),
  );
  const otherwise = namesIn(appRoot)
    .filter((name) => OTHER.test(name) && !names.includes(name))
    .map(
      (name) => `${path.join(appRoot, name)} is not read: a recipe file must be called ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
    );
  return [...elsewhere, ...otherwise];
}

/** @param {string} upper @param {string} lower @returns {boolean} whether it contains the lower one, with no `node_modules` in between */
function isAbove(upper, lower) {
  const [first, ...rest] = path.relative(upper, lower).split(path.sep);
  return first !== '..' && !path.isAbsolute(first) && ![first, ...rest].includes('node_modules');
}

/** @param {string} folder @returns {string[]} none if it may not be read */
function namesIn(folder) {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

exports.passedOver = passedOver;
