'use strict';
/*
 * Objects with which a module keeps things outside itself by Node's own means: databases, and what a browser has for that. In: nothing.
 * Out: the prototypes of such objects. If this Node has none of them, it loads nothing.
 */
const { isBuiltin } = require('node:module');

/** Since Node 22; unknown to @types/node. */
const SQLITE = 'node:sqlite';

/** @type {[any, string][] | null} */
let known = null;

/** @returns {[prototype: object, name: string][]} those of databases, and of `localStorage` and `sessionStorage` (Node 26) */
function stores() {
  if (known !== null) return known;
  /** @type {[any, string][]} */
  const found = (known = []);
  if (isBuiltin(SQLITE)) {
    const { DatabaseSync, StatementSync, Session } = require(SQLITE);
    const tags = new DatabaseSync(':memory:').createTagStore?.();
    for (const Class of [DatabaseSync, StatementSync, Session])
      if (Class !== undefined) found.push([Class.prototype, `sqlite.${Class.name}`]);
    if (tags !== undefined) found.push([Object.getPrototypeOf(tags), 'sqlite.SQLTagStore']);
  }
  const { Storage } = /** @type {any} */ (globalThis);
  if (Storage !== undefined) found.push([Storage.prototype, 'Storage']);
  return found;
}

exports.SQLITE = SQLITE;
exports.stores = stores;
