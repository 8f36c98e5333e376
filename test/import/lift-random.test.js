'use strict';

// Programs made at random, run as they are and lifted: what they return, throw and tell must be the same.

const assert = require('node:assert/strict');
const { randomFrom } = require('../../lib/rank/random');
const { both } = require('./lift-pair');

const PROGRAMS = 250;

const makeX = (log) => {
  const x = {
    id: (value) => (log('id', value), value),
    add: (a = 0, b = 0) => (log('add', a, b), Number(a) + Number(b)),
    list: (...values) => values,
    bad: (value) => {
      log('bad');
      throw new RangeError(String(value));
    },
    self() {
      return this === x ? x : null;
    },
    promise: (value) => Promise.resolve(value),
    inner: { id: (value) => (log('inner', value), value) },
    none: null,
  };
  return x;
};

class Maker {
  #random;
  /** @type {string[]} */
  #names = ['n'];
  #isSync = false;
  #made = 0;

  /** @param {number} seed */
  constructor(seed) {
    this.#random = randomFrom(seed);
  }

  program() {
    const alias = this.#pick([
      'const { add, inner: { id } } = x;',
      'const add = x.add, id = x.inner.id;',
      'let add; add = x.add; const { id } = x;',
    ]);
    return `const x = require('x'); ${alias}
async function run(n) {\n${this.#block(3)}\nreturn ${this.#value(2)};\n}
exports.run = () => run(${this.#whole(5)});`;
  }

  #whole(below) {
    return Math.floor(this.#random() * below);
  }

  #pick(list) {
    return list[this.#whole(list.length)];
  }

  #block(depth) {
    const known = this.#names.length;
    const lines = Array.from({ length: 1 + this.#whole(4) }, () => this.#statement(depth));
    this.#names.length = known;
    return lines.join(this.#pick(['\n', ';\n', '; ']));
  }

  #statement(depth) {
    const value = () => this.#value(3);
    if (depth === 0) return `log(${value()})`;
    switch (this.#whole(11)) {
      case 0: {
        const name = `v${this.#made++}`;
        const text = `let ${name} = ${value()};`;
        this.#names.push(name);
        return text;
      }
      case 1:
        return `${this.#pick(this.#names)} ${this.#pick(['=', '+=', '??=', '||='])} ${value()};`;
      case 2:
        return `if (${value()}) {\n${this.#block(depth - 1)}\n} else {\n${this.#block(depth - 1)}\n}`;
      case 3:
        return `for (const one of x.list(${value()}, ${value()})) { log(one); ${this.#block(depth - 1)} }`;
      case 4:
        return `try {\n${this.#block(depth - 1)}\n} catch (error) { log(error.name, error.message); } finally { log(${value()}); }`;
      case 5: {
        const at = this.#made++;
        return `const { a${at} = ${value()}, ...rest${at} } = { b: ${value()} }; log(rest${at}.b);`;
      }
      case 6:
        return `switch (${value()}) { case ${value()}: log('one'); break; default: { ${this.#block(depth - 1)} } }`;
      case 7:
        return `log(await (async (n) => { ${this.#block(depth - 1)}; return ${value()}; })(${value()}));`;
      case 8:
        return `for await (const one of (async function* () { yield ${value()}; yield* x.list(${value()}); })()) log(one);`;
      case 9:
        return `log([1, 2].map((n) => ${this.#inSync(value)}));`;
      default:
        return `log(${value()});`;
    }
  }

  /** @param {() => string} make what stands where no `await` may */
  #inSync(make) {
    this.#isSync = true;
    const made = make();
    this.#isSync = false;
    return made;
  }

  #value(depth) {
    if (depth === 0) return this.#pick([String(this.#whole(9)), this.#pick(this.#names), '"a"', 'null', 'undefined']);
    const value = () => this.#value(depth - 1);
    switch (this.#whole(22)) {
      case 0:
        return `x.id(${value()})`;
      case 1:
        return `x.add(${value()}, ${value()})`;
      case 2:
        return `add(${value()})`;
      case 3:
        return `id(${value()})`;
      case 4:
        return `x.inner.id(${value()})`;
      case 5:
        return `x["id"](${value()})`;
      case 6:
        return `(x.add)(${value()}, ${value()})`;
      case 7:
        return `(0, x.id)(${value()})`;
      case 8:
        return `x?.id(${value()})`;
      case 9:
        return `x.${this.#pick(['missing', 'none', 'id'])}?.(${value()})`;
      case 10:
        return this.#whole(6) === 0 ? `x.${this.#pick(['missing', 'none', 'bad'])}(${value()})` : `x.list(${value()})[0]`;
      case 11:
        return `(${value()} ${this.#pick(['+', '-', '*', '===', '<', ','])} ${value()})`;
      case 12:
        return `(${value()} ${this.#pick(['&&', '||'])} ${value()})`;
      case 13:
        return `(${value()} ?? ${value()})`;
      case 14:
        return `(${value()} ? ${value()} : ${value()})`;
      case 15:
        return `\`<\${${value()}}>\``;
      case 16:
        return `[${value()}, ...x.list(${value()})].length`;
      case 17:
        return `({ a: ${value()}, [x.id('k')]: ${value()} }).a`;
      case 18:
        return this.#isSync ? value() : `(await x.promise(${value()}))`;
      case 19:
        return `(x.promise(1) instanceof Promise)`;
      case 20:
        return `x.list(${value()})?.[0]`;
      default:
        return `(x.self() === x)`;
    }
  }
}

describe('programs made at random', function () {
  this.timeout(60_000);

  it('do lifted what they do plain', async () => {
    let lifted = 0;
    let refused = 0;
    let thrown = 0;
    for (let seed = 1; seed <= PROGRAMS; seed++) {
      const source = new Maker(seed).program();
      const { plain, lifted: other, outcome } = await both(source, makeX);
      assert.deepEqual(other, plain, `seed ${seed}\n${source}\n\n${outcome?.code}`);
      lifted += outcome?.lifted.length ?? 0;
      refused += outcome?.refused.length ?? 0;
      if (plain.error !== undefined) thrown++;
    }
    assert.ok(lifted > 10 * PROGRAMS && refused > PROGRAMS / 10, `${lifted} lifted, ${refused} refused`);
    assert.ok(thrown > PROGRAMS / 50 && thrown < PROGRAMS / 2, `${thrown} of ${PROGRAMS} threw`);
  });
});
