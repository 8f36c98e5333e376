'use strict';
/*
 * Runs one part of the fault suite in a process of its own, and watches it. In: its name and options. Out: what came out. A part that ends
 * badly, or says nothing for too long, is a finding: nothing that is done to replicas may bring their home down, or stop it.
 */
const { fork } = require('node:child_process');
const path = require('node:path');

const PROGRAM = path.join(__dirname, 'part-program.js');
/** Longer than a part is ever silent: it waits a minute for calls that hang, and for replicas that start on a machine with much to do. */
const SILENT_MS = 270_000;
const MOST_TEXT = 6000;

/** @typedef {import('./parts/play').PartResult} PartResult */

/**
 * @param {string} name
 * @param {{seed: number, ms: number, calls?: number, kills?: number, meanMs?: number}} options
 * @param {(figures: Record<string, number>) => void} [onLook]
 * @returns {Promise<PartResult & {ms: number}>} never rejects
 */
async function runPart(name, options, onLook = () => {}) {
  const begun = performance.now();
  const child = fork(PROGRAM, [name, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  /** @type {PartResult | null} */
  let result = null;
  let said = '';
  let isSilent = false;
  const silence = setTimeout(() => {
    isSilent = true;
    child.kill('SIGKILL');
  }, SILENT_MS);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-MOST_TEXT);
    });
  }
  child.on('message', (/** @type {any} */ word) => {
    silence.refresh();
    if (word.figures !== undefined) onLook(word.figures);
    else result = word.result;
  });
  const how = await new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  clearTimeout(silence);
  const ms = performance.now() - begun;
  const { problems, counts, struck } = result ?? /** @type {PartResult} */ ({ problems: [], counts: {}, struck: {} });
  if (isSilent) problems.push(`said nothing for ${SILENT_MS / 1000} s`);
  else if (how !== 0 || result === null)
    problems.push(`its home ended with ${how}${result === null ? ' and no result' : ''}; it last wrote: ${said}`);
  return { problems, counts, struck, ms };
}

exports.runPart = runPart;
