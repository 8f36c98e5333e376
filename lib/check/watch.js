'use strict';
/*
 * A process of the program that `ignis check` runs: every call across a watched import is recorded, and runs at home. In: from the
 * environment, the folder for the records and the modules that are meant. Out: a file of records. Nothing is distributed, measured or
 * started; it keeps nothing alive, and the program gets what it would get without us.
 */
const path = require('node:path');
const { IgnisError } = require('../errors');
const { Boundary, boundaryOf } = require('../wrap/boundary');
const { EsHook } = require('../import/es-hook');
const { installHook } = require('../import/hook');
const { makeIdentify } = require('../import/module-id');
const { lineOf } = require('../import/place');
const { toPattern } = require('../recipe/pattern');
const { atEnd } = require('../view/at-end');
const { Views } = require('../wrap/view');
const { loadersOf } = require('./loaders');
const { Log } = require('./log');
const { Recorder } = require('./recorder');
const { Map, Set, WeakMap, WeakSet, workingFolder } = require('../engine');

/** Files with tests; what they import only matters if it is the program's own. */
const TEST_FILE = /(?:^|[\\/])(?:tests?|specs?|__tests__|e2e)(?:[\\/]|\.[cm]?[jt]s$)|[._-](?:test|spec)s?\.[cm]?[jt]sx?$/;

/** How often pending promises are looked at, ms. */
const LOOK_MS = 5;

// The program may replace these later.
const { setImmediate, setInterval, clearInterval } = globalThis;

/** @param {string} appRoot @returns {import('../import/es-hook').Told} no recipe says anything */
const nothing = (appRoot) => ({
  residents: { appRoot, cwd: workingFolder() ?? appRoot, targets: [] },
  chapters: [],
  lifts: false,
  hasFiles: false,
});

class Watch {
  #log;
  #root;
  #identify;
  /** @type {((id: import('../types').ModuleId) => boolean)[] | null} null: all that are imported */
  #wanted;
  #seq = 0;
  /** @type {Set<Recorder>} */
  #recorders = new Set();
  /** @type {WeakMap<object, string>} exports -> the name of this copy of their module */
  #copies = new WeakMap();
  /** @type {Map<string, number>} module -> number of copies so far */
  #counts = new Map();
  /** @type {Set<{promise: Promise<any>, entry: import('./recorder').Entry, recorder: Recorder}>} */
  #pending = new Set();
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  #skipped = 0;
  /** @type {Map<string, Boundary>} edges whose module was still loading */
  #partial = new Map();
  /** @type {Views | null} */
  #views;
  /** @type {WeakMap<object, Boundary>} with views: exports -> what leads to them from everywhere */
  #shared = new WeakMap();
  /** @type {WeakSet<Boundary>} those whose calls are recorded */
  #recorded = new WeakSet();

  /** @param {{folder: string, root: string, modules: string[], exact: boolean}} settings root: the folder of the program */
  constructor({ folder, root, modules, exact }) {
    this.#views = exact ? new Views({ staysHome: true }) : null;
    this.#log = new Log(folder);
    this.#root = root;
    this.#identify = makeIdentify(root);
    this.#wanted = modules.length === 0 ? null : modules.map((target) => toPattern(target).means);
    const hook = installHook({
      onImport: (seen) => this.#import(seen),
      onSource: (content, filename) => esHook.noteSource(content, filename),
      onAgain: (_edge, handed) => (boundaryOf(handed)?.refresh(), handed),
      onLoaded: ({ parentFile, filename }) => this.#partial.get(`${parentFile}\0${filename}`)?.reconcile(),
    });
    const esHook = new EsHook({ hook, lifting: null, imports: { told: nothing(root), onApart: () => {} } }).install();
    atEnd(() => this.#write());
    // The program may end before its event loop turns again, and what a promise gave cannot be asked for in an 'exit' listener.
    process.on('beforeExit', () => this.#look());
    const loaders = loadersOf(process.execArgv);
    this.#log.add({ type: 'process', pid: process.pid, argv: process.argv.slice(1), loaders, cwd: workingFolder() ?? root });
  }

  /** @param {import('../import/hook').Import} seen @returns {any} what the importing file gets */
  #import(seen) {
    const { filename, exports, parentFile, isPartial } = seen;
    if (filename === null) return exports;
    const child = this.#identify(filename);
    const parent = this.#identify(parentFile);
    if (seen.handed !== undefined) return seen.handed;
    const isMeant = this.#isMeant(child, parent);
    // A test compares what it imports with what the program has.
    if (!isMeant && (this.#views === null || this.#wanted !== null || child.kind === 'file')) return exports;
    let boundary = this.#shared.get(exports);
    if (boundary === undefined) {
      boundary = new Boundary({ parent, child, exports, mayDistribute: true, isPartial, views: this.#views });
      if (this.#views !== null) this.#shared.set(exports, boundary);
    }
    boundary.files.add(parent.filename);
    if (isPartial) this.#partial.set(`${parentFile}\0${filename}`, boundary);
    if (!isMeant) return boundary.wrapped;
    this.#record(boundary);
    // Two ways into a package may lead to the same view, and a test may have come by the other way first.
    const first = boundaryOf(boundary.wrapped);
    if (first !== undefined) this.#record(first);
    return boundary.wrapped;
  }

  /** @param {Boundary} boundary */
  #record(boundary) {
    if (this.#recorded.has(boundary)) return;
    this.#recorded.add(boundary);
    const { exports, child, parent } = boundary;
    const module = this.#copyOf(exports, child);
    boundary.onWrite = (way) => this.#log.add({ type: 'write', module, path: way.map(String).join('.'), by: parent.name });
    boundary.onPoint = (point) => this.#attach(point, module);
    for (const point of boundary.points.values()) this.#attach(point, module);
  }

  /** @param {import('../types').ModuleId} child @param {import('../types').ModuleId} parent */
  #isMeant(child, parent) {
    if (this.#wanted !== null) return this.#wanted.some((means) => means(child));
    if (child.kind === 'file' && TEST_FILE.test(child.name)) return false;
    return child.kind === 'file' || !TEST_FILE.test(parent.name);
  }

  /** A module that is loaded anew has another history. @param {object} exports @param {import('../types').ModuleId} child */
  #copyOf(exports, child) {
    let name = this.#copies.get(exports);
    if (name === undefined) {
      const count = (this.#counts.get(child.name) ?? 0) + 1;
      this.#counts.set(child.name, count);
      name = count === 1 ? child.name : `${child.name}#${count}`;
      this.#copies.set(exports, name);
      this.#log.add({ type: 'module', module: name, name: child.name, filename: child.filename, version: child.version, kind: child.kind });
    }
    return name;
  }

  /** @param {import('../wrap/point').FunctionPoint} point @param {string} module */
  #attach(point, module) {
    if (point.isWritten || point.path.some((part) => typeof part === 'symbol')) return;
    /** @type {Recorder} */
    const recorder = new Recorder(
      point,
      module,
      {
        next: () => ++this.#seq,
        give: (entry) => {
          if (!this.#log.add(entry)) this.#skipped += 1;
        },
        wait: (promise, entry) => this.#wait({ promise, entry, recorder }),
      },
      () => path.normalize(lineOf(point.boundary.files, this.#root)),
    );
    this.#recorders.add(recorder);
    point.divert = recorder.divert;
  }

  /** @param {{promise: Promise<any>, entry: import('./recorder').Entry, recorder: Recorder}} waiting */
  #wait(waiting) {
    if (waiting.recorder.look(waiting.entry, waiting.promise)) return;
    this.#pending.add(waiting);
    setImmediate(() => this.#look()).unref();
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  #look() {
    for (const waiting of this.#pending) {
      if (waiting.recorder.look(waiting.entry, waiting.promise)) this.#pending.delete(waiting);
    }
    if (this.#pending.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /**
   * Writes all there is; if the program goes on after a signal, again later: for a call, the last record counts, and counts are what has
   * come since.
   */
  #write() {
    this.#look();
    for (const { entry } of this.#pending) this.#log.add(entry);
    for (const recorder of this.#recorders) {
      const counts = recorder.takeCounts();
      if (Object.values(counts).some((count) => count > 0))
        this.#log.add({ type: 'count', module: recorder.module, fn: recorder.name, ...counts });
    }
    if (this.#skipped > 0) this.#log.add({ type: 'full', skipped: this.#skipped });
    this.#skipped = 0;
    this.#log.flush();
  }
}

/** @type {Watch | null} */
let watch = null;

/**
 * @returns {boolean} whether this process is checked; if so, it is watched from now on
 * @throws {IgnisError} IGNIS_BAD_OPTION when something other than `ignis check` has set the variable
 */
function isChecked() {
  const settings = process.env.IGNIS_CHECK;
  if (settings === undefined || settings === '') return false;
  watch ??= new Watch(read(settings));
  return true;
}

/** @param {string} settings @returns {any} */
function read(settings) {
  try {
    const { folder, root, modules, exact } = JSON.parse(settings);
    if (path.isAbsolute(folder) && path.isAbsolute(root) && Array.isArray(modules)) return { folder, root, modules, exact };
  } catch {
    // Like any other invalid text.
  }
  const advice = '`ignis check` sets it for the processes that it watches, and nobody else can; unset it';
  throw new IgnisError('IGNIS_BAD_OPTION', `the environment variable IGNIS_CHECK does not say what is to be checked: ${advice}`);
}

exports.isChecked = isChecked;
