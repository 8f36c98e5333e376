'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const net = require('node:net');
const vm = require('node:vm');
const { caught } = require('../caught');

exports.title = 'what the program around a module does';
exports.fixture = 'surroundings.js';

const { defineProperty, getOwnPropertyDescriptor } = Object;

/** @param {any} holder @param {string} name @param {any} value @param {() => any} run while it stands in its place */
function replaced(holder, name, value, run) {
  const before = getOwnPropertyDescriptor(holder, name);
  defineProperty(holder, name, { ...before, value });
  try {
    return run();
  } finally {
    defineProperty(holder, name, before);
  }
}

/**
 * @param {any} prototype
 * @param {string} name
 * @param {() => any} run while all objects have a getter of this name, which gives themselves
 */
function extended(prototype, name, run) {
  const get = function () {
    return this;
  };
  Object.defineProperty(prototype, name, { get, configurable: true });
  try {
    return run();
  } finally {
    delete prototype[name];
  }
}

/** What a program's tests may replace: functions of the engine that stand on its own objects. @returns {[holder: any, name: string][]} */
const statics = () =>
  [Object, Reflect, Math, Number, JSON, Array, Symbol, Error].flatMap((holder) =>
    Object.entries(Object.getOwnPropertyDescriptors(holder))
      .filter(([, { value, configurable }]) => typeof value === 'function' && configurable)
      .map(([name]) => /** @type {[any, string]} */ ([holder, name])),
  );

exports.behaviours = {
  'the module is called, and calls back, while functions of the engine throw that the program has replaced'(_, t) {
    const { map, method, rethrow } = t.load('callbacks.js');
    const error = new Error('of home');
    const symbol = Symbol('own');
    const use = () => [
      map([1, { a: [2] }], (one) => one),
      method(new Map([['key', symbol]]), 'get', 'key'),
      (() => {
        try {
          return rethrow(() => {
            throw error;
          });
        } catch (thrown) {
          return thrown;
        }
      })(),
    ];
    use();
    const refuse = () => {
      throw new Error('replaced');
    };
    for (const [holder, name] of statics()) assert.deepEqual(replaced(holder, name, refuse, use), [[1, { a: [2] }], symbol, error], name);
  },
  'a console method that was replaced hears the module'(m) {
    const said = [];
    const thing = {};
    replaced(console, 'log', (...args) => void said.push(args), () => m.say('one', thing)); // prettier-ignore
    assert.deepEqual(said, [['one', {}]]);
    assert.equal(said[0][1], thing);
    assert.throws(() => replaced(console, 'log', undefined, () => m.say('nobody hears this')), TypeError);
  },
  'a clock that was replaced is the module’s, until it is put back'(m) {
    assert.equal(replaced(Date, 'now', () => 5, () => m.now()), 5); // prettier-ignore
    assert.ok(m.now() > 5);
    class Then {
      getFullYear() {
        return 1815;
      }
    }
    assert.equal(replaced(globalThis, 'Date', Then, () => m.year()), 1815); // prettier-ignore
    assert.ok(m.year() > 2000);
  },
  'a timer that was replaced gets the module’s callback'(m) {
    const calls = [];
    replaced(globalThis, 'setTimeout', (callback, ms) => calls.push([callback, ms]), () => m.soon(calls.push)); // prettier-ignore
    assert.deepEqual(calls, [[calls.push, 1000]]);
  },
  async 'a warning of the module is one of the program'(m) {
    const [warning] = await caught('warning', () => m.warn('slippery'));
    assert.deepEqual([warning.name, warning.message], ['Careful', 'slippery']);
  },
  'what is no warning fails whoever gives it, as Node says'(m) {
    const own = (...args) => {
      try {
        process.emitWarning(...args);
        return 'warned';
      } catch ({ name, code, message }) {
        return [name, code, message];
      }
    };
    const wrong = [[], [5], [{ message: 'x' }], ['x', 5], ['x', null], ['x', { type: 5 }], ['x', { code: 5 }], ['x', 'Careful', 5]];
    for (const args of wrong) {
      const told = m.warnOf(...args);
      assert.equal(told[1], 'ERR_INVALID_ARG_TYPE', JSON.stringify(args));
      assert.deepEqual(told, own(...args));
    }
  },
  async 'a warning never fails whoever gives it'(m) {
    const warned = caught('warning', () => assert.equal(m.warnOfMemory(), 'warned'));
    const [warning] = await warned;
    assert.match(warning.message, /careful/);
  },
  'what the program gives to all objects, the module’s objects have'(m) {
    const made = m.make();
    extended(Object.prototype, 'itself', () => {
      assert.equal(made.itself, made);
      assert.equal(m.make.itself, m.make);
      assert.ok('itself' in made);
    });
    assert.equal(made.itself, undefined);
    assert.ok(!('itself' in made));
  },
  'functions of the engine that were taken away are not missed'(m) {
    const thing = { [Symbol('s')]: 1 };
    const names = ['create', 'getOwnPropertySymbols', 'keys', 'isExtensible'];
    const run = names.reduce((inner, name) => () => replaced(Object, name, undefined, inner), () => m.after.length + m.data().a); // prettier-ignore
    assert.equal(run(), 2);
    const classes = ['Map', 'Set', 'WeakMap', 'Promise', 'Symbol'];
    const without = classes.reduce((inner, name) => () => replaced(globalThis, name, undefined, inner), () => m.extras(thing)); // prettier-ignore
    assert.deepEqual(without(), []);
  },
  async 'a broken promise that the module looks after is nobody else’s'(m) {
    const seen = [];
    const listen = (reason) => seen.push(reason.message);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', listen);
    try {
      m.rejected();
      const promise = m.unhandled();
      while (seen.length === 0) await new Promise(setImmediate);
      await assert.rejects(promise, { message: 'looked after by nobody' });
    } finally {
      process.off('unhandledRejection', listen);
      for (const other of others) process.on('unhandledRejection', other);
    }
    assert.deepEqual(seen, ['looked after by nobody']);
  },
  'a further name that is taken from a list is gone there, too'(m) {
    const list = Object.assign([1], { note: 1 });
    assert.deepEqual(m.extras(list), ['0', 'note']);
    delete list.note;
    assert.deepEqual(m.extras(list), ['0']);
    const matched = /b/.exec('abc');
    assert.deepEqual(m.extras(matched), ['0', 'index', 'input', 'groups']);
    delete matched.input;
    assert.deepEqual(m.extras(matched), ['0', 'index', 'groups']);
  },
  'bytes of another realm'(m) {
    const [array, view, buffer] = vm.runInNewContext('const b = new ArrayBuffer(8); [new Uint8Array(b), new DataView(b), b]');
    assert.deepEqual(m.bytes(array), [8, 8]);
    assert.deepEqual(m.bytes(view), [8, 0]);
    assert.deepEqual(m.bytes(buffer), [8, 0]);
  },
  'classes of Node’s larger modules are the caller’s own'(m) {
    assert.equal(m.agent(), http.IncomingMessage);
    assert.ok(m.isSocket(net.Socket));
  },
};
