// A report inside the page, in place of a program. In: the record that view/saved-page.js wrote into it. Out: the same answers as from
// link.js, as far as a report has them; and what is said of an ended program.

import { at, fill, make } from './dom.js';
import { count, ms, percent, plain, span } from './figures.js';
import { HOT, fillTiles, loadTiles, showProgram } from './headline.js';
import { modulesOf } from './modules.js';

/** @returns {any} null: the page belongs to a running program */
export function savedRecord() {
  const place = at('saved');
  return place === null ? null : JSON.parse(place.textContent);
}

export class Saved {
  #record;

  /** @param {any} record @param {{onState: (state: 'saved') => void, onSnapshot: (snapshot: any) => void}} given */
  constructor(record, { onState, onSnapshot }) {
    this.#record = record;
    // What it calls does not exist yet.
    queueMicrotask(() => {
      onState('saved');
      onSnapshot(record.snapshot);
    });
  }

  /** @param {string} what @param {any} about @returns {Promise<any>} */
  async ask(what, about) {
    const { snapshot } = this.#record;
    if (what === 'history') return this.#record.timeline;
    const boundary = snapshot.boundaries.find((/** @type {any} */ { id }) => id === about);
    if (what !== 'detail' || boundary === undefined) throw new Error('The program has ended.');
    const decisions = snapshot.decisions.filter((/** @type {any} */ { module, home }) => module === boundary.set && home === boundary.home);
    return {
      boundary,
      functions: Object.entries(/** @type {Record<string, any>} */ (boundary.functions))
        .map(([path, one]) => ({ path, ...one }))
        .sort((a, b) => b.exclusiveMs - a.exclusiveMs || b.calls - a.calls),
      latencies: null,
      decisions,
      latest: decisions.at(-1)?.sentence ?? null,
      prospect: null,
      recipe: null,
    };
  }
}

/** @param {any} record @param {(boundary: string) => void} choose */
export function showSavedHeadline({ snapshot, windowMs }, choose) {
  const { boundaries, program, replicas } = snapshot;
  const modules = modulesOf(boundaries);
  const isHot = modules.length > 0 && modules[0].heat >= HOT;
  const had = (/** @type {any} */ { set }) => replicas.filter((/** @type {any} */ { module }) => module === set).length;
  const top = isHot ? modules[0] : (modules.find((one) => had(one) > 0) ?? modules[0]);
  const first = at('headline-first');
  const busy = windowMs === null ? '' : `in the busiest ${ms(windowMs)} the event loop was ${percent(program.loop.utilisation)} busy`;
  at('headline').dataset.level = isHot ? 'hot' : 'calm';
  if (top === undefined || windowMs === null) {
    fill(first, 'No call of a watched module was measured.');
    return fill(at('headline-second'), '');
  }
  const name = make('b', {}, plain(top.set));
  const ran = had(top) === 0 ? '' : `Ignis ran it in ${count(had(top), 'replica')}, one after the other or together.`;
  if (isHot) fill(first, name, ` was the bottleneck: ${busy}, and it took ${percent(top.heat)}. ${ran || stayed(top.hottest)}`);
  else if (ran === '') fill(first, `No bottleneck: ${busy}, and no module took a quarter of it.`);
  else fill(first, `No module took a quarter of the event loop: ${busy}. Of `, name, ` there were ${count(had(top), 'replica')}.`);
  const { hottest } = top;
  const button = make('button', { type: 'button', 'data-key': 'headline', onclick: () => choose(hottest.id) }, 'Show it');
  fill(
    at('headline-second'),
    make('span', { class: 'quiet' }, `${plain(top.set)}, called from ${plain(hottest.parent)}: `),
    hottest.sentence,
    ' ',
    button,
  );
}

/** @param {any} boundary */
function stayed({ state }) {
  return state === 'declined' ? 'Ignis only watched it: no recipe said that it may be distributed.' : 'Ignis kept it at home.';
}

/** @param {any} record */
export function showSavedTiles({ snapshot }) {
  const { program, boundaries, replicas } = snapshot;
  fillTiles([
    ...loadTiles(program.loop, boundaries),
    [String(replicas.length), replicas.length === 1 ? 'replica started' : 'replicas started'],
    ...(program.uptimeMs === null ? [] : [[span(program.uptimeMs), 'in all']]),
  ]);
  showProgram(program);
}

/** @param {any} record @returns {string} where the shown figures come from */
export function originOf({ snapshot }) {
  if (snapshot.at === 0) return 'a report';
  return `a report, written ${new Date(snapshot.at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}`;
}

/** Removes what is not true of an ended program. @param {any} record */
export function setUpSaved({ verdict, findings, warnings, windowMs, timeline, snapshot }) {
  document.title = `Report · ${snapshot.program.name} · Ignis`;
  const busiest = windowMs === null ? 'not measured' : `the busiest ${ms(windowMs)}`;
  at('measure').options[0].textContent = `heat, ${busiest}`;
  const items = [...findings, ...warnings.map((/** @type {string} */ sentence) => ({ sentence, remedy: '' }))];
  const item = (/** @type {any} */ { sentence, remedy }) => make('li', {}, sentence, make('span', { class: 'quiet' }, ` ${remedy}`));
  fill(
    at('findings'),
    make('p', {}, verdict),
    make('ul', { class: 'list' }, ...items.map(item)),
    windowMs !== null &&
      make('p', { class: 'quiet' }, `Heat, calls a second and the event loop are of ${busiest}; all other figures are of the whole run.`),
  );
  at('findings-card').hidden = false;
  for (const id of ['pause', 'what-if-card', ...(timeline.length === 0 ? ['time-card'] : [])]) at(id).hidden = true;
}
