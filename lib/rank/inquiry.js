'use strict';
/*
 * Puts questions to the simulation: decides when one may be put, and finds the answer without holding up the event loop. In: wishes of
 * modules, and what is measured; moments of rest. Out: answers, at once if they are found soon, else announced when they are there. It
 * works in slices, one in a turn of the loop, and takes only a small part of the loop's time altogether. It must never decide anything, nor
 * keep the program alive.
 *
 *   at rest --ask--> working --slice, slice, ...--> answered --take--> at rest
 */
const { Math, performance } = require('../engine');
const { foreseeing } = require('./foresight');
const { goOn } = require('./parts');
const { warmingUp } = require('./warm-up');

const { cpuUsage } = process;

/**
 * @typedef {import('./foresight').Foresight} Foresight
 * @typedef {Omit<Parameters<typeof foreseeing>[0], 'asked'>} Asked
 */

/**
 * How long a slice is, except for its last part: nobody may feel it. If a turn of the loop takes long, a part of that is not felt either;
 * and with less, the answer would come too late: the next thing that the loop does may be the next long call.
 */
const SLICE_MS = 3;
const PART_OF_TURN = 0.3;
const MOST_SLICE_MS = 18;

/**
 * Part of the time that questions may take, and how much of it may be saved up: two questions of a program that never asked before. In a
 * turn that takes seconds, a slice takes this part of it, or else its few slices would find no answer for half a minute.
 */
const PART = 0.02;
const MOST_CREDIT_MS = 100;

class Inquiry {
  #clock;
  #spent;
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
   * @param {() => void} given.onAnswer called when there is something to take; not for what `ask` gave at once
   * @param {() => number} [given.clock] ms
   * @param {() => number} [given.spent] ms of CPU that this process has spent: on a full machine a question takes many times that long
   */
  constructor({ timers, onAnswer, clock = () => performance.now(), spent = spentMs }) {
    this.#timers = timers;
    this.#onAnswer = onAnswer;
    this.#clock = clock;
    this.#spent = spent;
    this.#creditedAt = clock();
  }

  /** @returns {Map<string, Foresight> | null} what was found since; only once, as it is as old as its question */
  take() {
    const answers = this.#answers;
    this.#answers = null;
    return answers;
  }

  /**
   * @param {() => Asked} question called only if it is put
   * @param {number} [turnMs] how long a turn of the loop took because of those who ask
   * @returns {Map<string, Foresight> | null} by module; null: unknown yet, or too much was asked lately; ask again
   */
  ask(question, turnMs = 0) {
    if (this.#work !== null) return null;
    this.#earn();
    if (this.#creditMs <= 0) return null;
    this.#work = foreseeing({ ...question(), asked: this.#asked++ });
    this.#slice(Math.max(SLICE_MS, Math.min(turnMs * PART_OF_TURN, this.#creditMs)));
    return this.take();
  }

  /** Whether `warm` has nothing left to do. */
  get isWarm() {
    return this.#warmUp === null;
  }

  /** Spends a slice on running the simulation, so that the engine has compiled it before it is needed. For a moment of rest. */
  warm() {
    if (this.#warmUp === null || this.#work !== null) return;
    if (!goOn(this.#warmUp, SLICE_MS, this.#clock).isDone) return;
    this.#warmUp = null;
    this.#asked++;
  }

  /** Ends what is running. Idempotent. */
  close() {
    if (this.#immediate !== null) this.#timers.clearImmediate(this.#immediate);
    this.#immediate = this.#work = this.#answers = this.#warmUp = null;
  }

  /** @param {number} mostMs */
  #slice(mostMs) {
    if (this.#work === null) return;
    const before = this.#spent();
    const { isDone, result } = goOn(this.#work, mostMs, this.#clock);
    const ended = this.#clock();
    this.#creditMs -= this.#spent() - before;
    if (isDone) {
      this.#work = null;
      this.#answers = result;
      return;
    }
    this.#immediate = this.#timers.setImmediate(() => {
      this.#immediate = null;
      this.#slice(sliceAfter(this.#clock() - ended));
      if (this.#answers !== null) this.#onAnswer();
    });
    // Unref'd: while calls wait, the loop turns anyway.
    this.#immediate.unref?.();
  }

  #earn() {
    const now = this.#clock();
    this.#creditMs = Math.min(MOST_CREDIT_MS, this.#creditMs + (now - this.#creditedAt) * PART);
    this.#creditedAt = now;
  }
}

/** @param {number} turnMs of the loop, since the last slice @returns {number} ms that the next slice may take */
function sliceAfter(turnMs) {
  return Math.max(PART * turnMs, Math.min(MOST_SLICE_MS, Math.max(SLICE_MS, PART_OF_TURN * turnMs)));
}

function spentMs() {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

exports.Inquiry = Inquiry;
