'use strict';
/*
 * Where the next replica of a module starts: on this machine first, and on other hosts, where the recipe says both. In: wishes for one
 * more, how many this machine is to have. Out: replicas that are ready, or failures, as a starter gives them; each place has one of its
 * own, so that hosts which do not answer are no reason to start nothing here. It decides nothing that is a matter of load.
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
  /**
   * replicas that this machine has before hosts get any; all, where there are none. Nobody has said more yet than how many processors it
   * has
   */
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
  /** Wish to ready of the last one there where the next one would start, ms. */
  get startMs() {
    return this.#next.startMs;
  }
  /** Why the last start failed; '' while all is well. */
  get failure() {
    return this.#near.failure;
  }
  /** Whether the last start failed where the first replica would be, and it is too early for another. */
  get isFailing() {
    return this.#near.isFailing;
  }
  /** Why nothing is started on hosts for a while, where this machine comes first; '' while all is well. */
  get farFailure() {
    return this.#far?.isFailing ? this.#far.failure : '';
  }
  /** Replicas of this machine, and those on their way to be; undefined where all replicas are in one kind of place. */
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

  /** One more beside this one, which is to end, if it may be begun. @param {Replica} replica */
  replace(replica) {
    const starter = this.#of(replica);
    if (starter.mayBegin) void starter.begin();
  }

  /**
   * What hosts do not give is not wanted of them any more, until somebody wants it again: what is here is a whole set.
   *
   * @param {number} wanted
   * @returns {number} of them, those that are there or on their way, where no more can come
   */
  within(wanted) {
    const isOver = this.#far !== null && this.#next === this.#far && !this.#far.mayBegin;
    return isOver ? Math.min(wanted, this.#ready().length + this.count) : wanted;
  }

  /** @returns {Promise<void>} one replica of this machine, or of a host where all are there, is loaded; never rejects */
  preload() {
    return this.#near.preload();
  }

  /**
   * @param {Replica} replica that was lost
   * @param {number} wanted
   * @param {string} why
   * @returns {boolean} whether that goes on and on; see Starter
   */
  noteLoss(replica, wanted, why) {
    return this.#of(replica).noteLoss(wanted, why);
  }

  /** @returns {Promise<void>} when nothing is on its way any more */
  async close() {
    await Promise.all([this.#near.close(), this.#far?.close()]);
  }

  /** @param {Replica} replica @returns {Starter} of its place */
  #of({ isFar }) {
    return isFar && this.#far !== null ? this.#far : this.#near;
  }
}

exports.Starters = Starters;
