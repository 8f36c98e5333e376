'use strict';
// The replica's side of the soak: serves modules, and the state of its tables and heap as one more thing to load, as text.

const { setImmediate } = require('node:timers');
const { makeCollector } = require('../../lib/object/kept');
const { serve } = require('../../lib/object/serve');

const collect = makeCollector();

exports.serve = (line, { load }) => {
  const conversation = serve(line, {
    load(target) {
      if (target.kind !== 'state') return load(target);
      conversation.mail.sweep(collect);
      setImmediate(() => conversation.mail.sweep(collect));
      return JSON.stringify({ counts: conversation.mail.tables.counts, heapBytes: process.memoryUsage().heapUsed });
    },
  });
  return conversation;
};
