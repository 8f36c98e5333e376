'use strict';
/*
 * What is started by a starter says so of itself: how many starts are under way, what the last took, and whether and why it failed. In: a starter. Out: figures.
 */

/** @typedef {import('./starter').Starter} Starter */

class Started {
  /** @protected */
  starter;

  /** @param {Starter} starter */
  constructor(starter) {
    this.starter = starter;
  }

  /** Replicas on their way. */
  get starting() {
    return this.starter.count;
  }
  /** Wish to ready of the last replica, ms. */
  get startMs() {
    return this.starter.startMs;
  }
  /** Why the last start failed; '' while all is well. */
  get failure() {
    return this.starter.failure;
  }
  /** Whether the last start has failed and it is too early for another. */
  get isFailing() {
    return this.starter.isFailing;
  }
}

exports.Started = Started;
