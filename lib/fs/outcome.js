'use strict';
/*
 * The outcome of one entry of the log. In: what each holder says that it did. Out: one answer, the same for all: that of the first holder
 * that has done it. A holder that says otherwise has a failing disk; or, if its error is about the files, others have written to the root,
 * and only there. The root's own holder is waited for a little, so that whoever looks there in other ways (a child process, `chdir`) finds
 * what was acknowledged.
 */
const { Set, clearTimeout, setTimeout } = require('../engine');

/** Errors of a disk, not of its files: the others may well have done it. IGNIS_NODE: it has missed something. */
const DISK_ERRORS = new Set(['EIO', 'ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENODEV', 'ENXIO', 'IGNIS_NODE']);
const ROOT_PATIENCE_MS = 250;
/** An error about the files is believed only after this, ms: others may have written to the root, which then counts. */
const ERROR_PATIENCE_MS = 2500;

/** @typedef {import('./holder').Holder} Holder */
/** @typedef {{value?: any, error?: any, isElsewhere?: boolean}} Said isElsewhere: it does not have the contents, others do */

class Outcome {
  #root;
  /** how long it has already stood still, ms: such a holder is not waited for again and again */
  #stuckMs;
  #onFailing;
  /** @type {Said | null} */
  #answer = null;
  /** who gave that answer @type {Holder[]} */
  #agreed = [];
  /** @type {{holder: Holder, error: any}[]} */
  #failing = [];
  /** @type {Set<Holder>} */
  #open = new Set();
  #isPatient = true;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** Called when there may be an answer. */
  onChange = () => {};

  /**
   * @param {object} given
   * @param {Holder | null} given.root the holder whose folder is the root
   * @param {(holder: Holder, error: any) => void} given.onFailing
   */
  constructor({ root, onFailing }) {
    this.#root = root;
    this.#stuckMs = root?.stuckMs ?? 0;
    this.#onFailing = onFailing;
  }

  /** Whether nobody is left who could say anything. */
  get isOver() {
    return this.#open.size === 0;
  }

  /** Those that have not yet said what they did. @returns {Iterable<Holder>} */
  get open() {
    return this.#open;
  }

  /** @returns {Said | null} null: not yet */
  get answer() {
    const isAwaited = this.#isPatient && this.#root !== null && this.#open.has(this.#root);
    return isAwaited ? null : this.#answer;
  }

  /** @param {Holder} holder @param {Promise<Said>} applied */
  expect(holder, applied) {
    this.#open.add(holder);
    applied.then(
      (said) => this.#settle(holder, said),
      (error) => this.#settle(holder, { error }),
    );
  }

  /** @param {Holder} holder @param {Said} said */
  #settle(holder, said) {
    this.#open.delete(holder);
    // A holder that only noted a file's new length does not answer for its contents.
    if (said.error?.lost === undefined && !said.isElsewhere) this.#weigh(holder, said);
    // If all of them fail, it is the files, or all disks are full.
    if (this.isOver && this.#answer === null && this.#failing.length > 0) this.#answer = { error: this.#failing[0].error };
    if (this.isOver) clearTimeout(this.#timer);
    this.onChange();
  }

  /** @param {Holder} holder @param {Said} said */
  #weigh(holder, said) {
    if (said.error !== undefined && DISK_ERRORS.has(said.error.code)) {
      if (this.#answer === null) this.#failing.push({ holder, error: said.error });
      else this.#onFailing(holder, said.error);
      return;
    }
    if (this.#answer !== null) {
      if (said.error?.code === this.#answer.error?.code) this.#agreed.push(holder);
      else if (holder === this.#root && this.#isPatient) this.#believe(holder, said);
      else this.#onFailing(holder, differs(said));
      return;
    }
    this.#answer = said;
    this.#agreed = [holder];
    for (const { holder: failing, error } of this.#failing) this.#onFailing(failing, error);
    this.#failing = [];
    const patienceMs = said.error === undefined ? ROOT_PATIENCE_MS : ERROR_PATIENCE_MS;
    this.#isPatient = this.#stuckMs < patienceMs;
    if (!this.#isPatient) return;
    this.#timer = setTimeout(() => {
      this.#isPatient = false;
      this.onChange();
    }, patienceMs);
  }

  /**
   * Others than the program (a child process, native code) write only to the root, so if two differ, the root is right. Nobody has been
   * given another answer yet.
   *
   * @param {Holder} root
   * @param {Said} said
   */
  #believe(root, said) {
    const [others, before] = [this.#agreed, /** @type {Said} */ (this.#answer)];
    this.#answer = said;
    this.#agreed = [root];
    for (const other of others) this.#onFailing(other, differs(before));
  }
}

/** @param {Said} said how it differs from the others @returns {any} */
function differs({ error }) {
  return error ?? new Error('it did what others could not');
}

exports.DISK_ERRORS = DISK_ERRORS;
exports.Outcome = Outcome;
exports.ROOT_PATIENCE_MS = ROOT_PATIENCE_MS;
