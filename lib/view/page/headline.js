// The one sentence: which module is the bottleneck, and what Ignis does about it. In: a snapshot. Out: elements. It says only what was
// measured.

import { at, fill, make } from './dom.js';
import { count, megabytes, ms, percent, plain, rate, span } from './figures.js';
import { modulesOf } from './modules.js';
import { lately } from './time-line.js';

/** A module is called the bottleneck when it keeps this part of one event loop busy. */
export const HOT = 0.25;
const BUSY = 0.7;
/** The sentence is about this much time, so that it does not change every second, ms. */
const LATELY_MS = 10_000;

/** @param {any} snapshot @param {(boundary: string) => void} choose */
export function showHeadline(snapshot, choose) {
  const { boundaries } = snapshot;
  const { loop, known, heatOf } = lately(LATELY_MS);
  const modules = modulesOf(boundaries).map((one) => ({ ...one, heat: heatOf(one.set) }));
  modules.sort((a, b) => b.heat - a.heat);
  const away = modules.find(({ hottest }) => hottest.state === 'distributed');
  const isHot = modules.length > 0 && modules[0].heat >= HOT;
  const isFull = !isHot && loop >= BUSY;
  const isUnknown = isFull && known < loop / 2;
  const top = isHot || away === undefined ? modules[0] : away;
  at('headline').dataset.level = isHot || isFull ? 'hot' : 'calm';
  const first = at('headline-first');
  const busy = `the event loop is ${percent(loop)} busy`;
  if (top === undefined || (top.heat === 0 && away === undefined)) {
    fill(first, isUnknown ? unknown(loop) : `No bottleneck: ${busy}, and no watched module contributes to that.`);
    return fill(at('headline-second'), '');
  }
  const { hottest } = top;
  const name = make('b', {}, plain(top.set));
  if (isHot && top.share >= top.away)
    fill(first, name, ` is the bottleneck: it keeps the event loop busy ${percent(top.heat)} of the time. ${doing(top, snapshot)}`);
  else if (isHot) fill(first, name, ` is the bottleneck: it needs ${top.heat.toFixed(1)} event loops. ${doing(top, snapshot)}`);
  else if (isUnknown) fill(first, unknown(loop), ' Of the watched modules, most goes to ', name, `, ${percent(top.heat)}.`);
  else if (isFull) fill(first, `${together(loop, known)} `, name, ` takes most, ${percent(top.heat)}.`);
  else if (top === away) fill(first, `No bottleneck now: ${busy}, since `, name, ` runs elsewhere. ${doing(top, snapshot)}`);
  else fill(first, `No bottleneck: ${busy}. `, name, ` takes most, ${percent(top.heat)}.`);
  fill(
    at('headline-second'),
    make('span', { class: 'quiet' }, `Called from ${plain(hottest.parent)}, ${rate(top.callsPerSecond)} calls a second: `),
    hottest.sentence,
    ' ',
    make('button', { type: 'button', 'data-key': 'headline', onclick: () => choose(hottest.id) }, 'Show it'),
  );
}

/** @param {number} utilisation */
function unknown(utilisation) {
  return `The event loop is ${percent(utilisation)} busy, but hardly because of watched modules: it is the program's own code, or deeper imports (try --level 2).`;
}

/** @param {number} utilisation @param {number} known */
function together(utilisation, known) {
  const of = percent(Math.min(known, utilisation));
  return `No single bottleneck: the event loop is ${percent(utilisation)} busy. The watched modules take ${of} together, and none of them takes a quarter.`;
}

/** What Ignis does about it. @param {any} top @param {any} snapshot */
function doing(top, { replicas }) {
  const { state } = top.hottest;
  const living = replicas.filter((/** @type {any} */ one) => one.state !== 'ended' && one.module === top.set);
  if (state === 'distributed') {
    const ready = living.filter((/** @type {any} */ one) => one.state === 'ready').length || top.hottest.replicas;
    // The mean of the last seconds, like the sentence above.
    const loops =
      top.away > 0 && top.away >= top.share ? `, which ${ready === 1 ? 'is' : 'are'} ${percent(Math.min(1, top.heat / ready))} busy` : '';
    return `Ignis runs it in ${count(ready, 'replica')}${loops}.`;
  }
  if (state === 'starting') return 'Ignis is starting replicas of it.';
  if (state === 'declined') return 'Ignis only watches it: no recipe says that it may be distributed.';
  return 'Ignis keeps it at home, since replicas would not pay now.';
}

/** @param {any} snapshot */
export function showTiles({ program, boundaries, replicas }) {
  const living = replicas.filter((/** @type {any} */ one) => one.state !== 'ended').length;
  const { loop, memory } = program;
  fillTiles([
    ...loadTiles(loop, boundaries),
    [String(living), living === 1 ? 'replica' : 'replicas'],
    [megabytes(memory.rssBytes), 'memory'],
    [span(program.uptimeMs), 'running'],
  ]);
  showProgram(program);
  document.title = `${percent(loop.utilisation)} · ${program.name} · Ignis`;
}

/** @param {{utilisation: number, delayMs: number | null}} loop @param {any[]} boundaries */
export function loadTiles(loop, boundaries) {
  const calls = boundaries.reduce((sum, one) => sum + one.callsPerSecond, 0);
  return [
    [percent(loop.utilisation), 'event loop busy'],
    [ms(loop.delayMs), 'late, event loop'],
    [rate(calls), 'calls a second'],
  ];
}

/** @param {string[][]} tiles a figure and what it means */
export function fillTiles(tiles) {
  fill(at('tiles'), ...tiles.map(([figure, what]) => make('div', { class: 'tile' }, make('strong', {}, figure), make('span', {}, what))));
}

/** @param {any} program */
export function showProgram({ name, pid, node, cpus }) {
  at('program').textContent = `${name} · pid ${pid} · Node ${node} · ${count(cpus, 'core')}`;
}
