'use strict';
/*
 * Calls that keep their order (`order` of a recipe). In: calls as they are made, and their ends. Out: those ends, released in the order of
 * the calls; with `order: true`, each call also begins only when all before it have settled. It does not know where a call runs.
 *
 *      join --begin()--> running --settle()--> settled --all before it are released--> released
 */

/** Lets calls follow others into the one replica that has them, which runs them one after another. */
/** @typedef {{place: () => number | null}} Follow gives the replica that would take it now; null if there is none, or no certain one */

/**
 * @typedef {object} Job
 * @property {number} mark number of the last change of the module before the call
 * @property {(() => void) | null} begin null: it already runs; only the first job may
 * @property {Follow | null} follow null: it begins alone
 * @property {(() => void) | null} release gives its caller the end; null: it has not settled
 * @property {boolean} isReleased
 */

/**
 * @param {number} mark
 * @param {(() => void) | null} begin
 * @param {Follow | null} follow
 * @returns {Job}
 */
function jobOf(mark, begin, follow) {
  return { mark, begin, follow, release: null, isReleased: false };
}

class Order {
  #isOneByOne;
  /** @type {Job[]} made and not released, oldest first */
  #jobs = [];
  /** how many of them have begun */
  #begun = 0;
  /** how many of those have not settled */
  #running = 0;
  /** @type {number | null} the replica that runs them, if others may follow */
  #place = null;
  #isPumping = false;

  /** @param {boolean} isOneByOne each begins only when the one before has settled */
  constructor(isOneByOne) {
    this.#isOneByOne = isOneByOne;
  }

  get isIdle() {
    return this.#jobs.length === 0;
  }

  /** Mark of the oldest call that has not begun; Infinity if all have. */
  get mark() {
    return this.#jobs[this.#begun]?.mark ?? Infinity;
  }

  /** @param {Job} job its call was just made; its `begin` must lead to one `settle`, perhaps at once */
  join(job) {
    this.#jobs.push(job);
    this.#pump();
  }

  /**
   * @param {Job} job
   * @param {() => void} release gives the end to its caller; never throws
   */
  settle(job, release) {
    if (job.release !== null) return;
    job.release = release;
    this.#running -= 1;
    this.#pump();
  }

  /** Begins what may begin, and releases what is due. */
  #pump() {
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (;;) {
      if (this.#jobs.length > 0 && this.#jobs[0].release !== null) this.#releaseFirst();
      else if (this.#begun < this.#jobs.length && this.#mayBegin(this.#jobs[this.#begun])) this.#begin(this.#jobs[this.#begun]);
      else break;
    }
    this.#isPumping = false;
  }

  #releaseFirst() {
    const job = /** @type {Job} */ (this.#jobs.shift());
    this.#begun -= 1;
    job.isReleased = true;
    job.release?.();
  }

  /** @param {Job} job */
  #mayBegin(job) {
    if (!this.#isOneByOne || this.#running === 0 || job.begin === null) return true;
    return this.#place !== null && job.follow !== null && job.follow.place() === this.#place;
  }

  /** @param {Job} job */
  #begin(job) {
    // A job that follows others is in the same replica.
    this.#place = job.follow?.place() ?? null;
    this.#begun += 1;
    this.#running += 1;
    job.begin?.();
  }
}

exports.Order = Order;
exports.jobOf = jobOf;
