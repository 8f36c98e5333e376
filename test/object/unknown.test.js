'use strict';

// Objects whose contents only another version of Node knows: they stand there without them.

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { Packer } = require('../../lib/object/pack');
const { FORM, TAG } = require('../../lib/object/tags');
const { LEVEL } = require('../../lib/session/level');
const { makePair } = require('./pair');

/** What a newer Node would send: its source, its class. */
const NEWER = { __proto__: null, newer: '(?<+', Float64Array: 'Float8Array' };

/** @param {any} part of a message @returns {any} */
const renew = (part) => (Array.isArray(part) ? part.map(renew) : typeof part === 'string' ? (NEWER[part] ?? part) : part);

const refused = (what) => ({ code: 'IGNIS_UNMARSHALABLE', message: new RegExp(`: ${what} came from another version of Node, and is`) });
const REGEXP = refused('the RegExp /\\(\\?<\\+/g');

describe('an object of another version of Node', () => {
  let pair;

  beforeEach(() => {
    pair = makePair(renew);
  });

  it('ends nothing: it can be handed on, and comes back as itself', () => {
    const pattern = /newer/g;
    const floats = new Float64Array(2);
    const [list, alone] = pair.there([pattern, { floats }], pattern);
    assert.equal(list[0], alone);
    assert.equal(typeof alone, 'object');
    list.push(list[1].floats);
    const [back] = pair.back(list);
    assert.deepEqual([back[0] === pattern, back[1].floats === floats, back[2] === floats], [true, true, true]);
    assert.deepEqual(pair.there('another', /a/), ['another', /a/]);
  });

  it('says what it is whatever is done with it', () => {
    const [pattern, floats] = pair.there(Object.freeze(/newer/g), new Float64Array(2));
    assert.throws(() => pattern.test('a'), REGEXP);
    assert.throws(() => 'a'.replace(pattern, ''), REGEXP);
    assert.throws(() => pattern instanceof RegExp, REGEXP);
    assert.throws(() => `${pattern}`, REGEXP);
    assert.throws(() => (pattern.lastIndex = 1), REGEXP);
    assert.throws(() => Object.keys(floats), refused('a Float8Array'));
    assert.match(inspect(floats), /^\[.*a Float8Array came from another version/);
  });

  it('says so of raw JSON, which Node 20 does not have', function () {
    if ('rawJSON' in JSON) this.skip();
    const node = [1, FORM.RAW_JSON, LEVEL.FROZEN, 0, null, 1, '12'];
    const [raw] = pair.home.open([[node, []], [[TAG.TWIN, 1]]]);
    assert.throws(() => JSON.stringify([raw]), refused('a value of `JSON.rawJSON`'));
  });

  it('says so of a time, which Node 24 does not have', () => {
    const node = [1, FORM.ENGINE_VALUE, LEVEL.OPEN, 0, null, 2, 'Temporal.Century', '20'];
    const [century] = pair.home.open([[node, []], [[TAG.TWIN, 1]]]);
    assert.throws(() => century.toString(), refused('a Temporal.Century'));
  });

  it('breaks the promise that it is given to', async () => {
    const [pattern] = pair.there(/newer/g);
    await assert.rejects(Promise.resolve(pattern), REGEXP);
  });

  it('may change over there, and is asked for again as it is by then', () => {
    const pattern = Object.assign(/newer/g, { note: { of: 'it' } });
    const [there] = pair.there(pattern);
    pattern.lastIndex = 3;
    pattern.more = () => {};
    assert.deepEqual(pair.there('go on'), ['go on']);
    const { away, home } = pair;
    const packer = new Packer(away.tables, 0, () => {});
    const [id, , , prototype, extras, contents] = packer.content(there);
    assert.deepEqual([id, prototype, contents], [home.tables.twins.idOf(pattern), 0, ['(?<+', 'g', 3]]);
    assert.deepEqual([extras.length, extras[0], extras[2]], [4, 'note', 'more']);
    assert.equal(home.unpacker.value(extras[1]), pattern.note);
    assert.equal(home.unpacker.value(extras[3]), pattern.more);
  });
});
