'use strict';

const assert = require('node:assert/strict');
const { hasDefaultIn, surfaceOf } = require('../../lib/import/es-source');

/** In a language that is nearly JavaScript. */
const WITH = [
  'export default 1',
  'export default abstract class A {}',
  'export default function f<T>(a: T) {}',
  'enum E { A }\nexport default E',
  'export { a as default }',
  'export { x, a as default, y }',
  'export\n{ x as default };',
  'export { default } from "x"',
  'export {default, a} from "x"',
  'export { default as other, b as default } from "x"',
  'export * as default from "x"',
];
const WITHOUT = [
  'export { default as other } from "x"',
  '// export default 1',
  '/* export default 1 */',
  'const a = "export default 1"',
  'const a = `\nexport default 1\n`',
  'export default interface X { a: 1 }',
  'export type { X as default }',
  'export { type X as default }',
  'switch (a) { default: }',
  'export const defaults = 1',
  'import { default as x } from "y"',
];

describe('a source that cannot be parsed', () => {
  for (const source of WITH) it(`has a default export: ${source}`, () => assert.equal(hasDefaultIn(source), true));
  for (const source of WITHOUT) it(`has none: ${source}`, () => assert.equal(hasDefaultIn(source), false));

  it('has no surface', () => assert.equal(surfaceOf('let there be 1; export default 1', 'module', '/a.mjs'), null));
});

describe('a source', () => {
  it('is read also where reading a name of Object.prototype throws, as test suites have it', () => {
    const source = 'import { a } from "./b.js"; export const c = a, { d } = { a };';
    Object.defineProperty(Object.prototype, 'polluted', {
      enumerable: true,
      configurable: true,
      get() {
        throw new Error('a name of others was read');
      },
    });
    let surface;
    try {
      surface = surfaceOf(source, 'module', '/a.mjs');
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted');
    }
    assert.deepEqual(surface, surfaceOf(source, 'module', '/a.mjs'));
    assert.notEqual(surface, null);
  });
});
