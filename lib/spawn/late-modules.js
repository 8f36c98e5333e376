'use strict';
/*
 * Resident modules that wait at their top (`await`) while they are loaded. In: which one, and a function of home's. Out: home is told that
 * it has to wait, and when that is over; then it asks once more. Meanwhile home serves the replica instead of blocking it: the module may
 * wait for something that only home can do, and would otherwise wait for ever.
 */
const { IgnisError } = require('../errors');
const engine = require('../engine');

const { Map, Promise, Reflect } = engine;
const { then } = Promise.prototype;

/** @typedef {(what: string, ...more: any[]) => any} Home */

/** Results of finished loads, by name of the module. @type {Map<string, () => any>} */
const loaded = new Map();
/** Loads under way, and how to give them up. @type {Map<string, () => void>} */
const loading = new Map();

/**
 * @param {string} name of the module, as home calls it
 * @param {() => Promise<any>} load
 * @param {Home} home
 */
function loadLate(name, load, home) {
  const end = (/** @type {() => any} */ give) => {
    if (!loading.delete(name)) return;
    loaded.set(name, give);
    home('loaded', name);
  };
  const fail = (/** @type {any} */ error) =>
    end(() => {
      throw error;
    });
  loading.set(name, () => fail(new IgnisError('IGNIS_CALL_TIMEOUT', `${name} awaits something at its top level that never settles`)));
  home('loading', name);
  Reflect.apply(then, load(), [(/** @type {any} */ exports) => end(() => exports), fail]);
}

/** Nothing goes on here any more, and whatever home does comes later. */
function giveUpLate() {
  for (const fail of [...loading.values()]) fail();
}

/** @param {string} name @returns {(() => any) | null} gives the exports, or throws what the module threw; null: no such load */
function takeLate(name) {
  const give = loaded.get(name) ?? null;
  loaded.delete(name);
  return give;
}

exports.giveUpLate = giveUpLate;
exports.loadLate = loadLate;
exports.takeLate = takeLate;
