'use strict';

// Modules whose calls cannot leave, as far as that is known of their functions.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');

const FILE = path.join(__dirname, '../fixtures/bound/work.js');

describe('a module of which no call can leave', function () {
  this.timeout(30000);
  /** @type {Distributed} */
  let on;
  afterEach(() => on.close());

  /** @param {object} [recipe] */
  const open = (recipe = {}) => (on = new Distributed(FILE, { pure: true, copies: [0, 2], ...recipe }));
  const why = () => (on.permission.allowed ? '' : on.permission.why);

  it('gets no replicas, with the reason of the function that took most time, until one is called that can leave', async () => {
    open();
    assert.equal(why(), '', 'nothing was called');
    on.lib.length('abc');
    assert.equal(why(), "its calls cannot leave (length: synchronous; call: 'await' would let it move)");
    on.import(on.recipe, on.exports).length('abc');
    assert.notEqual(why(), '', 'by another file');
    await on.lib.later('abc');
    assert.equal(why(), '');
  });

  it('gets those that its recipe asks for, and those of which its calls may yet be lifted or awaited, or want no answer', () => {
    for (const recipe of [
      { copies: [1, 2] },
      { lift: true },
      { call: 'await' },
      { functions: { length: { call: 'await' } } },
      { oneway: true },
    ]) {
      open(recipe).lib.length('abc');
      assert.equal(why(), '', JSON.stringify(recipe));
    }
  });

  it('is told by its recipe, and by what the program put in the place of its functions', () => {
    open({ functions: { length: { call: 'local' } } }).lib.length('abc');
    assert.equal(why(), "its calls cannot leave (length: its recipe says call: 'local')");
    open({ call: 'await' });
    on.lib.length = () => 1;
    assert.equal(on.import(on.recipe, on.exports).length('abc'), 1);
    assert.equal(why(), 'its calls cannot leave (length: the program wrote it, and no replica has it)');
  });

  it('is not told by calls that set it up', () => {
    open({ pure: undefined, state: 'none', setup: ['length'] }).lib.length('abc');
    assert.equal(why(), '');
  });

  it('is known by what most calls gave at home, where no replica could send that: none is sent to find out, and to fail by it', async () => {
    const gives = 'its calls cannot leave (adder: it gives functions)';
    open({ pure: undefined, state: 'none' });
    assert.equal(await (await on.lib.adder(1))(2), 3);
    assert.equal(why(), gives);
    // Another function of the module may ask for replicas.
    await on.set.resize(1);
    assert.equal(await (await on.lib.adder(1))(2), 3);
    assert.equal(on.set.replicas[0].calls, 0);
    await on.close();
    open({ functions: { page: { call: 'await' } } });
    assert.equal(on.lib.page(1).text(), 'page 1');
    assert.equal(why(), 'its calls cannot leave (page: it gives an instance of Page)');
    open();
    const pageThen = () => new Promise((resolve) => on.lib.pageThen(1, resolve));
    await pageThen();
    // The first call tells that it calls back, the next one what it gives then.
    await pageThen();
    assert.equal(why(), 'its calls cannot leave (pageThen: it gives an instance of Page)');
    open({ call: 'await' });
    assert.equal(await on.lib.eventual(1), 'page 1');
    assert.equal(why(), '', 'what is waited for is not sent itself');
  });

  it('is known by what a replica could not send, also when the replica is gone, and until the recipe is another', async () => {
    open();
    await on.set.resize(1);
    assert.equal(await (await on.lib.adder(1))(2), 3);
    const gives = 'its calls cannot leave (adder: a value cannot be sent to or from a replica: result is a function)';
    assert.equal(why(), gives);
    assert.equal(on.distribution.isBound(FILE), true);
    await on.set.resize(0);
    assert.equal(why(), gives);
    const [boundary] = on.boundaries;
    assert.equal(boundary.points.get('adder')?.meter.peek().whyBound, 'a value cannot be sent to or from a replica: result is a function');
    boundary.setRecipe(boundary.recipe);
    assert.equal(why(), '');
  });
});
