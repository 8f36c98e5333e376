'use strict';
/*
 * The real packages of the recipe book. In: nothing. Out: the folder where they are installed, at the versions of
 * packages/package-lock.json; it is filled on first use. They are no dependencies of Ignis, so `npm ci` does not bring them. Their install
 * scripts are not run.
 */
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const FOLDER = path.join(__dirname, 'packages');
const LIMIT_MS = 300000;

/** @param {string} file @returns {any} what is in it; {} when it is not there */
const read = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {});

/** @param {string} folder @returns {string[]} packages that are not there, or in another version */
function missing(folder) {
  const { dependencies } = read(path.join(folder, 'package.json'));
  const versionOf = (/** @type {string} */ name) => read(path.join(folder, 'node_modules', name, 'package.json')).version;
  return Object.keys(dependencies).filter((name) => versionOf(name) !== dependencies[name]);
}

/**
 * @param {string} [folder] that has a package.json and a lock file
 * @returns {string} the folder; `require.resolve(name, { paths: [folder] })` finds the packages
 * @throws {Error} when npm cannot install them
 */
function installed(folder = FOLDER) {
  const names = missing(folder);
  if (names.length === 0) return folder;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit-lockfile-registry-resolved'];
  try {
    execFileSync('npm', args, { cwd: folder, timeout: LIMIT_MS, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  } catch (error) {
    const { code, stderr } = /** @type {any} */ (error);
    const why = code === 'ETIMEDOUT' ? `npm was not done in ${LIMIT_MS / 1000} s` : String(stderr ?? error).trim();
    const sentence = `the packages of the recipe book (${names.join(', ')}) could not be installed; \`npm ${args.join(' ')}\` in ${folder} says: ${why}`;
    throw new Error(sentence, { cause: error });
  }
  return folder;
}

exports.INSTALL_MS = LIMIT_MS + 10000;
exports.installed = installed;
