'use strict';
/*
 * The channel to a replica on a host. In: frames, as for any replica. Out: the same frames in order, over TLS; but before a frame that says
 * what to load, the code is there. If something cannot be shipped, the link ends with the reason.
 */
const { ResumableChannel } = require('../wire/resumable-channel');
const { KIND } = require('../wire/frame');
const { SILENT_MS } = require('./control-link');

class ShippingChannel extends ResumableChannel {
  #ship;
  /** @type {[frame: any[], attachments: any[] | null, weight: number][] | null} what waits behind code under way */
  #held = null;

  /**
   * @param {import('node:net').Socket} stream
   * @param {import('../wire/codec').Codec} codec
   * @param {{maxBlockBytes?: number}} limits
   * @param {{dial: () => Promise<import('node:net').Socket>, isThere: () => boolean}} way back to the same replica, and whether it is known
   *   to live
   * @param {(target: any) => Promise<any>} ship gets the code there; returns the target as the host finds it
   */
  constructor(stream, codec, limits, way, ship) {
    super(stream, codec, limits, { waitMs: SILENT_MS, ...way });
    this.#ship = ship;
  }

  /** @override @param {any[]} frame @param {any[] | null} [attachments] @param {number} [weight] */
  send(frame, attachments = null, weight = 0) {
    if (this.#held !== null) this.#held.push([frame, attachments, weight]);
    else if (frame[0] !== KIND.LOAD) super.send(frame, attachments, weight);
    else {
      this.#held = [];
      void this.#load(frame);
    }
  }

  /** @param {any[]} frame */
  async #load([kind, id, target]) {
    try {
      super.send([kind, id, await this.#ship(target)]);
    } catch (error) {
      return this.destroy(/** @type {Error} */ (error));
    }
    const held = this.#held ?? [];
    this.#held = null;
    for (const [frame, attachments, weight] of held) this.send(frame, attachments, weight);
  }
}

exports.ShippingChannel = ShippingChannel;
