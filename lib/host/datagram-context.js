'use strict';
/*
 * What values without a link may refer to: nothing. In: nothing. Out: a context for unmarshal.js.
 */
const { IgnisError } = require('../errors');

/** @returns {import('../session/unmarshal').Context} */
function noContext() {
  return {
    attachments: [],
    hold: () => {
      throw new IgnisError('IGNIS_BAD_FRAME', 'a function came without its link');
    },
    signal: () => undefined,
    errorClass: () => undefined,
  };
}

exports.noContext = noContext;
