'use strict';
/*
 * Stands for an object of the other side that this one cannot make, since only another version of Node knows such contents. In: why it
 * cannot be made. Out: an object that can be kept, compared and sent, and becomes the original again on its own side. Any other use throws
 * the reason, so it is never mistaken for something else. The conversation goes on: both sides number it like any other.
 */
const { inspect } = require('node:util');
const { isOfKey } = require('./clonable');
const { whyNoEngineValue } = require('../session/engine-values');
const { unknownJson, unknownKey, unknownRegExp, unknownView } = require('../session/unknown');
const { FORM } = require('./tags');
const engine = require('../engine');

const { Object, Proxy, Reflect, WeakMap, globalOf } = engine;

const isOldNode = !('rawJSON' in globalOf('JSON'));

/** @type {WeakMap<object, import('./twins').State>} what the other side has; an undefined prototype means the usual one */
const known = new WeakMap();

/**
 * @param {number} form
 * @param {any[]} contents from which nothing could be made
 * @returns {(() => Error) | null} why; null: no version of Node can make something of them
 */
function whyUnknown(form, [first, second]) {
  if (form === FORM.VIEW && unknownView(first) !== null) return () => /** @type {Error} */ (unknownView(first));
  if (form === FORM.KEY && isOfKey([first, second])) return () => unknownKey(first);
  if (form === FORM.ENGINE_VALUE && whyNoEngineValue(first) !== null) return () => /** @type {Error} */ (whyNoEngineValue(first));
  if (form === FORM.RAW_JSON && isOldNode && typeof first === 'string') return unknownJson;
  if (form !== FORM.REGEXP || typeof first !== 'string' || typeof second !== 'string') return null;
  return () => unknownRegExp(first, second);
}

/** @param {number} form @param {() => Error} why @returns {object} */
function makeUnknown(form, why) {
  const refuse = () => {
    throw why();
  };
  const traps = Object.fromEntries(Reflect.ownKeys(Reflect).map((name) => [name, refuse]));
  // Node prints what is behind a Proxy.
  const made = new Proxy({ [inspect.custom]: () => `[${why().message}]` }, traps);
  known.set(made, { form, level: 0, prototype: undefined, extras: null, contents: [] });
  return made;
}

/** @param {object} object @returns {boolean} */
const isUnknown = (object) => known.has(object);

/** @param {object} object @returns {import('./twins').State | undefined} undefined: it is no such object */
const contentsOf = (object) => known.get(object);

/** @param {object} object such a one @param {import('./twins').State} state that the other side has by now */
const noteContents = (object, state) => void known.set(object, state);

exports.contentsOf = contentsOf;
exports.isUnknown = isUnknown;
exports.makeUnknown = makeUnknown;
exports.noteContents = noteContents;
exports.whyUnknown = whyUnknown;
