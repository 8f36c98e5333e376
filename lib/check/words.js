'use strict';
/*
 * What the words of a source mention of the world. In: its text without quoted texts. Out: the clock, random numbers, the environment,
 * timers. Pure.
 */

/** @type {readonly [RegExp, string][]} */
const NAMES = Object.freeze([
  [/\bMath\s*\.\s*random\b/, 'Math.random'],
  [/\bDate\s*\.\s*now\b|\bDate\s*\(\s*\)|\bnew\s+Date\b(?!\s*(?:\(\s*[^\s)]|\.))/, 'the time'],
  [/\b(?:performance|hrtime)\b/, 'the time'],
  [/\b(?:crypto|randomBytes|randomUUID|randomInt|getRandomValues)\b/, 'random numbers'],
  [/\bprocess\s*\.\s*(?!nextTick\b)/, 'process'],
  [/\b(?:setTimeout|setInterval)\b/, 'timers'],
  [/\beval\b|\bFunction\s*\(/, 'code that is made while it runs'],
  [/\.\s*(?:toLocale\w+|localeCompare)\b|\bIntl\b/, 'the locale'],
  [
    /\.\s*(?:[gs]et(?:Date|Day|FullYear|Month|Hours|Minutes|Seconds|Milliseconds)|getTimezoneOffset|to(?:Date|Time)String)\b/,
    'the time zone',
  ],
  [/\b(?:import|require)\s*\((?!\s*\))/, 'code that it loads'],
  [/\.\s*getStore\b/, 'its async context'],
]);

/** @param {string} text without quoted texts @returns {string[]} */
const namedIn = (text) => NAMES.filter(([pattern]) => pattern.test(text)).map(([, name]) => name);

exports.namedIn = namedIn;
