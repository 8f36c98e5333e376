'use strict';
// The module of the soak of replica sets.

exports.echo = async (value) => value;
exports.bytes = async (buffer) => Buffer.concat([buffer, buffer]);
exports.tell = (value, callback) => void setImmediate(callback, null, value);
exports.fail = async (text) => {
  throw new RangeError(text);
};
exports.later = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
const options = new Map();
exports.use = async (name, value) => void options.set(name, value);
