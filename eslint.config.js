'use strict';

const js = require('@eslint/js');
const globals = require('globals');

/** Functions of `Object` that suites take away while they load the module under test. */
const TAKEN_AWAY = ['create', 'getOwnPropertySymbols'];

const isGlobalObject = (context, node) =>
  node?.type === 'Identifier' &&
  node.name === 'Object' &&
  context.sourceCode.getScope(node).references.some(({ identifier, resolved }) => identifier === node && !resolved?.defs.length);

const report = (context, node) =>
  context.report({ node, message: "Take `Object` from lib/engine.js for this: a program's tests may take it away." });

const ownObject = {
  create: (context) => ({
    MemberExpression(node) {
      if (TAKEN_AWAY.includes(node.property.name) && isGlobalObject(context, node.object)) report(context, node);
    },
    VariableDeclarator(node) {
      const names = node.id.type === 'ObjectPattern' ? node.id.properties.map(({ key }) => key?.name) : [];
      if (names.some((name) => TAKEN_AWAY.includes(name)) && isGlobalObject(context, node.init)) report(context, node);
    },
  }),
};

/** Classes and functions that tests, and polyfills, put others in the place of. */
const REPLACED = [
  'FinalizationRegistry',
  'Map',
  'Promise',
  'Proxy',
  'Set',
  'WeakMap',
  'WeakRef',
  'WeakSet',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
];
const ROOMS_BY_THEMSELVES = ['host', 'nested', 'object', 'profile', 'rank', 'recipe', 'session', 'spawn', 'view', 'wire', 'wrap'];

module.exports = [
  { ignores: ['coverage/', 'node_modules/', 'examples/*/data/', '**/fixtures/'] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: 'commonjs', globals: globals.node },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
      'no-unused-vars': ['error', { args: 'after-used', argsIgnorePattern: '^_' }],
      'no-throw-literal': 'error',
      'no-implicit-globals': 'error',
      'no-empty': ['error', { allowEmptyCatch: true }],
      strict: ['error', 'global'],
    },
  },
  {
    // In lib, only the command line prints.
    files: ['lib/**/*.js'],
    ignores: ['lib/cli/**'],
    rules: { 'no-console': 'error' },
  },
  {
    // What runs in a program is not to be led by the clock, the timers and the classes that its tests, or a polyfill, put in the place of
    // the true ones.
    files: ['lib/**/*.js'],
    ignores: ['lib/check/**', 'lib/cli/**', 'lib/view/page/**', 'lib/engine.js'],
    plugins: { ignis: { rules: { 'own-object': ownObject } } },
    rules: {
      'ignis/own-object': 'error',
      'no-restricted-globals': ['error', ...REPLACED],
    },
  },
  {
    // What runs by itself, between a program's own turns, is not to fail for what its tests put in the place of these functions.
    files: ROOMS_BY_THEMSELVES.map((room) => `lib/${room}/*.js`),
    // These ask whether an object is one of them.
    ignores: ['lib/object/replaced.js', 'lib/session/exotic.js', 'lib/session/makers.js', 'lib/wrap/values.js'],
    rules: { 'no-restricted-globals': ['error', ...REPLACED, 'JSON', 'Math'] },
  },
  {
    files: ['test/**/*.js', 'examples/*/test/**/*.js'],
    languageOptions: { globals: { ...globals.mocha } },
  },
  { files: ['**/*.mjs'], languageOptions: { sourceType: 'module' }, rules: { strict: 'off' } },
  { files: ['lib/view/page/**/*.js'], languageOptions: { sourceType: 'module', globals: globals.browser }, rules: { strict: 'off' } },
  { files: ['examples/*/public/**/*.js'], languageOptions: { sourceType: 'script', globals: globals.browser } },
];
