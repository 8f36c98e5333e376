'use strict';
/*
 * Repeats a write to a module's exports in a replica. In: the exports, the path of a name, and its value, or none if the name was deleted.
 * Out: the exports, changed. Paths lead only through own names of the exports: nothing that comes over the wire can reach a prototype.
 */
const { IgnisError } = require('../errors');
const { Object, isObject } = require('../engine');

/**
 * @param {any} exports
 * @param {string[]} path
 * @param {any[]} values
 * @throws {IgnisError} IGNIS_BAD_FRAME when the path leads nowhere; TypeError when the name cannot be written
 */
function writeTo(exports, path, values) {
  let holder = exports;
  for (const name of path.slice(0, -1)) {
    if (!isObject(holder) || !Object.hasOwn(holder, name)) throw new IgnisError('IGNIS_BAD_FRAME', `a write to '${path.join('.')}'`);
    holder = holder[name];
  }
  const name = path[path.length - 1];
  if (path.length === 0 || !isObject(holder) || name === '__proto__') {
    throw new IgnisError('IGNIS_BAD_FRAME', `a write to '${path.join('.')}'`);
  }
  if (values.length === 0) delete holder[name];
  else holder[name] = values[0];
}

exports.writeTo = writeTo;
