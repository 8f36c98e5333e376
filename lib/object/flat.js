'use strict';
/*
 * Nodes as one flat list, since nested lists cost most on the way to another thread. In: nodes [id, FORM, level, prototype, extras,
 * contents]. Out: id, FORM, level, prototype, extras, number of slots, slots ... for one after the other. In slots, a twin is `false` and
 * then its id, and `false` itself is written twice. Lists that came over the wire are read with care.
 */
const { IgnisError } = require('../errors');
const { TAG } = require('./tags');
const engine = require('../engine');

const { Array, isArray, isInteger } = engine;

/** @param {any[][]} nodes @returns {any[]} */
function flatten(nodes) {
  /** @type {any[]} */
  const flat = [];
  for (const [id, form, level, prototype, extras, contents] of nodes) {
    flat.push(id, form, level, prototype, extras, contents.length);
    for (let i = 0; i < contents.length; i++) {
      const slot = contents[i];
      if (typeof slot !== 'object' || slot === null) {
        flat.push(slot);
        if (slot === false) flat.push(false);
      } else if (slot[0] === TAG.TWIN && isArray(slot)) flat.push(false, slot[1]);
      else flat.push(slot);
    }
  }
  return flat;
}

/**
 * @param {any[]} flat as it came over the wire
 * @returns {any[][]} nodes; only their ends are checked
 * @throws {IgnisError} IGNIS_BAD_FRAME
 */
function unflatten(flat) {
  const { length } = flat;
  const nodes = [];
  for (let at = 0; at < length;) {
    const count = flat[at + 5];
    // No memory is taken for slots that are not there.
    if (!isInteger(count) || count < 0 || count > length - at - 6) throw new IgnisError('IGNIS_BAD_FRAME', 'a node without its contents');
    const contents = new Array(count);
    const node = [flat[at], flat[at + 1], flat[at + 2], flat[at + 3], flat[at + 4], contents];
    at += 6;
    for (let i = 0; i < count; i++) {
      let slot = flat[at++];
      if (slot === false) {
        slot = flat[at++];
        if (slot !== false) slot = [TAG.TWIN, slot];
      }
      contents[i] = slot;
    }
    if (at > length) throw new IgnisError('IGNIS_BAD_FRAME', 'a node that goes beyond its list');
    nodes.push(node);
  }
  return nodes;
}

exports.flatten = flatten;
exports.unflatten = unflatten;
