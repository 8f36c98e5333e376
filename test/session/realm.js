'use strict';
/*
 * Another realm: its own Object, Array, Map and so on, as a vm context has them. Out: its classes, and which of ours each of its prototypes
 * stands for.
 */
const vm = require('node:vm');

const NAMES = ['Object', 'Array', 'Map', 'Set', 'Date', 'RegExp', 'Error', 'TypeError', 'Uint8Array', 'ArrayBuffer', 'Number', 'String'];

/** @type {Record<string, any>} */
const foreign = vm.runInNewContext(`({ ${NAMES.join(', ')} })`);

/** @type {Map<any, any>} */
const HOMES = new Map(NAMES.map((name) => [foreign[name].prototype, /** @type {any} */ (globalThis)[name].prototype]));

/** @param {any} prototype @returns {any} what it stands for in this realm */
const atHome = (prototype) => HOMES.get(prototype) ?? prototype;

exports.foreign = foreign;
exports.atHome = atHome;
