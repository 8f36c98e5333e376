'use strict';
/*
 * What home tells the agent of a replica in a process before there is a link: it goes in environment variables, which the replica removes
 * before it loads anything of the program. In: settings, with the arguments of home; a shell may make thousands of these (`tool src/**`).
 * Out: variables; and from variables, the settings. No system takes variables of any length (Linux 128 KiB, Windows 32 Ki characters), so
 * long text is spread over several.
 */

const { JSON } = require('../engine');

const NAME = 'IGNIS_AGENT';

/** Characters in one part; each is one byte. */
const MOST = 30_000;

/** Half of a surrogate pair is no text to the system. */
const NOT_ASCII = /[^\x20-\x7e]/g;

/** @param {number} index of a part @returns {string} the name of its variable */
const nameOf = (index) => (index === 0 ? NAME : `${NAME}_${index}`);

/** @param {object} settings JSON @returns {Record<string, string>} */
function inVariables(settings) {
  const text = JSON.stringify(settings).replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  /** @type {Record<string, string>} */
  const parts = {};
  for (let index = 0; index * MOST < text.length; index++) parts[nameOf(index)] = text.slice(index * MOST, (index + 1) * MOST);
  return parts;
}

/** In a replica. @param {Record<string, string | undefined>} env these variables are removed from it @returns {any} the settings */
function takeSettings(env) {
  let text = '';
  for (let index = 0; env[nameOf(index)] !== undefined; index++) {
    text += env[nameOf(index)];
    delete env[nameOf(index)];
  }
  return JSON.parse(text || '{}');
}

exports.inVariables = inVariables;
exports.takeSettings = takeSettings;
