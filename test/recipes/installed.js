'use strict';
/*
 * The real packages of the recipe book. In: nothing. Out: the folder where they are installed, at the versions of packages/package-lock.json; it is
 * filled on first use. They are no dependencies of Ignis, so `npm ci` does not bring them. Their install scripts are not run.
 */
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const FOLDER = path.join(__dirname, 'packages');
const LIMIT_MS = 300000;

/** @param {string} name @returns {Record<string, any> | null} its package.json */
function manifestOf(name) {
  const file = path.join(FOLDER, 'node_modules', name, 'package.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;
}

/** @returns {string[]} packages that are not there, or in another version */
function missing() {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(FOLDER, 'package.json'), 'utf8'));
  return Object.keys(dependencies).filter((name) => manifestOf(name)?.version !== dependencies[name]);
}

/**
 * @returns {string} the folder; `require.resolve(name, { paths: [folder] })` finds the packages
 * @throws {Error} when npm cannot install them
 */
function installed() {
  const names = missing();
  if (names.length === 0) return FOLDER;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit-lockfile-registry-resolved'];
  try {
    execFileSync('npm', args, { cwd: FOLDER, timeout: LIMIT_MS, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  } catch (error) {
    const { code, stderr } = /** @type {any} */ (error);
    const why = code === 'ETIMEDOUT' ? `npm was not done in ${LIMIT_MS / 1000} s` : String(stderr ?? error).trim();
    const sentence = `the packages of the recipe book (${names.join(', ')}) could not be installed into test/recipes/packages; \`npm ${args.join(' ')}\` there says: ${why}`;
    throw new Error(sentence, { cause: error });
  }
  return FOLDER;
}

exports.INSTALL_MS = LIMIT_MS + 10000;
exports.installed = installed;
exports.manifestOf = manifestOf;
