'use strict';

// What `ignis top` looks at, and how keys change that. In: a state and a key. Out: the next state, and what to do about it, as plain
// records. Pure.

const { ORDERS, rowsOf } = require('./top-table');
const { Math, Object } = require('../engine');

/**
 * @typedef {object} TopState
 * @property {'table' | 'detail' | 'recipe' | 'paths' | 'help'} view
 * @property {import('../types').Snapshot | null} snapshot null: none has come
 * @property {number} silentMs how long the program has not answered; 0: it answers
 * @property {string | null} selected id of a boundary; null: the first row
 * @property {string} sort
 * @property {string} filter
 * @property {boolean} byCalls paths are sorted by calls; otherwise by time
 * @property {boolean} isPaused
 * @property {{what: 'filter' | 'copies', text: string} | null} prompt what is being typed
 * @property {string} note shown in one line until the next key
 * @property {import('../types').BoundaryDetail | null} detail
 * @property {import('../types').Proposal | null} proposal
 * @property {number} scroll in lines, in views other than the table
 * @typedef {{do: 'quit'} | {do: 'detail', boundary: string} | {do: 'act', wish: import('../types').Wish} | {do: 'copy', text: string}} Deed
 */

/** @type {Readonly<TopState>} */
const START = Object.freeze({
  view: 'table',
  snapshot: null,
  silentMs: 0,
  selected: null,
  sort: 'heat',
  filter: '',
  byCalls: false,
  isPaused: false,
  prompt: null,
  note: '',
  detail: null,
  proposal: null,
  scroll: 0,
});

/** Rows or lines in a page. */
const PAGE = 10;

/** @param {TopState} state @returns {import('../types').WatchedBoundary[]} */
function rows(state) {
  return state.snapshot === null ? [] : rowsOf(state.snapshot.boundaries, state);
}

/** @param {TopState} state @returns {import('../types').WatchedBoundary | null} the selected row; the first one if that is gone */
function selectedOf(state) {
  const all = rows(state);
  return all.find(({ id }) => id === state.selected) ?? all[0] ?? null;
}

/** @param {TopState} state @param {import('../types').Snapshot} snapshot @returns {TopState} */
function withSnapshot(state, snapshot) {
  return state.isPaused && state.snapshot !== null ? state : { ...state, snapshot };
}

/**
 * @param {TopState} state
 * @param {{name?: string, text?: string, ctrl?: boolean}} key name: of node:readline; text: what it types
 * @returns {{state: TopState, deed: Deed | null}}
 */
function press(state, key) {
  if (key.ctrl === true) return key.name === 'c' || key.name === 'd' ? { state, deed: { do: 'quit' } } : { state, deed: null };
  if (state.prompt !== null) return typed(state, key);
  const calm = { ...state, note: '' };
  const moved = move(calm, key);
  if (moved !== null) return { state: moved, deed: null };
  return command(calm, key.text ?? '', key.name ?? '');
}

/** @param {TopState} state @param {{name?: string, text?: string}} key @returns {TopState | null} null: it moves nothing */
function move(state, { name, text }) {
  const steps =
    { up: -1, down: 1, pageup: -PAGE, pagedown: PAGE, home: -Infinity, end: Infinity }[name ?? ''] ?? { k: -1, j: 1 }[text ?? ''];
  if (steps === undefined) return null;
  if (state.view !== 'table') return { ...state, scroll: Math.max(0, Math.min(1000, state.scroll + steps)) };
  const all = rows(state);
  if (all.length === 0) return state;
  const at = Math.max(
    0,
    all.findIndex(({ id }) => id === selectedOf(state)?.id),
  );
  return { ...state, selected: all[Math.min(all.length - 1, Math.max(0, at + steps))].id };
}

/** @param {TopState} state @param {string} text @param {string} name @returns {{state: TopState, deed: Deed | null}} */
function command(state, text, name) {
  const only = (/** @type {Partial<TopState>} */ change) => ({ state: { ...state, ...change }, deed: null });
  if (text === 'q') return { state, deed: { do: 'quit' } };
  if (text === '?') return only({ view: state.view === 'help' ? 'table' : 'help', scroll: 0 });
  if (name === 'escape' || name === 'backspace' || name === 'left') {
    return state.view === 'table' ? only({ filter: '' }) : only({ view: 'table', detail: null, proposal: null, scroll: 0 });
  }
  if (text === 'p') return only({ view: state.view === 'paths' ? 'table' : 'paths', detail: null, proposal: null, scroll: 0 });
  if (text === 's' && state.view === 'paths') return only({ byCalls: !state.byCalls, scroll: 0 });
  if (text === 's') {
    const orders = Object.keys(ORDERS);
    return only({ sort: orders[(orders.indexOf(state.sort) + 1) % orders.length], selected: selectedOf(state)?.id ?? null });
  }
  if (text === '/') return only({ view: 'table', prompt: { what: 'filter', text: state.filter } });
  if (text === ' ') return only({ isPaused: !state.isPaused });
  if (text === 'y' && state.view === 'recipe' && state.proposal !== null && state.proposal.text !== '')
    return {
      state: { ...state, note: 'the recipe was copied to the clipboard, and is printed when you quit' },
      deed: { do: 'copy', text: state.proposal.text },
    };
  // Paths belong to many boundaries, and this view does not show which is chosen.
  return state.view === 'paths' ? { state, deed: null } : aboutBoundary(state, text, name);
}

/**
 * Keys for the selected boundary.
 *
 * @param {TopState} state
 * @param {string} text
 * @param {string} name
 * @returns {{state: TopState, deed: Deed | null}}
 */
function aboutBoundary(state, text, name) {
  const chosen = selectedOf(state);
  if (chosen === null) return { state, deed: null };
  const boundary = chosen.id;
  // It stays selected, though rows may change places.
  const fixed = { ...state, selected: boundary };
  const act = (/** @type {import('../types').Wish} */ wish) => ({ state: fixed, deed: /** @type {Deed} */ ({ do: 'act', wish }) });
  if (name === 'return' || name === 'enter' || name === 'right')
    return { state: { ...fixed, view: 'detail', detail: null, scroll: 0 }, deed: { do: 'detail', boundary } };
  if (text === 'h') return act({ what: 'home', boundary });
  if (text === 'u') return act({ what: 'unpin', boundary });
  if (text === 'r') return act({ what: 'recipe', boundary });
  if (text === 'a' && state.view === 'recipe') return act({ what: 'recipe', boundary, apply: true });
  if (text === 'c') return { state: { ...fixed, prompt: { what: 'copies', text: '' } }, deed: null };
  return { state, deed: null };
}

/** @param {TopState} state with a prompt @param {{name?: string, text?: string}} key @returns {{state: TopState, deed: Deed | null}} */
function typed(state, { name, text = '' }) {
  const { what, text: before } = /** @type {{what: 'filter' | 'copies', text: string}} */ (state.prompt);
  const shown = (/** @type {string} */ now) => ({ ...state, prompt: { what, text: now }, ...(what === 'filter' ? { filter: now } : {}) });
  if (name === 'escape') return { state: { ...state, prompt: null, ...(what === 'filter' ? { filter: '' } : {}) }, deed: null };
  if (name === 'backspace') return { state: shown([...before].slice(0, -1).join('')), deed: null };
  if (name === 'return' || name === 'enter')
    return what === 'filter' ? { state: { ...state, prompt: null }, deed: null } : asked(state, before);
  const isText = text !== '' && text >= ' ' && [...text].length === 1;
  return { state: isText && before.length < 40 ? shown(before + text) : state, deed: null };
}

/** @param {TopState} state @param {string} text '2', or '1-4' @returns {{state: TopState, deed: Deed | null}} */
function asked(state, text) {
  const done = { ...state, prompt: null };
  const boundary = selectedOf(state)?.id;
  const match = /^\s*(\d{1,3})\s*(?:[-,. ]+\s*(\d{1,3}))?\s*$/.exec(text);
  if (match === null || boundary === undefined)
    return { state: { ...done, note: `'${text}' is not a number of replicas such as 2 or 0-4` }, deed: null };
  const least = Number(match[1]);
  /** @type {number | [number, number]} */
  const copies = match[2] === undefined ? least : [least, Number(match[2])];
  return { state: done, deed: { do: 'act', wish: { what: 'copies', boundary, copies } } };
}

exports.START = START;
exports.press = press;
exports.rows = rows;
exports.selectedOf = selectedOf;
exports.withSnapshot = withSnapshot;
