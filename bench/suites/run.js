'use strict';

// Runs one suite in one mode. In: the suite, its folder, the mode. Out: the outcome of each test, how it ended, how long it took.
// Each process is its own group and is killed with all it started when the time is over: what had been said by then counts.

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { filesOf } = require('./files');
const { parseTap, parseMocha, numbered } = require('./outcomes');

/**
 * @typedef {import('./suites').Suite} Suite
 * @typedef {'plain' | 'profiled' | 'exact' | 'thread' | 'process' | 'host'} Mode
 *
 * @typedef {object} Command
 * @property {string[]} args of node
 * @property {Record<string, string>} env besides what there is
 * @property {string} cwd
 *
 * @typedef {object} Run
 * @property {import('./outcomes').Outcome[]} outcomes
 * @property {string | null} ending why it stopped before its end
 * @property {boolean} isLate it was stopped because its time was over
 * @property {number} ms
 */

/** @type {Mode[]} */
const MODES = ['plain', 'profiled', 'exact', 'thread', 'process'];

/** Those that run only when they are asked for: a host needs a daemon that somebody has started. @type {Mode[]} */
const MORE_MODES = ['host'];

const ROOT = path.join(__dirname, '..', '..');
const DRIVERS = path.join(__dirname, 'drivers');
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ERROR_BYTES = 64 * 1024;

/**
 * @param {Suite} suite
 * @param {string} folder
 * @param {Mode} mode
 * @param {object} [how]
 * @param {string} [how.ignis] another copy of this repository, to be put to the test
 * @param {string} [how.imports] the package is imported by ES modules: the file in which it stands what the tests require of it
 * @param {boolean} [how.isRecording] that file is written
 * @returns {Command[]} one after the other
 */
function commandsOf(suite, folder, mode, { ignis = ROOT, imports, isRecording = false } = {}) {
  const register = mode === 'plain' ? [] : ['-r', path.join(ignis, 'lib', 'register.js')];
  const env = { ...suite.env, ...environmentOf(suite, folder, mode) };
  if (imports !== undefined) {
    register.push('--import', pathToFileURL(path.join(DRIVERS, 'imports.mjs')).href);
    Object.assign(env, { SUITES_SOURCES: sourcesOf(suite, folder), SUITES_LIST: imports, ...(isRecording ? { SUITES_RECORD: '1' } : {}) });
  }
  // ava runs the tests in processes of its own.
  if (suite.runner === 'ava' && register.length > 0) env.NODE_OPTIONS = register.join(' ');
  const own = suite.runner === 'ava' ? [] : register;
  return runnerArgs(suite, folder).map((args) => ({ args: [...own, ...(suite.nodeArgs ?? []), ...args], env, cwd: folder }));
}

/** @param {Suite} suite @param {string} folder @param {Mode} mode @returns {Record<string, string>} */
function environmentOf(suite, folder, mode) {
  if (mode === 'plain') return {};
  if (mode === 'profiled') return { IGNIS_QUIET: 'true' };
  if (mode === 'exact') return { IGNIS_QUIET: 'true', IGNIS_EXACT: 'true' };
  const { IGNIS_NODES = '', IGNIS_IDENTITY = '' } = process.env;
  const hosts = mode === 'host' ? { IGNIS_NODES, IGNIS_IDENTITY } : {};
  return { IGNIS_QUIET: 'true', IGNIS_FORCE: sourcesOf(suite, folder), IGNIS_WHERE: mode, ...hosts };
}

/** @param {Suite} suite @param {string} folder */
function sourcesOf(suite, folder) {
  return suite.sources.map((source) => path.join(folder, source)).join(',');
}

/** @param {Suite} suite @param {string} folder @returns {string[][]} */
function runnerArgs(suite, folder) {
  const tests = filesOf(folder, suite.files).map((file) => path.join(folder, file));
  return suite.eachFile ? tests.flatMap((test) => argsOf(suite, folder, [test])) : argsOf(suite, folder, tests);
}

/** @param {Suite} suite @param {string} folder @param {string[]} tests @returns {string[][]} those of `node`, a list for each process */
function argsOf({ runner, args = [] }, folder, tests) {
  switch (runner) {
    case 'mocha':
      return [
        [
          fileOf('mocha', 'bin/_mocha', folder),
          '--no-config',
          '--no-package',
          '--timeout',
          '10000',
          '--exit',
          '--reporter',
          'json-stream',
          ...args,
          ...tests,
        ],
      ];
    case 'tape':
      return [[fileOf('tape', 'bin/tape', folder), ...args, ...tests]];
    case 'ava':
      return [[fileOf('ava', 'cli.js', folder), '--tap', ...args, ...tests]];
    case 'node':
      return tests.map((test) => [test, ...args]);
    case 'tap':
      return tests.map((test) => [path.join(DRIVERS, 'tap.js'), test, ...args]);
    default:
      return [[path.join(DRIVERS, `${runner}.js`), ...args, ...tests]];
  }
}

/**
 * Some runners do not export their commands, so `require.resolve` refuses to find them.
 * @param {string} name of a package @param {string} file in it @param {string} folder from which it is looked for
 * @returns {string}
 */
function fileOf(name, file, folder) {
  for (let at = folder; ; at = path.dirname(at)) {
    const candidate = path.join(at, 'node_modules', name, file);
    if (fs.existsSync(candidate)) return candidate;
    if (at === path.dirname(at)) throw new Error(`${name} is not installed for ${folder}`);
  }
}

/**
 * @param {Suite} suite
 * @param {string} folder
 * @param {Mode} mode
 * @param {{ timeoutMs: number, ignis?: string, imports?: string, isRecording?: boolean }} limits the time is for all its processes together
 * @returns {Promise<Run>}
 */
async function runSuite(suite, folder, mode, { timeoutMs, ...how }) {
  const start = performance.now();
  const outcomes = [];
  let ending = null;
  const commands = commandsOf(suite, folder, mode, how);
  for (const command of commands) {
    const left = timeoutMs - (performance.now() - start);
    if (left <= 0) {
      ending ??= `the suite was stopped after ${timeoutMs / 1000} s`;
      break;
    }
    const ended = await runCommand(command, left);
    const parsed = suite.runner === 'mocha' || suite.runner === 'promises' ? parseMocha(ended.output) : parseTap(ended.output);
    const file = commands.length > 1 ? `${path.relative(folder, command.args.at(-1) ?? '')}: ` : '';
    outcomes.push(...parsed.map((outcome) => ({ ...outcome, name: file + outcome.name })));
    if (ended.ending !== null) ending = ended.isLate ? `the suite was stopped after ${timeoutMs / 1000} s` : ended.ending;
  }
  const ms = performance.now() - start;
  return { outcomes: numbered(outcomes), ending, isLate: ms >= timeoutMs, ms };
}

/**
 * @param {Command} command
 * @param {number} timeoutMs
 * @returns {Promise<{ output: string, ending: string | null, isLate: boolean }>}
 */
function runCommand({ args, env, cwd }, timeoutMs) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = collect(child.stdout, MOST_BYTES);
  const errors = collect(child.stderr, MOST_ERROR_BYTES);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    killGroup(child.pid);
  }, timeoutMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // What it started may hold its output open after it.
    child.once('exit', () => killGroup(child.pid));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const ending = signal !== null ? `ended by ${signal}` : code !== 0 ? lastError(errors()) : null;
      resolve({ output: output(), ending, isLate });
    });
  });
}

/** @param {number | undefined} pid of the first in its group */
function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

/** @param {import('node:stream').Readable} stream @param {number} most bytes; the last ones are kept */
function collect(stream, most) {
  /** @type {Buffer[]} */
  let chunks = [];
  let size = 0;
  stream.on('data', (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= most * 2) return;
    chunks = [Buffer.concat(chunks).subarray(-most)];
    size = chunks[0].length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

/** @param {string} text @returns {string} the line that names an error, else the last one */
function lastError(text) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^Node\.js v/.test(line));
  return (
    lines.findLast((line) => /^(?:\[?\w*Error\b|ignis:|Uncaught)/.test(line)) ?? lines.at(-1) ?? 'ended with a failure, without a word'
  );
}

/** Nothing of ours, and nothing that colours or changes what runners print. */
function cleanEnvironment() {
  const left = /^(?:IGNIS_|npm_|NODE_OPTIONS$|NODE_PATH$|FORCE_COLOR$|COLOR$|DEBUG|MOCHA_|TAP)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !left.test(name)));
}

exports.MODES = MODES;
exports.MORE_MODES = MORE_MODES;
exports.commandsOf = commandsOf;
exports.runSuite = runSuite;
