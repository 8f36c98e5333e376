'use strict';

// The replica's side of the contract suite: what the object layer serves with, and the sizes of its tables, or how many streams it waits
// for, as one more thing to load. In: the line, how to load a module. Out: a served module. Never an object of its own in the tables: the
// sizes go home as text.

const v8 = require('node:v8');
const vm = require('node:vm');
const { serve } = require('../../lib/object/serve');

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

exports.serve = (line, { load }) => {
  const conversation = serve(line, {
    load(target) {
      if (target.kind === 'watched') return conversation.mail.loose.size;
      if (target.kind !== 'counts') return load(target);
      collect();
      return JSON.stringify(conversation.mail.tables.counts);
    },
  });
  return conversation;
};
