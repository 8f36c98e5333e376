'use strict';

// Holds the files that recipes advise a program to write to what they promise: each is written, loaded, and called at home and in replicas.

const assert = require('node:assert/strict');
const { checkRecipe } = require('../../lib/recipe/fields');
const { allShipped } = require('../../lib/recipe/shipped');
const { Distributed } = require('../helpers/distributed');
const { sameGraph } = require('../session/same-graph');
const { callOf, casesOf } = require('./cases');
const { INSTALL_MS, installed } = require('./installed');
const { wrapFile } = require('./wraps');

describe('files of a program that do what objects of a package do', function () {
  this.timeout(30000);

  before('installs the packages', () => void installed()).timeout(INSTALL_MS);

  for (const shipped of allShipped()) {
    const { wrap } = shipped;
    if (wrap === undefined) continue;
    const cases = casesOf(shipped)?.wrap ?? { functions: {} };

    describe(shipped.package, () => {
      /** @type {string} */
      let file;

      before(async () => {
        file = wrapFile(shipped);
        await cases.before?.();
      });

      it('are a few lines, with a recipe and cases', () => {
        assert.ok(wrap.lines.length <= 4);
        assert.equal(checkRecipe('module', wrap.recipe).call, 'await');
        const names = Object.keys(require(file)).filter((name) => !wrap.recipe.setup?.includes(name));
        assert.deepEqual(Object.keys(cases.functions), names);
      });

      for (const where of /** @type {const} */ (['process', 'thread'])) {
        it(`answer the same in a ${where} as at home, in any order`, async () => {
          const home = require(file);
          const on = new Distributed(file, { ...wrap.recipe, copies: 1 }, where);
          try {
            for (const one of cases.begin ?? []) for (const lib of [home, on.lib]) callOf(lib, one.function, one.args(home));
            const trials = [];
            for (const [name, sizes] of Object.entries(cases.functions)) {
              for (const { args } of sizes) trials.push({ name, args, expected: await callOf(home, name, args(home)) });
              await callOf(on.lib, name, sizes[0].args(home));
            }
            await on.set.resize(1);
            for (const { name, args, expected } of [...trials, ...trials.toReversed()]) {
              sameGraph(expected, await callOf(home, name, args(home)));
              sameGraph(expected, await callOf(on.lib, name, args(home)));
            }
            assert.equal(on.set.replicas[0].calls, 2 * trials.length, 'all calls were sent');
            for (const { function: name, args } of cases.wrong ?? []) await assert.rejects(async () => callOf(on.lib, name, args(home)));
          } finally {
            await on.close();
          }
        });
      }
    });
  }
});
