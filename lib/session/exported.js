'use strict';
/*
 * What stands under a name of some exports, without running code of the program. In: exports, a name. Out: the value of a plain property, or what a getter reads that does
 * nothing but read a variable, as bundlers and compilers write them for every export; undefined for any other.
 */

/** `() => Bad`, `function () { return m[k]; }`, `get Bad() { return errors_1.Bad; }` */
const READS_A_VARIABLE =
  /^(?:get\s*)?(?:function\s*)?[\w$]*\s*\(\)\s*(?:=>\s*)?(?:\{\s*return\s+)?[\w$]+(?:\.[\w$]+|\[[\w$]+\])*\s*;?\s*\}?$/;

const textOf = Function.prototype.toString;

/** @param {any} exports an object or a function @param {string} name @returns {any} */
function exported(exports, name) {
  const descriptor = Object.getOwnPropertyDescriptor(exports, name);
  if (descriptor?.get === undefined) return descriptor?.value;
  try {
    return READS_A_VARIABLE.test(textOf.call(descriptor.get)) ? exports[name] : undefined;
  } catch {
    // The variable is not there yet.
    return undefined;
  }
}

exports.exported = exported;
