// Replicas, decisions and hot paths, as tables and lists. In: a snapshot. Out: elements.

import { stateMark } from './boundaries.js';
import { at, fill, make, table } from './dom.js';
import { clock, count, megabytes, ms, percent, plain, rate } from './figures.js';

const MOST_ENDED = 5;
const MOST_DECISIONS = 12;
const MOST_PATHS = 10;

/** @param {any} snapshot @param {boolean} [isAll] includes those that ended long ago */
export function showReplicas({ replicas }, isAll = false) {
  const living = replicas.filter((/** @type {any} */ { state }) => state !== 'ended');
  const ended = replicas.filter((/** @type {any} */ { state }) => state === 'ended').slice(isAll ? 0 : -MOST_ENDED);
  if (living.length + ended.length === 0)
    return fill(at('replicas'), make('p', { class: 'quiet' }, 'None: everything runs in the program itself.'));
  /** @type {any[]} */
  const columns = [
    {
      title: 'replica',
      cell: (/** @type {any} */ one) =>
        make(
          'span',
          {},
          make('b', {}, plain(one.module)),
          make('span', { class: 'quiet' }, ` ${one.where}${one.pid === null ? '' : ` ${one.pid}`}`),
        ),
    },
    { title: 'state', cell: (/** @type {any} */ one) => make('span', { title: one.endedWhy }, stateMark(one.state)) },
    { title: 'busy', isNumber: true, cell: (/** @type {any} */ one) => (one.utilisation === null ? '–' : percent(one.utilisation)) },
    { title: 'pending', isNumber: true, cell: (/** @type {any} */ one) => one.pending ?? '–' },
    { title: 'calls', isNumber: true, cell: (/** @type {any} */ one) => rate(one.calls) },
    { title: 'memory', isNumber: true, cell: (/** @type {any} */ one) => megabytes(one.rssBytes) },
    { title: 'started in', isNumber: true, cell: (/** @type {any} */ one) => ms(one.startedMs) },
  ];
  fill(at('replicas'), table(columns, [...living, ...ended.reverse()], { name: 'Replicas' }));
}

/** @param {any[]} decisions oldest first @param {boolean} [isAll] */
export function showDecisions(decisions, isAll = false) {
  const latest = decisions.slice(isAll ? 0 : -MOST_DECISIONS).reverse();
  fill(
    at('decisions'),
    latest.length === 0
      ? make('p', { class: 'quiet' }, 'None yet: no module pressed enough.')
      : make(
          'ul',
          { class: 'list' },
          ...latest.map((one) =>
            make('li', { 'data-decision': one.number }, make('span', { class: 'quiet' }, `${clock(one.time)} `), one.sentence),
          ),
        ),
  );
}

/** @param {any} snapshot @param {(id: string) => void} choose */
export function showPaths({ paths }, choose) {
  const by = at('path-sort').value;
  const sorted = [...paths].sort((a, b) => b[by] - a[by]).slice(0, MOST_PATHS);
  if (sorted.length === 0) return fill(at('paths'), make('p', { class: 'quiet' }, 'No call was seen yet.'));
  const all = paths.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.exclusiveMs, 0);
  /** @type {any[]} */
  const columns = [
    { title: 'path', cell: (/** @type {any} */ one) => stepsOf(one, choose) },
    { title: 'calls', isNumber: true, cell: (/** @type {any} */ one) => rate(one.calls) },
    { title: 'own time', isNumber: true, cell: (/** @type {any} */ one) => ms(one.exclusiveMs) },
    { title: 'part', isNumber: true, cell: (/** @type {any} */ one) => percent(all === 0 ? 0 : one.exclusiveMs / all) },
  ];
  fill(
    at('paths'),
    table(columns, sorted, { name: 'Hot paths', attributes: (one) => ({ 'data-path': one.path }) }),
    make(
      'p',
      { class: 'quiet' },
      `${count(paths.length, 'path')}, from samples; figures are of the last step. ⇢ ran after its caller had returned.`,
    ),
  );
}

/** @param {any} one @param {(id: string) => void} choose */
function stepsOf({ path, steps }, choose) {
  if (steps.length === 0) return make('span', { class: 'quiet' }, path);
  const last = steps[steps.length - 1];
  return make(
    'span',
    { class: 'steps' },
    plain(steps[0].parent),
    ...steps.map((/** @type {any} */ step, /** @type {number} */ i) =>
      make(
        'span',
        {},
        make('i', {}, steps[i - 1]?.isLater ? ' ⇢ ' : ' → '),
        step === last
          ? make('button', { type: 'button', class: 'name', 'data-key': `p ${path}`, onclick: () => choose(step.boundary) }, stepName(step))
          : stepName(step),
      ),
    ),
  );
}

/** @param {any} step */
function stepName(step) {
  return `${plain(step.child)}${step.function === '' ? '' : ` ${step.function}`}`;
}
