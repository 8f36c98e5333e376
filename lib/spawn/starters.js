'use strict';
/*
 * Where the next replica of a module starts: first on this machine, then on other hosts if the recipe says both. In: wishes for one more,
 * how many this machine is to have. Out: replicas that are ready, or failures, as from a starter. Each place has its own starter, so hosts
 * that do not answer stop nothing here. It decides nothing that depends on load.
 */
const { usableCores } = require('../cores');
const { Starter } = require('./starter');
const { Math, Promise } = require('../engine');

/** @typedef {import('./replica').Replica} Replica */

class Starters {
  #near;
  /** @type {Starter | null} */
  #far;
  #ready;
  /** replicas that this machine has before hosts get any; all, if there are no hosts. Until somebody says how many: Infinity */
  here = Infinity;

  /**
   * @param {import('./starter').SetSettings} settings with `beyond`: hosts come after this machine
   * @param {import('./spare-pool').SparePool} spares
   * @param {import('./starter').StarterHooks & {ready: () => Replica[]}} hooks ready: those that serve
   */
  constructor(settings, spares, hooks) {
    this.#near = new Starter(settings, spares, hooks);
    this.#far = settings.beyond === undefined ? null : new Starter({ ...settings, launch: settings.beyond }, spares, hooks);
    this.#ready = hooks.ready;
    if (this.#far !== null) this.here = usableCores();
  }

  /** Starts under way. */
  get count() {
    return this.#near.count + (this.#far?.count ?? 0);
  }
  /** Time from wish to ready of the last replica at the place of the next start, ms. */
  get startMs() {
    return this.#next.startMs;
  }
  /** Why the last start failed; '' while all is well. */
  get failure() {
    return this.#near.failure;
  }
  /** Whether the last start at the place of the first replica failed, and it is too early for another. */
  get isFailing() {
    return this.#near.isFailing;
  }
  /** Why nothing is started on hosts for a while, if this machine comes first; '' while all is well. */
  get farFailure() {
    return this.#far?.isFailing ? this.#far.failure : '';
  }
  /** Replicas on this machine, including those on their way; undefined if all are in one kind of place. */
  get near() {
    return this.#far === null ? undefined : { ready: this.#nearReady, starting: this.#near.count };
  }

  get #nearReady() {
    return this.#ready().filter(({ isFar }) => !isFar).length;
  }
  get #next() {
    return this.#far === null || this.#nearReady + this.#near.count < this.here ? this.#near : this.#far;
  }

  /** Whether one more may be begun now. */
  get mayBegin() {
    return this.#next.mayBegin;
  }

  /** @returns {Promise<void>} one start; never rejects */
  begin() {
    return this.#next.begin();
  }

  /** Starts one more beside this one, which is about to end, if it may be begun. @param {Replica} replica */
  replace(replica) {
    const starter = this.#of(replica);
    if (starter.mayBegin) void starter.begin();
  }

  /**
   * Replicas that hosts do not give are no longer wanted, until somebody wants them again: what is here is a whole set.
   *
   * @param {number} wanted
   * @returns {number} of the wanted, those there or on their way, if no more can come
   */
  within(wanted) {
    const isOver = this.#far !== null && this.#next === this.#far && !this.#far.mayBegin;
    return isOver ? Math.min(wanted, this.#ready().length + this.count) : wanted;
  }

  /** @returns {Promise<void>} when one replica on this machine is loaded, or on a host if all are there; never rejects */
  preload() {
    return this.#near.preload();
  }

  /**
   * @param {Replica} replica that was lost
   * @param {number} wanted
   * @param {string} why
   * @returns {boolean} whether losses go on and on; see Starter
   */
  noteLoss(replica, wanted, why) {
    return this.#of(replica).noteLoss(wanted, why);
  }

  /** @returns {Promise<void>} when nothing is on its way any more */
  async close() {
    await Promise.all([this.#near.close(), this.#far?.close()]);
  }

  /** @param {Replica} replica @returns {Starter} the starter of its place */
  #of({ isFar }) {
    return isFar && this.#far !== null ? this.#far : this.#near;
  }
}

exports.Starters = Starters;
