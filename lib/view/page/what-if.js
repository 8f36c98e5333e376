// What other numbers of replicas, more load or more cores would bring. In: a question from a form. Out: a table of answers, simulated in
// the program, beside its work.

import { at, fill, make, table } from './dom.js';
import { clock, ms, percent, plain, whole } from './figures.js';

/** @param {(what: string, about: any) => Promise<any>} ask */
export function setUpWhatIf(ask) {
  const module = make('select', { id: 'what-module' }, make('option', { value: '' }, 'the hottest module'));
  const most = make('input', { type: 'number', id: 'what-most', min: 0, max: 64, placeholder: 'auto' });
  const load = make('input', { type: 'number', id: 'what-load', min: 0.01, max: 100, step: 'any', value: 1 });
  const cores = make('input', { type: 'number', id: 'what-cores', min: 1, max: 1024, placeholder: 'as is' });
  const place = make(
    'div',
    { id: 'what-answer', role: 'status' },
    make('p', { class: 'quiet' }, 'Simulated from the busiest window that was measured, as ignis simulate does.'),
  );
  const button = make('button', { type: 'submit' }, 'Simulate');
  const number = (/** @type {any} */ field) => (field.value === '' ? undefined : Number(field.value));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    fill(place, make('p', { class: 'quiet' }, 'Simulating, in small slices beside the program …'));
    try {
      const answer = await ask('what-if', {
        module: module.value || undefined,
        most: number(most),
        load: number(load),
        cores: number(cores),
      });
      names(module, answer.modules);
      fill(place, ...answerOf(answer));
    } catch (error) {
      fill(place, make('p', { class: 'said' }, String(/** @type {Error} */ (error).message)));
    }
    button.disabled = false;
  };
  fill(
    at('what-if'),
    make(
      'form',
      { class: 'tools', onsubmit: submit },
      make('label', {}, 'Module ', module),
      make('label', {}, 'Replicas up to ', most),
      make('label', {}, 'Load × ', load),
      make('label', {}, 'Cores ', cores),
      button,
    ),
    place,
  );
}

/** @param {any} select @param {string[]} modules */
function names(select, modules) {
  const chosen = select.value;
  fill(select, make('option', { value: '' }, 'the hottest module'), ...modules.map((name) => make('option', { value: name }, plain(name))));
  select.value = chosen;
}

/** @param {any} answer @returns {any[]} */
function answerOf({ module, at: time, load, cores, ready, answers, from }) {
  /** @type {any[]} */
  const columns = [
    {
      title: 'replicas',
      cell: (/** @type {any} */ one) => `${one.replicas}${one.isSmallest ? ' ★' : ''}${one.replicas === ready ? ' (now)' : ''}`,
    },
    { title: 'calls/s', isNumber: true, cell: (/** @type {any} */ one) => whole(one.callsPerSecond) },
    { title: 'p50', isNumber: true, cell: (/** @type {any} */ one) => (one.isSaturated ? 'grows' : ms(one.p50Ms)) },
    { title: 'p99', isNumber: true, cell: (/** @type {any} */ one) => (one.isSaturated ? 'grows' : ms(one.p99Ms)) },
    { title: 'event loop', isNumber: true, cell: (/** @type {any} */ one) => percent(one.loopShare) },
    { title: 'replicas busy', isNumber: true, cell: (/** @type {any} */ one) => (one.replicas === 0 ? '–' : percent(one.replicaShare)) },
  ];
  return [
    make(
      'p',
      {},
      make('b', {}, plain(module)),
      `, ${load} × the load, ${cores} cores, from the window that ended at ${clock(Date.parse(time))}. ★ the fewest that do as much as any other number, within 5 %.`,
    ),
    table(columns, answers, { name: `What replicas of ${module} would bring` }),
    make(
      'details',
      {},
      make('summary', {}, 'What was measured and what is assumed'),
      make('ul', {}, ...from.map((/** @type {string} */ line) => make('li', {}, line))),
    ),
  ];
}
