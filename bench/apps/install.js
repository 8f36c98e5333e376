'use strict';

// Lays the applications out in a folder outside this repository, each with what it needs: cache/NAME/node_modules.
// In: applications, the folder. Out: where each lies. Through npm; it runs no install script, writes nowhere else, and asks the registry
// only for what is not there yet.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

/** @typedef {import('./list.js').App} App */

/**
 * @param {App} app
 * @param {string} cache
 * @param {(line: string) => void} say
 * @returns {{main: string, installed: number}} main: absolute, the file that its command runs; installed: packages, it among them
 * @throws {Error} when npm fails, or another version came
 */
function install({ name, version, main, overrides = {} }, cache, say) {
  const home = path.join(cache, name);
  const mark = path.join(home, 'installed');
  if (!fs.existsSync(mark) || fs.readFileSync(mark, 'utf8') !== version) {
    say(`${name} ${version}: installing`);
    fs.rmSync(home, { recursive: true, force: true });
    fs.mkdirSync(home, { recursive: true });
    const manifest = { name: `app-${name}`, private: true, dependencies: { [name]: version }, overrides };
    fs.writeFileSync(path.join(home, 'package.json'), JSON.stringify(manifest));
    const flags = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel', 'error'];
    execFileSync('npm', ['install', ...flags], { cwd: home, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
    fs.writeFileSync(mark, version);
  }
  const modules = path.join(home, 'node_modules');
  const found = JSON.parse(fs.readFileSync(path.join(modules, name, 'package.json'), 'utf8')).version;
  if (found !== version) throw new Error(`${name} ${found} is installed in ${home}, not ${version}; remove that folder`);
  const lock = JSON.parse(fs.readFileSync(path.join(modules, '.package-lock.json'), 'utf8'));
  return { main: path.join(modules, main), installed: Object.keys(lock.packages).length };
}

exports.install = install;
