// What can be done about a module: pin it home, set the number of its replicas, take that back, have a recipe proposed. In: a boundary.
// Out: buttons, and what came of them.

import { make } from './dom.js';
import { count } from './figures.js';

/**
 * @param {any} boundary
 * @param {{ask: (what: string, about: any) => Promise<any>, say: (text: string, code?: string) => void}} page
 */
export function actsOf(boundary, { ask, say }) {
  const act = async (/** @type {object} */ wish, /** @type {(done: any) => string[]} */ told) => {
    try {
      const [text, code] = told(await ask('act', { boundary: boundary.id, ...wish }));
      say(text, code);
    } catch (error) {
      say(String(/** @type {Error} */ (error).message));
    }
  };
  const held = (/** @type {any} */ { changed, allowed, why, copies }) => [
    changed === false ? 'There is nothing to undo.' : allowed ? `Done: ${copiesText(copies)}.` : `Done: it stays at home; ${why}.`,
  ];
  const field = make('input', {
    type: 'number',
    min: 0,
    max: 64,
    value: Math.max(1, boundary.replicas),
    id: 'copies',
    'aria-label': 'Replicas',
    // What was typed for one boundary is not meant for another.
    'data-key': `copies ${boundary.id}`,
  });
  const button = (/** @type {string} */ key, /** @type {string} */ text, /** @type {() => void} */ onclick) =>
    make('button', { type: 'button', 'data-key': key, onclick }, text);
  return make(
    'div',
    { class: 'acts', role: 'group', 'aria-label': `What to do about ${boundary.child}` },
    button('home', 'Keep at home', () => void act({ what: 'home' }, held)),
    make(
      'span',
      {},
      field,
      ' ',
      // A field without a number is not 0.
      button('set', 'Set replicas', () =>
        field.value === '' ? say('How many? Type a number of replicas.') : void act({ what: 'copies', copies: Number(field.value) }, held),
      ),
    ),
    button('unpin', 'Undo', () => void act({ what: 'unpin' }, held)),
    button('recipe', 'Propose a recipe', () => void act({ what: 'recipe' }, proposalText)),
  );
}

/** @param {any} copies */
function copiesText(copies) {
  if (Array.isArray(copies))
    return copies[0] === copies[1] ? count(copies[1], 'replica') : `${copies[0]} to ${count(copies[1], 'replica')}`;
  return copies === null ? 'its recipe applies again' : count(copies, 'replica');
}

/** @param {any} proposal @returns {string[]} what its user vouches for, line by line; and the recipe */
function proposalText({ recipe, text, why, notes = [] }) {
  return recipe === null ? [`No recipe can be proposed: ${why}`] : [['By using it you confirm:', ...notes].join('\n– '), text];
}
