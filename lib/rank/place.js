'use strict';

// A machine in a simulation: its lanes share its cores.
// In: lanes, tasks that begin and end there, time that passes. Out: which of its tasks ends next, and when. It knows no calls.
//
// All that runs on a machine goes on at the same speed s = min(1, cores / runnable), so one virtual clock V with dV = s dt is enough: a task of w ms that
// begins at V ends at V + w, however often s changes meanwhile (as in fair queueing: Demers, Keshav and Shenker, SIGCOMM 1989, section 2).

class Place {
  #virtual = 0;
  #running = 0;
  #cores;
  #speed;
  /** ms of its tasks that are done in a ms */
  #rate;
  /** @type {number[]} on the virtual clock; Infinity while a lane is idle */
  #ends = [];
  /** @type {number[]} its lanes, as they are called outside */
  #lanes = [];
  #first = 0;
  /** as `look` gave it last */
  endsAt = Infinity;

  /** @param {{cores: number, speed?: number}} given speed: how fast it is; home is 1 */
  constructor({ cores, speed = 1 }) {
    this.#cores = cores;
    this.#speed = this.#rate = speed;
  }

  /** @param {number} lane @returns {number} how it is called here */
  add(lane) {
    this.#ends.push(Infinity);
    return this.#lanes.push(lane) - 1;
  }

  /** @param {number} at as it is called here @param {number} workMs of its task */
  begin(at, workMs) {
    this.#ends[at] = this.#virtual + workMs;
    this.#rate = this.#speed * Math.min(1, this.#cores / ++this.#running);
  }

  /** @param {number} at whose task has ended */
  end(at) {
    this.#ends[at] = Infinity;
    this.#rate = this.#speed * (--this.#running === 0 ? 1 : Math.min(1, this.#cores / this.#running));
  }

  /** Looks which of its tasks ends next. @param {number} now @returns {number} when; Infinity: none runs */
  look(now) {
    const ends = this.#ends;
    let first = 0;
    let least = Infinity;
    for (let at = 0; at < ends.length; at++) {
      if (ends[at] >= least) continue;
      least = ends[at];
      first = at;
    }
    this.#first = first;
    // Never before now: what passes on this clock while another machine is looked at is rounded.
    return (this.endsAt = least === Infinity ? Infinity : Math.max(now, now + (least - this.#virtual) / this.#rate));
  }

  /** Goes on to where the task ends that was looked for. @returns {number} its lane */
  reach() {
    this.#virtual = this.#ends[this.#first];
    return this.#lanes[this.#first];
  }

  /** @param {number} ms that pass, and in which none of its tasks ends */
  pass(ms) {
    this.#virtual += ms * this.#rate;
  }
}

exports.Place = Place;
