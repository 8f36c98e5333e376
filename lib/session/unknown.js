'use strict';
/*
 * Valid data that only another version of Node knows: a RegExp with newer syntax, a typed array of a newer class, a key of a newer kind.
 * In: what came. Out: an IGNIS_UNMARSHALABLE that names it.
 */
const { IgnisError } = require('../errors');

/** A name like this may be a class of a newer Node. */
const TYPED_ARRAY = /^(?:Big)?(?:Int|Uint|Float)\d{1,3}(?:Clamped)?Array$/;
const SHOWN_CHARACTERS = 200;

/** @param {string} source @param {string} flags @returns {IgnisError} */
const unknownRegExp = (source, flags) => unknown(`the RegExp /${source.slice(0, SHOWN_CHARACTERS)}/${flags.slice(0, SHOWN_CHARACTERS)}`);

/** @param {any} name of its class @returns {IgnisError | null} null: no version of Node has such a class */
const unknownView = (name) => (typeof name === 'string' && TYPED_ARRAY.test(name) ? unknown(`a ${name}`) : null);

/** @param {string} kind @returns {IgnisError} */
const unknownKey = (kind) => unknown(`a ${kind} key`);

/** @param {string} name of a class of the engine @returns {IgnisError} */
const unknownValue = (name) => unknown(`a ${name}`);

/** @returns {IgnisError} */
const unknownJson = () => unknown('a value of `JSON.rawJSON`');

/** @param {string} what */
function unknown(what) {
  return new IgnisError('IGNIS_UNMARSHALABLE', `${what} came from another version of Node, and is unknown to ${process.version}`);
}

exports.unknownJson = unknownJson;
exports.unknownKey = unknownKey;
exports.unknownRegExp = unknownRegExp;
exports.unknownValue = unknownValue;
exports.unknownView = unknownView;
