'use strict';

const assert = require('node:assert/strict');
const { isInterop, isInteropName } = require('../../lib/wrap/interop');
const { boundaryAround } = require('../helpers/watched');

/** As `@babel/runtime` and `@swc/helpers` export it. */
function interopDefaultModule() {
  const exports = /** @type {any} */ (
    function _interopRequireDefault(/** @type {any} */ e) {
      return e && e.__esModule ? e : { default: e };
    }
  );
  exports.__esModule = true;
  exports.default = exports;
  return exports;
}

/** A module as a compiler writes it. @returns {any} */
const compiled = (members) => Object.defineProperty(members, '__esModule', { value: true });

describe('what compilers put around an import', () => {
  it('is known by its name', () => {
    for (const name of ['_interopRequireDefault', '_interopRequireWildcard', '__importStar', '_interop_require_default', '__toESM'])
      assert.ok(isInteropName(name), name);
    for (const name of ['importAll', 'interop', 'requireDefault', '']) assert.ok(!isInteropName(name), name);
    assert.ok(isInterop(interopDefaultModule()));
    assert.ok(!isInterop(Object.defineProperty(() => {}, 'name', { value: 5 })));
  });

  for (const recipe of [{}, { hot: true }, { call: 'await', pure: true }]) {
    it(`gives a file what it has imported, and its calls are counted, with the recipe ${JSON.stringify(recipe)}`, () => {
      const helper = /** @type {any} */ (boundaryAround(interopDefaultModule(), recipe).wrapped);
      const swc = /** @type {any} */ (
        boundaryAround({ _: Object.defineProperty(interopDefaultModule(), 'name', { value: '_interop_require_default' }) }, recipe).wrapped
      );
      const esm = boundaryAround(compiled({ parse: () => 'esm' }), recipe);
      const plain = boundaryAround({ parse: () => 'plain' }, recipe);
      const fn = boundaryAround(() => 'function', recipe);
      for (const around of [helper, helper.default, swc._]) {
        assert.equal(around(esm.wrapped), esm.wrapped);
        assert.equal(around(plain.wrapped).default, plain.wrapped);
        assert.equal(around(fn.wrapped).default, fn.wrapped);
      }
      assert.equal(helper(esm.wrapped).parse(), 'esm');
      assert.equal(helper(plain.wrapped).default.parse(), 'plain');
      for (const boundary of [esm, plain]) assert.equal(boundary.points.get('parse')?.meter.calls, 1);
    });
  }
});
