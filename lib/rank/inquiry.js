'use strict';
/*
 * The questions to the simulation: when one may be put, and how its answer is found without holding up the event loop.
 * In: wishes of modules, and what is measured; moments of rest. Out: answers, at once when they are found soon, else announced when they are there. It works in
 * slices, one in a turn of the loop, and takes no more than a small part of the loop's time in all. It never decides anything, nor keeps the program alive.
 *
 *   at rest --ask--> working --slice, slice, ...--> answered --take--> at rest
 */
const { foreseeing } = require('./foresight');
const { goOn } = require('./parts');
const { warmingUp } = require('./warm-up');

/**
 * @typedef {import('./foresight').Foresight} Foresight
 * @typedef {Omit<Parameters<typeof foreseeing>[0], 'asked'>} Asked
 */

/** What holds up the event loop at most, but for the last part of a slice. */
const SLICE_MS = 3;

/** Part of the time that questions may take, and how much of it may be saved up: two questions of a program that never asked before. */
const PART = 0.02;
const MOST_CREDIT_MS = 100;

class Inquiry {
  #clock;
  #timers;
  #onAnswer;
  /** @type {Generator<void, Map<string, Foresight>> | null} */
  #work = null;
  /** @type {Map<string, Foresight> | null} */
  #answers = null;
  /** @type {any} */
  #immediate = null;
  #creditMs = MOST_CREDIT_MS;
  #creditedAt;
  #asked = 0;
  /** @type {Generator<void, void> | null} null: done */
  #warmUp = warmingUp();

  /**
   * @param {object} given
   * @param {Pick<import('./coordinator').Timers, 'setImmediate' | 'clearImmediate'>} given.timers
   * @param {() => void} given.onAnswer there is something to take; not called for what `ask` gave at once
   * @param {() => number} [given.clock] ms, to measure what it costs
   */
  constructor({ timers, onAnswer, clock = () => performance.now() }) {
    this.#timers = timers;
    this.#onAnswer = onAnswer;
    this.#clock = clock;
    this.#creditedAt = clock();
  }

  /** @returns {Map<string, Foresight> | null} what was found since, once: it is as old as its question */
  take() {
    const answers = this.#answers;
    this.#answers = null;
    return answers;
  }

  /**
   * @param {() => Asked} question asked for only if it is put
   * @returns {Map<string, Foresight> | null} by module; null: not known yet, or too much was asked of late; ask again
   */
  ask(question) {
    if (this.#work !== null) return null;
    this.#earn();
    if (this.#creditMs <= 0) return null;
    this.#work = foreseeing({ ...question(), asked: this.#asked++ });
    this.#slice();
    return this.take();
  }

  /** Spends a slice on the code of the simulation, so that the engine has compiled it before it is needed. For a moment of rest. */
  warm() {
    if (this.#warmUp === null || this.#work !== null) return;
    if (!goOn(this.#warmUp, SLICE_MS, this.#clock).isDone) return;
    this.#warmUp = null;
    this.#asked++;
  }

  /** Ends what is under way. Idempotent. */
  close() {
    if (this.#immediate !== null) this.#timers.clearImmediate(this.#immediate);
    this.#immediate = this.#work = this.#answers = this.#warmUp = null;
  }

  #slice() {
    if (this.#work === null) return;
    const begun = this.#clock();
    const { isDone, result } = goOn(this.#work, SLICE_MS, this.#clock);
    this.#creditMs -= this.#clock() - begun;
    if (isDone) {
      this.#work = null;
      this.#answers = result;
      return;
    }
    this.#immediate = this.#timers.setImmediate(() => {
      this.#immediate = null;
      this.#slice();
      if (this.#answers !== null) this.#onAnswer();
    });
    // Unref'd: while calls wait the loop turns anyway.
    this.#immediate.unref?.();
  }

  #earn() {
    const now = this.#clock();
    this.#creditMs = Math.min(MOST_CREDIT_MS, this.#creditMs + (now - this.#creditedAt) * PART);
    this.#creditedAt = now;
  }
}

exports.Inquiry = Inquiry;
