'use strict';
/*
 * Which hosts there are. In: the records `members/NAME` of an engine. Out: a list, and each change of it. A host is lost when its record
 * has stood still for long enough by our own clock, and a fresh read finds it unchanged. While the engine is away the list is frozen, and
 * afterwards every host gets its full time again: that we do not hear of hosts says nothing about them meanwhile. A host that removes its
 * record has left.
 */
const { OWN_CLOCK } = require('./engine-clock.js');
const { Map, Promise } = require('../engine');

/** @typedef {import('./engine-base.js').Engine} Engine */
/**
 * @typedef {{name: string, record: any, rev: number, isHeard?: boolean}} Member record: what the host says of itself; isHeard, in a list:
 *   it was written since we began to look; otherwise perhaps long ago
 */
/**
 * @typedef {{event: 'joined' | 'changed' | 'left' | 'lost' | 'frozen' | 'thawed', member?: Member}} MemberEvent joined also if another run
 *   of that host was there before
 */
/** @typedef {'opening' | 'open' | 'frozen' | 'closed'} MembershipState */

const DEAD_MS = 5000;
const LOOK_MS = 1000;

/** @type {Record<MembershipState, MembershipState[]>} */
const NEXT = { opening: ['open', 'closed'], open: ['frozen', 'closed'], frozen: ['open', 'closed'], closed: [] };

class Membership {
  /** @type {MembershipState} */
  #state = 'opening';
  #engine;
  #below;
  #deadMs;
  #lookMs;
  #clock;
  #onEvent;
  #isOpenTo;
  #forgetsMs;
  #tidies;
  /** @type {Map<string, Member & {heardAt: number, isHeard: boolean}>} */
  #members = new Map();
  /** Lost ones whose records are to be removed. @type {Map<string, {rev: number, since: number}>} */
  #lost = new Map();
  /** @type {(() => void)[]} */
  #stops = [];
  /** @type {() => void} */
  #callOff = () => {};

  /**
   * @param {Engine} engine
   * @param {object} [settings]
   * @param {string} [settings.below] where the records are, 'members/' by default
   * @param {number} [settings.deadMs] how long a record may stand still, 5000 by default; several beats
   * @param {number} [settings.lookMs] how often to look for those, 1000 by default
   * @param {(name: string) => boolean} [settings.isOpenTo] whether we have an open channel to a host: then it is there, whatever its record
   * @param {number} [settings.forgetsMs] removes records of hosts lost this long ago, which nobody else will; Infinity, never, by default
   * @param {boolean} [settings.tidies] makes the engine remove what it keeps of long-gone records; false by default
   * @param {import('./engine-clock.js').Clock} [settings.clock]
   * @param {(event: MemberEvent) => void} [settings.onEvent]
   */
  constructor(
    engine,
    {
      below = 'members/',
      deadMs = DEAD_MS,
      lookMs = LOOK_MS,
      isOpenTo = () => false,
      forgetsMs = Infinity,
      tidies = false,
      clock = OWN_CLOCK,
      onEvent = () => {},
    } = {},
  ) {
    this.#engine = engine;
    this.#below = below;
    this.#deadMs = deadMs;
    this.#lookMs = lookMs;
    this.#isOpenTo = isOpenTo;
    this.#forgetsMs = forgetsMs;
    this.#tidies = tidies;
    this.#clock = clock;
    this.#onEvent = onEvent;
  }

  get state() {
    return this.#state;
  }

  /** @returns {Member[]} by name; while frozen, the earlier list */
  list() {
    const all = [...this.#members.values()].map((member) => ({ ...shown(member), isHeard: member.isHeard }));
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @returns {Promise<void>} when all that are there are listed */
  open() {
    return new Promise((resolve, reject) => {
      const onReady = () => {
        if (this.#state !== 'opening') return;
        this.#to('open');
        this.#stops.push(this.#engine.status(({ state }) => this.#engineIs(state)));
        this.#later();
        resolve();
      };
      const told = { onReady, onLost: reject, tidies: this.#tidies };
      this.#stops.push(this.#engine.watch(this.#below, (change) => this.#hear(change), told));
    });
  }

  close() {
    this.#to('closed');
    this.#callOff();
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** @param {MembershipState} next */
  #to(next) {
    if (!NEXT[this.#state].includes(next)) return false;
    const before = this.#state;
    this.#state = next;
    if (next === 'frozen') this.#onEvent({ event: 'frozen' });
    if (before === 'frozen' && next === 'open') this.#onEvent({ event: 'thawed' });
    return true;
  }

  /** @param {import('./engine-base.js').Change} change */
  #hear({ key, value, rev }) {
    const name = key.slice(this.#below.length);
    this.#lost.delete(name);
    const known = this.#members.get(name);
    if (value === null) {
      if (this.#members.delete(name)) this.#onEvent({ event: 'left', member: shown(known) });
      return;
    }
    const member = { name, record: value, rev, heardAt: this.#clock.now(), isHeard: this.#state !== 'opening' };
    this.#members.set(name, member);
    this.#onEvent({ event: known === undefined || known.record.run !== value.run ? 'joined' : 'changed', member: shown(member) });
  }

  /** @param {import('./engine-base.js').EngineState} state */
  #engineIs(state) {
    if (state === 'down') this.#to('frozen');
  }

  #later() {
    if (this.#state === 'closed') return;
    this.#callOff = this.#clock.after(this.#lookMs, async () => {
      await this.#look();
      this.#later();
    });
  }

  /** Asks about those that stood still for too long; none counts as lost before the engine itself has confirmed it. */
  async #look() {
    if (this.#state === 'frozen') return this.#thaw();
    const due = this.#clock.now() - this.#deadMs;
    for (const member of [...this.#members.values()]) {
      if (member.heardAt > due || this.#isOpenTo(member.name)) continue;
      /** Without a value it says nothing, as if there were none. @type {import('./engine-base.js').Found | null} */
      let found;
      try {
        found = await this.#engine.get(this.#below + member.name);
      } catch {
        return void this.#to('frozen');
      }
      // Meanwhile we may have heard of it, or that the engine is away.
      if (this.#state !== 'open' || this.#members.get(member.name) !== member) continue;
      if (found !== null && found.value !== null && found.rev !== member.rev)
        Object.assign(member, { record: found.value, rev: found.rev, heardAt: this.#clock.now(), isHeard: true });
      else {
        this.#members.delete(member.name);
        if (found !== null && this.#forgetsMs < Infinity) this.#lost.set(member.name, { rev: found.rev, since: this.#clock.now() });
        this.#onEvent({ event: 'lost', member: shown(member) });
      }
    }
    this.#forget();
  }

  /** One that lives after all has written meanwhile, or writes its record anew with its next beat. */
  #forget() {
    const due = this.#clock.now() - this.#forgetsMs;
    for (const [name, { rev, since }] of this.#lost) {
      if (since > due) continue;
      this.#lost.delete(name);
      // Whatever cannot be removed now is left for later nodes.
      this.#engine.delete(this.#below + name, { ifRev: rev }).catch(() => {});
    }
  }

  async #thaw() {
    try {
      await this.#engine.get(`${this.#below}nobody`);
    } catch {
      return;
    }
    if (this.#engine.state !== 'up') return;
    for (const member of this.#members.values()) member.heardAt = this.#clock.now();
    for (const lost of this.#lost.values()) lost.since = this.#clock.now();
    this.#to('open');
  }
}

/** @param {Member | undefined} member @returns {Member} */
function shown(member) {
  const { name, record, rev } = /** @type {Member} */ (member);
  return { name, record, rev };
}

exports.Membership = Membership;
