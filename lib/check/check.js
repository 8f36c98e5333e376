'use strict';
/*
 * One check of a program: its own command runs once, recorded, at home; then replicas replay the records; then everything is judged. In: a
 * command. Out: a result of plain data, and the command's exit code. The program is not distributed, and never waits: all comparison
 * happens after its end.
 */
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { realOf } = require('../boot/real-path');
const { appRootOf, makeIdentify } = require('../import/module-id');
const { IgnisError } = require('../errors');
const { toPattern } = require('../recipe/pattern');
const { count } = require('../view/figures');
const { gather } = require('./gather');
const { judge } = require('./judge');
const { Interruption } = require('./interruption');
const { readLogs } = require('./log');
const { proposalOf } = require('./proposal');
const { study } = require('./study');

const REGISTER = path.join(__dirname, '..', 'register.js');

/**
 * @typedef {object} CheckedModule
 * @property {string} name
 * @property {string | null} version
 * @property {import('./judge').Verdict[]} verdicts
 * @property {string[]} unseen
 * @property {string} failed
 * @property {string[]} globals that it makes, or adds to the engine's classes: each replica has its own
 * @typedef {object} Result
 * @property {string} command
 * @property {number | null} exitCode null: a signal ended it
 * @property {NodeJS.Signals | null} signal that ended it
 * @property {string[]} unmet given targets that match nothing that was imported
 * @property {number} processes number of Node processes that were watched
 * @property {number} skipped number of records without room
 * @property {string} runner a test runner with its own module system, if one was seen
 * @property {CheckedModule[]} modules
 * @property {string} recipe '' if nothing is proposed
 */

/**
 * @param {object} given
 * @param {string[]} given.command
 * @param {string[]} [given.modules] targets; empty: all that the program's own files import
 * @param {boolean} [given.exact] nothing shows that the program's imports are not the original ones; false by default
 * @param {number} [given.limitMs] for one replica
 * @param {(line: string) => void} [given.say] told what is going on
 * @param {'inherit' | 'aside' | 'ignore'} [given.output] of the command; aside: all of it goes to stderr
 * @param {string} [given.cwd]
 * @param {Record<string, string | undefined>} [given.env]
 * @returns {Promise<Result>}
 * @throws {IgnisError} IGNIS_NOT_FOUND when there is no such command, IGNIS_BAD_OPTION when it cannot be started
 */
async function check({
  command,
  modules = [],
  exact = false,
  limitMs = 60000,
  say = () => {},
  output = 'inherit',
  cwd = process.cwd(),
  env = process.env,
}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-check-'));
  const interruption = new Interruption();
  try {
    const root = appRootOf(path.join(fs.realpathSync(cwd), 'any.js'));
    const settings = JSON.stringify({ folder, root, modules, exact });
    const nodeOptions = `${env.NODE_OPTIONS ?? ''} --require ${JSON.stringify(REGISTER)}`.trim();
    const { exitCode, signal } = await runCommand(command, {
      cwd,
      env: { ...env, NODE_OPTIONS: nodeOptions, IGNIS_CHECK: settings },
      output,
      interruption,
    });
    const seen = gather(readLogs(folder));
    const checked = [];
    for (const [i, module] of seen.modules.entries()) {
      if (interruption.signal !== null) break;
      say(`replaying ${module.name}: ${count(module.functions.size, 'function')} (module ${i + 1} of ${seen.modules.length})`);
      const answers = await study(module, { folder, limitMs, interruption });
      const verdicts = [...module.functions.values()]
        .filter(({ calls, constructs, recorded, refusals }) => calls + constructs + recorded + refusals.length > 0)
        .map((one) => judge(one, answers.functions.get(one.fn), { ...answers, writes: module.writes }));
      const unseen = answers.exported.filter((fn) => !module.functions.has(fn));
      checked.push({ name: module.name, version: module.version, verdicts, unseen, failed: answers.failed, globals: answers.globals });
    }
    const text = command.join(' ');
    return {
      command: text,
      exitCode,
      signal,
      unmet: unmetOf(modules, seen.imported.map(makeIdentify(root))),
      processes: seen.processes.length,
      skipped: seen.skipped,
      runner: runnerAmong(seen.processes),
      modules: checked,
      recipe: proposalOf(checked, text),
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
    interruption.close();
  }
}

/**
 * @param {string[]} command
 * @param {{cwd: string, env: Record<string, string | undefined>, output: 'inherit' | 'aside' | 'ignore', interruption: Interruption}} how
 * @returns {Promise<{exitCode: number | null, signal: NodeJS.Signals | null}>}
 */
function runCommand([program, ...args], { cwd, env, output, interruption }) {
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: output === 'aside' ? ['inherit', 2, 2] : output,
    shell: process.platform === 'win32',
  });
  interruption.reaches(child);
  // A Ctrl-C reaches the whole process group; the command decides when it ends.
  const stay = () => {};
  process.on('SIGINT', stay);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(program, error)));
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  }).finally(() => process.off('SIGINT', stay));
}

/** @param {string} program @param {NodeJS.ErrnoException} cause */
function notStarted(program, cause) {
  const given = { cause, path: program };
  if (cause.code === 'ENOENT') return new IgnisError('IGNIS_NOT_FOUND', `the command ${program}`, given);
  const why = cause.code === 'EACCES' ? 'it exists, but may not be executed' : cause.message;
  return new IgnisError('IGNIS_BAD_OPTION', `the command ${program} cannot be started: ${why}`, given);
}

/** @param {string[]} targets @param {import('../types').ModuleId[]} imported @returns {string[]} those that match none of them */
function unmetOf(targets, imported) {
  return targets.filter((target) => !imported.some(toPattern(target).means));
}

/** @param {{argv: string[], cwd: string}[]} processes @returns {string} */
function runnerAmong(processes) {
  const RUNNER = /[\\/](?:jest|jest-cli|jest-worker|vitest|tinypool)[\\/]/;
  // For `node_modules/.bin/jest`, the file that it leads to.
  const mainOf = (/** @type {string} */ file) => realOf(file) ?? file;
  const texts = processes.flatMap(({ argv: [main = '', ...args], cwd }) => [mainOf(path.resolve(cwd, main)), ...args]);
  const found = texts.find((text) => RUNNER.test(text));
  return /jest|vitest|tinypool/.exec(found ?? '')?.[0].replace('tinypool', 'vitest') ?? '';
}

exports.check = check;
