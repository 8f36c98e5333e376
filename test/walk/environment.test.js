'use strict';

// The environment of a replica, as docs/environment.md says it: each row of the table, in each of the four places, against what the same
// program sees without Ignis.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const { ROWS } = require('./environment-rows');

const HOME = path.join(__dirname, '../fixtures/environment/home.js');
const PAGE = path.join(__dirname, '../../docs/environment.md');
const PLACES = ['plain-thread', 'plain-process', 'resident-thread', 'resident-process'];
const SCENES = ['looks', 'order', 'exit', 'end', 'errors', 'thrown', 'kill'];
/** A program of util-linux that gives a command a terminal; that of other systems takes other arguments. */
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** @type {string} */
let folder;

/** @param {string} file @returns {string} '' when nobody wrote to it */
const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');

/**
 * @param {string} place
 * @param {string} scene
 * @returns {Promise<Record<string, any>>} what it told, wrote and ended with
 */
async function play(place, scene) {
  const told = path.join(folder, `${place}.${scene}.told`);
  const file = path.join(folder, `${place}.${scene}.file`);
  const more = scene === 'looks' ? folder : file;
  // One pipe for both streams, read from as late as a pipe allows.
  const command = ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, '--max-old-space-size=300', HOME, place, scene, told, more];
  const child = spawn('sh', command, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TZ: 'Asia/Kolkata' } });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  const facts = read(told).split('\n').filter(Boolean).map((line) => JSON.parse(line)); // prettier-ignore
  return Object.assign({ code, text, file: read(file) }, ...facts);
}

/** The first scene once more, at a terminal of 77 columns. @param {string} place */
async function playAtTerminal(place) {
  if (!hasScript) return undefined;
  const told = path.join(folder, `${place}.terminal.told`);
  const command = `stty cols 77 rows 33; exec '${process.execPath}' '${HOME}' ${place} looks '${told}' /`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, TERM: 'xterm-256color' },
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await once(child, 'close');
  clearTimeout(limit);
  return JSON.parse(read(told).split('\n')[0]);
}

/** @param {string} place */
async function visit(place) {
  /** @type {Record<string, any>} */
  const seen = {};
  for (const scene of SCENES) seen[scene] = await play(place, scene);
  return { ...seen, terminal: await playAtTerminal(place) };
}

describe('the environment of a replica', function () {
  this.timeout(400_000);
  /** @type {Record<string, any>} */
  const seen = {};

  before(async () => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-environment-')));
    await Promise.all(['home', ...PLACES].map(async (place) => (seen[place] = await visit(place))));
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  for (const [i, place] of PLACES.entries()) {
    describe(`of a ${place.replace('-', ' ')}`, () => {
      for (const { what, look, places } of ROWS) {
        const [words, check] = places[i];
        it(`${what}: ${words}`, function () {
          const [value, home] = [look(seen[place]), look(seen.home)];
          if (what.includes('isTTY') && !hasScript) this.skip();
          check(value, home, seen[place]);
        });
      }
    });
  }

  it('is looked at from a terminal that is one', function () {
    if (!hasScript) this.skip();
    assert.deepEqual([seen.home.terminal.look.stdout.columns, seen.home.terminal.look.stderr.isTTY], [77, true]);
  });

  it('is what docs/environment.md says, row for row', () => {
    const rows = ROWS.map(({ what, places }) => `| ${[what, ...places.map(([words]) => words)].join(' | ')} |`);
    const written = fs.readFileSync(PAGE, 'utf8').split('\n').filter((line) => /^\| (?!what |---)/.test(line)); // prettier-ignore
    assert.deepEqual(written, rows);
  });
});
