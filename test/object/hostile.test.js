'use strict';

// A part of `npm run fuzz`, from another seed: messages of the object layer that mean harm, and some that each must be refused.

const assert = require('node:assert/strict');
const { FORM, TAG } = require('../../lib/object/tags');
const { REFUSED, checkObject } = require('../fuzz/objects');
const { makePair } = require('./pair');

const SEED = 1927;
const MESSAGES = 8000;

/** Baggage of one node. */
const withNode = (id, form, contents, { level = 0, prototype = 0, extras = null } = {}) => [
  [[id, form, level, prototype, extras, contents.length, ...contents], []],
  [[TAG.TWIN, id]],
];

const HOSTILE = {
  'a node that says it is longer than it is': [[[2, FORM.PLAIN, 0, 0, null, 2 ** 31, 'a', 1], []], []],
  'a node with half a value': [[[2, FORM.PLAIN, 0, 0, null, 1.5, 'a', 1], []], []],
  'a node whose length is a text': [[[2, FORM.PLAIN, 0, 0, null, 'x', 'a', 1], []], []],
  'baggage that is a text': ['ab', []],
  'baggage without updates': [[[]], []],
  'a URL that is none, as if it were a RegExp of a newer Node': withNode(2, FORM.URL, ['x', 'y']),
  'a node of no form': withNode(2, 'constructor', []),
  'a member without a value': withNode(2, FORM.PLAIN, ['a']),
  'a member whose name is none': withNode(2, FORM.PLAIN, [{}.a ?? 1, 1]),
  'a box around an object': withNode(2, FORM.BOXED, [[TAG.INTRINSIC, 'Object.prototype']]),
  'a sparse array longer than any': withNode(2, FORM.SPARSE, [2 ** 32]),
  'a sparse array whose length is a text': withNode(2, FORM.SPARSE, ['3']),
  'shared memory that is none': withNode(2, FORM.SHARED, [new Uint8Array(1)]),
  'shared memory that is missing': withNode(2, FORM.SHARED, []),
  'a date of a text that is frozen, with a prototype that is a number': withNode(2, FORM.DATE, ['x'], { prototype: 7 }),
  'memory without bytes': withNode(2, FORM.ARRAY_BUFFER, ['x']),
  'a view of a class that is none': withNode(2, FORM.VIEW, ['Function', null, 0, 1]),
  'a frozen view': withNode(2, FORM.BUFFER, [new Uint8Array(3)], { level: 3 }),
  'a twin that nobody knows': [null, [[TAG.TWIN, 8]]],
  'an object that was never lent': [null, [[TAG.YOURS, 1]]],
  'a symbol that is none': [null, [[TAG.KNOWN_SYMBOL, '__proto__']]],
  'an object of ours by a name that leads elsewhere': [null, [[TAG.INTRINSIC, '__proto__']]],
  'a bigint that is code': [null, [[TAG.BIGINT, 'ff; process.exit()']]],
  'a property where a value must be': [null, [[TAG.PROPERTY, true, 7, 1, null]]],
};

describe('hostile messages of the object layer', function () {
  this.timeout(60000);

  for (const [name, message] of Object.entries(HOSTILE)) {
    it(`refuses ${name}`, () => {
      assert.throws(
        () => makePair().away.open(message),
        (error) => REFUSED.includes(error.code),
      );
    });
  }

  it('makes own properties of names that lead to prototypes', () => {
    const { away } = makePair();
    const [made] = away.open(withNode(2, FORM.PLAIN, ['__proto__', 1, 'constructor', 2], { extras: null }));
    assert.deepEqual(Reflect.ownKeys(made), ['__proto__', 'constructor']);
    assert.equal(Object.getPrototypeOf(made), Object.prototype);
    assert.equal({}.constructor, Object);
  });

  it(`${MESSAGES} from a seed are read, or refused by an error of ours`, () => {
    const outcomes = new Set();
    const ignore = () => {};
    process.on('unhandledRejection', ignore);
    try {
      for (let number = 0; number < MESSAGES; number++) outcomes.add(checkObject(SEED, number));
    } finally {
      process.off('unhandledRejection', ignore);
    }
    assert.deepEqual([...outcomes].sort(), [...REFUSED, 'read'].sort());
  });
});
