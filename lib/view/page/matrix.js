// The adjacency heat matrix (Fig. 10 of the paper): parents by modules, each cell as hot as the edge. In: a snapshot, a grain, a measure.
// Out: a table to walk through with the arrow keys.

import { at, fill, make } from './dom.js';
import { count, cut, ms, percent, plain } from './figures.js';

/** @typedef {{row: string, column: string, value: number, boundary: string}} Cell */

const MOST_ROWS = 14;
const LEAST_COLUMNS = 5;
const MOST_COLUMNS = 18;
/** Widths of a column and of the rows' names, px. */
const COLUMN = 40;
const NAMES = 120;
/** Room for the text of a name, px: above its column, and before its row. */
const [ABOVE, BEFORE] = [88, 108];

/** @param {string} name of a module @returns {string} the package it is in */
function packageOf(name) {
  if (name.startsWith('./') || name.startsWith('../') || name.startsWith('/')) return '(program)';
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/** @param {any} boundary @param {'heat' | 'time' | 'calls'} measure */
function valueOf(boundary, measure) {
  if (measure === 'heat') return boundary.heat;
  return measure === 'time' ? boundary.exclusiveMs : boundary.calls;
}

/**
 * @param {any[]} boundaries
 * @param {'program' | 'module' | 'function'} grain
 * @param {'heat' | 'time' | 'calls'} measure
 * @returns {Cell[]} one for each pair; boundaries of the same pair are summed
 */
export function cellsOf(boundaries, grain, measure) {
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  const add = (/** @type {Cell} */ cell) => {
    const key = `${cell.row}\n${cell.column}`;
    const known = cells.get(key);
    if (known === undefined) cells.set(key, { ...cell });
    else known.value += cell.value;
  };
  for (const one of boundaries) {
    const value = valueOf(one, measure);
    if (grain === 'program') add({ row: packageOf(one.parent), column: packageOf(one.child), value, boundary: one.id });
    else if (grain === 'module') add({ row: plain(one.parent), column: plain(one.child), value, boundary: one.id });
    else
      for (const [name, { exclusiveMs, calls }] of Object.entries(/** @type {Record<string, any>} */ (one.functions))) {
        const part = measure === 'calls' ? calls : one.exclusiveMs > 0 ? (exclusiveMs / one.exclusiveMs) * value : 0;
        add({ row: plain(one.parent), column: `${plain(one.child)} ${name}`.trim(), value: part, boundary: one.id });
      }
  }
  return [...cells.values()];
}

/** @param {Cell[]} cells @param {'row' | 'column'} side @param {number} most @returns {string[]} the hottest first */
function ranked(cells, side, most) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const cell of cells) sums.set(cell[side], (sums.get(cell[side]) ?? 0) + cell.value);
  return [...sums]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most)
    .map(([name]) => name);
}

/** @param {number} value @param {'heat' | 'time' | 'calls'} measure */
function figure(value, measure) {
  if (measure === 'heat') return percent(value);
  return measure === 'time' ? ms(value) : count(value, 'call');
}

/** @param {number} value @param {'heat' | 'time' | 'calls'} measure */
function inCell(value, measure) {
  if (measure === 'heat') return value < 0.005 ? '' : String(Math.round(value * 100));
  const scaled = measure === 'time' ? value / 1000 : value;
  if (scaled < 1) return '';
  return scaled >= 1e6 ? `${Math.round(scaled / 1e6)}M` : scaled >= 1000 ? `${Math.round(scaled / 1000)}k` : String(Math.round(scaled));
}

/** @param {any} snapshot @param {(id: string) => void} choose */
export function showMatrix({ boundaries }, choose) {
  const place = at('matrix');
  const measure = at('measure').value;
  const cells = cellsOf(boundaries, at('grain').value, measure);
  if (cells.length === 0) return fill(place, make('p', { class: 'quiet' }, 'No module has been imported yet.'));
  const room = Math.floor((place.clientWidth - NAMES) / COLUMN);
  const columns = ranked(cells, 'column', Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, room)));
  const shown = cells.filter(({ column }) => columns.includes(column));
  const rows = ranked(shown, 'row', MOST_ROWS);
  const most = measure === 'heat' ? Math.max(1, ...shown.map(({ value }) => value)) : Math.max(1e-9, ...shown.map(({ value }) => value));
  const cell = (/** @type {string} */ row, /** @type {string} */ column) => {
    const found = shown.find((one) => one.row === row && one.column === column);
    if (found === undefined) return make('td', {});
    const label = `${row} to ${column}: ${figure(found.value, measure)}`;
    // By the square root, so that a cell a tenth as hot still differs from a cold one.
    const warmth = found.value <= 0 ? 0.04 : 0.08 + 0.85 * Math.sqrt(found.value / most);
    const inner = make(
      'button',
      {
        type: 'button',
        tabindex: -1,
        title: label,
        'aria-label': label,
        'data-key': `m ${row} ${column}`,
        onclick: () => choose(found.boundary),
      },
      inCell(found.value, measure),
    );
    return make('td', { ground: `rgba(var(--hot), ${warmth.toFixed(3)})`, 'data-value': found.value }, inner);
  };
  const head = make(
    'tr',
    {},
    make('td', {}),
    ...columns.map((name) => make('th', { scope: 'col', title: name }, make('span', {}, cut(name, ABOVE)))),
  );
  const body = rows.map((row) =>
    make('tr', {}, make('th', { scope: 'row', title: row }, cut(row, BEFORE)), ...columns.map((column) => cell(row, column))),
  );
  const unit =
    measure === 'heat'
      ? `per cent of one event loop, ${document.body.dataset.link === 'saved' ? 'in the busiest window' : 'now'}`
      : measure === 'time'
        ? 'seconds of own time since the start'
        : 'calls since the start';
  const all = new Set(cells.map(({ column }) => column)).size;
  fill(
    place,
    make(
      'table',
      { class: 'matrix', 'aria-label': `Heat: rows call columns, in ${unit}`, onkeydown: walk },
      make('thead', {}, head),
      make('tbody', {}, ...body),
    ),
    make(
      'p',
      { class: 'quiet' },
      `Rows call columns; in ${unit}.${all > columns.length ? ` The hottest ${columns.length} of ${all}.` : ''}`,
    ),
  );
  const focusable = place.querySelector('button:focus') ?? place.querySelector('td button');
  focusable?.setAttribute('tabindex', '0');
}

/** Arrow keys go from cell to cell. @param {KeyboardEvent} event */
function walk(event) {
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
  const from = /** @type {HTMLElement} */ (event.target);
  const cell = /** @type {HTMLTableCellElement | null} */ (from.closest('td'));
  const row = /** @type {HTMLTableRowElement | null} */ (from.closest('tr'));
  const body = row?.parentElement;
  if (step === undefined || cell === null || !row || !body) return;
  event.preventDefault();
  const rows = /** @type {HTMLTableRowElement[]} */ ([...body.children]);
  const here = { x: cell.cellIndex, y: rows.indexOf(row) };
  // The nearest cell that way, since most of a matrix is empty.
  let best = null;
  let least = Infinity;
  for (const [y, { cells }] of rows.entries())
    for (const [x, { firstElementChild: button }] of [...cells].entries()) {
      const ahead = (x - here.x) * step[1] + (y - here.y) * step[0];
      const aside = Math.abs((x - here.x) * step[0]) + Math.abs((y - here.y) * step[1]);
      if (!(button instanceof HTMLButtonElement) || ahead <= 0 || ahead + 3 * aside >= least) continue;
      [best, least] = [button, ahead + 3 * aside];
    }
  if (best === null) return;
  from.setAttribute('tabindex', '-1');
  best.setAttribute('tabindex', '0');
  best.focus();
}
