'use strict';
/*
 * Compares two values as graphs: the same kinds, the same contents, the same order, and the same objects shared at the same places. In: two values. Out:
 * nothing, or an error with the path of the first difference. Independent of what it tests: it knows nothing of marshal.
 */
const { types } = require('node:util');

/**
 * @param {any} one
 * @param {any} two
 */
function sameGraph(one, two) {
  /** @type {Map<any, any>} */
  const there = new Map();
  /** @type {Map<any, any>} */
  const back = new Map();

  const differ = (path, what) => {
    throw new Error(`${path || 'the root'}: ${what}`);
  };

  const compare = (a, b, path) => {
    if (typeof a !== 'object' || a === null) {
      if (!Object.is(a, b)) differ(path, `${String(a)} became ${String(b)}`);
      return;
    }
    if (typeof b !== 'object' || b === null) differ(path, `an object became ${String(b)}`);
    if (there.has(a) || back.has(b)) {
      if (there.get(a) !== b || back.get(b) !== a) differ(path, 'another object is shared');
      return;
    }
    there.set(a, b);
    back.set(b, a);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) differ(path, 'another prototype');
    if (types.isMap(a)) return lists([...a].flat(1), [...b].flat(1), path);
    if (types.isSet(a)) return lists([...a], [...b], path);
    if (ArrayBuffer.isView(a)) return lists([...bytes(a)], [...bytes(b)], path);
    if (types.isDate(a)) return compare(a.getTime(), b.getTime(), path);
    if (types.isRegExp(a)) return lists([a.source, a.flags, a.lastIndex], [b.source, b.flags, b.lastIndex], path);
    if (types.isBoxedPrimitive(a)) return compare(a.valueOf(), b.valueOf(), path);
    if (Array.isArray(a) && a.length !== b.length) differ(path, `length ${a.length} became ${b.length}`);
    const names = Object.getOwnPropertyNames(a);
    lists(names, Object.getOwnPropertyNames(b), `${path} names`);
    for (const name of names) {
      if (Object.prototype.propertyIsEnumerable.call(a, name) !== Object.prototype.propertyIsEnumerable.call(b, name))
        differ(`${path}.${name}`, 'shown or hidden');
      compare(a[name], b[name], `${path}.${name}`);
    }
  };

  const lists = (a, b, path) => {
    if (a.length !== b.length) differ(path, `${a.length} items became ${b.length}`);
    a.forEach((item, i) => compare(item, b[i], `${path}[${i}]`));
  };

  compare(one, two, '');
}

/** @param {ArrayBufferView} view */
const bytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

exports.sameGraph = sameGraph;
