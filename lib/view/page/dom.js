// Makes elements. In: a tag, attributes, children. Out: an element. Text is always set as text, so no name from a program is ever read as
// HTML.

const SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = new Set(['svg', 'g', 'path', 'rect', 'line', 'text', 'title', 'polyline', 'circle']);

/** @typedef {Node | string | number | null | false | undefined} Child */

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `onclick` and the like are listeners; null, false and undefined are left out
 * @param {...Child} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'width%') /** @type {HTMLElement} */ (element).style.width = `${value}%`;
    else if (name === 'ground') /** @type {HTMLElement} */ (element).style.background = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(
    ...children
      .filter((child) => child !== null && child !== false && child !== undefined)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
  return element;
}

/** @param {string} id @returns {any} */
export function at(id) {
  return document.getElementById(id);
}

/**
 * Replaces the content; focus and typed text stay, by `data-key`. A child with a field in which somebody types is kept: a new field would
 * lose caret and selection. While text is selected, everything stays, or it could not be copied.
 *
 * @param {Element} place
 * @param {...Child} children
 */
export function fill(place, ...children) {
  if (isSelectedIn(place)) return;
  const nodes = children.filter((child) => child instanceof Node || typeof child === 'string').map((child) => /** @type {Node} */ (child));
  const focused = place.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const key = focused?.dataset.key;
  const typed = [...place.querySelectorAll('input')].filter(({ value, defaultValue }) => value !== defaultValue);
  const next = focused?.tagName === 'INPUT' ? nodes.findIndex((node) => node instanceof Element && keyed(node, key) !== null) : -1;
  if (next === -1) place.replaceChildren(...nodes);
  else {
    for (const child of [...place.childNodes]) if (!child.contains(focused)) child.remove();
    place.prepend(...nodes.slice(0, next));
    place.append(...nodes.slice(next + 1));
  }
  for (const { dataset, value } of typed) {
    const field = keyed(place, dataset.key);
    if (field !== null && field !== focused) field.value = value;
  }
  // A reader who has scrolled away from the focus wants to stay there.
  if (next === -1) keyed(place, key)?.focus({ preventScroll: true });
}

/** @param {Element} place @returns {boolean} whether text in it is selected */
function isSelectedIn(place) {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed) return false;
  return place.contains(selection.anchorNode) || place.contains(selection.focusNode);
}

/** The reader has asked for something other than the selection. What is selected in a field stays. */
export function deselect() {
  const selection = getSelection();
  if (selection !== null && !selection.isCollapsed) selection.removeAllRanges();
}

/** @param {Element} place @param {string | undefined} key @returns {any} */
function keyed(place, key) {
  return key === undefined ? null : place.querySelector(`[data-key="${CSS.escape(key)}"]`);
}

/**
 * @param {{title: string, isNumber?: boolean, cell: (row: any) => Child}[]} columns the first one names the row
 * @param {any[]} rows
 * @param {{name: string, attributes?: (row: any) => Record<string, any>}} of
 */
export function table(columns, rows, { name, attributes = () => ({}) }) {
  const head = columns.map(({ title, isNumber }) => make('th', { scope: 'col', class: isNumber ? 'number' : null }, title));
  const body = rows.map((row) =>
    make(
      'tr',
      attributes(row),
      ...columns.map(({ title, isNumber, cell }, i) =>
        make('td', { class: isNumber ? 'number' : null, 'data-title': i === 0 ? null : title }, cell(row)),
      ),
    ),
  );
  return make('table', { class: 'rows stack', 'aria-label': name }, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body));
}
