'use strict';
/*
 * The ways a value can take from one side to the other. In: a value. Out: what arrives, through marshal, what the channel does, and
 * unmarshal.
 */
const { marshal } = require('../../lib/session/marshal');
const { unmarshal } = require('../../lib/session/unmarshal');
const { makeCodec, CODEC_NAMES } = require('../../lib/wire/codec');
const { IgnisError } = require('../../lib/errors');

/** What other frames of a batch have before this one's. */
const EARLIER = 2;

/** @param {(frame: any[]) => any[]} carry @returns {any} (value, context?) => what arrives */
function way(carry) {
  const later = (value, context = {}) => {
    const packed = marshal(value, null, 'value');
    if (packed.attachments !== null) /** @type {any[]} */ (packed.special)[0] = EARLIER;
    return () => {
      const [copy, special] = carry([packed.value, packed.special]);
      if (special === null) return copy;
      const attachments = [Buffer.from('not'), Buffer.from('ours'), ...(packed.attachments ?? []).map((bytes) => new Uint8Array(bytes))];
      return unmarshal(copy, special, {
        attachments,
        hold: () => {
          throw new IgnisError('IGNIS_BAD_FRAME', 'no functions here');
        },
        errorClass: () => undefined,
        ...context,
      });
    };
  };
  return Object.assign((value, context) => later(value, context)(), { later });
}

/** @type {Record<string, any>} */
const WAYS = { 'structured clone': way((frame) => structuredClone(frame)) };
for (const name of CODEC_NAMES) {
  const codec = makeCodec(name);
  WAYS[name] = way((frame) => codec.decode(Buffer.from(codec.encode(frame))));
}

exports.WAYS = WAYS;
exports.NAMED_WAYS = Object.keys(WAYS);
