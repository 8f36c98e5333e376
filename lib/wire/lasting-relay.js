'use strict';
/*
 * A relay (relay.js) over a link that may break and go on with another socket (resumable-channel.js). In: such a link; the parts of the
 * line to the main thread, which writes to no socket itself. Out: blocks, cut but not decoded, each once and in order; how the link ended.
 */
const { NO_CODEC, join, pass } = require('./relay');
const { ResumableChannel } = require('./resumable-channel');
const { IgnisError } = require('../errors');

/** Sends blocks that somebody else has encoded. */
class BlockChannel extends ResumableChannel {
  /**
   * @param {import('node:net').Socket} socket the channel owns it from now on
   * @param {{maxBlockBytes?: number}} limits
   * @param {import('./resumable-channel').Resuming} resuming
   */
  constructor(socket, limits, resuming) {
    super(socket, NO_CODEC, limits, resuming);
  }

  /** @param {Uint8Array[]} parts of one block; the channel owns them from now on */
  sendBlock(parts) {
    if (this.state === 'open') this._sendBlock(parts);
  }
}

/**
 * @param {import('./line').LineParts} parts
 * @param {BlockChannel} channel the relay owns it from now on
 * @returns {import('./relay').Relay}
 */
function relayLasting(parts, channel) {
  const joined = join(parts, { write: (block) => channel.sendBlock(block), end: () => channel.close() });
  channel.onFrames = ([body], attachments) => pass(joined.line, body, attachments);
  // A reset or a broken pipe means the same as an end: the other side is gone.
  channel.onClose = (error) => joined.onEnd(error instanceof IgnisError ? error : null);
  return joined;
}

exports.BlockChannel = BlockChannel;
exports.relayLasting = relayLasting;
