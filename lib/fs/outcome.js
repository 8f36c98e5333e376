'use strict';
/*
 * What came of one entry of the log. In: what each holder says that it did. Out: one answer, the same for all: that of the first one that
 * has done it. A holder that says something else has a disk that fails, or, where it speaks of the files, another one of them than the
 * root's own, which alone others write. The holder of the root itself is waited for a little, so that who looks there by other means (a
 * child process, `chdir`) finds what was acknowledged.
 */
const { Set, clearTimeout, setTimeout } = require('../engine');

/** Errors of a disk, not of the files on it: the others may well have done it. IGNIS_NODE: it has missed something. */
const DISK_ERRORS = new Set(['EIO', 'ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENODEV', 'ENXIO', 'IGNIS_NODE']);
const ROOT_PATIENCE_MS = 250;
/** An error of the files is believed later: others may have written them in the root, and then they are there. */
const ERROR_PATIENCE_MS = 2500;

/** @typedef {import('./holder').Holder} Holder */
/** @typedef {{value?: any, error?: any, isElsewhere?: boolean}} Said isElsewhere: it has no contents to do it to, and others have */

class Outcome {
  #root;
  /** so long it has stood still before this, ms: such a one is not waited for again and again */
  #stuckMs;
  #onFailing;
  /** @type {Said | null} */
  #answer = null;
  /** who gave it, or the same @type {Holder[]} */
  #agreed = [];
  /** @type {{holder: Holder, error: any}[]} */
  #failing = [];
  /** @type {Set<Holder>} */
  #open = new Set();
  #isPatient = true;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** Told when there may be an answer. */
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

  /** Who has not said yet what it did. @returns {Iterable<Holder>} */
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
    // Who has only noted how long a file is now does not answer for its contents.
    if (said.error?.lost === undefined && !said.isElsewhere) this.#weigh(holder, said);
    // All of them: then it is the files, or all disks are full.
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
   * Others than the program (a child process, native code) write in the root alone, so of two that differ it is right. Nobody has heard
   * another answer yet.
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

/** @param {Said} said what others did not say @returns {any} */
function differs({ error }) {
  return error ?? new Error('it did what others could not');
}

exports.DISK_ERRORS = DISK_ERRORS;
exports.Outcome = Outcome;
exports.ROOT_PATIENCE_MS = ROOT_PATIENCE_MS;
