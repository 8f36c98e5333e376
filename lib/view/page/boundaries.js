// The table of boundaries by heat. In: a snapshot, and what to look for. Out: a table; a click on a row opens it.

import { at, fill, make, table } from './dom.js';
import { ms, percent, plain, rate, whole } from './figures.js';

const MOST_SHOWN = 12;
/** If it takes less, no reason is needed. */
const WORTH = 0.01;
let isWhole = false;

/** @param {any} one @returns {any} heat at home and in replicas, as a bar */
export function bar(one) {
  const most = Math.max(1, one.heat);
  return make(
    'span',
    { class: 'bar' },
    make('i', { 'width%': (one.share / most) * 100 }),
    one.away > 0 && shifted(one.share / most, one.away / most),
    make('b', {}, percent(one.heat)),
  );
}

/** @param {number} from @param {number} part */
function shifted(from, part) {
  const away = make('i', { class: 'away', 'width%': part * 100 });
  away.style.left = `${from * 100}%`;
  return away;
}

/** @param {string} state */
export function stateMark(state) {
  return make('span', { class: 'state', 'data-state': state }, state);
}

/** @param {any} snapshot @param {{chosen: string | null, choose: (id: string) => void, again: () => void}} page */
export function showBoundaries({ boundaries, boundaryCount }, { chosen, choose, again }) {
  const wanted = at('filter').value.toLowerCase();
  const by = at('sort').value;
  const found = boundaries.filter((/** @type {any} */ one) => one.id.toLowerCase().includes(wanted));
  if (by === 'id') found.sort((/** @type {any} */ a, /** @type {any} */ b) => (a.id < b.id ? -1 : 1));
  else if (by !== 'heat') found.sort((/** @type {any} */ a, /** @type {any} */ b) => (b[by] ?? -1) - (a[by] ?? -1));
  const shown = isWhole ? found : found.slice(0, MOST_SHOWN);
  /** @type {any[]} */
  const columns = [
    {
      title: 'module',
      cell: (/** @type {any} */ one) =>
        make(
          'div',
          {},
          make('button', { type: 'button', class: 'name', 'data-key': `b ${one.id}`, onclick: () => choose(one.id) }, plain(one.child)),
          make('span', { class: 'quiet' }, ` from ${plain(one.parent)}`),
          (one.heat >= WORTH || one.replicas > 0 || one.id === chosen) && make('span', { class: 'why' }, one.sentence),
        ),
    },
    { title: 'heat', cell: bar },
    { title: 'calls/s', isNumber: true, cell: (/** @type {any} */ one) => rate(one.callsPerSecond) },
    { title: 'calls', isNumber: true, cell: (/** @type {any} */ one) => make('span', { 'data-calls': one.calls }, rate(one.calls)) },
    { title: 'p50', isNumber: true, cell: (/** @type {any} */ one) => ms(one.p50Ms) },
    { title: 'p99', isNumber: true, cell: (/** @type {any} */ one) => ms(one.p99Ms) },
    {
      title: 'pending',
      isNumber: true,
      cell: (/** @type {any} */ one) => make('span', { 'data-pending': one.pending }, rate(one.pending)),
    },
    { title: 'replicas', isNumber: true, cell: (/** @type {any} */ one) => one.replicas },
    { title: 'state', cell: (/** @type {any} */ one) => stateMark(one.state) },
  ];
  const attributes = (/** @type {any} */ one) => ({ 'data-boundary': one.id, 'aria-current': one.id === chosen ? 'true' : null });
  const toggle = () => {
    isWhole = !isWhole;
    again();
  };
  const isPart = boundaryCount > boundaries.length;
  fill(
    at('boundary-list'),
    found.length === 0
      ? make(
          'p',
          { class: 'quiet' },
          boundaries.length === 0 ? 'No module has been imported yet.' : 'No module here has this text in its name.',
        )
      : table(columns, shown, { name: 'Modules by heat', attributes }),
    found.length > MOST_SHOWN
      ? make('button', { type: 'button', 'data-key': 'whole', onclick: toggle }, isWhole ? 'Show fewer' : `Show all ${found.length}`)
      : '',
    isPart && note(boundaries.length, boundaryCount),
  );
}

/** @param {number} here @param {number} all */
function note(here, all) {
  return make('p', { class: 'quiet' }, `Here are the hottest ${whole(here)} of ${whole(all)} boundaries; a report (--report) has all.`);
}
