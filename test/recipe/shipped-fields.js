'use strict';

// What a shipped recipe and its rows of figures may hold, as lib/types.d.ts has it. The order is that of the files in recipes/.

exports.SHIPPED_FIELDS = Object.freeze([
  'package',
  'versions',
  'files',
  'evidence',
  'threads',
  'ownFile',
  'setup',
  'mutates',
  'keeps',
  'pays',
  'recipe',
]);
exports.OPTIONAL_FIELDS = Object.freeze(['files', 'ownFile', 'setup', 'mutates', 'keeps']);
exports.PAYS_FIELDS = Object.freeze(['function', 'input', 'bytes', 'ms', 'homeMs', 'breakEven']);
