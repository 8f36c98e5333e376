'use strict';

// ModuleIds for the tests of recipes, as lib/import makes them.

exports.uri = {
  name: 'uri-js',
  kind: 'package',
  filename: '/app/node_modules/uri-js/index.js',
  packageName: 'uri-js',
  version: '2.1.1',
  inside: '',
};
exports.fp = {
  name: 'lodash',
  kind: 'package',
  filename: '/app/node_modules/lodash/fp.js',
  packageName: 'lodash',
  version: '4.18.1',
  inside: './fp.js',
};
exports.scoped = {
  name: '@scope/name',
  kind: 'package',
  filename: '/app/node_modules/@scope/name/index.js',
  packageName: '@scope/name',
  version: '1.0.0',
  inside: '',
};
exports.crypto = { name: 'node:crypto', kind: 'builtin', filename: null, packageName: null, version: null, inside: '' };
exports.fs = { name: 'node:fs', kind: 'builtin', filename: null, packageName: null, version: null, inside: '' };
exports.links = { name: './lib/links.js', kind: 'file', filename: '/app/lib/links.js', packageName: null, version: null, inside: '' };
exports.index = {
  name: './lib/search/index.js',
  kind: 'file',
  filename: '/app/lib/search/index.js',
  packageName: null,
  version: null,
  inside: '',
};
