'use strict';

const assert = require('node:assert/strict');
const { lift } = require('./lift-pair');

/** `L.m(x.parse)(a)` for what a lifted method call becomes, `L.c(parse)(a)` for that of a name. */
const shortened = (code) =>
  code
    .replace(/__ignisLift_*\.value\(__ignisLift_*\.isAway\(__ignisLift_*\.(method|call)\(/g, (_, way) => `L.${way[0]}(`)
    .replace(/\)\?await __ignisLift_*\.away\(\):__ignisLift_*\.here\(\)\)/g, ')')
    .replace(/import\{lifted as __ignisLift_*\}from"helper";/, '');

const inAsync = (body) => `const x = require('x'); async function f(a) { ${body} }`;
/** The same with the outcome as it begins and ends there. */
const bodyOf = (code) => /async function f\(a\) \{ (.*) \}$/s.exec(shortened(code))[1];

describe('a lifted call', () => {
  const cases = {
    'x.parse(a)': 'L.m(x,"parse","x.parse")(a))',
    'return x.parse(a).b + 1': 'return L.m(x,"parse","x.parse")(a)).b + 1',
    'return x.y.z.parse(a)': 'return L.m(x.y.z,"parse","x.y.z.parse")(a))',
    'x["parse"](a)': 'L.m(x,"parse" ,"x.parse")(a))',
    'x.parse(x.parse(a), x.q())': 'L.m(x,"parse","x.parse")(L.m(x,"parse","x.parse")(a)), L.m(x,"q","x.q")())))',
    'const { b = x.parse(a) } = a': 'const { b = L.m(x,"parse","x.parse")(a)) } = a',
    'return `${x.parse(a)}!`': 'return `${L.m(x,"parse","x.parse")(a))}!`',
    'return a ? x.parse(a) : !x.parse()': 'return a ? L.m(x,"parse","x.parse")(a)) : !L.m(x,"parse","x.parse")())',
    'return x.parse(...a)': 'return L.m(x,"parse","x.parse")(...a))',
    'for await (const b of x.parse(a)) b': 'for await (const b of L.m(x,"parse","x.parse")(a))) b',
    'return await x.parse(a)': 'return await L.m(x,"parse","x.parse")(a))',
    'return x?.parse(a)': 'return L.m(x,"parse","x?.parse",1)?.(a))',
    'return x.parse?.(a)': 'return L.m(x,"parse","x.parse",2)?.(a))',
    'return x?.parse?.(a)': 'return L.m(x,"parse","x?.parse",3)?.(a))',
    'return x.parse(a)?.b': 'return L.m(x,"parse","x.parse")(a))?.b',
    'return (x.parse)(a)': 'return L.m( x,"parse" ,"x.parse")(a))',
    'return (0, x.parse)(a)': 'return L.c((0, x.parse),"(0 , x.parse)")(a))',
    'return(0,x.parse)(a)': 'return L.c((0,x.parse),"(0 , x.parse)")(a))',
    'const p = x.parse; return p(a)': 'const p = x.parse; return L.c(p,"p")(a))',
    'const { y: { z } } = x; return z(a)': 'const { y: { z } } = x; return L.c(z,"z")(a))',
    'const { ...rest } = x; return rest.parse(a)': 'const { ...rest } = x; return L.m(rest,"parse","rest.parse")(a))',
    'let p; p = x.parse; return p?.(a)': 'let p; p = x.parse; return L.c(p,"p",2)?.(a))',
    'return require("x").y(a)': 'return L.m(require("x"),"y","require(...).y")(a))',
    'const { p } = await import("x"); p(a)': 'const { p } = await import("x"); L.c(p,"p")(a))',
    'return (await import("x")).p(a)': 'return L.m((await import("x")),"p","(intermediate value).p")(a))',
    'class A { [x.parse(a)]() {} }': 'class A { [L.m(x,"parse","x.parse")(a))]() {} }',
    'let n = 0; n += x.parse(a); n = n + x.parse(a)': 'let n = 0; n += L.m(x,"parse","x.parse")(a)); n = n + L.m(x,"parse","x.parse")(a))',
    'this.n = x.parse(a) + this.n': 'this.n = L.m(x,"parse","x.parse")(a)) + this.n',
    'a.list[0] = x.parse(a)': 'a.list[0] = L.m(x,"parse","x.parse")(a))',
    'let s = {}; s = a; s.n = x.parse(a)': 'let s = {}; s = a; s.n = L.m(x,"parse","x.parse")(a))',
    'class B { constructor() { this.s = {} } } this.s.n = x.parse(a)':
      'class B { constructor() { this.s = {} } } this.s.n = L.m(x,"parse","x.parse")(a))',
    'b[a + 1] = x.parse(a)': 'b[a + 1] = L.m(x,"parse","x.parse")(a))',
    'b[`at${a}`] = x.parse(a)': 'b[`at${a}`] = L.m(x,"parse","x.parse")(a))',
    'let p; return (p = x.parse)(a)': 'let p; return L.c((p = x.parse),"(intermediate value)")(a))',
  };
  for (const [before, after] of Object.entries(cases)) {
    it(`${before} becomes ${after}`, () => {
      const { code, refused } = lift(inAsync(before));
      assert.deepEqual(refused, []);
      assert.equal(bodyOf(code), after.replace(/^return\(0/, 'return (0'));
    });
  }

  it('keeps comments and line ends where they stand', () => {
    const source = inAsync('x // one\n  .parse /* two */ (\n a\n)\n x\n ["q"]()');
    const { code } = lift(source);
    assert.equal(bodyOf(code), 'L.m(x // one\n  ,"parse" /* two */ ,"x.parse")(\n a\n))\n L.m(x\n ,"q" ,"x.q")())');
    assert.equal(code.split('\n').length, source.split('\n').length);
  });

  it('begins with a word, so that a line before it without a semicolon still ends there', () => {
    const { code } = lift(inAsync('const b = a\nx.parse(b)\nreturn b'));
    assert.match(bodyOf(code), /= a\nL\.m\(/);
    assert.doesNotThrow(() => new Function(code));
  });

  it('has a helper whose name is in no other use', () => {
    const { code, helper } = lift(inAsync('const __ignisLift = 1; x.parse(__ignisLift)'));
    assert.equal(helper, '__ignisLift_');
    assert.match(code, /__ignisLift_\.value\(__ignisLift_\.isAway\(__ignisLift_\.method/);
  });

  it('says where it is', () => {
    const { lifted } = lift('const x = require("x");\n\nasync () => { x.a.b(); };');
    assert.deepEqual(lifted, [{ line: 3, column: 15, call: 'x.a.b', specifier: 'x', path: 'a.b' }]);
  });
});

describe('in an ES module, lift', () => {
  const cases = {
    "import x from 'x'; x.parse(1)": 'L.m(x,"parse","x.parse")(1))',
    "import x from 'x'; x(1)": 'L.c(x,"x")(1))',
    "import * as x from 'x'; x.default.parse(1)": 'L.m(x.default,"parse","x.default.parse")(1))',
    "import { parse as p } from 'x'; export const y = p(1)": 'export const y = L.c(p,"p")(1))',
    'import { "parse" as p } from \'x\'; p(1)': 'L.c(p,"p")(1))',
    "const { parse } = await import('x'); parse(1)": 'L.c(parse,"parse")(1))',
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); require('x').parse(1)":
      'L.m(require(\'x\'),"parse","require(...).parse")(1))',
  };
  for (const [before, after] of Object.entries(cases)) {
    it(`follows ${before}`, () => {
      const { code } = lift(before, 'module');
      assert.ok(shortened(code).endsWith(after), code);
      assert.match(code, /import\{lifted as __ignisLift\}from"helper";/);
    });
  }

  it('imports its helper in the first line of the program, behind a hashbang and comments', () => {
    const { code } = lift("#!/usr/bin/env node\n// @check\nimport x from 'x';\nx.parse(1);\n", 'module');
    assert.match(code, /^#!.*\n\/\/ @check\nimport\{lifted as __ignisLift\}from"helper";import x from 'x';\n.*\n$/);
  });

  // Since Node 24 and 26.
  for (const [others, after] of Object.entries({
    "import source m from './m.wasm';": 'x.parse(m);',
    "import defer * as d from 'd';": 'x.parse(d.a);',
    'import defer  * as\n d from "d"; import source from "s";': 'x.parse(source, "import source m from n");',
    "import x_ from 'y'; const m = await import.source('./m.wasm'), d = await import . defer('d');": 'x.parse(m, d);',
  }))
    it(`stands beside imports that are no plain ones, which stay as they are: ${others}`, () => {
      const { code, lifted } = lift(`${others} import x from 'x'; ${after}`, 'module');
      assert.equal(lifted.length, 1);
      assert.equal(
        shortened(code),
        `${others} import x from 'x'; ${after.replace('x.parse(', 'L.m(x,"parse","x.parse")(').replace(');', '));')}`,
      );
    });

  it('is none in what no Node can read', () => {
    for (const source of [
      "import later m from 'm'; import x from 'x'; x.parse(1)",
      "import source {m} from 'm'; import x from 'x'; x.parse(1)",
    ])
      assert.equal(lift(source, 'module'), null);
  });

  it('takes `default` for the exports themselves, and for a property of them', () => {
    for (const functions of [['parse'], ['default.parse']])
      assert.equal(lift("import x from 'x'; x.parse(1); x.other(2)", 'module', functions).lifted.length, 1);
    assert.equal(lift("import x from 'x'; x(1)", 'module', ['']).lifted.length, 1);
  });

  it('leaves the top level alone where the module is loaded by `require`', () => {
    const { lifted, refused } = lift("import x from 'x'; x.a(1); async () => x.b(2)", 'module', true, { mayWaitAtTop: false });
    assert.deepEqual([lifted.length, refused.length], [1, 1]);
    assert.match(refused[0].reason, /that others load, and that module has no top-level await yet$/);
  });

  it('changes nothing of when other modules are run: those that wait at their top already may wait there once more', () => {
    const liftedOf = (/** @type {string} */ source) =>
      lift(`import x from 'x'; x.a(1); ${source}`, 'module', true, { mayWaitAtTop: false }).lifted.length;
    for (const waits of ['await 0', 'if (0) { await 0 }', 'for await (const a of b);', 'await using a = b', 'class A { [await 0] = 1 }'])
      assert.equal(liftedOf(waits), 1, waits);
    for (const not of ['async () => { await 0; for await (const a of b); }', 'class A { async a() { await 0 } }', 'for (const a of b);'])
      assert.equal(liftedOf(not), 0, not);
  });
});

describe('lift follows what compilers make of imports', () => {
  for (const [name, source] of Object.entries({
    named: 'const x_1 = require("x"); async () => (0, x_1.parse)(1)',
    default: 'const x_1 = __importDefault(require("x")); async () => x_1.default.parse(1)',
    'default function': 'const x_1 = tslib_1.__importDefault(require("x")); async () => (0, x_1.default)(1)',
    namespace: 'const x = __importStar(require("x")); async () => x.parse(1)',
    'Babel default': 'var _x = _interopRequireDefault(require("x")); async () => _x.default.parse(1)',
    'swc default': 'const _x = _interop_require_default(require("x")); async () => _x.default.parse(1)',
    'swc namespace, by a helper that is imported,': 'const _x = _interop_require_wildcard._(require("x")); async () => _x.parse(1)',
  })) {
    it(`as ${name} import`, () => assert.equal(lift(source).lifted.length, 1));
  }
});

describe('lift leaves alone', () => {
  for (const source of [
    "const y = require('y'); async () => y.parse(1)",
    "const x = require('x'); async (x) => x.parse(1)",
    "const x = require('x'); async () => { { let x = a; x.parse(1) } }",
    "const x = require('x'); async () => { try {} catch (x) { x.parse(1) } }",
    "const x = require('x'); async () => { x.parse(1); var x }",
    "const x = require('x'); async () => { x.parse(1); { function x() {} } }",
    "const x = require('x'); async () => { for (const x of a) x.parse(1) }",
    "const x = require('x'); class A { async x() { class x {} x.parse(1) } }",
    "let x = require('x'); x = a; async () => x.parse(1)",
    "let x = require('x'); [x] = a; async () => x.parse(1)",
    "let x = require('x'); ({ x } = a); async () => x.parse(1)",
    "let x = require('x'); for (x of a); async () => x.parse(1)",
    "let x = require('x'); x++; async () => x.parse(1)",
    "var x = require('x'); var x = a; async () => x.parse(1)",
    "let x; x = require('x'); x = a; async () => x.parse(1)",
    "let x; x ??= require('x'); async () => x.parse(1)",
    "const { parse = a } = require('x'); async () => parse(1)",
    "const [x] = require('x'); async () => x.parse(1)",
    "const { [a]: x } = require('x'); async () => x.parse(1)",
    "const x = require('x'); async () => x[a](1)",
    "const x = require('x'); async () => new x.Parser(1)",
    "const x = require('x'); async () => new x.Parser().parse(1)",
    "const x = require('x'); async () => { const y = new x.Parser(); y.parse() }",
    "const x = require('x'); async () => x.make`a${1}`",
    "const x = require('x'); async () => x.parse.call(a, 1) + x.toString()",
    "const x = require('x'); class A extends x.B { constructor() { super(1) } async m() { super.m() } }",
    "const require = a; const x = require('x'); async () => x.parse(1)",
    "(function (require) { const x = require('x'); async () => x.parse(1) })()",
    "const x = require('x', { lift: false }); async () => x.parse(1)",
    'const x = a; x.parse(1)',
    "const x = require('x'); async () => { x.parse( }",
  ]) {
    it(source, () => assert.equal(lift(source), null));
  }

  it('what is not among the functions named', () => {
    const { lifted } = lift(inAsync('x.a(); x.b(); x.c.d(); x.c.e(); x.call.call()'), 'script', ['a', 'c.d']);
    assert.deepEqual(
      lifted.map(({ call }) => call),
      ['x.a', 'x.c.d'],
    );
  });

  it('a source that holds none of the names, without parsing it', () => {
    assert.equal(lift(inAsync('x.parse(1)'), 'script', true, { names: ['marked'] }), null);
    assert.equal(lift(inAsync('x.parse(1)'), 'script', true, { names: ['marked', 'x'] }).lifted.length, 1);
  });
});

describe('the recipe at an import says what is lifted', () => {
  const at = (recipe) => `const y = require('y', ${recipe}); async () => { y.a(); y.b() }`;
  for (const [recipe, count] of [
    ['{ lift: true }', 2],
    ["{ pure: true, 'lift': ['a'] }", 1],
  ]) {
    it(recipe, () => assert.equal(lift(at(recipe)).lifted.length, count));
  }

  it('also when it has a name', () => assert.equal(lift(`const recipe = { lift: true }; ${at('recipe')}`).lifted.length, 2));

  it('and not when it says nothing of it', () => {
    assert.equal(lift(at('{ pure: true }')), null);
    assert.equal(lift(at('other')), null);
  });
});

describe('lift refuses', () => {
  const cases = {
    'x.parse(1)': /^it is at the top level of a CommonJS file$/,
    'function g() { x.parse(1) }': /^the function 'g' is not async$/,
    'const h = () => x.parse(1)': /^the function 'h' is not async$/,
    'async () => a.map((b) => x.parse(b))': /^the function around it is not async$/,
    'class A { b() { x.parse(1) } }': /^the function 'b' is not async$/,
    'function* g() { yield x.parse(1) }': /^the function 'g' is a generator that is not async$/,
    'async (b = x.parse(1)) => b': /^it is in the default value of a parameter$/,
    'async ({ b = x.parse(1) }) => b': /^it is in the default value of a parameter$/,
    'async () => class { b = x.parse(1) }': /^it is in the initial value of a class field$/,
    'async () => class { static b = x.parse(1) }': /^it is in the initial value of a class field$/,
    'async () => class { static { x.parse(1) } }': /^it is in a static block of a class$/,
    'async () => { with (a) { x.parse(1) } }': /^it is inside `with`$/,
    'with (a) { async () => x.parse(1) }': /^it is inside `with`$/,
    'async () => { x.parse(1); eval(a) }': /^the file calls eval/,
    'async () => x?.parse(1).b': /^it is in the middle of an optional chain$/,
    'async () => x.y?.z.parse(1)': /^it is in the middle of an optional chain$/,
    'async () => (x?.parse)(1)': /^it is in the middle of an optional chain$/,
    'let n = 0; async () => { n += x.parse(1) }': /^`n` is read before the wait/,
    'let n = 0; async () => { n = n + x.parse(1) }': /^`n` is read before the wait/,
    'let n = 0; async () => { n = x.parse(n) }': /^`n` is read before the wait/,
    'async () => { n += x.parse(1) }': /^`n` is read before the wait/,
    'async () => { let n = 0; await g(async () => { n += x.parse(1) }) }': /^`n` is read before the wait/,
    'async () => { let n = 0; g(() => n++); n += x.parse(1) }': /^`n` is read before the wait/,
    'async () => { a.n ??= x.parse(1) }': /^`a.n` is read before the wait/,
    'async () => { this.n = 1 + this . n * x.parse(1) }': /^`this.n` is read before the wait/,
    'async () => { a.n = b = x.parse(a.n) }': /^`a.n` is read before the wait/,
    'async () => { ({ n: a.n } = x.parse(a.n)) }': /^`a.n` is read before the wait/,
    'async () => { a[a.length] = x.parse(1) }': /^`a\[a.length\]` is read before the wait/,
    'async () => { [a.n = 1, ...b] = x.parse(a.n) }': /^`a.n` is read before the wait/,
    'async () => { [, ...a.n] = x.parse(a.n) }': /^`a.n` is read before the wait/,
    'async () => { ({ ...a.n } = x.parse(a.n)) }': /^`a.n` is read before the wait/,
    'async () => { a[`at${a.n}`] = x.parse(1) }': /^`a\[`at\$\{a.n\}`\]` is read before the wait/,
    'async () => { a[a.length - 1] = x.parse(1) }': /^`a\[a.length - 1\]` is read before the wait/,
    'let s = {}; g(() => (s = {})); async () => { s.n = x.parse(1) }':
      /^`s` is read before the wait and written to after it, and may be another object by then$/,
    'let s; async () => { s ??= {}; s.list[0] = x.parse(1) }': /^`s` is read before the wait and written to after it/,
    'let s = {}; g(() => (s = {})); async () => { ({ n: s.n } = x.parse(1)) }': /^`s` is read before the wait and written to/,
    'class A { async b() { this.s.list.n = x.parse(1) } c() { this.s = {} } }': /^`this.s` is read before the wait and written to/,
    'async () => { a.s[0].n = x.parse(1) }; ({ s: a . s } = b)': /^`a.s` is read before the wait and written to/,
    'let n = 0; g(() => n++); async () => { a[n + 1] = x.parse(1) }': /^`a\[n \+ 1\]` is read before the wait/,
  };
  for (const [source, reason] of Object.entries(cases)) {
    it(source, () => {
      const { code, map, lifted, refused } = lift(`const x = require('x'); ${source}`);
      assert.deepEqual([lifted, map, code], [[], null, `const x = require('x'); ${source}`]);
      assert.match(refused[0].reason, reason);
    });
  }

  it('and says where', () => {
    const { lifted, refused } = lift(`const x = require('x');\nasync () => { x.a() };\n  x.b.c();`);
    assert.equal(lifted.length, 1);
    assert.deepEqual(refused, [
      { line: 3, column: 3, call: 'x.b.c', specifier: 'x', path: 'b.c', reason: 'it is at the top level of a CommonJS file' },
    ]);
  });
});
