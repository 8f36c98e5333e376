// The page: takes a snapshot from the program once a second, and shows it. In: what link.js hears, and what the reader clicks. Out:
// everything on the page. It asks only the program that serves it.

import { showBoundaries } from './boundaries.js';
import { showDetail } from './detail.js';
import { at, deselect } from './dom.js';
import { showGraph } from './graph.js';
import { showHeadline, showTiles } from './headline.js';
import { Link } from './link.js';
import { showMatrix } from './matrix.js';
import { Saved, originOf, savedRecord, setUpSaved, showSavedHeadline, showSavedTiles } from './saved.js';
import { showDecisions, showPaths, showReplicas } from './tables.js';
import { recall, remember, showTimeLine } from './time-line.js';
import { setUpWhatIf } from './what-if.js';

/** A report inside the page; null: a program runs. */
const record = savedRecord();
const MOST_DECISIONS = record === null ? 400 : Infinity;
const LINK_TEXT = {
  opening: 'connecting',
  live: 'live',
  saved: record === null ? '' : originOf(record),
  lost: 'The program has ended, or does not answer; trying again. A restarted program prints a new address',
};

/** @type {any} */
let latest = null;
/** @type {any[]} oldest first */
let decisions = [];
/** @type {string | null} the boundary that is open */
let chosen = null;
const NOTHING = { text: '', code: '' };
/** What came of the last act: a sentence, and text to copy. */
let said = NOTHING;
let isPaused = false;
/** The program that was seen last. @type {number | null} */
let seen = null;
/** The mouse or the space bar is down: what is pressed must still be there when it is released. */
let isHeld = false;

const told = { onState: showState, onSnapshot: take };
const link = record === null ? new Link(told) : new Saved(record, told);
const ask = (/** @type {string} */ what, /** @type {any} */ about) => link.ask(what, about);

/** @param {'opening' | 'live' | 'lost' | 'saved'} state */
function showState(state) {
  const place = at('link');
  if (place.dataset.state === state) return;
  place.dataset.state = state;
  place.textContent = LINK_TEXT[state];
  document.body.dataset.link = state;
  // The tab no longer says what the program is busy with; the next snapshot will.
  if (state === 'lost' && latest !== null) document.title = `no answer · ${latest.program.name} · Ignis`;
}

/** @param {any} snapshot */
function take(snapshot) {
  // Another program, or the same one restarted: earlier decisions are not its own.
  const { pid } = snapshot.program;
  if (seen !== pid) {
    decisions = [];
    // A program of an older version does not know this question.
    void ask('history', null).then(past, () => {});
  }
  seen = pid;
  const known = new Set(decisions.map(({ number }) => number));
  decisions = [...decisions, ...snapshot.decisions.filter((/** @type {any} */ { number }) => !known.has(number))].slice(-MOST_DECISIONS);
  if (record === null) remember(snapshot);
  if (isPaused) return;
  latest = snapshot;
  showAll();
}

/** @param {any[]} history from before the page was opened */
function past(history) {
  recall(history);
  show();
}

function showAll() {
  show();
  if (chosen !== null) void open();
}

function show() {
  if (latest === null || isHeld) return;
  if (record === null) {
    showHeadline(latest, choose);
    showTiles(latest);
  } else {
    showSavedHeadline(record, choose);
    showSavedTiles(record);
  }
  showBoundaries(latest, { chosen, choose, again: showAnew });
  showMatrix(latest, choose);
  showGraph(latest, choose);
  showTimeLine(decisions);
  // A new table under the pointer would destroy a selection that is being made.
  showPaths(latest, choose);
  showReplicas(latest, record !== null);
  showDecisions(decisions, record !== null);
  document.body.dataset.at = latest.at;
}

/** The reader wants to see something else. */
function showAnew() {
  deselect();
  show();
}

/** @param {string} id */
function choose(id) {
  chosen = id;
  said = NOTHING;
  deselect();
  void open().then(() => at('detail').scrollIntoView({ block: 'nearest' }));
  show();
}

async function open() {
  const id = chosen;
  try {
    const detail = await ask('detail', id);
    if (id === chosen && !isHeld) showDetail(detail, { close, ask, say, said });
  } catch {
    // The link is lost, as the page already says, or the boundary is gone.
  }
}

function close() {
  const id = chosen;
  chosen = null;
  at('detail').hidden = true;
  showAnew();
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${CSS.escape(`b ${id}`)}"]`))?.focus();
}

/** @param {boolean} isDown */
function hold(isDown) {
  if (isHeld === isDown) return;
  isHeld = isDown;
  // Only after the click, which comes next.
  if (!isDown) setTimeout(showAll, 0);
}

/** @param {string} text what came of an act @param {string} [code] to copy */
function say(text, code = '') {
  said = { text, code };
  deselect();
  void open();
}

function setScheme(/** @type {string} */ scheme) {
  document.documentElement.dataset.scheme = scheme;
  at('scheme').textContent = scheme === 'dark' ? 'Light' : 'Dark';
}

const dark = matchMedia('(prefers-color-scheme: dark)');
let isSchemeChosen = false;
setScheme(dark.matches ? 'dark' : 'light');
dark.addEventListener('change', () => isSchemeChosen || setScheme(dark.matches ? 'dark' : 'light'));
at('scheme').addEventListener('click', () => {
  isSchemeChosen = true;
  setScheme(document.documentElement.dataset.scheme === 'dark' ? 'light' : 'dark');
});
at('pause').addEventListener('click', () => {
  isPaused = !isPaused;
  at('pause').setAttribute('aria-pressed', String(isPaused));
});
for (const id of ['filter', 'sort', 'grain', 'measure', 'path-sort']) at(id).addEventListener('input', showAnew);
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && chosen !== null) close();
});
for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'])
  addEventListener(kind, (event) => hold(/** @type {PointerEvent} */ (event).buttons !== 0));
for (const kind of ['keydown', 'keyup'])
  addEventListener(kind, (event) => /** @type {KeyboardEvent} */ (event).key === ' ' && hold(kind === 'keydown'));
addEventListener('blur', () => hold(false));
let resizeTimer = 0;
addEventListener('resize', () => {
  clearTimeout(resizeTimer);
  resizeTimer = setTimeout(show, 150);
});
if (record === null) setUpWhatIf(ask);
else setUpSaved(record);
