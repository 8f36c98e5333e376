'use strict';
/*
 * A program that runs under Ignis to be looked at, and commands that look. In: environment of the program. Out: its process, a folder of
 * its own for sockets; `end()` ends all and removes the folder.
 */
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { until } = require('../helpers/until.js');

const ROOT = path.join(__dirname, '..', '..');
const BIN = path.join(ROOT, 'bin', 'ignis.js');
const APP = path.join(ROOT, 'test', 'fixtures', 'seen', 'app.js');

/** For what waits for a program on a machine that is busy with others, ms. */
const LONG_MS = 120_000;

/** @param {{args?: string[], env?: Record<string, string>}} [how] */
async function startSeen({ args = [], env = {} } = {}) {
  // Short, since the path of a socket is.
  const folder = fs.mkdtempSync(path.join(fs.existsSync('/tmp') ? '/tmp' : os.tmpdir(), 'ig-'));
  const surroundings = { ...process.env, XDG_RUNTIME_DIR: folder, IGNIS_SPARES: '0', ...env };
  // Both say to Node that a terminal has no colours.
  delete surroundings.NO_COLOR;
  delete surroundings.CI;
  const child = spawn(process.execPath, [BIN, 'run', ...args, APP], { stdio: ['pipe', 'pipe', 'inherit'], env: surroundings });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const sockets = () => {
    const own = path.join(folder, 'ignis');
    return fs.existsSync(own) ? fs.readdirSync(own).filter((name) => name.endsWith('.sock')) : [];
  };
  return {
    child,
    folder,
    env: surroundings,
    exited,
    sockets,
    /** Until it can be looked at. */
    seen: () => until(() => sockets().length > 0, 'the socket of the program', LONG_MS),
    /** @param {string[]} argv @returns {Promise<{code: number | null, out: string, err: string}>} */
    ignis: (argv, more = {}, cwd = undefined) => run(argv, { ...surroundings, ...more }, cwd),
    async end() {
      child.stdin.end();
      await exited;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {string[]} argv @param {Record<string, string | undefined>} env @param {string} [cwd] */
async function run(argv, env, cwd) {
  const child = spawn(process.execPath, [BIN, ...argv], { stdio: ['ignore', 'pipe', 'pipe'], env, cwd });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

exports.BIN = BIN;
exports.LONG_MS = LONG_MS;
exports.startSeen = startSeen;
