'use strict';

// ignis top: the boundaries of a running program, live, and what can be done about them. Without a terminal, or with --once, it prints
// once. It ends when the program does; the program goes on when it ends.

const { fact, wholeNumber } = require('../option-table.js');
const { count } = require('../view/figures.js');
const { Watching, findProgram } = require('../view/monitor-client.js');
const { printed, screen } = require('../view/top-screen.js');
const { START, press, withSnapshot } = require('../view/top-state.js');
const { awaited } = require('./awaited.js');
const { guarded } = require('./guarded.js');
const { reattach } = require('./reattach.js');
const { Terminal } = require('./terminal.js');
const { misused } = require('./misuse.js');

exports.usage = 'top [options] [pid|name]';
exports.summary = 'Shows the boundaries of a running program live, the hottest first, and lets you act on them.';
exports.options = Object.freeze([
  { name: 'json', type: 'true | false', check: fact, sentence: 'Prints everything once, as JSON.' },
  { name: 'once', type: 'true | false', check: fact, sentence: 'Prints the table once, as it does without a terminal.' },
  {
    name: 'everyMs',
    type: 'number',
    default: 1000,
    unit: 'ms',
    check: wholeNumber(100, 60000),
    sentence: 'How often the screen is refreshed.',
  },
]);

/** How often it checks whether the program still answers, ms. */
const LOOK_MS = 500;

/** This long after a snapshot was due, the program counts as silent, ms. */
const SILENT_MS = 2000;

/** @typedef {import('../view/top-state').TopState} TopState */
/** @typedef {import('../view/top-state').Deed} Deed */

class Top {
  #terminal;
  #everyMs;
  #entry;
  /** @type {Watching} */
  #link;
  /** @type {TopState} */
  #state = START;
  /** @type {string[]} recipes to print at the end */
  #recipes = [];
  /** @type {(why: string) => void} */
  #end = () => {};
  #isOver = false;
  /** When the last snapshot came, ms. */
  #heardAt = performance.now();

  /** @param {{terminal: Terminal, link: Watching, entry: import('../view/run-folder').Entry, everyMs: number}} given */
  constructor({ terminal, link, entry, everyMs }) {
    this.#terminal = terminal;
    this.#link = link;
    this.#entry = entry;
    this.#everyMs = everyMs;
  }

  /** @returns {Promise<{why: string, recipes: string[]}>} when the user quits, or the program has ended */
  async run() {
    const ended = new Promise((resolve) => (this.#end = resolve));
    const timer = setInterval(() => this.#tellSilence(), LOOK_MS);
    this.#terminal.open({ onKey: (key) => this.#press(key), onResize: () => this.#draw() });
    try {
      this.#draw();
      this.#follow().catch((error) => this.#end(error.message));
      return { why: await ended, recipes: this.#recipes };
    } finally {
      this.#isOver = true;
      clearInterval(timer);
      this.#terminal.close();
      this.#link.close();
    }
  }

  /** Watches the program, as long as there is one. */
  async #follow() {
    while (!this.#isOver) {
      this.#link.watch(this.#everyMs, (snapshot) => this.#hear(snapshot), { brief: true }).catch(() => {});
      await this.#link.ended;
      if (this.#isOver) return;
      const again = await reattach(this.#entry);
      if (again === null) return this.#end(`${this.#entry.name || 'the program'} (${this.#entry.pid}) has ended`);
      this.#link = again;
    }
  }

  /** @param {import('../types').Snapshot} snapshot */
  #hear(snapshot) {
    this.#heardAt = performance.now();
    this.#show(withSnapshot({ ...this.#state, silentMs: 0 }, snapshot));
  }

  /** The program itself answers: if it does not, the screen shows old figures. */
  #tellSilence() {
    const silentMs = performance.now() - this.#heardAt;
    if (silentMs > SILENT_MS + this.#everyMs) this.#show({ ...this.#state, silentMs });
  }

  /** @param {{name?: string, text?: string, ctrl?: boolean}} key */
  #press(key) {
    const { state, deed } = press(this.#state, key);
    this.#show(state);
    if (deed !== null) void this.#do(deed);
  }

  /** @param {Deed} deed */
  async #do(deed) {
    if (deed.do === 'quit') return this.#end('');
    if (deed.do === 'copy') {
      this.#recipes.push(deed.text);
      return this.#terminal.copy(deed.text);
    }
    try {
      if (deed.do === 'detail') return await this.#open(deed.boundary);
      const result = await this.#link.ask('act', { wish: deed.wish });
      if (deed.wish.what === 'recipe' && deed.wish.apply !== true)
        return this.#show({ ...this.#state, view: 'recipe', proposal: result, scroll: 0 });
      this.#show({ ...this.#state, note: outcomeOf(deed.wish, result) });
    } catch (error) {
      this.#show({ ...this.#state, note: /** @type {Error} */ (error).message });
    }
  }

  /** @param {string} boundary */
  async #open(boundary) {
    const detail = await this.#link.ask('detail', { boundary });
    if (this.#state.view === 'detail' && this.#state.selected === boundary) this.#show({ ...this.#state, detail });
  }

  /** @param {TopState} state */
  #show(state) {
    const isNews = state.snapshot !== this.#state.snapshot;
    this.#state = state;
    this.#draw();
    if (isNews && state.view === 'detail' && state.detail !== null) this.#open(state.detail.boundary.id).catch(() => {});
  }

  #draw() {
    const { size } = this.#terminal;
    this.#terminal.draw(screen(this.#state, size));
  }
}

/** @param {import('../types').Wish} wish @param {any} result @returns {string} */
function outcomeOf({ what }, { module, copies, allowed, why, changed }) {
  if (!changed) return `nothing was changed for ${module} here, so there is nothing to undo`;
  if (what === 'home') return `${module} comes home and stays there; press u to undo that`;
  if (what === 'unpin') return `${module} is as its recipes say: ${allowed ? rangeText(copies) : why}`;
  return allowed ? `${module} may have ${rangeText(copies)}; press u to undo that` : `${module} nevertheless stays at home: ${why}`;
}

/** @param {[least: number, most: number] | null} copies null: unknown */
function rangeText(copies) {
  if (copies === null) return 'replicas';
  const [least, most] = copies;
  return least === most ? count(most, 'replica') : `${least} to ${count(most, 'replica')}`;
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length > 1) throw misused('name at most one program', exports.usage);
  const { out, err, env } = io;
  const entry = findProgram(rest[0]);
  const launch = guarded(io, async () => {
    const link = await awaited(io, entry, Watching.open(entry.place));
    const terminal = new Terminal({ input: process.stdin, output: process.stdout, env });
    if (given.json === true || given.once === true || !terminal.isFit) {
      const snapshot = await awaited(io, entry, link.ask('snapshot', { brief: given.json !== true }));
      link.close();
      return out(
        given.json === true
          ? `${JSON.stringify(snapshot, null, 2)}\n`
          : printed(snapshot, { columns: Math.max(80, Number(env.COLUMNS) || 100) }),
      );
    }
    const { why, recipes } = await new Top({ terminal, link, entry, everyMs: Number(given.everyMs) }).run();
    for (const recipe of recipes) out(`${recipe}\n`);
    if (why !== '') err(`ignis: ${why}\n`);
  });
  return { code: 0, launch };
};
