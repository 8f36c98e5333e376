'use strict';

// validator 13: checks and cleaning of strings.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'validator',
  versions: ['13'],
  evidence: [
    'The listed functions read only their arguments. Most of the others do too, but cost microseconds and are better called at home.',
    'Not pure: isAfter, isBefore, isIdentityCard and isTaxID (they read the clock), and the functions below that fill defaults into the options that they are given.',
    'Read in lib/*.js.',
  ].join(' '),
  threads: true,
  mutates: [
    { function: 'contains', argument: 2, what: 'its options get the defaults' },
    { function: 'isBase64', argument: 1, what: 'its options get the defaults' },
    { function: 'isCurrency', argument: 1, what: 'its options get the defaults' },
    { function: 'isDecimal', argument: 1, what: 'its options get the defaults' },
    { function: 'isEmail', argument: 1, what: 'its options get the defaults' },
    { function: 'isFQDN', argument: 1, what: 'its options get the defaults' },
    { function: 'isStrongPassword', argument: 1, what: 'its options get the defaults' },
    { function: 'isURL', argument: 1, what: 'its options get the defaults' },
    { function: 'normalizeEmail', argument: 1, what: 'its options get the defaults' },
  ],
  pays: [
    { function: 'escape', input: '128 kB', bytes: 134723, ms: 2.41, homeMs: 1.64, breakEven: '16 kB' },
    { function: 'blacklist', input: '128 kB', bytes: 131934, ms: 1.4, homeMs: 1.05, breakEven: '16 kB' },
    { function: 'isAscii', input: '128 kB', bytes: 131927, ms: 0.101, homeMs: 0.36, breakEven: 'never' },
    { function: 'isJWT', input: '128 kB', bytes: 130573, ms: 0.239, homeMs: 0.351, breakEven: 'never' },
  ],
  recipe: {
    state: 'none',
    functions: Object.fromEntries(
      [
        'escape',
        'unescape',
        'trim',
        'stripLow',
        'whitelist',
        'blacklist',
        'isAscii',
        'isMultibyte',
        'isHexadecimal',
        'isLowercase',
        'isUppercase',
        'isJWT',
        'isDataURI',
        'equals',
      ].map((name) => [name, { pure: true }]),
    ),
  },
};
