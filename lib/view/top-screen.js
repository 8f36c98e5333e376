'use strict';

// The screen of `ignis top`, line by line. In: what is looked at, and the size of the terminal. Out: lines, none wider than the terminal.
// Pure.

const { bar, cut, fit, fold, painter, plain, widthOf } = require('./columns');
const { START, rows, selectedOf } = require('./top-state');
const { detailLines } = require('./top-detail');
const { pathLines } = require('./top-paths');
const { percent, rowLine, short, titleLine } = require('./top-table');
const { Math, Object } = require('../engine');

/** @typedef {import('./top-state').TopState} TopState */

/**
 * @typedef {object} Terminal
 * @property {number} columns
 * @property {number} rows
 * @property {boolean} isUnicode
 * @property {boolean} hasColour
 */

/** Lines of the sentence below the table. */
const WHY_LINES = 3;

/** Hot paths when the table is printed once. */
const MOST_PRINTED = 5;

/** The part of one event loop that is a lot, and the part that is worth a look. */
const HOT = 0.6;
const WARM = 0.2;

const KEYS = Object.freeze({
  table: 'enter open  p paths  s sort  / filter  space pause  h c r u act  ? help  q quit',
  detail: 'esc back  up/down scroll  h home  c copies  r recipe  u undo  q quit',
  recipe: 'a apply now  y copy and print  esc back  q quit',
  paths: 'esc back  up/down scroll  s sort by own time, or by calls  space pause  q quit',
  help: 'esc back  q quit',
});

/** Each fits into 78 columns. */
const HELP = Object.freeze([
  'What the columns mean',
  '  heat      event loops that a boundary keeps busy, at home and in replicas',
  '  calls/s   in the last second',
  '  own ms    time of the module itself on the event loop, since the start',
  '  p50 p99   ms of one call',
  '  pend      calls that are not answered yet',
  '  repl      replicas that are ready',
  '  state     home, starts, away (in replicas), stays (no recipe lets it leave)',
  'Keys',
  '  up down   choose a row       enter  its functions, replicas, decisions',
  '  s         next sort column   /      only rows with this text, esc ends it',
  '  space     pause, go on       p      hot paths: where calls come from',
  '  q         quit; the program goes on',
  'These change the program, as ignis.recipe() in its code would',
  '  h         bring the module home and keep it there',
  '  c         how many replicas it may have: 2, or 0-4',
  '  r         propose a recipe for it, to copy or to apply at once',
  '  u         undo what h, c and r did',
]);

/** @param {number} ms @returns {string} */
function span(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return seconds < 172_800
    ? `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
    : `${Math.floor(seconds / 86_400)} days`;
}

/** @param {number} heat @returns {'red' | 'yellow' | 'green'} */
function colourOf(heat) {
  return heat >= HOT ? 'red' : heat >= WARM ? 'yellow' : 'green';
}

/** What matters least is left out first. @param {import('../types').Snapshot} snapshot @param {Terminal} terminal @returns {string} */
function headLine({ program, replicas }, { columns, isUnicode, hasColour }) {
  const { name, pid, uptimeMs, loop, memory, cpus } = program;
  const ready = replicas.filter(({ state }) => state === 'ready').length;
  const drawn = bar(loop.utilisation, 8, isUnicode);
  const parts = [
    `${plain(name)} (${pid})`,
    `loop ${drawn} ${percent(loop.utilisation)}`,
    `delay ${short(loop.delayMs)} ms`,
    `${ready} replica${ready === 1 ? '' : 's'}`,
    `up ${span(uptimeMs)}`,
    `${Math.round(memory.rssBytes / 1e6)} MB`,
    `${cpus} cpus`,
  ];
  while (parts.length > 1 && widthOf(parts.join('  ')) > columns) parts.pop();
  const paint = painter(hasColour);
  return cut(parts.join('  '), columns).replace(drawn, paint(colourOf(loop.utilisation), drawn));
}

/** @param {TopState} state @param {Terminal} terminal @returns {string} what is typed, said, or was decided last */
function newsLine({ prompt, note, snapshot, silentMs, filter, isPaused }, { columns, hasColour }) {
  const paint = painter(hasColour);
  if (prompt !== null) return cut(`${prompt.what === 'filter' ? 'filter' : 'replicas (2, or 0-4)'}: ${plain(prompt.text)}_`, columns);
  if (silentMs > 0)
    return paint('yellow', cut(`it has not answered for ${span(silentMs)}: its event loop is busy, or it is stopped`, columns));
  const marks = [isPaused ? '[paused]' : '', filter === '' ? '' : `[only '${plain(filter)}']`].filter(Boolean).join(' ');
  if (note !== '') return paint('cyan', cut(plain(note), columns));
  const last = snapshot?.decisions.at(-1);
  const text = last === undefined ? 'nothing has been decided yet' : `last decision: ${plain(last.sentence)}`;
  return cut(marks === '' ? text : `${marks} ${text}`, columns);
}

/** @param {TopState} state @param {Terminal} terminal @param {number} room lines @returns {string[]} */
function tableLines(state, terminal, room) {
  const { columns, isUnicode, hasColour } = terminal;
  const paint = painter(hasColour);
  const all = rows(state);
  const chosen = selectedOf(state);
  const whole = chosen === null ? [] : fold(`${chosen.id}: ${chosen.sentence}`, columns);
  const why = whole.slice(0, WHY_LINES);
  // The rest of it is one key away.
  if (whole.length > WHY_LINES) why.push(cut(`${why.pop()} ${whole[WHY_LINES]}`, columns));
  const most = Math.max(1, room - 1 - (why.length === 0 ? 0 : WHY_LINES + 1));
  const at = Math.max(
    0,
    all.findIndex((one) => one === chosen),
  );
  const first = Math.max(0, Math.min(at - Math.floor(most / 2), all.length - most));
  // If no colour shows the chosen row, a mark does, for which all rows make room.
  const [margin, mark] = hasColour ? ['', ''] : [' ', '>'];
  const width = columns - margin.length;
  const lines = all.slice(first, first + most).map((one) => {
    if (one !== chosen) return margin + rowLine(one, width, { isUnicode, paint: (heat, text) => paint(colourOf(heat), text) });
    return mark + paint('inverse', fit(rowLine(one, width, { isUnicode, paint: (_heat, text) => text }), width));
  });
  if (all.length === 0) lines.push(state.filter === '' ? 'No boundary has been crossed yet.' : 'No boundary has this text in its name.');
  while (lines.length < most) lines.push('');
  return [paint('bold', margin + titleLine(width, state.sort, isUnicode)), ...lines, ...(why.length === 0 ? [] : ['', ...why])];
}

/** @param {TopState} state @param {number} columns @returns {string[]} */
function recipeLines({ proposal }, columns) {
  if (proposal === null) return ['Making a recipe...'];
  const title = [cut(`A recipe for ${plain(proposal.module)}, from what was seen of it`, columns), ''];
  if (proposal.recipe === null) return [...title, ...fold(`None: ${proposal.why}.`, columns)];
  const text = proposal.text
    .trimEnd()
    .split('\n')
    .map((line) => cut(`  ${plain(line)}`, columns));
  const notes = proposal.notes.flatMap((note) => ['', ...fold(`- ${note}`, columns)]);
  return [...title, ...text, '', 'By using it you confirm:', ...notes];
}

/** @param {TopState} state in a view other than the table @param {Terminal} terminal @returns {string[]} */
function wholeOf(state, terminal) {
  const { columns } = terminal;
  if (state.view === 'detail') return detailLines(state.detail, terminal);
  if (state.view === 'recipe') return recipeLines(state, columns);
  if (state.view === 'help') return HELP.map((line) => cut(line, columns));
  const title = cut(
    `Hot paths, ${state.byCalls ? 'the most frequent' : 'the most expensive'} first; figures are of the last step`,
    columns,
  );
  return [painter(terminal.hasColour)('bold', title), ...pathLines(state.snapshot?.paths ?? [], { columns, byCalls: state.byCalls })];
}

/** @param {TopState} state @param {Terminal} terminal @param {number} room @returns {string[]} */
function bodyLines(state, terminal, room) {
  if (state.view === 'table') return tableLines(state, terminal, room);
  const whole = wholeOf(state, terminal);
  const from = Math.max(0, Math.min(state.scroll, whole.length - room));
  return whole.slice(from, from + room);
}

/**
 * @param {TopState} state
 * @param {Terminal} terminal
 * @returns {string[]} exactly `rows` lines, at least 3
 */
function screen(state, terminal) {
  const { columns, hasColour } = terminal;
  const count = Math.max(3, terminal.rows);
  const paint = painter(hasColour);
  const head = state.snapshot === null ? 'ignis top: waiting for the program' : headLine(state.snapshot, terminal);
  const room = count - 3;
  const body = room > 0 && state.snapshot !== null ? bodyLines(state, terminal, room) : [];
  while (body.length < room) body.push('');
  return [cutPainted(head, columns), newsLine(state, terminal), ...body.slice(0, room), paint('dim', keyLine(state.view, columns))];
}

/** Help and the way out are left out last. @param {TopState['view']} view @param {number} columns @returns {string} what keys do */
function keyLine(view, columns) {
  const parts = KEYS[view].split('  ');
  while (parts.length > 2 && parts.join('  ').length > columns) parts.splice(-3, 1);
  return cut(parts.join('  '), columns);
}

/** A line without colours may still be too wide. @param {string} line @param {number} columns */
function cutPainted(line, columns) {
  return line.includes('\u001b') ? line : cut(line, columns);
}

/**
 * The same for a pipe or a file: all rows, with their sentences below the table, and the most expensive paths.
 *
 * @param {import('../types').Snapshot} snapshot
 * @param {{columns?: number, sort?: string, filter?: string, most?: number}} [how]
 * @returns {string}
 */
function printed(snapshot, { columns = 100, sort = 'heat', filter = '', most = 40 } = {}) {
  const terminal = { columns, rows: 0, isUnicode: false, hasColour: false };
  const state = { ...START, snapshot, sort, filter };
  const all = rows(state);
  const shown = all.slice(0, most);
  const plainRow = (/** @type {any} */ one) => rowLine(one, columns, { isUnicode: false, paint: (_heat, text) => text }).trimEnd();
  const lines = [
    headLine(snapshot, terminal),
    newsLine(state, terminal),
    '',
    titleLine(columns, sort, false).trimEnd(),
    ...shown.map(plainRow),
  ];
  if (all.length > shown.length) lines.push(`and ${all.length - shown.length} more`);
  for (const one of shown.filter(({ calls }) => calls > 0)) lines.push('', ...fold(`${one.id}: ${one.sentence}`, columns));
  if (snapshot.paths.length > 0) {
    const paths = pathLines(snapshot.paths, { columns, byCalls: false, most: MOST_PRINTED });
    lines.push('', 'Hot paths, the most expensive first', ...paths);
  }
  return `${lines.join('\n')}\n`;
}

exports.printed = printed;
exports.screen = screen;
exports.span = span;
