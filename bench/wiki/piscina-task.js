'use strict';

// What runs in a piscina thread: one function of uri-js, or the links of a whole page.
// In: { name, args }, or a list of links. Out: what the function returns, or the findings.

const { normalForm } = require('../../examples/wiki/lib/links.js');

const uri = /** @type {any} */ (require('uri-js'));

/**
 * @param {{ name: string, args: unknown[] }} call
 * @returns {unknown}
 */
function call({ name, args }) {
  return uri[name](...args);
}

/**
 * @param {string[]} links
 * @returns {import('../../examples/wiki/lib/links.js').Finding[]}
 */
function checkLinks(links) {
  return links.map((link) => {
    const parts = uri.parse(link);
    const host = parts.host ?? '';
    if (parts.error) return { link, problem: parts.error, better: null, host };
    const normal = normalForm(link);
    return { link, problem: null, better: normal === link ? null : normal, host };
  });
}

exports.call = call;
exports.checkLinks = checkLinks;
