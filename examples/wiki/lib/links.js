'use strict';

// Tells which links of a page are well written.
// In: addresses as the author wrote them. Out: one finding a link, in the same order. Nothing is fetched, nothing is kept.
// Plain Node drops the second argument of require, and `await` takes a plain value as well as a promise:
// so this file is the same with Ignis and without, and these two lines are all that Ignis needs.

const uri = require('uri-js', { call: 'await', pure: true, copies: [0, 4] });

/**
 * @typedef {object} Finding
 * @property {string} link as written
 * @property {string | null} problem why it is broken, or null
 * @property {string | null} better how to write the same address, when there is a better way
 * @property {string} host '' when there is none
 */

/**
 * @param {string[]} links
 * @returns {Promise<Finding[]>}
 */
function checkLinks(links) {
  return Promise.all(links.map(checkLink));
}

/**
 * @param {string} link
 * @returns {Promise<Finding>}
 */
async function checkLink(link) {
  const parts = await uri.parse(link);
  const host = parts.host ?? '';
  if (parts.error) return { link, problem: parts.error, better: null, host };
  const normal = normalForm(link);
  return { link, problem: null, better: normal === link ? null : normal, host };
}

/** @param {string} link a valid one @returns {string} the same address as browsers write it */
function normalForm(link) {
  return URL.canParse(link) ? new URL(link).href : link;
}

exports.checkLinks = checkLinks;
exports.normalForm = normalForm;
