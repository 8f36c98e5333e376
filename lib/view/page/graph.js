// Draws modules and their callers: callers left, modules right, lines as thick as they are hot. In: a snapshot. Out: SVG. The table shows
// the same, so for people who cannot see it, this is just one picture.

import { at, fill, make } from './dom.js';
import { cut, percent, plain } from './figures.js';

const MOST_EDGES = 26;
const ROW = 30;
const BOX = 22;

/** @param {any[]} edges @returns {Map<string, number>} how many steps a module is away from those that nobody calls */
function depths(edges) {
  /** @type {Map<string, number>} */
  const depth = new Map();
  const names = new Set(edges.flatMap(({ parent, child }) => [parent, child]));
  for (const name of names) depth.set(name, 0);
  // In a circle, they would rise for ever.
  for (let round = 0; round < 6; round++) {
    let isDone = true;
    for (const { parent, child } of edges) {
      const least = /** @type {number} */ (depth.get(parent)) + 1;
      if (parent === child || /** @type {number} */ (depth.get(child)) >= least || least > 5) continue;
      depth.set(child, least);
      isDone = false;
    }
    if (isDone) break;
  }
  return depth;
}

/** @param {any} snapshot @param {(id: string) => void} choose */
export function showGraph({ boundaries }, choose) {
  const place = at('graph');
  const used = boundaries.filter((/** @type {any} */ one) => one.calls > 0);
  const edges = [...used].sort((a, b) => b.heat - a.heat || b.exclusiveMs - a.exclusiveMs).slice(0, MOST_EDGES);
  if (edges.length === 0) return fill(place, make('p', { class: 'quiet' }, 'No module was called yet.'));
  const depth = depths(edges);
  /** @type {string[][]} */
  const columns = [];
  for (const [name, at_] of depth) (columns[at_] ??= []).push(name);
  const heat = (/** @type {string} */ name) => edges.reduce((sum, one) => (one.child === name ? sum + one.heat : sum), 0);
  const filled = columns.filter(Boolean);
  for (const column of filled) column.sort((a, b) => heat(b) - heat(a) || (a < b ? -1 : 1));
  const width = Math.max(280, place.clientWidth);
  const height = Math.max(...filled.map((column) => column.length)) * ROW + 8;
  const step = width / filled.length;
  const box = Math.min(190, step * 0.74);
  /** @type {Map<string, {x: number, y: number}>} */
  const places = new Map();
  filled.forEach((column, i) => {
    const top = (height - column.length * ROW) / 2;
    const x = filled.length === 1 ? 0 : (i * (width - box)) / (filled.length - 1);
    column.forEach((name, j) => places.set(name, { x, y: top + j * ROW + 4 }));
  });
  const lines = edges.map((one) => {
    const [from, to] = [places.get(one.parent), places.get(one.child)];
    if (from === undefined || to === undefined) return null;
    const [x1, y1, x2, y2] = [from.x + box, from.y + BOX / 2, to.x, to.y + BOX / 2];
    const bend = Math.max(18, (x2 - x1) / 2);
    const isHot = one.heat >= 0.005;
    const attributes = {
      d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
      class: 'edge',
      'stroke-width': (1 + 7 * Math.min(1, one.heat)).toFixed(1),
    };
    const line = make('path', attributes, make('title', {}, `${one.id}: ${percent(one.heat)}`));
    if (isHot) line.style.stroke = `rgba(var(--hot), ${0.35 + 0.6 * Math.min(1, one.heat)})`;
    return line;
  });
  const nodes = [...places].map(([name, { x, y }]) => {
    const warmth = heat(name);
    const edge = edges.find(({ child }) => child === name);
    const rect = make('rect', { x, y, width: box, height: BOX, rx: 4 });
    if (warmth >= 0.005) rect.style.fill = `rgba(var(--hot), ${0.15 + 0.6 * Math.min(1, warmth)})`;
    return make(
      'g',
      { class: 'node', onclick: () => edge !== undefined && choose(edge.id) },
      rect,
      make('text', { x: x + 6, y: y + 15 }, cut(plain(name), box - 10)),
      make('title', {}, `${plain(name)}${warmth >= 0.005 ? `, ${percent(warmth)}` : ''}`),
    );
  });
  const [top] = edges;
  const label = `${edges.length} boundaries; the hottest is ${top.id} with ${percent(top.heat)}`;
  fill(place, make('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, ...lines, ...nodes));
}
