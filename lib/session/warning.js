'use strict';
/*
 * Warnings of a module in a replica (`process.emitWarning`), which home gives. In: in the replica, what the module said; at home, the same
 * as it came. Out: what Node throws for what is no warning, where the module hears of it; a warning of home's. Node itself says what is
 * wrong: it is asked only then.
 */
const { Reflect, globalOf, isArray, nextTick } = require('../engine');

const { emitWarning } = process;
const Error = globalOf('Error');

/** @param {any} value */
const isText = (value) => value === undefined || typeof value === 'string';

/** As Node takes them (lib/internal/process/warning.js, the same from 20 to 26). @param {any[]} args of process.emitWarning */
function isWarning([warning, type, code]) {
  if (typeof warning !== 'string' && !(warning instanceof Error)) return false;
  if (typeof type === 'function') return true;
  const areOptions = typeof type === 'object' && type !== null && !isArray(type);
  const [name, mark] = areOptions ? [type.type || undefined, type.code] : [type, code];
  return isText(name) && (isText(mark) || typeof mark === 'function');
}

/** In a replica. @param {any[]} args of process.emitWarning @throws {TypeError} they are no warning */
function checkWarning(args) {
  if (!isWarning(args)) Reflect.apply(emitWarning, process, args);
}

/**
 * At home, by what stands there now, which may be the program's own: what that throws nobody else is there to catch.
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
