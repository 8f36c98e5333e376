'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { IgnisError } = require('../../lib/errors');
const { ownOf, remainsOf, toldOf, whenceOf } = require('../../lib/object/known-classes');
const { makePair } = require('./pair');

const REGISTER = require.resolve('../../lib/register.js');

const FILES = {
  'node_modules/http/package.json': '{"name":"http","version":"1.0.0"}',
  // As a compiler writes it, and as bundlers do.
  'node_modules/http/index.js': `class HttpError extends Error {
      constructor(message, status) { super(message); this.name = 'HttpError'; this.status = status; }
      isClient() { return this.status < 500; }
    }
    class NotFound extends HttpError { constructor(message) { super(message, 404); } }
    class Sealed extends HttpError { #key = 'k'; key() { return this.#key; } }
    exports.HttpError = HttpError;
    Object.defineProperty(exports, 'NotFound', { enumerable: true, get: () => NotFound });
    exports.Sealed = Sealed;`,
  'service.js': `const { NotFound, HttpError, Sealed } = require('http-errors-of-mine');
    exports.HttpError = HttpError;
    exports.find = (name) => { throw Object.assign(new NotFound(name), { code: 'NONE' }); };
    exports.later = async (name) => exports.find(name);
    exports.back = (name, done) => setImmediate(done, new NotFound(name));
    exports.sealed = () => { throw new Sealed('shut', 400); };
    exports.collect = () => globalThis.gc();
    exports.isMine = (error) => [error instanceof NotFound, error instanceof HttpError, error.constructor === NotFound];`,
  'main.js': `const service = require('./service');
    const { NotFound, HttpError, Sealed } = require('http-errors-of-mine');
    const say = (what, e) => console.log(what, e instanceof NotFound, e instanceof HttpError, e.constructor === NotFound, e.isClient(), e.status, e.code, e.message);
    const caught = (run) => { try { run(); } catch (error) { return error; } };
    say('thrown', caught(() => service.find('a')));
    say('again', caught(() => service.find('b')));
    console.log('exported', service.HttpError === HttpError, new service.HttpError('x', 1) instanceof HttpError);
    console.log('home’s own', service.isMine(new NotFound('c')));
    console.log('sealed', caught(() => service.sealed()).key(), caught(() => service.sealed()).status);
    service.later('d').catch((error) => {
      say('rejected', error);
      service.back('e', (error) => say('called back', error));
    });`,
};

describe('a class of errors that both sides have loaded', function () {
  this.timeout(60_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-known-')));
    for (const [name, text] of Object.entries(FILES)) {
      const file = path.join(folder, name.replace('/http/', '/http-errors-of-mine/'));
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {string[]} args @param {Record<string, string>} [env] */
  const run = (args, env = {}) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } });

  for (const where of ['thread', 'process'])
    it(`is home's own of what a module in a ${where} throws, though it has the class from elsewhere`, () => {
      const plain = run(['main.js']);
      assert.match(plain, /^thrown true true true true 404 NONE a$/m);
      assert.equal(run(['-r', REGISTER, 'main.js'], { IGNIS_FORCE: './service.js', IGNIS_WHERE: where }), plain);
    });

  it('leaves an error with private members what it is, however long the module has forgotten it', () => {
    const text = `const service = require('./service');
      const caught = (run) => { try { run(); } catch (error) { return error; } };
      const errors = Array.from({ length: 20 }, () => caught(() => service.sealed()));
      const turn = () => new Promise((resolve) => setImmediate(resolve));
      (async () => {
        for (let i = 0; i < 5; i++) { service.collect(); await turn(); }
        console.log(errors.map((error) => error.key()).join(''));
      })();`;
    fs.writeFileSync(path.join(folder, 'late.js'), text);
    for (const where of ['thread', 'process']) {
      const out = run(['--expose-gc', '-r', REGISTER, 'late.js'], { IGNIS_FORCE: './service.js', IGNIS_WHERE: where });
      assert.equal(out, `${'k'.repeat(20)}\n`, where);
    }
  });

  it('is lent where its errors keep what no copy has, or where nobody exports it', () => {
    class Own extends Error {}
    class Sealed extends IgnisError {
      #key = 1;
      key() {
        return this.#key;
      }
    }
    const { filename } = /** @type {any} */ (require.cache[require.resolve('../../lib/errors')]);
    assert.deepEqual(whenceOf(IgnisError), ['IgnisError', false, [filename, 'IgnisError']]);
    assert.deepEqual(whenceOf(IgnisError.prototype), ['IgnisError', true, [filename, 'IgnisError']]);
    for (const value of [Own, Own.prototype, Sealed, Sealed.prototype, Error, Map, () => {}, {}, new Own()])
      assert.equal(whenceOf(value), null);
    const nowhere = ['no such file', 'IgnisError'];
    assert.equal(ownOf(['IgnisError', true, nowhere, [filename, 'IgnisError']]), IgnisError.prototype);
    for (const whence of [
      ['IgnisError', false, nowhere],
      ['Other', false, [filename, 'IgnisError']],
    ])
      assert.equal(ownOf(whence), undefined);
  });

  it('tells of a prototype what remains of it: its name, the class of the language below which it stands, what its errors call themselves', () => {
    class Own extends RangeError {}
    class Below extends Own {}
    Object.assign(Own.prototype, { name: 'Mine' });
    assert.deepEqual(toldOf(Below.prototype), ['Below', true, ['', 'RangeError'], ['', 'Mine']]);
    const { filename } = /** @type {any} */ (require.cache[require.resolve('../../lib/errors')]);
    assert.deepEqual(toldOf(IgnisError.prototype), ['IgnisError', true, [filename, 'IgnisError'], ['', 'Error'], ['', 'IgnisError']]);
    for (const value of [Own, Error, {}, new Own(), class {}.prototype, () => {}, new Proxy(Own.prototype, {})])
      assert.equal(toldOf(value), null);
    const remains = /** @type {any} */ (remainsOf(['Below', true, ['/nowhere', 'Below'], ['', 'RangeError'], ['', 'Mine']]));
    const error = Object.setPrototypeOf(new Error('m'), remains);
    assert.deepEqual(
      [error instanceof RangeError, error.constructor.name, String(error), Object.keys(error).length],
      [true, 'Below', 'Mine: m', 0],
    );
    assert.equal(ownOf(['Below', true, ['', 'RangeError']]), undefined);
    for (const whence of [
      ['A', false, ['', 'Error']],
      ['A', true],
      ['A', true, ['', 'Map']],
      ['A', true, ['', 'constructor']],
    ])
      assert.equal(remainsOf(/** @type {any} */ (whence)), null);
  });

  it('asks nothing of the other side: exports and prototypes may be stubs', () => {
    const untouchable = new Proxy(
      class extends Error {},
      Object.fromEntries(
        Object.getOwnPropertyNames(Reflect).map((trap) => [
          trap,
          () => {
            throw new Error(`asked by ${trap}`);
          },
        ]),
      ),
    );
    class Below extends Error {}
    Object.setPrototypeOf(Below.prototype, untouchable);
    const file = path.join(folder, 'stubs.js');
    fs.writeFileSync(
      file,
      'const m = { Bad: 1 }; Object.defineProperty(exports, "Bad", { get: () => m.Bad }); exports.give = (stub) => { Object.assign(exports, stub); };',
    );
    require(file).give({ stub: untouchable, Below });
    class Missing extends Error {}
    for (const value of [untouchable, Below, Below.prototype, Missing]) assert.equal(whenceOf(value), null);
  });

  it('leaves nothing lent behind, and is the same when it comes back', () => {
    const { home, there, back } = makePair();
    const [Class, prototype, error] = there(IgnisError, IgnisError.prototype, new IgnisError('IGNIS_CLOSED', 'x'));
    assert.deepEqual([Class === IgnisError, prototype === IgnisError.prototype, error instanceof IgnisError], [true, true, true]);
    assert.equal(back(Class)[0], IgnisError);
    assert.equal(home.tables.held.size, 0);
  });
});
