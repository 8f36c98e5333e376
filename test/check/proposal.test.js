'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { proposalOf } = require('../../lib/check/proposal.js');

const verdict = (given) => ({
  fn: 'parse',
  verdict: 'pure',
  calls: 8,
  compared: 32,
  equal: 32,
  distinct: 8,
  orders: 4,
  isIdempotent: true,
  changesArguments: false,
  reasons: [],
  ...given,
});

const moduleOf = (given) => ({ name: 'lib', version: '1.0.0', unseen: [], globals: [], verdicts: [verdict({})], ...given });

/** What the text says when it is loaded. */
function load(text) {
  const module = { exports: {} };
  vm.runInNewContext(text, { module });
  return JSON.parse(JSON.stringify(module.exports));
}

describe('check/proposal', () => {
  it('says of each function what the evidence carries, and why no more, each in a line below its module', () => {
    const reasons = [{ why: 'reads the clock' }, { why: 'reads\nthe locale' }];
    const verdicts = [verdict({}), verdict({ fn: 'dated', verdict: 'stateless', reasons }), verdict({ fn: 'kept', verdict: 'home' })];
    const text = proposalOf([moduleOf({ verdicts })], 'npm test');
    assert.match(
      text,
      /\n {8}\/\/ dated: 8 calls, .*\n {8}\/\/ not pure: reads the clock; reads the locale\n {8}dated: \{ idempotent: true \},\n/,
    );
    assert.deepEqual(load(text), { modules: { lib: { functions: { dated: { idempotent: true }, parse: { pure: true } } } } });
  });

  it('says that a module remembers nothing where all its functions were seen, or its only one', () => {
    const textOf = (/** @type {any[]} */ verdicts) => proposalOf([moduleOf({ verdicts })], 'npm test');
    assert.match(textOf([verdict({})]), /\n {6}\/\/ its only function was seen, and keeps no state\n {6}state: 'none',\n/);
    assert.match(textOf([verdict({}), verdict({ fn: 'lex' })]), /\/\/ all 2 functions were seen, and none keeps state\n {6}state: 'none',/);
    assert.doesNotMatch(textOf([verdict({}), verdict({ fn: 'kept', verdict: 'home' })]), /state:/);
  });

  it('stays a recipe, whatever names there are', () => {
    const names = ["it's", 'two\nlines', 'back\\slash', 'a\u2028b', 'both \' and "', 'x.y'];
    const told = [moduleOf({ name: './a\nb.js', version: '1\n2', verdicts: names.map((fn) => verdict({ fn })) })];
    const { modules } = load(proposalOf(told, 'npm\ntest'));
    assert.deepEqual(Object.keys(modules['./a\nb.js'].functions).sort(), [...names].sort());
  });

  it('is no text where nothing is carried', () => {
    assert.equal(proposalOf([moduleOf({ verdicts: [verdict({ verdict: 'home' })] })], 'npm test'), '');
  });
});
