'use strict';

// Two ends of the object layer in one thread, without a line between them: what one packs, the other opens. In: a way to carry messages.
// Out: both ends.

const { Packer } = require('../../lib/object/pack');
const { SHAPE } = require('../../lib/object/tags');
const { Tables } = require('../../lib/object/tables');
const { Unpacker } = require('../../lib/object/unpack');

/** One end: tables, an unpacker, what it was asked to do. */
class End {
  /** @param {boolean} isHome @param {boolean} canShare */
  constructor(isHome, canShare) {
    this.released = [];
    this.promises = new Map();
    this.sent = 0;
    this.tables = new Tables(isHome, { onReleased: (counts) => this.released.push(...counts), onGone() {}, onLend() {} }, canShare);
    this.unpacker = new Unpacker(this.tables, {
      makeStub: (id, shape) =>
        Object.assign(shape === SHAPE.OBJECT || shape === SHAPE.ARRAY ? Object.create(null) : () => {}, { id, shape }),
      makePromise: (id) => new Promise((resolve, reject) => this.promises.set(id, { resolve, reject })),
      fetch: (id) => this.fetch(id),
    });
  }

  /** Asked for what the other end names, and was collected here; a test may answer. @param {number} id @returns {any[] | null} */
  fetch(id) {
    throw Object.assign(new Error(`twin ${id} was asked for`), { code: 'IGNIS_BAD_FRAME' });
  }

  /** @param {any[]} values @returns {any[]} a message: baggage, slots */
  pack(values) {
    const packer = new Packer(this.tables, this.sent++, () => {});
    const slots = packer.slots(values);
    return [packer.baggage(), slots];
  }

  /** @param {any[]} message @returns {any[]} values */
  open([baggage, slots]) {
    const kept = this.unpacker.open(baggage);
    const values = this.unpacker.values(slots);
    this.kept = kept;
    return values;
  }
}

/**
 * @param {(message: any[]) => any[]} [carry] what becomes of a message on its way
 * @param {boolean} [canShare] both are threads of one process
 */
function makePair(carry = (message) => message, canShare = true) {
  const home = new End(true, canShare);
  const away = new End(false, canShare);
  return {
    home,
    away,
    /** @param {...any} values @returns {any[]} as they are at the other end */
    there: (...values) => away.open(carry(home.pack(values))),
    back: (...values) => home.open(carry(away.pack(values))),
  };
}

exports.makePair = makePair;
