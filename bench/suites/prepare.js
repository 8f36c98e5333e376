'use strict';

// Lays the suites out in a folder outside this repository: each package's own source with its tests, and all they need.
// In: suites, the folder, a folder of checkouts. Out: where each lies. Sources come from the registry's tarballs, through npm, or from
// checkouts that somebody else put there. It writes nowhere else, runs no install script, and asks the registry only for what is not there
// yet.
//
//   cache/package.json               workspaces: suites/*
//   cache/tarballs/qs-6.17.1.tgz
//   cache/suites/qs/package.json     what the package and its tests need
//   cache/suites/qs/qs/              the package with its tests: below no node_modules, so that Ignis sees files of the program

const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

/** @typedef {import('./suites').Suite} Suite */

/** Never taken from a checkout: what somebody installed or recorded there. */
const LEFT_BEHIND = new Set(['node_modules', '.git']);

/**
 * @param {Suite[]} suites
 * @param {object} places
 * @param {string} places.cache
 * @param {string | null} places.from one folder a package in it
 * @param {(line: string) => void} places.say
 * @returns {Map<string, string>} folder by the name of the suite
 * @throws {Error} when npm fails, or a checkout is of another version
 */
function prepare(suites, { cache, from, say }) {
  fetch(suites, cache);
  const folders = new Map(suites.map((suite) => [suite.name, layOut(suite, { cache, from, say })]));
  writeJson(path.join(cache, 'package.json'), { name: 'suites', private: true, workspaces: ['suites/*'] });
  install(cache, say);
  return folders;
}

/** @param {Suite} suite @param {{ cache: string, from: string | null, say: (line: string) => void }} places @returns {string} */
function layOut(suite, { cache, from, say }) {
  const home = path.join(cache, 'suites', suite.name);
  const folder = path.join(home, suite.name);
  const mark = path.join(home, 'laid-out');
  const wanted = JSON.stringify(suite);
  if (!fs.existsSync(mark) || fs.readFileSync(mark, 'utf8') !== wanted) {
    say(`${suite.name}: laying out`);
    fs.rmSync(home, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    if (suite.source !== 'checkout') unpack(suite, cache, folder);
    if (suite.source !== 'registry') copyCheckout(suite, String(from), folder);
    for (const [target, origin] of Object.entries(suite.copies ?? {})) {
      fs.cpSync(path.join(folder, origin), path.join(folder, target), { recursive: true });
    }
    for (const [file, pairs] of Object.entries(suite.edits ?? {})) {
      for (const [before, after] of pairs) edit(path.join(folder, file), before, after);
    }
    const own = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const dependencies = { ...own.dependencies, ...suite.needs };
    writeJson(path.join(home, 'package.json'), { name: `suite-${suite.name}`, version: '0.0.0', private: true, dependencies });
    fs.writeFileSync(mark, wanted);
  }
  return folder;
}

/** All that is missing by one npm: to start one takes longer than what it fetches. @param {Suite[]} suites @param {string} cache */
function fetch(suites, cache) {
  fs.mkdirSync(path.join(cache, 'tarballs'), { recursive: true });
  const missing = suites.filter((suite) => suite.source !== 'checkout' && !fs.existsSync(tarballOf(suite, cache)));
  const specs = new Set(missing.map(({ name, package: packageName = name, version }) => `${packageName}@${version}`));
  if (specs.size > 0) run('npm', ['pack', ...specs, '--silent', '--pack-destination', path.join(cache, 'tarballs')], cache);
}

/** @param {Suite} suite @param {string} cache */
function tarballOf({ name, package: packageName = name, version }, cache) {
  return path.join(cache, 'tarballs', `${packageName}-${version}.tgz`);
}

/** @param {Suite} suite @param {string} cache @param {string} folder */
function unpack(suite, cache, folder) {
  run('tar', ['xzf', tarballOf(suite, cache), '-C', folder, '--strip-components', '1'], cache);
}

/** @param {Suite} suite @param {string} from @param {string} folder */
function copyCheckout({ name, package: packageName = name, version, source, overlay }, from, folder) {
  const checkout = path.join(from, packageName);
  const found = JSON.parse(fs.readFileSync(path.join(checkout, 'package.json'), 'utf8')).version;
  if (found !== version) throw new Error(`${checkout} is ${packageName} ${found}, and the list names ${version}`);
  for (const part of source === 'checkout' ? ['.'] : (overlay ?? [])) {
    fs.cpSync(path.join(checkout, part), path.join(folder, part), {
      recursive: true,
      filter: (file) => !LEFT_BEHIND.has(path.basename(file)),
    });
  }
}

/** @param {string} file @param {string} before @param {string} after */
function edit(file, before, after) {
  const text = fs.readFileSync(file, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} does not say ${before}`);
  fs.writeFileSync(file, text.replaceAll(before, after));
}

/** @param {string} cache @param {(line: string) => void} say */
function install(cache, say) {
  const homes = fs.readdirSync(path.join(cache, 'suites'));
  const manifests = homes.map((name) => fs.readFileSync(path.join(cache, 'suites', name, 'package.json'), 'utf8'));
  const state = createHash('sha256').update(manifests.join('\n')).digest('hex');
  const mark = path.join(cache, 'installed');
  if (fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === state) return;
  say(`installing what ${homes.length} suites need`);
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel', 'error'], cache);
  fs.writeFileSync(mark, state);
}

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
}

/** @param {string} file @param {unknown} value */
function writeJson(file, value) {
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

exports.prepare = prepare;
