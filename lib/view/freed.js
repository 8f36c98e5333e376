'use strict';

// What part of the event loop each module takes, together with the modules inside it if it is to be moved for their sake.
// In: the boundaries of the busiest window, and which calls could not leave. Out: a part for each module. Pure.
//
//   app -> render 5 % -> marked 40 %, sanitize 45 %      render: 90 %, since either of the others would leave the other half where it is
//   app -> report 5 % -> pdf 85 %                        report: 5 %, since pdf alone does as well, with nothing else

const { Map, Math, Set } = require('../engine');

/** @typedef {import('../types').Busiest['boundaries']} Boundaries */

/** A module is moved for the sake of those inside if that frees this many times what the best of them would free alone. */
const MORE = 1.25;

/** What is known of one module. */
class Part {
  /** of its own calls */
  own = 0;
  /** the same, plus modules inside that its replicas would run */
  along = 0;
  /** @type {Set<string>} modules it calls */
  inside = new Set();
}

/**
 * @param {Boundaries} boundaries
 * @param {(module: string) => boolean} isBound whether its calls could not leave, whatever a recipe says
 * @returns {Map<string, number>} part of the event loop by module, 0 to 1
 */
function freedBy(boundaries, isBound) {
  const parts = partsOf(boundaries);
  /** @type {Map<string, number>} the most that a module or those inside it would free */
  const most = new Map();
  /** @type {Map<string, number>} */
  const freed = new Map();
  /** @param {string} module @returns {number} */
  const best = (module) => {
    const known = most.get(module);
    if (known !== undefined) return known;
    const { own, along, inside } = /** @type {Part} */ (parts.get(module));
    // In a circle, a module does not count as inside itself.
    most.set(module, 0);
    const within = Math.max(0, ...[...inside].map(best));
    const is = !isBound(module) && along > MORE * within ? Math.max(own, along) : own;
    freed.set(module, is);
    most.set(module, isBound(module) ? within : Math.max(is, within));
    return Number(most.get(module));
  };
  for (const module of parts.keys()) best(module);
  return freed;
}

/** @param {Boundaries} boundaries @returns {Map<string, Part>} by module */
function partsOf(boundaries) {
  /** @type {Map<string, Part>} */
  const parts = new Map();
  for (const { child } of boundaries) parts.set(child, new Part());
  for (const { child, parent, share, withInside } of boundaries) {
    const part = /** @type {Part} */ (parts.get(child));
    part.own = Math.min(1, part.own + share);
    part.along = Math.min(1, part.along + (withInside?.share ?? share));
    if (parent !== undefined && parent !== child) parts.get(parent)?.inside.add(child);
  }
  return parts;
}

exports.freedBy = freedBy;
