'use strict';
// The module of the soak: it calls back, takes and makes objects, throws, keeps and drops.

const kept = new Map();

exports.callBack = (fn, value) => fn(value) + fn(value + 1);
exports.echo = (value) => value;
exports.make = (n) => ({ n, list: [n, n + 1], map: new Map([['n', n]]) });
exports.change = (object) => {
  object.seen = true;
  object.list.push(object);
  return object.list.length;
};
exports.fail = (error) => {
  throw error ?? new RangeError('from the module');
};
exports.failBack = (fn) => {
  try {
    return fn();
  } catch (error) {
    return error.message;
  }
};
exports.keep = (key, value) => void kept.set(key, value);
exports.drop = (key) => kept.delete(key);
exports.later = async (value) => value;
exports.counter = () => {
  let count = 0;
  return () => ++count;
};
exports.Box = class Box {
  #value;

  constructor(value) {
    this.#value = value;
  }

  get value() {
    return this.#value;
  }
};
