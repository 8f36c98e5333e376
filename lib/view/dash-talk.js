'use strict';
/*
 * What one open page and the program say to each other. In: a WebSocket, and what is shown. Out: a snapshot each second, with the new
 * decisions; an answer to each question: the details of a boundary, a what-if, an act. Nothing is written to a page that does not read, and
 * its questions are never trusted.
 */
const { IgnisError } = require('../errors');
const { JSON, Object, isInteger } = require('../engine');
const { inDigits } = require('./figures');

const EVERY_MS = 1000;
/** With more than this unread, a page has fallen behind and gets no snapshot; if it asks more then, it is closed, bytes. */
const MOST_BUFFERED = 4 * 1024 * 1024;
/** Open questions of one page. */
const MOST_OPEN = 8;
/** Boundaries in a snapshot (the hottest; totals are of all), and functions of each. */
const MOST_BOUNDARIES = 300;
const MOST_FUNCTIONS = 40;

/**
 * @param {any} socket of ws
 * @param {import('./dash').DashSource} source
 */
function talk(socket, source) {
  let told = 0;
  let open = 0;
  const send = (/** @type {object} */ record) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(record, inDigits(7)));
  };
  const stop = source.watch(EVERY_MS, (snapshot) => {
    if (socket.bufferedAmount > MOST_BUFFERED) return;
    const decisions = snapshot.decisions.filter((/** @type {any} */ { number }) => number > told);
    told = decisions.at(-1)?.number ?? told;
    const boundaries = snapshot.boundaries.slice(0, MOST_BOUNDARIES).map(slim);
    const ofAll = { boundaryCount: snapshot.boundaries.length, boundaryShare: shareOf(snapshot.boundaries) };
    send({ kind: 'snapshot', snapshot: { ...snapshot, decisions, boundaries, ...ofAll } });
  });
  socket.on('close', stop);
  socket.on('error', () => socket.terminate());
  socket.on('message', async (/** @type {Buffer} */ data) => {
    const asked = readQuestion(data);
    if (asked === null || open >= MOST_OPEN) return socket.close(1008, 'not a question');
    if (socket.bufferedAmount > MOST_BUFFERED) return socket.close(1008, 'what was answered is not read');
    open++;
    try {
      send({ kind: 'answer', id: asked.id, value: await answer(source, asked) });
    } catch (error) {
      send({ kind: 'answer', id: asked.id, error: sentenceOf(error) });
    }
    open--;
  });
}

/** @param {import('./dash').DashSource} source @param {{what: string, about: any}} asked */
function answer(source, { what, about }) {
  if (what === 'detail') return source.detail(String(about));
  if (what === 'history') return source.history();
  if (what === 'what-if') return source.whatIf(about ?? {});
  if (what === 'act') return source.act(about);
  throw new IgnisError('IGNIS_BAD_OPTION', `nothing is asked by '${what}'`);
}

/** @param {Buffer} data @returns {{id: number, what: string, about: any} | null} */
function readQuestion(data) {
  try {
    const { id, what, about } = JSON.parse(String(data));
    return isInteger(id) && typeof what === 'string' ? { id, what, about } : null;
  } catch {
    return null;
  }
}

/** @param {any} boundary only the functions that took most time are kept */
function slim({ functions = {}, kinds: _kinds, ...boundary }) {
  const all = Object.entries(functions).sort(([, a], [, b]) => b.exclusiveMs - a.exclusiveMs || b.calls - a.calls);
  return {
    ...boundary,
    functions: Object.fromEntries(
      all.slice(0, MOST_FUNCTIONS).map(([name, { kind, calls, exclusiveMs }]) => [name, { kind, calls, exclusiveMs }]),
    ),
  };
}

/** @param {any[]} boundaries @returns {number} the share of the event loop of all boundaries together */
function shareOf(boundaries) {
  return boundaries.reduce((sum, { share }) => sum + share, 0);
}

/** @param {unknown} error */
function sentenceOf(error) {
  return error instanceof Error ? error.message : String(error);
}

exports.talk = talk;
