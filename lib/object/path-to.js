'use strict';
/*
 * Finds where a value lies in what was to be sent. In: the value, the function that packs the parts of a message, and the object whose
 * changes went with it. Out: its path, such as `[0].settings.memory`: the first of the shortest. It looks into objects as the packer does,
 * level by level, and runs no code of the program.
 */
const { FORMS } = require('./contents');
const { formOf } = require('./form');
const { FORM } = require('./tags');
const engine = require('../engine');

const { JSON, Set } = engine;

/** @param {(packer: any) => any} pack @returns {[string, any][]} the values that it packs, with their places */
function rootsOf(pack) {
  /** @type {[string, any][]} */
  const roots = [];
  const collector = {
    slot: (/** @type {any} */ value) => void roots.push(['', value]),
    slots: (/** @type {any[]} */ values) => values.forEach((value, i) => roots.push([`[${i}]`, value])),
    reference: () => {},
    content: () => {},
  };
  pack(collector);
  return roots;
}

/** @param {any} object @returns {[string, any][]} its members, with their names */
function membersOf(object) {
  const form = formOf(object);
  if (form === null || form === FORM.SHARED || form === FORM.PROMISE) return [];
  const list = FORMS[form].read(object);
  if (form === FORM.PLAIN || form === FORM.BARE) return named(list, 2);
  if (form === FORM.ARGUMENTS) return named(list.slice(1), 2);
  if (form === FORM.ERROR) return named(list, 3);
  return list.map((value, i) => [form === FORM.VIEW ? '.buffer' : `[${i}]`, value]);
}

/** @param {any[]} list name, value, ... @param {number} step @returns {[string, any][]} */
function named(list, step) {
  /** @type {[string, any][]} */
  const members = [];
  for (let i = 0; i < list.length; i += step) {
    const name = String(list[i]);
    members.push([/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`, list[i + 1]]);
  }
  return members;
}

/** @param {object} wanted @param {[string, any][]} level values with their paths @returns {string | null} */
function search(wanted, level) {
  const met = new Set();
  while (level.length > 0) {
    /** @type {[string, any][]} */
    const next = [];
    for (const [path, value] of level) {
      if (value === wanted) return path;
      if (typeof value !== 'object' || value === null || met.has(value)) continue;
      met.add(value);
      for (const [name, member] of membersOf(value)) next.push([`${path}${name}`, member]);
    }
    level = next;
  }
  return null;
}

/**
 * @param {object} wanted
 * @param {(packer: any) => any} pack
 * @param {object | null} changed what both sides have, and had to be updated when it was met
 * @returns {string}
 */
function pathTo(wanted, pack, changed) {
  const path = search(wanted, rootsOf(pack));
  if (path !== null) return path === '' ? 'the value itself' : path;
  const place = changed === null ? null : search(wanted, [['', changed]]);
  return place === null ? 'deep inside' : `${place} of an object that both sides have`;
}

exports.pathTo = pathTo;
