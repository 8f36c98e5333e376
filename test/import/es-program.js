'use strict';

// Small programs of ES modules, written to a folder, and run with and without Ignis.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');

const ROOT = path.resolve(__dirname, '../..');
const REGISTER = path.join(ROOT, 'lib/register.js');

/** A program that never ends must not outlive its test. */
const LIMIT = /** @type {const} */ ({ timeout: 50_000, killSignal: 'SIGKILL' });

/** @type {string[]} */
const written = [];
process.once('exit', () => written.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

/**
 * @param {Record<string, string>} files name to content
 * @returns {string} the folder; removed at the end of the process
 */
function writeProgram(files) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-es-')));
  written.push(folder);
  for (const [name, content] of Object.entries({ 'package.json': '{"name":"app"}', ...files })) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/**
 * @param {string} folder
 * @param {string[]} args of Node
 * @param {Record<string, string>} [env]
 * @returns {Promise<{code: number | null, out: string, err: string}>}
 */
function runNode(folder, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', ...args], { cwd: folder, env: { ...process.env, ...env }, ...LIMIT });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** @param {string} folder @param {string[]} args @returns {Promise<[any, any]>} plain and under Ignis, side by side */
function runBoth(folder, args) {
  return Promise.all([runNode(folder, args), runNode(folder, ['--import', REGISTER, ...args])]);
}

/**
 * @param {string} folder @param {string} main @param {Record<string, string>} [env] @param {string[]} [flags] of Node
 * @returns {Promise<{code: number | null, out: string, err: string, report: any}>}
 */
async function runWithReport(folder, main, env, flags = []) {
  const file = path.join(folder, `report-${Math.random()}.json`);
  const ended = await runNode(folder, [...flags, '--import', REGISTER, main], { IGNIS_REPORT: file, ...env });
  return { ...ended, report: JSON.parse(fs.readFileSync(file, 'utf8')) };
}

exports.REGISTER = REGISTER;
exports.ROOT = ROOT;
exports.runBoth = runBoth;
exports.runNode = runNode;
exports.runWithReport = runWithReport;
exports.writeProgram = writeProgram;
