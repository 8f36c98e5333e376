'use strict';
/*
 * A home of its own process, whose main thread may wait, or be killed, while the test goes on. In: the folder of an application, what the
 * program does. Out: what it tells, line by line, and how it ended.
 */
const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');

const IGNIS = path.join(__dirname, '../..');

/**
 * @param {string} folder
 * @param {string} body statements of app.js; they know `ignis` and `tell`, which takes what JSON can say
 * @param {Record<string, string>} [env] variables beside those of the tests
 * @returns
 *   {{child: import('node:child_process').ChildProcess, lines: any[], ended: Promise<{code: number | null, out: string, err: string}>}}
 *   lines: what it has told so far
 */
function startHome(folder, body, env = {}) {
  const program = path.join(folder, 'app.js');
  const text = `const ignis = require(${JSON.stringify(IGNIS)});
    const tell = (x) => require('node:fs').writeSync(3, JSON.stringify(x) + '\\n');
    ${body}`;
  fs.writeFileSync(program, text);
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const said = ['', '', ''];
  /** @type {any[]} */
  const lines = [];
  for (const [at, fd] of [1, 2, 3].entries())
    child.stdio[fd].setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
      said[at] += chunk;
      if (fd !== 3) return;
      const whole = said[at].split('\n');
      said[at] = /** @type {string} */ (whole.pop());
      lines.push(...whole.map((line) => JSON.parse(line)));
    });
  const ended = new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, out: said[0], err: said[1] }));
  });
  return { child, lines, ended };
}

exports.startHome = startHome;
