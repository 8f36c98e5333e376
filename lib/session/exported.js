'use strict';
/*
 * Reads a name of some exports without running code of the program. In: exports, a name. Out: the value of a plain property, or what a
 * getter gives that only reads a variable (bundlers and compilers write one for every export); undefined for all else.
 */

const { Object } = require('../engine');

/**
 * `() => Bad`, `() => (/* binding *\/ Bad)`, `function () { return m[k]; }`, `get Bad() { return errors_1.Bad; }`. Not `this.Bad`: that may
 * be another getter.
 */
const READS_A_VARIABLE =
  /^(?:get\s*)?(?:function\s*)?[\w$]*\s*\(\)\s*(?:=>\s*)?(?:\{\s*return\b\s*)?\(?\s*(?!(?:this|super)\b)[\w$]+(?:\.[\w$]+|\[(?:[\w$]+|'[\w$]+'|"[\w$]+")\])*\s*\)?\s*;?\s*\}?$/;
/** `() => Bad`: only a variable. Another object, as in `m.Bad`, may be a stub of a module in a replica. */
const READS_ONE = /^(?:function\s*)?[\w$]*\s*\(\)\s*(?:=>\s*)?(?:\{\s*return\b\s*)?\(?\s*(?!(?:this|super)\b)[\w$]+\s*\)?\s*;?\s*\}?$/;
/** What bundlers write next to the variable. */
const COMMENT = /\/\*[^]*?\*\//g;

const textOf = Function.prototype.toString;

/** @param {any} exports an object or a function @param {string} name @param {RegExp} [reads] what a getter may look like @returns {any} */
function exported(exports, name, reads = READS_A_VARIABLE) {
  const descriptor = Object.getOwnPropertyDescriptor(exports, name);
  if (descriptor?.get === undefined) return descriptor?.value;
  try {
    return reads.test(textOf.call(descriptor.get).replace(COMMENT, ' ')) ? exports[name] : undefined;
  } catch {
    // The variable is not initialized yet.
    return undefined;
  }
}

/** The same, for callers that must not ask the other side anything. @param {any} exports no Proxy @param {string} name @returns {any} */
function exportedHere(exports, name) {
  return exported(exports, name, READS_ONE);
}

exports.exported = exported;
exports.exportedHere = exportedHere;
