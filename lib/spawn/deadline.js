'use strict';
/*
 * Limits how long a call may be in replicas without an answer (`timeout` of a recipe). In: a call, the replicas that it goes to, and
 * losses. Out: a call that failed with IGNIS_CALL_TIMEOUT, and replicas that no longer wait for its answer. Time in a queue at home does
 * not count. The replica goes on, unless the recipe has it killed (`killMs`).
 *
 *      begin() -> running --ms--> one look at what has come --> failed
 *                   \--settled, or lost with its last replica--> over
 */
const { IgnisError } = require('../errors');
const { Set, clearImmediate, clearTimeout, setImmediate, setTimeout } = require('../engine');

/** @typedef {import('../session/call').Call} Call */
/** @typedef {import('./replica').Replica} Replica */

class Deadline {
  #call;
  /** @type {Set<Replica>} those that have the call */
  #replicas = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** @type {NodeJS.Immediate | undefined} */
  #immediate;

  /** @param {Call} call its plan has a limit */
  constructor(call) {
    this.#call = call;
  }

  /** @param {Replica} replica that gets the call */
  begin(replica) {
    this.#replicas.add(replica);
    this.#timer ??= setTimeout(() => this.#look(), this.#call.plan.timeoutMs).unref();
  }

  /** @param {Replica} replica that is lost */
  leave(replica) {
    this.#replicas.delete(replica);
    if (this.#replicas.size === 0) this.end();
  }

  end() {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
  }

  /** Timers run before sockets are read: an answer that home was too busy to read is in time. */
  #look() {
    this.#immediate = setImmediate(() => this.#pass());
  }

  #pass() {
    const { path, module = '', timeoutMs, killMs } = this.#call.plan;
    const name = path.length === 0 ? 'the function itself' : `'${path.join('.')}'`;
    this.#call.giveUp(
      new IgnisError('IGNIS_CALL_TIMEOUT', `${name} of ${module} has not answered in ${timeoutMs} ms`, { ran: 'maybe', module }),
    );
    for (const replica of this.#replicas) {
      replica.abandon(this.#call);
      if (killMs !== undefined)
        replica.killFor(this.#call, killMs, `${name} went on for ${killMs} ms after its timeout of ${timeoutMs} ms`);
    }
  }
}

/** @param {Call} call its plan has a limit @param {Replica} replica that gets it now */
function limit(call, replica) {
  call.deadline ??= new Deadline(call);
  call.deadline.begin(replica);
}

exports.limit = limit;
