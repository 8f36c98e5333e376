'use strict';

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const vm = require('node:vm');
const { checkGiven, checkValues, isPlainObject, nearest, oneOf, show, toMarkdown, wholeNumber } = require('../lib/option-table.js');

const TABLE = [
  { name: 'size', type: 'number', default: 3, unit: 'bytes', check: wholeNumber(1, 9), env: 'T_SIZE', sentence: 'How big.' },
  { name: 'color', type: "'red' or 'blue'", check: oneOf(['red', 'blue']), sentence: 'Which | color.' },
];

/** Runs it and gives back what it throws. */
function thrownBy(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

describe('checkValues', () => {
  it('fills in the defaults and freezes', () => {
    const values = checkValues(TABLE, {});
    assert.deepEqual(values, { size: 3 });
    assert.ok(Object.isFrozen(values));
    assert.deepEqual(checkValues(TABLE, undefined), { size: 3 });
  });

  it('takes what is given, and undefined as not given', () => {
    assert.deepEqual(checkValues(TABLE, { size: 9, color: 'red' }), { size: 9, color: 'red' });
    assert.deepEqual(checkValues(TABLE, { size: undefined }), { size: 3 });
  });

  it('names an unknown option, its value, the nearest, and where it was given', () => {
    const error = thrownBy(() => checkValues(TABLE, { colour: 'red' }, { where: 'app.js:3' }));
    assert.equal(error.code, 'IGNIS_BAD_OPTION');
    assert.match(error.message, /'colour'.*'red'.*app\.js:3.*'color'/);
    assert.equal(error.nearest, 'color');
    assert.equal(error.field, 'colour');
    assert.equal(error.where, 'app.js:3');
  });

  it('proposes only a name that is like the unknown one, or begins so, and else says what lists them', () => {
    const adviceFor = (field) => thrownBy(() => checkValues(TABLE, { [field]: 1 })).message.split('; ')[1];
    for (const [field, meant] of Object.entries({
      colr: 'color',
      COLOR: 'color',
      'co-lor': 'color',
      col: 'color',
      sizes: 'size',
      siez: 'size',
    }))
      assert.equal(adviceFor(field), `did you mean '${meant}'?`);
    for (const field of ['verbose', 'coat', 'side_', 'x', '']) assert.equal(adviceFor(field), "'ignis run --help' lists them", field);
  });

  it('names a wrong value and what would be right', () => {
    const error = thrownBy(() => checkValues(TABLE, { size: 10 }, { code: 'IGNIS_BAD_RECIPE', what: 'field' }));
    assert.equal(error.code, 'IGNIS_BAD_RECIPE');
    assert.match(error.message, /field 'size' is 10; it must be a whole number from 1 to 9/);
  });

  for (const values of [null, [], 'size', 3, new Map(), () => {}, new (class Options {})()]) {
    it(`refuses ${show(values)} in place of an object`, () => {
      assert.throws(() => checkValues(TABLE, values), { code: 'IGNIS_BAD_OPTION' });
    });
  }

  it('refuses an own __proto__', () => {
    assert.throws(() => checkValues(TABLE, JSON.parse('{"__proto__": 1}')), { code: 'IGNIS_BAD_OPTION' });
  });

  it('does not change what it was given', () => {
    const given = Object.freeze({ size: 1 });
    assert.notEqual(checkGiven(TABLE, given), given);
  });
});

describe('an error of values', () => {
  it('is short where it is printed, whatever was given: the value and the list of mistakes are only for who asks', () => {
    const error = thrownBy(() => checkValues(TABLE, { size: module }));
    assert.ok(inspect(error, { depth: 9 }).split('\n').length < 25);
    assert.deepEqual([error.value, error.problems.length, error.problems[0].value], [module, 1, module]);
  });
});

describe('nearest', () => {
  it('finds swapped, missing, added and changed letters', () => {
    const names = ['sched', 'copies', 'where', 'call'];
    assert.equal(nearest('shced', names), 'sched');
    assert.equal(nearest('copy', names), 'copies');
    assert.equal(nearest('wherre', names), 'where');
    assert.equal(nearest('CALL', names), 'call');
  });

  it('prefers a swap of two letters to two changes', () => {
    assert.equal(nearest('ab', ['xb y', 'cd', 'ba']), 'ba');
    assert.equal(nearest('uri', ['ajv', 'uri-js', 'abc']), 'uri-js', 'as far, but it begins so');
  });

  it('gives nothing when there are no names, and is quick with a long one', () => {
    assert.equal(nearest('a', []), '');
    assert.equal(nearest('a'.repeat(1e6), ['b']), 'b');
  });
});

describe('toMarkdown', () => {
  it('prints one row an option, with bars escaped', () => {
    const lines = toMarkdown(TABLE).trimEnd().split('\n');
    assert.equal(lines.length, 4);
    assert.equal(lines[2], '| `size` | number, bytes | `3` | `T_SIZE` | How big. |');
    assert.match(lines[3], /Which \\\| color\./);
  });
});

describe('isPlainObject', () => {
  it('knows object literals, also of another realm and without prototype', () => {
    for (const value of [{}, Object.create(null), vm.runInNewContext('({a: 1})')]) assert.equal(isPlainObject(value), true);
    for (const value of [null, [], new Date(), vm.runInNewContext('[]'), Object.create({})]) assert.equal(isPlainObject(value), false);
  });
});

describe('a password in a url', () => {
  const url = 'nats://me:secret@192.0.2.7:4222';
  const values = {
    text: url,
    long: `nats://me:${'secret'.repeat(20)}@h`,
    within: { cluster: url },
    list: [url],
    deep: { a: { b: [url] } },
    circle: { url },
  };
  values.circle.self = values.circle;
  for (const [name, value] of Object.entries(values)) {
    it(`is in no error that is printed: ${name}`, () => {
      for (const given of [{ size: value }, { other: value }, value]) {
        const error = thrownBy(() => checkValues(TABLE, given));
        assert.doesNotMatch(inspect(error, { depth: 9 }), /secret/);
        assert.match(inspect(error, { depth: 9 }), /nats:\/\/\*\*\*|\[Object\]|\[Array\]/);
      }
    });
  }

  it('takes nothing from other values', () => {
    const value = { at: 'me@example.org', url: 'http://example.org' };
    assert.equal(thrownBy(() => checkValues(TABLE, { size: value })).value, value);
  });
});

describe('show', () => {
  it('is one short line, whatever it is given', () => {
    for (const value of [
      'x'.repeat(1e5),
      { a: { b: { c: 1 } } },
      Array(1e5).fill('ab\n'),
      () => {},
      Symbol('s'),
      {
        get boom() {
          throw new Error('read');
        },
      },
    ]) {
      assert.ok(show(value).length <= 60);
      assert.doesNotMatch(show(value), /\n/);
    }
  });
});
