// The last five minutes: how busy the event loop and the hottest modules were, how many replicas there were, and when something was
// decided. In: a snapshot a second, which it keeps; and the program's own history from before the page was opened. Out: SVG.

import { at, fill, make } from './dom.js';
import { clock, percent, plain } from './figures.js';
import { modulesOf } from './modules.js';

const SPAN_MS = 5 * 60_000;
const MOST_CURVES = 3;
const [HEIGHT, TOP, FOOT, REPLICAS] = [270, 14, 18, 54];

/**
 * @typedef {{at: number, loop: number, known: number, heats: Map<string, number>, replicas: number}} Moment known: the part of the loop
 *   that watched modules take
 */

/** @type {Moment[]} */
const moments = [];

/** @param {any} snapshot */
export function remember({ at: time, program, boundaries, boundaryShare, replicas }) {
  const heats = new Map(
    modulesOf(boundaries)
      .slice(0, 12)
      .map(({ set, share, away }) => [set, share + away]),
  );
  const living = replicas.filter((/** @type {any} */ { state }) => state === 'ready').length;
  // The program's clock was set back: what came before would count as the latest until the clock catches up.
  if ((moments.at(-1)?.at ?? 0) > time) moments.length = 0;
  moments.push({ at: time, loop: program.loop.utilisation, known: boundaryShare, heats, replicas: living });
  while (moments.length > 0 && moments[0].at < time - SPAN_MS) moments.shift();
}

/** Adds what happened before the page was opened. @param {any[]} history oldest first */
export function recall(history) {
  const first = moments[0]?.at ?? Infinity;
  const earlier = history.filter(({ at: time }) => time < first);
  moments.unshift(...earlier.map((one) => ({ ...one, heats: new Map(Object.entries(one.heats)) })));
}

/**
 * @param {number} spanMs
 * @returns {{loop: number, known: number, heatOf: (module: string) => number}} means of the last moments: one second alone says little
 */
export function lately(spanMs) {
  const since = (moments.at(-1)?.at ?? 0) - spanMs;
  const recent = moments.filter(({ at: time }) => time > since);
  const mean = (/** @type {(one: Moment) => number} */ figure) =>
    recent.reduce((sum, one) => sum + figure(one), 0) / Math.max(1, recent.length);
  return {
    loop: mean(({ loop }) => loop),
    known: mean(({ known }) => known),
    heatOf: (module) => mean(({ heats }) => heats.get(module) ?? 0),
  };
}

/** @param {any[]} decisions */
export function showTimeLine(decisions) {
  const place = at('time-line');
  if (moments.length === 0) return;
  const now = moments[moments.length - 1].at;
  const since = Math.max(now - SPAN_MS, Math.min(moments[0].at, now - 30_000));
  const width = Math.max(280, place.clientWidth);
  const x = (/** @type {number} */ time) => (((time - since) / Math.max(1, now - since)) * width).toFixed(1);
  const names = hottest();
  const most = Math.max(1, ...moments.flatMap(({ heats }) => names.map((name) => heats.get(name) ?? 0)));
  const floor = HEIGHT - FOOT - REPLICAS;
  const y = (/** @type {number} */ value) => (floor - (value / most) * (floor - TOP)).toFixed(1);
  const loop = moments.map((one) => `${x(one.at)},${y(one.loop)}`);
  const copies = Math.max(1, ...moments.map(({ replicas }) => replicas));
  const base = HEIGHT - FOOT;
  const step = (/** @type {number} */ value) => (base - (value / copies) * (REPLICAS - 12)).toFixed(1);
  const steps = moments.map((one, i) => (i === 0 ? `M${x(one.at)} ${step(one.replicas)}` : `H${x(one.at)}V${step(one.replicas)}`)).join('');
  const seen = decisions.filter(({ time }) => time >= since && time <= now);
  fill(
    place,
    make(
      'svg',
      { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': labelOf(names, seen) },
      ...[0, 1].map((value) => make('line', { class: 'axis', x1: 0, x2: width, y1: y(value), y2: y(value) })),
      make('line', { class: 'axis', x1: 0, x2: width, y1: base, y2: base }),
      make('text', { class: 'soft', x: 0, y: Number(y(1)) - 3 }, '100 %'),
      make('text', { class: 'soft', x: 0, y: floor + 12 }, `replicas, up to ${copies}`),
      make('polyline', { class: 'area c4', points: `${x(moments[0].at)},${y(0)} ${loop.join(' ')} ${x(now)},${y(0)}` }),
      make('path', { class: 'curve c3', d: steps }),
      ...names.map((name, i) =>
        make('polyline', { class: `curve c${i}`, points: moments.map((one) => `${x(one.at)},${y(one.heats.get(name) ?? 0)}`).join(' ') }),
      ),
      ...seen.map((one) =>
        make(
          'line',
          { class: 'mark', x1: x(one.time), x2: x(one.time), y1: TOP, y2: base },
          make('title', {}, `${clock(one.time)} ${one.sentence}`),
        ),
      ),
      make('text', { class: 'soft', x: 0, y: HEIGHT - 4 }, clock(since)),
      make('text', { class: 'soft', x: width, y: HEIGHT - 4, 'text-anchor': 'end' }, clock(now)),
    ),
    make(
      'p',
      { class: 'legend' },
      ...names.map((name, i) => make('span', {}, make('i', { class: `c${i}` }), plain(name))),
      make('span', {}, make('i', { class: 'c4' }), 'event loop'),
      make('span', {}, make('i', { class: 'c3' }), 'replicas'),
      seen.length > 0 && make('span', {}, `¦ ${seen.length === 1 ? 'a decision' : `${seen.length} decisions`}`),
    ),
  );
}

/** @returns {string[]} the modules that were hottest over the whole time */
function hottest() {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { heats } of moments) for (const [name, heat] of heats) sums.set(name, (sums.get(name) ?? 0) + heat);
  return [...sums]
    .filter(([, sum]) => sum > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_CURVES)
    .map(([name]) => name);
}

/** @param {string[]} names @param {any[]} seen */
function labelOf(names, seen) {
  const last = moments[moments.length - 1];
  const heats = names.map((name) => `${plain(name)} ${percent(last.heats.get(name) ?? 0)}`).join(', ');
  return `Now: event loop ${percent(last.loop)}, ${heats || 'no module'}; ${last.replicas} replicas; ${seen.length} decisions since the start.`;
}
