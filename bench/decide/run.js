'use strict';

// Runs one workload once, in a process of its own.
// In: a workload, a plan, seed and seconds. Out: its outcome. It ends what it started, also when this process is ended.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');

/** @typedef {import('./app.js').Outcome} Outcome */
/** @typedef {import('./list.js').Plan} Plan */

const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js');
const MOST_MS = 120_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * @param {string} workload
 * @param {Plan} plan
 * @param {{seed: number, seconds: number}} options
 * @returns {Promise<Outcome>}
 * @throws {Error} with the program's last words, when it failed or took too long
 */
async function run(workload, plan, { seed, seconds }) {
  const args = plan.kind === 'plain' ? [] : ['-r', REGISTER];
  const child = spawn(process.execPath, [...args, 'app.js', workload, '--seed', String(seed), '--seconds', String(seconds)], {
    cwd: __dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutIgnis(process.env), ...environment(workload, plan) },
  });
  running.add(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  let answer = '';
  let words = '';
  child.stdout.on('data', (chunk) => (answer += chunk));
  child.stderr.on('data', (chunk) => (words = (words + chunk).slice(-4000)));
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  running.delete(child);
  if (code !== 0) throw new Error(`${workload}, ${plan.name}: ended with ${signal ?? `exit code ${code}`}: ${words.trim()}`);
  return JSON.parse(answer);
}

/** @param {string} workload @param {Plan} plan @returns {Record<string, string>} */
function environment(workload, { kind, copies, where }) {
  const recipe = path.join(__dirname, 'recipes', `${workload}.js`);
  if (kind === 'plain') return {};
  if (kind === 'ignis') return { IGNIS_RECIPE: recipe };
  return {
    IGNIS_RECIPE: path.join(__dirname, 'fixed.js'),
    DECIDE_RECIPE: recipe,
    DECIDE_COPIES: JSON.stringify(copies),
    DECIDE_WHERE: String(where),
  };
}

/** @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} */
function withoutIgnis(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('IGNIS_')));
}

exports.run = run;
