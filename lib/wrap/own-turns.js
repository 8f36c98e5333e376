'use strict';
/*
 * Long calls of pure functions, whose callers wait for promises, that are made in one turn of the event loop: `await Promise.all(pages.map(render))`. From the second on each gets a turn of its own. The loop turns in between: others
 * are served, it is decided whether replicas pay, these are started, and they take what waits. In: a boundary without replicas, one of whose calls was long. Out: its calls wait for a turn, until none does.
 */
const { Promise, performance } = require('../engine');
const { SLOT } = require('../profile/meter');
const { takeTurn } = require('./home-turns');
const { bringHome } = require('./not-diverted');
const { Route } = require('./route');

/** @typedef {import('./boundary').Boundary} Boundary */
/** @typedef {import('../spawn/replica-set').ReplicaSet} ReplicaSet */
/** @typedef {import('../session/call').Call} Call */

class OwnTurns {
  #boundary;
  #set;
  #onEnd;
  #waiting = 0;

  /** @param {Boundary} boundary @param {ReplicaSet} set that takes no calls yet @param {() => void} onEnd none waits any more */
  constructor(boundary, set, onEnd) {
    this.#boundary = boundary;
    this.#set = set;
    this.#onEnd = onEnd;
    const leave = this.#wait.bind(this);
    for (const point of boundary.points.values()) if (mayWait(point)) point.divert = new Route(point, set, leave).divert;
    this.#lookLater();
  }

  /** @param {import('./point').FunctionPoint} point @param {ReplicaSet} set @param {Call} call @returns {boolean} whether it waits */
  #wait({ meter }, set, call) {
    if (call.plan.mode === 'callback') return false;
    meter.slots[SLOT.pending]++;
    // As many calls a second as are made at once are no measure of what home can do.
    meter.holdCall();
    this.#waiting++;
    const goOn = () => {
      this.#waiting--;
      meter.countCall();
      if (!call.isSettled && !set.submit(call, performance.now())) runHere(call);
    };
    takeTurn(goOn, true);
    return true;
  }

  #lookLater() {
    takeTurn(() => this.#look(), true);
  }

  #look() {
    if (this.#waiting > 0) return this.#lookLater();
    this.#onEnd();
    if (!this.#set.isOpen) bringHome(this.#boundary);
  }
}

/** @param {import('./point').FunctionPoint} point @returns {boolean} whether nobody can tell when its calls run: a function that begins long work and gives a promise is as one that is awaited */
function mayWait({ recipe, isRouted, isOneway, boundary, name }) {
  return (
    recipe.pure === true &&
    !recipe.order &&
    !(recipe.verify > 0) &&
    !isRouted &&
    !isOneway &&
    boundary.recipe.setup?.includes(name) !== true
  );
}

/** @param {Call} call */
function runHere(call) {
  const { plan, resolve, reject } = call;
  if (plan.mode === 'promise') call.resolve = (value) => void Promise.resolve(value).then(resolve, reject);
  call.runAtHome();
}

exports.OwnTurns = OwnTurns;
