'use strict';
/*
 * The environment of a replica (docs/security.md). In: home's, and the names that a recipe allows (`env`), if any. Out: a copy. By default
 * a replica gets what its module would find at home, except secrets of Ignis, which no module needs.
 */

const { Object, Set } = require('../engine');

/** Of Ignis itself: IGNIS_HOST_KEY, IGNIS_TOKEN, IGNIS_CLUSTER_SECRET. */
const SECRET = /^IGNIS_(?:\w+_)?(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS)(?:_|$)/i;
/** What Node and its system calls need to work as at home. None of these holds a secret. */
const NEEDED = new Set([
  'PATH',
  'HOME',
  'USERPROFILE',
  'SYSTEMROOT',
  'WINDIR',
  'TMPDIR',
  'TMP',
  'TEMP',
  'TZ',
  'LANG',
  'LC_ALL',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_ENV',
  'NODE_EXTRA_CA_CERTS',
  'NODE_V8_COVERAGE',
  'UV_THREADPOOL_SIZE',
]);

/** Things that exist only once, at home: the port of a debugger, the named file of a profile or report, the log of events. */
const OF_HOME = /^--(?:inspect|debug-port|(?:cpu|heap)-prof-name|report-filename|trace-event)/;
const TAKES_VALUE = new Set([
  '--inspect-port',
  '--debug-port',
  '--inspect-publish-uid',
  '--cpu-prof-name',
  '--heap-prof-name',
  '--report-filename',
  '--trace-event-categories',
  '--trace-event-file-pattern',
]);

/**
 * @param {string} text NODE_OPTIONS of home
 * @returns {string} for a replica: without what starts a debugger or would write into home's files
 */
function withoutHomes(text) {
  // Few programs have such options, and a replica should need little memory.
  const { bare, wordsOf } = require('../boot/node-options');
  const words = wordsOf(text);
  const names = words.map((word) => bare(word).replace(/=.*/s, '').replaceAll('_', '-'));
  const isKept = names.map((name, i) => !OF_HOME.test(name) && !(TAKES_VALUE.has(names[i - 1]) && !words[i - 1].includes('=')));
  return isKept.every(Boolean) ? text : words.filter((_, i) => isKept[i]).join(' ');
}

/** @param {string} name @returns {boolean} whether a variable holds a secret of Ignis */
const isSecret = (name) => SECRET.test(name);

/**
 * @param {Record<string, string | undefined>} env of home
 * @param {readonly string[]} [names] that the module may see; all by default
 * @returns {Record<string, string>}
 */
function replicaEnv(env, names) {
  const isSeen = (/** @type {string} */ name) => names === undefined || names.includes(name) || NEEDED.has(name.toUpperCase());
  /** @type {Record<string, string>} */
  const own = Object.create(null);
  for (const [name, value] of Object.entries(env)) if (value !== undefined && !isSecret(name) && isSeen(name)) own[name] = value;
  if (own.NODE_OPTIONS !== undefined) own.NODE_OPTIONS = withoutHomes(own.NODE_OPTIONS);
  return own;
}

exports.isSecret = isSecret;
exports.replicaEnv = replicaEnv;
