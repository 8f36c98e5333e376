'use strict';
/*
 * Verifies calls of a pure function (`verify` of a recipe): some that go to replicas also run at home, and the answers are compared. In:
 * calls that were sent. Out: what the caller gets: the replica's answer, or home's if the two differ; then the module comes home, and
 * everybody is told. It must verify pure functions only, whose second run harms nobody.
 */
const types = require('node:util/types');
const { publish } = require('../diagnostics');
const { IgnisError } = require('../errors');
const { copyOf, differsAt, preview, previewResult, valueIn } = require('../session/copies');
const { Math } = require('../engine');

/** @typedef {{hasFailed: boolean, value: any}} Answer */

/**
 * @param {number} count how many calls there were before
 * @param {number} rate 0 to 1
 * @returns {boolean} always the same for the same count; true for this share of all counts
 */
function isChosen(count, rate) {
  // The finalizer of MurmurHash3 (Appleby, 2011): calls that come in a rhythm must not be chosen in that rhythm.
  let mixed = Math.imul(count + 1, 0x9e3779b1) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296 < rate;
}

class Verifier {
  #point;
  #set;
  #errorClass;
  #count = 0;

  /**
   * @param {import('./point').FunctionPoint} point of a pure function
   * @param {import('../spawn/replica-set').ReplicaSet} set
   * @param {(name: string) => Function | undefined} errorClass
   */
  constructor(point, set, errorClass) {
    this.#point = point;
    this.#set = set;
    this.#errorClass = errorClass;
  }

  /**
   * Called for a call that was just sent, while its arguments are still what they were.
   * @param {any} self
   * @param {any[]} args
   * @returns {((answer: Answer) => Promise<Answer>) | null} takes the replica's answer and gives the caller's; null: not verified
   */
  begin(self, args) {
    if (!isChosen(this.#count++, this.#point.recipe.verify)) return null;
    const { packed } = copyOf(args, 'args');
    const home = this.#runAtHome(self, args);
    return async (answer) => {
      // A lost call has no answer.
      if (answer.hasFailed && answer.value instanceof IgnisError) return answer;
      const own = await home;
      if (!this.#isOther(own, answer)) return answer;
      this.#tell(packed === null ? '(arguments that cannot be copied)' : preview(packed), own, answer);
      return own;
    };
  }

  /** @param {any} self @param {any[]} args @returns {Promise<Answer>} never rejects */
  async #runAtHome(self, args) {
    try {
      const result = Reflect.apply(this.#point.fn, self, args);
      return { hasFailed: false, value: types.isPromise(result) ? await result : result };
    } catch (error) {
      return { hasFailed: true, value: error };
    }
  }

  /** @param {Answer} home @param {Answer} away */
  #isOther(home, away) {
    const own = copyOf([home.value], 'result').packed;
    const other = copyOf([away.value], 'result').packed;
    // What cannot be copied cannot be compared.
    if (own === null || other === null) return false;
    if (home.hasFailed !== away.hasFailed) return true;
    // Home's answer must travel the same way, since that leaves traces (the order of an error's members).
    const travelled = copyOf(valueIn(own, this.#errorClass), 'result').packed;
    return travelled !== null && differsAt(travelled, other) !== null;
  }

  /** @param {string} args @param {Answer} home @param {Answer} away */
  #tell(args, home, away) {
    const { module } = this.#set;
    const { name } = this.#point;
    const record = { module, function: name, args, home: show(home), replica: show(away) };
    publish('ignis:mismatch', record);
    const { journal } = this.#set;
    if (journal.hasDiffered) return;
    journal.hasDiffered = true;
    const told = `a verified call answered differently: '${name}' of ${args}, at home ${record.home}, in a replica ${record.replica}`;
    this.#set.refuse(`brought home: ${told}`);
    process.emitWarning(`${module} was brought home: ${told}`, { type: 'IgnisWarning', code: 'IGNIS_MISMATCH' });
  }
}

/** @param {Answer} answer */
function show({ hasFailed, value }) {
  const { packed } = copyOf([value], 'result');
  return `${hasFailed ? 'threw ' : ''}${packed === null ? '(not shown)' : previewResult(packed)}`;
}

exports.Verifier = Verifier;
exports.isChosen = isChosen;
