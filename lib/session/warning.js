'use strict';
/*
 * Warnings of a module in a replica (`process.emitWarning`), which home gives. In: in the replica, what the module said; at home, the same
 * as it arrived. Out: in the replica, Node's own error for an invalid warning, thrown into the module; at home, the warning. Only Node can
 * say what is wrong, so it is asked only then.
 */
const { Reflect, globalOf, isArray, nextTick } = require('../engine');

const { emitWarning } = process;
const Error = globalOf('Error');

/** @param {any} value */
const isText = (value) => value === undefined || typeof value === 'string';

/** What Node accepts (lib/internal/process/warning.js, the same from 20 to 26). @param {any[]} args of process.emitWarning */
function isWarning([warning, type, code]) {
  if (typeof warning !== 'string' && !(warning instanceof Error)) return false;
  if (typeof type === 'function') return true;
  const areOptions = typeof type === 'object' && type !== null && !isArray(type);
  const [name, mark] = areOptions ? [type.type || undefined, type.code] : [type, code];
  return isText(name) && (isText(mark) || typeof mark === 'function');
}

/** In a replica. @param {any[]} args of process.emitWarning @throws {TypeError} if they are no warning */
function checkWarning(args) {
  if (!isWarning(args)) Reflect.apply(emitWarning, process, args);
}

/**
 * At home, with the function found there now. It may be the program's own, and nobody else would catch what it throws.
 *
 * @param {any[]} args of process.emitWarning
 */
function warnHere(args) {
  try {
    Reflect.apply(process.emitWarning, process, args);
  } catch (error) {
    nextTick(() => {
      throw error;
    });
  }
}

exports.checkWarning = checkWarning;
exports.warnHere = warnHere;
