// One boundary, opened. In: its id, and the link to ask. Out: figures, functions, a histogram of how long calls took, decisions, and what
// can be done about it.

import { actsOf } from './act.js';
import { stateMark } from './boundaries.js';
import { at, fill, make, table } from './dom.js';
import { clock, count, ms, percent, plain, rate } from './figures.js';

const MOST_FUNCTIONS = 12;
const MOST_DECISIONS = 8;

/** @param {{ms: number, calls: number}[]} latencies @returns {any} bars, each for times twice as long as the one before */
export function histogram(latencies) {
  if (latencies.length === 0) return make('p', { class: 'quiet' }, 'No call was measured yet.');
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const { ms: length, calls } of latencies) {
    const power = Math.floor(Math.log2(length));
    sums.set(power, (sums.get(power) ?? 0) + calls);
  }
  const powers = [...sums.keys()];
  const [first, last] = [Math.min(...powers), Math.max(...powers)];
  const most = Math.max(...sums.values());
  const bins = last - first + 1;
  const [width, height, foot] = [420, 130, 18];
  const step = Math.min(60, width / bins);
  const parts = [];
  for (let i = 0; i < bins; i++) {
    const calls = sums.get(first + i) ?? 0;
    // By the square root: a few slow calls among thousands must be seen.
    const tall = calls === 0 ? 0 : Math.max(2, Math.sqrt(calls / most) * (height - foot - 14));
    const from = 2 ** (first + i);
    parts.push(
      make(
        'g',
        {},
        make('title', {}, `${ms(from)} to ${ms(2 * from)}: ${count(calls, 'call')}`),
        make('rect', { class: 'bin', x: i * step + 1, y: height - foot - tall, width: step - 2, height: tall, rx: 2 }),
        step >= 34 &&
          calls > 0 &&
          make('text', { x: (i + 0.5) * step, y: height - foot - tall - 3, 'text-anchor': 'middle', class: 'soft' }, short(calls)),
        (bins <= 9 || i % 2 === 0) && make('text', { x: i * step, y: height - 4, class: 'soft' }, ms(from).replace(' ms', '')),
      ),
    );
  }
  const label = `Calls at home by their length: ${latencies.length === 0 ? 'none' : `from ${ms(2 ** first)} to ${ms(2 ** (last + 1))}, most near ${ms(2 ** (powers.find((power) => sums.get(power) === most) ?? first))}`}`;
  return make('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, id: 'histogram' }, ...parts);
}

/** @param {number} calls */
function short(calls) {
  return calls >= 10_000 ? `${Math.round(calls / 1000)}k` : String(Math.round(calls));
}

/**
 * @param {any} detail `latencies` null: it is from a saved report
 * @param
 *   {{close: () => void, ask: (what: string, about: any) => Promise<any>, say: (text: string, code?: string) => void, said: {text: string, code: string}}}
 *   page
 */
export function showDetail(detail, { close, ask, say, said }) {
  const { boundary, functions, latencies, decisions, latest, prospect, recipe } = detail;
  // Of an ended program: nothing can be done about it, and less is known.
  const isSaved = latencies === null;
  /** @type {any[]} */
  const columns = [
    { title: 'function', cell: (/** @type {any} */ one) => one.path || '(the module itself)' },
    { title: 'kind', cell: (/** @type {any} */ one) => one.kind },
    { title: 'calls', isNumber: true, cell: (/** @type {any} */ one) => rate(one.calls) },
    { title: 'own time', isNumber: true, cell: (/** @type {any} */ one) => ms(one.exclusiveMs) },
    { title: 'p50', isNumber: true, cell: (/** @type {any} */ one) => ms(one.p50Ms) },
    { title: 'p99', isNumber: true, cell: (/** @type {any} */ one) => ms(one.p99Ms) },
  ];
  const place = at('detail');
  place.hidden = false;
  place.dataset.boundary = boundary.id;
  fill(
    place,
    make('div', { class: 'tools' }, make('button', { type: 'button', 'data-key': 'close', onclick: close }, 'Close')),
    make('h2', { id: 'detail-title' }, `${plain(boundary.parent)} → ${plain(boundary.child)} `, stateMark(boundary.state)),
    make('p', {}, boundary.sentence),
    latest === null ? null : make('p', { class: 'quiet' }, `Last decision: ${latest}`),
    prospect === null ? null : make('p', { class: 'quiet' }, prospect),
    isSaved ? null : actsOf(boundary, { ask, say }),
    said.code === '' ? null : make('pre', { id: 'proposed', 'aria-label': 'The proposed recipe' }, said.code),
    make('p', { class: 'said', role: 'status', id: 'said' }, said.text),
    make(
      'div',
      { class: 'columns' },
      isSaved ? null : make('div', {}, make('h3', {}, 'How long calls took at home, in ms'), histogram(latencies)),
      make(
        'div',
        {},
        make('h3', {}, 'What is known'),
        make(
          'p',
          {},
          `${percent(boundary.share)} of the event loop ${isSaved ? 'in the busiest window' : `at home, ${percent(boundary.away)} of one in replicas`}; ${count(boundary.calls, 'call')}, ${boundary.failures} failed, ${boundary.pending} pending; the longest took ${ms(boundary.maxMs)}.`,
        ),
        boundary.calledAt === null ? null : make('p', {}, `Its first long call was at ${boundary.calledAt}.`),
        isSaved
          ? null
          : recipe === null
            ? make('p', { class: 'quiet' }, 'No recipe says anything about it.')
            : make('pre', {}, recipe.text),
      ),
    ),
    make('h3', {}, 'Functions'),
    table(columns, functions.slice(0, MOST_FUNCTIONS), { name: `Functions of ${boundary.child}` }),
    decisions.length === 0 ? null : make('h3', {}, 'Decisions about it'),
    make(
      'ul',
      { class: 'list' },
      ...decisions
        .slice(-MOST_DECISIONS)
        .reverse()
        .map((/** @type {any} */ one) => make('li', {}, make('span', { class: 'quiet' }, `${clock(one.time)} `), one.sentence)),
    ),
  );
}
