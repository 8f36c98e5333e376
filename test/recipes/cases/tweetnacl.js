'use strict';

/** @param {number} length @param {number} [from] */
const bytes = (length, from = 1) => Uint8Array.from({ length }, (_, i) => (i * 31 + from) % 256);

const NONCE = bytes(24, 5);
const KEY = bytes(32, 9);
const SIZES = /** @type {const} */ ([
  ['100 B', 100],
  ['10 kB', 10000],
  ['30 kB', 30000],
]);

/** @param {(nacl: any, message: Uint8Array) => any[]} make @returns {import('../cases').Size[]} */
const messages = (make) => SIZES.map(([input, length]) => ({ input, args: (nacl) => make(nacl, bytes(length)) }));
/** @param {(nacl: any) => any[]} args @returns {import('../cases').Size[]} */
const keys = (args) => [{ input: 'keys', args }];

/** @type {any} */
let signing;
/** @param {any} nacl */
const pair = (nacl) => (signing ??= nacl.sign.keyPair.fromSeed(KEY));
/** @type {any} */
let boxing;
/** @param {any} nacl */
const box = (nacl) => (boxing ??= nacl.box.keyPair.fromSecretKey(KEY));

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    secretbox: messages((_, message) => [message, NONCE, KEY]),
    'secretbox.open': messages((nacl, message) => [nacl.secretbox(message, NONCE, KEY), NONCE, KEY]),
    scalarMult: keys(() => [KEY, bytes(32, 3)]),
    'scalarMult.base': keys(() => [KEY]),
    box: messages((nacl, message) => [message, NONCE, box(nacl).publicKey, KEY]),
    'box.before': keys((nacl) => [box(nacl).publicKey, KEY]),
    'box.after': messages((_, message) => [message, NONCE, KEY]),
    'box.open': messages((nacl, message) => [nacl.box(message, NONCE, box(nacl).publicKey, KEY), NONCE, box(nacl).publicKey, KEY]),
    'box.open.after': messages((nacl, message) => [nacl.secretbox(message, NONCE, KEY), NONCE, KEY]),
    'box.keyPair.fromSecretKey': keys(() => [KEY]),
    sign: messages((nacl, message) => [message, pair(nacl).secretKey]),
    'sign.open': messages((nacl, message) => [nacl.sign(message, pair(nacl).secretKey), pair(nacl).publicKey]),
    'sign.detached': messages((nacl, message) => [message, pair(nacl).secretKey]),
    'sign.detached.verify': messages((nacl, message) => [message, nacl.sign.detached(message, pair(nacl).secretKey), pair(nacl).publicKey]),
    'sign.keyPair.fromSecretKey': keys((nacl) => [pair(nacl).secretKey]),
    'sign.keyPair.fromSeed': keys(() => [KEY]),
    hash: messages((_, message) => [message]),
    verify: messages((_, message) => [message, message.slice()]),
  },
  wrong: [
    { function: 'secretbox', args: () => [bytes(10), NONCE, bytes(3)] },
    { function: 'hash', args: () => ['a text'] },
  ],
  setup: {
    setPRNG: {
      args: () => [(/** @type {Uint8Array} */ into, /** @type {number} */ length) => into.fill(7, 0, length)],
      shows: { function: 'randomBytes', args: () => [16] },
      staysHome: true,
    },
  },
};
