'use strict';
/*
 * The recipe that the evidence supports, as a file to read. In: verdicts. Out: the text of a recipe file, each line with its evidence; ''
 * if nothing is supported. It says only what functions are: whether a module may be distributed (`hot`, `call`) remains its user's word.
 * Pure.
 */

const { count, whole } = require('../view/figures');

/** @typedef {import('./judge').Verdict} Verdict */
/**
 * @typedef {{name: string, version: string | null, verdicts: Verdict[], unseen: string[], globals: string[]}} Checked `unseen`: functions
 *   of the module without any call
 */

/** @param {Verdict} verdict @returns {string} */
function evidenceOf({ calls, compared, equal, distinct, orders }) {
  const seen = count(calls, 'call');
  if (compared === 0) return `${seen}, none compared`;
  const told = `${whole(equal)} of ${whole(compared)} replays equal, in ${count(orders, 'order')}`;
  return `${seen}, ${whole(distinct)} different; ${told}`;
}

/** @param {Verdict} verdict @returns {string} the recipe of the function; '' if there is nothing to say */
function fieldsOf({ verdict, isIdempotent, changesArguments }) {
  if (verdict === 'pure') return '{ pure: true }';
  const fields = [];
  if (verdict === 'stateless' && isIdempotent) fields.push('idempotent: true');
  if (verdict === 'stateless' && changesArguments) fields.push("args: 'restore'");
  return fields.length === 0 ? '' : `{ ${fields.join(', ')} }`;
}

/** @param {string} name may contain anything @returns {string} as a key in the text */
function quoted(name) {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name;
  return /['\\\s]/.test(name) ? JSON.stringify(name) : `'${name}'`;
}

/** Text from outside may contain line ends, and these must not end a comment. @param {string} text */
const line = (text) => text.replace(/\s+/g, ' ');

/** @param {Checked} checked @returns {string[]} lines; empty if nothing is supported */
function moduleLines({ name, version, verdicts, unseen, globals }) {
  // Two versions of one package have the same name; a recipe could not tell them apart.
  if (name.includes(' (')) return [];
  const told = verdicts.filter((verdict) => fieldsOf(verdict) !== '').sort((a, b) => (a.fn < b.fn ? -1 : 1));
  if (told.length === 0) return [];
  const isStateless = unseen.length === 0 && globals.length === 0 && verdicts.every(({ verdict }) => verdict !== 'home');
  const lines = [`    ${quoted(name)}: {`];
  if (version !== null) lines.splice(0, 0, `    // ${line(`${name} ${version}`)}`);
  const all =
    verdicts.length === 1
      ? 'its only function was seen, and keeps no state'
      : `all ${verdicts.length} functions were seen, and none keeps state`;
  if (isStateless) lines.push(`      // ${all}`, "      state: 'none',");
  lines.push('      functions: {');
  for (const verdict of told) {
    lines.push(`        // ${line(verdict.fn || 'the module itself')}: ${evidenceOf(verdict)}`);
    if (verdict.verdict !== 'pure')
      lines.push(`        // not pure: ${line(verdict.reasons.map(({ why }) => why).join('; ')).slice(0, 190)}`);
    lines.push(`        ${quoted(verdict.fn)}: ${fieldsOf(verdict)},`);
  }
  lines.push('      },', '    },');
  return lines;
}

/** @param {Checked[]} modules @param {string} command that was run @returns {string} */
function proposalOf(modules, command) {
  const lines = modules.flatMap(moduleLines);
  if (lines.length === 0) return '';
  return `'use strict';

// Proposed by \`ignis check -- ${line(command)}\`, from what was seen in that run alone. It does not let anything be distributed yet: add
// \`hot: true\`, \`copies\` or \`call: 'await'\` to the modules that may be distributed.
module.exports = {
  modules: {
${lines.join('\n')}
  },
};
`;
}

exports.evidenceOf = evidenceOf;
exports.proposalOf = proposalOf;
