'use strict';

// ignis keys: makes, with one command, what a home and its hosts recognize each other by. Prints the folders that it made, and what to do
// with each. Never a key.

const { X509Certificate } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { IgnisError } = require('../errors.js');
const { wholeNumber } = require('../option-table.js');
const { makeKeys } = require('../host/keys.js');
const { guarded } = require('./guarded.js');
const { misused } = require('./misuse.js');

exports.usage = 'keys [options] <folder>';
exports.summary = 'Makes a private authority, an identity for a home and for each host, and the key that signs code.';
exports.options = Object.freeze([
  {
    name: 'names',
    type: 'string',
    default: 'home,host1,host2',
    check: (/** @type {any} */ value) =>
      (typeof value === 'string' && value.split(',').every((name) => name.trim() !== '')) || 'names, separated by commas',
    sentence: 'The names of the nodes, separated by commas; the first is the home. Existing identities stay as they are.',
  },
  { name: 'days', type: 'number', default: 825, unit: 'days', check: wholeNumber(1, 3650), sentence: 'How long the identities are valid.' },
]);

/** @param {string} cert PEM @returns {string} */
function goodUntil(cert) {
  const until = new Date(new X509Certificate(cert).validTo);
  const day = until.toISOString().slice(0, 10);
  if (until > new Date()) return `is valid until ${day}`;
  return `HAS EXPIRED on ${day}: delete its key.pem and cert.pem, and run this again`;
}

/**
 * @param {string} folder absolute
 * @param {unknown} error
 * @returns {unknown} if the system refused it, an error that says which folder cannot be had
 */
function asToldOf(folder, error) {
  const { syscall, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (syscall === undefined) return error;
  return new IgnisError('IGNIS_BAD_OPTION', `keys cannot be written into the folder ${folder}: ${message}`, { cause: error, path: folder });
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length !== 1) throw misused('name one folder', exports.usage);
  const names = String(given.names)
    .split(',')
    .map((name) => name.trim());
  const launch = guarded(io, async () => {
    /** @type {string[]} */
    const further = [];
    const days = /** @type {number | undefined} */ (given.days);
    const folder = path.resolve(rest[0]);
    const made = makeKeys(folder, names, { days, onFurther: (host) => further.push(host) });
    const [home, ...hosts] = await made.catch((error) => Promise.reject(asToldOf(folder, error)));
    const until = (/** @type {string} */ folder) => goodUntil(fs.readFileSync(path.join(folder, 'cert.pem'), 'utf8'));
    io.out(
      `${home}\n  ${until(home)}\n  keep this with the program (IGNIS_IDENTITY, or the option identity), which signs its code with the key in it\n`,
    );
    for (const host of hosts) {
      io.out(`${host}\n  ${until(host)}\n`);
      if (further.includes(host))
        io.out(`  now also accepts code from ${names[0]}: copy its deploy.pub to that host, and add ${names[0]} to its --homes\n`);
      else io.out(`  copy this to that host only, and start there: ignis daemon --identity FOLDER --homes ${names[0]}\n`);
    }
  });
  return { code: 0, launch };
};
