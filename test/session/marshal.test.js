'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vm = require('node:vm');
const { types } = require('node:util');
const { EventEmitter } = require('node:events');
const { marshal } = require('../../lib/session/marshal');
const { unmarshal } = require('../../lib/session/unmarshal');
const { ATTACHMENT_BYTES } = require('../../lib/session/shared-bytes');
const { IgnisError } = require('../../lib/errors');
const { CLONE_BYTES } = require('../../lib/wire/channel');
const { WAYS, NAMED_WAYS } = require('./round-trip');
const { sameGraph } = require('./same-graph');

/** Values that must come out as they went in, by assert.deepStrictEqual. */
const VALUES = {
  primitives: [
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    2 ** 40,
    -(2 ** 40),
    Number.MAX_SAFE_INTEGER,
    1e300,
    Infinity,
    -Infinity,
    '',
    'text',
    'ünï',
    '😀',
  ],
  undefined: [undefined, { a: undefined }, [[undefined]]],
  'minus zero': [-0, { a: -0, b: 0 }],
  'not a number': [NaN, { a: NaN }],
  bigints: [0n, -1n, 2n ** 200n, { a: [1n] }],
  'lone surrogates': [
    '\ud800',
    'a\udfffb',
    { a: '\ud83d' },
    { '\ud800': 1, plain: 2 },
    [{ '\udc00': { deep: undefined } }],
    Symbol.for('\ud800'),
    Object('\ud800'),
  ],
  'long texts of other scripts': [
    '漢字'.repeat(600),
    'привет, '.repeat(300),
    'grüße'.repeat(400),
    '\u00ff'.repeat(1024),
    '\ud800я'.repeat(700),
    ['я'.repeat(2000), 'x'.repeat(1500) + 'я', { a: { b: 'ж'.repeat(1100) }, c: 'ü'.repeat(1100) }],
    { ['я'.repeat(2000)]: 'я'.repeat(2000), ['\ud800' + 'я'.repeat(2000)]: 1 },
    new Map([['я'.repeat(2000), 'é'.repeat(2000)]]),
    new Set(['я'.repeat(2000)]),
    Object('я'.repeat(2000)),
    new Error('я'.repeat(2000)),
  ],
  'registered and known symbols': [Symbol.for('a'), Symbol.iterator, { a: Symbol.asyncIterator }],
  'lists in lists': [[], [[]], [1, [2, [3, []]]]],
  holes: [[, 1, , 2, ,], Array(3), { a: [, [,]] }], // eslint-disable-line no-sparse-arrays
  'holes beside undefined': [[, undefined, null]], // eslint-disable-line no-sparse-arrays
  'plain objects': [{}, { a: { b: { c: {} } } }, { 0: 'a', 10: 'b', x: 'c' }, { '': '' }, { length: 2 }],
  'objects without a prototype': [
    Object.create(null),
    Object.assign(Object.create(null), { a: Object.assign(Object.create(null), { b: undefined }) }),
  ],
  dates: [new Date(0), new Date(-1), { at: new Date(8.64e15) }],
  'regular expressions': [/a/, /a\/b/giu, /\ud800/, new RegExp('\ud800'), Object.assign(/x/g, { lastIndex: 7 })],
  maps: [
    new Map(),
    new Map([
      [1, 'a'],
      ['1', 'b'],
      [NaN, -0],
      [undefined, null],
    ]),
    new Map([[{ key: 1 }, new Map([[[], new Set()]])]]),
  ],
  sets: [new Set(), new Set([1, '1', NaN, undefined, new Set([new Map()])])],
  'boxed primitives': [Object(1), Object('text'), Object(false), Object(-0), { a: Object(NaN) }],
  addresses: [new URL('https://user@host:8/path?q=1#h'), [new URL('file:///a%20b')]],
  "a regular expression's match": [
    'x1y2'.match(/(?<letter>[a-z])(\d)/),
    'x1'.match(/(x)|(y)/),
    'aXb'.match(/X/d),
    ['nested', { m: 'abc'.match(/b/) }],
  ],
  "a template's strings": [((strings) => strings)`a${1}\n${2}b`],
  'small buffers': [
    Buffer.alloc(0),
    Buffer.from('text'),
    Buffer.from('sliced').subarray(2, 4),
    { a: Buffer.alloc(ATTACHMENT_BYTES - 1, 3) },
  ],
  'large buffers': [Buffer.alloc(ATTACHMENT_BYTES, 1), [Buffer.alloc(5000, 1), Buffer.alloc(6000, 2), { c: Buffer.alloc(7000, 3) }]],
  'names that codecs treat as something else': [
    JSON.parse('{"__proto__": {"a": 1}, "b": 2}'),
    { constructor: 'c', prototype: 'p' },
    { toJSON: 1, a: [undefined] },
    { hasOwnProperty: 1, valueOf: 2, toString: 3 },
    Object.assign(Object.create(null), { constructor: undefined, b: Object.create(null) }),
    [{ a: { shared: 1 }, constructor: { b: new Date(1) } }],
  ],
};

for (const Type of [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  // Since Node 24.
  ...(globalThis.Float16Array ? [globalThis.Float16Array] : []),
]) {
  const one = Type.name.startsWith('Big') ? 1n : 1;
  const shifted = new Type(new ArrayBuffer(64), 8, 3);
  VALUES[`a ${Type.name}, small, shifted and large`] = [new Type(0), new Type(5).fill(one), shifted, { a: new Type(8192).fill(one) }];
}
VALUES['an ArrayBuffer and a DataView'] = [
  new ArrayBuffer(0),
  new Uint8Array([1, 2, 3]).buffer,
  new Uint8Array(9000).fill(4).buffer,
  new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2),
];

for (const way of NAMED_WAYS) {
  const roundTrip = WAYS[way];

  describe(`a value sent by ${way}`, () => {
    for (const [title, values] of Object.entries(VALUES)) {
      it(`comes out as it went in: ${title}`, () => {
        for (const value of values) {
          assert.deepStrictEqual(roundTrip(value), value);
          assert.deepStrictEqual(roundTrip([value, { in: value }]), [value, { in: value }]);
        }
      });
    }

    it('keeps a date that is none', () => {
      // assert.deepStrictEqual takes no two of them for equal
      assert.ok(Number.isNaN(roundTrip([new Date(NaN)])[0].getTime()));
    });

    it('keeps its prototype and its kind', () => {
      const value = {
        bare: Object.create(null),
        map: new Map(),
        bytes: Buffer.from('x'),
        view: new Uint8Array(2),
        error: new RangeError('r'),
      };
      const seen = roundTrip(value);
      assert.equal(Object.getPrototypeOf(seen.bare), null);
      assert.ok(types.isMap(seen.map));
      assert.ok(Buffer.isBuffer(seen.bytes) && !Buffer.isBuffer(seen.view));
      assert.ok(types.isNativeError(seen.error) && seen.error instanceof RangeError);
    });

    it('keeps cycles', () => {
      const object = { list: [], map: new Map(), set: new Set() };
      object.self = object;
      object.list.push(object.list, object);
      object.map.set(object.map, object).set('set', object.set);
      object.set.add(object.set).add(object.map);
      const seen = roundTrip(object);
      assert.equal(seen.self, seen);
      assert.equal(seen.list[0], seen.list);
      assert.equal(seen.list[1], seen);
      assert.equal(seen.map.get(seen.map), seen);
      assert.equal(seen.map.get('set'), seen.set);
      assert.ok(seen.set.has(seen.set) && seen.set.has(seen.map));
    });

    it('keeps cycles through errors, bare objects and objects with odd names', () => {
      const error = new Error('e');
      const odd = JSON.parse('{"__proto__": 1}');
      const bare = Object.create(null);
      Object.assign(error, { odd });
      odd.bare = bare;
      bare.error = error;
      const seen = roundTrip(bare);
      assert.equal(seen.error.odd.bare, seen);
    });

    it('keeps what is shared, and only that', () => {
      const shared = { n: 1 };
      const bytes = Buffer.alloc(5000, 1);
      const date = new Date(5);
      const seen = roundTrip([shared, shared, { n: 1 }, bytes, { bytes }, date, [date], [[shared]]]);
      assert.equal(seen[0], seen[1]);
      assert.equal(seen[7][0][0], seen[0]);
      assert.notEqual(seen[2], seen[0]);
      assert.equal(seen[4].bytes, seen[3]);
      assert.equal(seen[6][0], seen[5]);
    });

    it('keeps what is shared with an object that has odd names', () => {
      const shared = { n: undefined };
      const seen = roundTrip({ a: shared, constructor: shared, b: [shared] });
      assert.equal(seen.a, seen.constructor);
      assert.equal(seen.a, seen.b[0]);
      assert.deepStrictEqual(Object.keys(seen), ['a', 'constructor', 'b']);
    });

    it('makes own properties of odd names and touches no prototype', () => {
      const seen = roundTrip(JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 2}}}'));
      assert.deepStrictEqual(Object.keys(seen), ['__proto__', 'constructor']);
      assert.equal(Object.getPrototypeOf(seen), Object.prototype);
      assert.equal({}.polluted, undefined);
      assert.equal(seen.polluted, undefined);
    });

    it('keeps arguments as such', () => {
      const seen = roundTrip(
        (function () {
          return arguments;
        })(1, undefined, { a: 1 }),
      );
      assert.ok(types.isArgumentsObject(seen));
      assert.deepStrictEqual([...seen], [1, undefined, { a: 1 }]);
    });

    it('sends the values of getters, and no hidden properties', () => {
      let runs = 0;
      const value = Object.defineProperties(
        {
          get seven() {
            runs += 1;
            return 7;
          },
        },
        { hidden: { value: 1 }, [Symbol.for('hidden')]: { value: 1 } },
      );
      assert.deepStrictEqual(Object.getOwnPropertyDescriptors(roundTrip(value)), {
        seven: { value: 7, writable: true, enumerable: true, configurable: true },
      });
      assert.equal(runs, 1);
    });

    it('keeps symbols of its own, the same one as the same', () => {
      const [mark, other] = [Symbol('mark'), Symbol('mark')];
      const seen = roundTrip([mark, { mark }, new Set([mark, other]), Symbol(), { other }]);
      assert.equal(seen[0].description, 'mark');
      assert.notEqual(seen[0], mark);
      assert.equal(seen[1].mark, seen[0]);
      assert.deepStrictEqual([...seen[2]], [seen[0], seen[4].other]);
      assert.notEqual(seen[4].other, seen[0]);
      assert.equal(seen[3].description, undefined);
    });

    it('keeps symbol keys, beside names and in their order', () => {
      const [mark, key] = [Symbol('mark'), Symbol.for('key')];
      const seen = roundTrip([mark, { a: 1, [mark]: { deep: undefined }, [key]: 2, [Symbol.hasInstance]: 3, b: 4 }]);
      assert.deepStrictEqual(Reflect.ownKeys(seen[1]), ['a', 'b', seen[0], key, Symbol.hasInstance]);
      assert.deepStrictEqual(seen[1][seen[0]], { deep: undefined });
      assert.deepStrictEqual([seen[1][key], seen[1][Symbol.hasInstance]], [2, 3]);
      const bare = roundTrip(Object.assign(Object.create(null), { [key]: 1 }));
      assert.equal(Object.getPrototypeOf(bare), null);
      assert.equal(bare[key], 1);
      assert.equal(roundTrip(Object.assign(new Error('e'), { [key]: 1 }))[key], 1);
    });

    it('keeps the names that arrays have besides their indices, however long they are', () => {
      for (const length of [0, 1, 2, 47, 48, 49, 1000]) {
        const shared = { n: 1 };
        const tokens = Object.assign(Array(length).fill('token'), { links: { a: shared }, '-1': undefined, 1.5: shared });
        const seen = roundTrip([tokens, shared]);
        assert.deepStrictEqual(seen, [tokens, shared]);
        assert.equal(seen[0].links.a, seen[1]);
        assert.equal(seen[0][1.5], seen[1]);
      }
      const odd = Object.defineProperty([1], '__proto__', { value: { polluted: 1 }, enumerable: true });
      assert.deepStrictEqual(Object.keys(roundTrip(odd)), ['0', '__proto__']);
      assert.equal(Object.getPrototypeOf(roundTrip(odd)), Array.prototype);
      const own = Object.assign([1, 2], { constructor: 'mine' });
      assert.deepStrictEqual(roundTrip(own), own);
    });

    it('keeps far elements without a word for each hole', () => {
      const far = [];
      far[4294967294] = { last: true };
      far[7] = undefined;
      far.name = far;
      const seen = roundTrip({ far }).far;
      assert.equal(seen.length, 4294967295);
      assert.deepStrictEqual(Object.keys(seen), ['7', '4294967294', 'name']);
      assert.deepStrictEqual([seen[7], seen[4294967294]], [undefined, { last: true }]);
      assert.equal(seen.name, seen);
    });

    it('keeps views of one buffer views of one buffer', () => {
      for (const bytes of [64, 16384]) {
        const buffer = new ArrayBuffer(bytes);
        const value = {
          tail: new Float64Array(buffer, 16, 2),
          head: new Uint8Array(buffer, 0, 20).fill(7),
          node: Buffer.from(buffer, 3, 5),
          view: new DataView(buffer, 8, 4),
          alone: new Uint8Array(4),
        };
        const seen = roundTrip(value);
        assert.deepStrictEqual(seen, value);
        for (const name of ['tail', 'head', 'node', 'view']) {
          assert.equal(seen[name].buffer, seen.tail.buffer);
          assert.equal(seen[name].byteOffset, value[name].byteOffset);
        }
        assert.notEqual(seen.alone.buffer, seen.tail.buffer);
        seen.head[16] = 200;
        assert.notEqual(seen.tail[0], value.tail[0]);
        const whole = roundTrip([new Uint8Array(buffer, 8, 8), buffer]);
        assert.equal(whole[0].buffer, whole[1]);
        assert.deepStrictEqual(whole[1], buffer);
      }
    });

    it('keeps views that overlap in several places of one buffer, in whatever order they are met', () => {
      const whole = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251));
      const views = [whole.subarray(50_000, 50_100), whole.subarray(50_050, 50_150), whole.subarray(0, 100), whole.subarray(50, 150)];
      const back = roundTrip(views);
      assert.deepEqual(back, views);
      assert.equal(back[0].buffer, back[1].buffer);
      assert.equal(back[2].buffer, back[3].buffer);
    });

    it('keeps parts of a Buffer parts of one, and sends nothing of what lies between those of a pool', () => {
      const whole = Buffer.alloc(100000, 1);
      const [first, second] = roundTrip([whole.subarray(10, 60000), whole.subarray(50000, 90000)]);
      assert.equal(first.buffer, second.buffer);
      assert.equal(second.byteOffset - first.byteOffset, 49990);
      assert.deepStrictEqual([first.length, second.length], [59990, 40000]);
      const pool = new ArrayBuffer(Buffer.poolSize);
      Buffer.from(pool).fill('secret');
      const [one, two, part] = [Buffer.from(pool, 0, 8).fill(1), Buffer.from(pool, 4096, 8).fill(2), Buffer.from(pool, 4, 2)];
      const seen = roundTrip([one, two, part]);
      assert.deepStrictEqual(seen, [one, two, part]);
      assert.equal(seen[2].buffer, seen[0].buffer);
      for (const bytes of seen) assert.ok(!Buffer.from(bytes.buffer).includes('secret'));
    });

    it('writes nothing down for Buffers by themselves where a link keeps these, but for all else', () => {
      const leanOf = (/** @type {any[]} */ ...args) => marshal(args, null, 'args').lean?.map((entry) => entry[1]) ?? null;
      const whole = Buffer.alloc(64);
      assert.equal(leanOf(Buffer.from('one')), null);
      assert.equal(leanOf(Buffer.from('one'), [{ two: Buffer.from('two') }]), null);
      assert.deepEqual(leanOf(Buffer.from('one'), undefined), [undefined, 'undefined']);
      assert.deepEqual(leanOf(new Uint8Array(3), Buffer.alloc(0), Buffer.alloc(5000)), [undefined, 'bytes', 'bytes', 'bytes']);
      assert.deepEqual(leanOf(whole.subarray(0, 9), Buffer.from('by itself'), whole.subarray(5, 12)), [undefined, 'view', 'view']);
      const one = Buffer.from('one');
      assert.deepEqual(leanOf(one, one), [undefined, 'same']);
    });

    it('sends nothing of what lies between large pieces of the pool', () => {
      const bytes = Math.floor(Buffer.poolSize * 0.3);
      const cut = () => ['one', 'secret', 'two'].map((fill, i) => Buffer.allocUnsafe(i === 1 ? 8 : bytes).fill(fill));
      let pieces = cut();
      while (pieces.some(({ buffer }) => buffer !== pieces[0].buffer)) pieces = cut();
      const [one, , two] = pieces;
      const seen = roundTrip([one, two]);
      assert.deepStrictEqual(seen, [one, two]);
      for (const part of seen) assert.ok(!Buffer.from(part.buffer).includes('secret'));
    });

    it('keeps what was made in another realm, as the same of this one', () => {
      const run = (/** @type {string} */ code) => vm.runInNewContext(code);
      const seen = roundTrip(run('({ list: [1, { a: 1 }, , ], map: new Map([[{}, new Set([1])]]), at: new Date(5), re: /x/g })'));
      assert.deepStrictEqual(seen, { list: [1, { a: 1 }, ,], map: new Map([[{}, new Set([1])]]), at: new Date(5), re: /x/g }); // eslint-disable-line no-sparse-arrays
      assert.deepStrictEqual(roundTrip(run('[new Uint8Array([1, 2]), Object(1), new ArrayBuffer(2)]')), [
        new Uint8Array([1, 2]),
        Object(1),
        new ArrayBuffer(2),
      ]);
      const error = roundTrip(run('Object.assign(new RangeError("far"), { code: 1, [Symbol.for("s")]: 2 })'));
      assert.ok(error instanceof RangeError);
      assert.deepStrictEqual([error.message, error.code, error[Symbol.for('s')]], ['far', 1, 2]);
    });

    it('goes to any depth, with its cycles and all that is in it', function () {
      // Nothing but computing, which takes its time on a machine with other work.
      this.timeout(180_000);
      const end = { shared: new Date(1), big: 10n };
      let deep = { next: null, end };
      const first = deep;
      for (let i = 1; i < 100000; i++) {
        if (i % 5 === 0) deep = [deep, undefined];
        else if (i % 7 === 0) deep = new Map([['next', deep]]);
        else if (i % 11 === 0) deep = Object.assign(Object.create(null), { next: deep, at: i });
        else if (i % 13 === 0) deep = Object.assign(new Error('e'), { cause: deep, stack: '' });
        else deep = { next: deep, __proto__x: i, end: i % 3 ? end : null };
      }
      first.next = deep;
      const value = { end, deep };
      sameGraph(value, roundTrip(value));
    });
  });

  describe(`an error sent by ${way}`, () => {
    class HttpError extends Error {
      constructor(message, status) {
        super(message);
        this.status = status;
      }
    }

    it('keeps class, message, stack, cause and own properties, each as visible as it was', () => {
      for (const Class of [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) {
        const error = Object.assign(new Class('why', { cause: { deep: new Error('root') } }), { code: 'E_CODE', list: [undefined, 1n] });
        const seen = roundTrip(error);
        assert.equal(Object.getPrototypeOf(seen), Class.prototype);
        assert.deepStrictEqual(seen, error);
        assert.equal(seen.stack, error.stack);
        assert.deepStrictEqual(Object.keys(seen), ['code', 'list']);
        assert.equal(seen.cause.deep.message, 'root');
      }
    });

    it('keeps a name that was assigned, and no message where there is none', () => {
      const named = new Error('n');
      named.name = 'Special';
      assert.deepStrictEqual(Object.keys(roundTrip(named)), ['name']);
      assert.equal(String(roundTrip(named)), 'Special: n');
      assert.ok(!Object.hasOwn(roundTrip(new Error()), 'message'));
    });

    it('keeps the errors of an AggregateError', () => {
      const seen = roundTrip(new AggregateError([new TypeError('a'), 'b'], 'both'));
      assert.ok(seen instanceof AggregateError);
      assert.deepStrictEqual(seen.errors, [new TypeError('a'), 'b']);
      assert.ok(!Object.keys(seen).includes('errors'));
    });

    it("becomes one of the receiver's own class where it has one", () => {
      const seen = roundTrip(new HttpError('gone', 410), { errorClass: (name) => (name === 'HttpError' ? HttpError : undefined) });
      assert.ok(seen instanceof HttpError);
      assert.equal(seen.status, 410);
      assert.ok(!Object.hasOwn(seen, 'name'));
    });

    it('becomes one of the nearest class that the receiver knows, below it one of the name of its own', () => {
      class Mine extends TypeError {}
      const seen = roundTrip(new Mine('m'));
      assert.ok(seen instanceof TypeError);
      assert.deepEqual([seen.name, Object.hasOwn(seen, 'name'), String(seen)], ['TypeError', false, 'TypeError: m']);
      assert.equal(seen.constructor.name, 'Mine');
      assert.equal(Object.getPrototypeOf(roundTrip(new Mine('n'))), Object.getPrototypeOf(seen));
      assert.equal(Object.getPrototypeOf(seen.constructor), TypeError);
    });

    it('becomes one of the nearest class that the receiver knows, and of no other of the same name', () => {
      const seen = ['one', 'two'].map((message) => {
        class Failure extends Error {}
        class Mine extends Failure {}
        const found = roundTrip(new Mine(message), { errorClass: (name) => (name === 'Failure' ? Failure : undefined) });
        return [found instanceof Failure, found.constructor.name, found.message];
      });
      assert.deepEqual(seen, [
        [true, 'Mine', 'one'],
        [true, 'Mine', 'two'],
      ]);
    });

    it('has the name that it had, also where a getter of the class that the receiver knows cannot do with what stands for its own', () => {
      class Failure extends Error {
        get name() {
          return `${this.constructor.kind.toUpperCase()}Failure`;
        }
      }
      class Mine extends Failure {
        static kind = 'my';
      }
      const seen = roundTrip(new Mine('m'), { errorClass: (name) => (name === 'Failure' ? Failure : undefined) });
      assert.ok(seen instanceof Failure);
      assert.deepEqual([seen.name, seen.message, seen.constructor.name], ['MYFailure', 'm', 'Mine']);
    });

    it('keeps the name that a class gives to all of its errors', () => {
      class Mine extends Error {}
      Mine.prototype.name = 'Given';
      assert.equal(roundTrip(new Mine('m')).name, 'Given');
    });

    it('stays an IgnisError', () => {
      const seen = roundTrip(new IgnisError('IGNIS_CLOSED', 'now', { ran: 'no' }));
      assert.ok(seen instanceof IgnisError);
      assert.equal(seen.code, 'IGNIS_CLOSED');
      assert.equal(seen.ran, 'no');
    });

    it('stays a DOMException', () => {
      const error = AbortSignal.abort().reason;
      const seen = roundTrip(error);
      assert.ok(seen instanceof DOMException);
      assert.deepStrictEqual([seen.name, seen.message, seen.code], [error.name, error.message, error.code]);
    });

    it('of a class below DOMException is one still, of that class where the receiver has it, and below it one of its name where not', () => {
      class Late extends DOMException {
        constructor(message) {
          super(message, 'TimeoutError');
          this.after = 5;
        }
        get words() {
          return `late: ${this.message}`;
        }
      }
      const [own, other] = [
        roundTrip(new Late('m'), { errorClass: (name) => (name === 'Late' ? Late : undefined) }),
        roundTrip(new Late('m')),
      ];
      assert.ok(own instanceof Late && other instanceof DOMException);
      for (const seen of [own, other])
        assert.deepEqual([seen.constructor.name, seen.name, seen.message, seen.code, seen.after], ['Late', 'TimeoutError', 'm', 23, 5]);
      assert.deepEqual([own.words, Object.keys(own)], ['late: m', ['after']]);
    });

    it('of a class below DOMException is one of that class where only another file of the receiver exports it', () => {
      const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-web-errors-')));
      const file = path.join(folder, 'errors.js');
      fs.writeFileSync(file, 'exports.Placed = class Placed extends DOMException {};');
      try {
        const { Placed } = require(file);
        const seen = roundTrip(new Placed('m', 'DataError'));
        assert.ok(seen instanceof Placed);
        assert.deepEqual([seen.name, seen.message], ['DataError', 'm']);
      } finally {
        delete require.cache[file];
        fs.rmSync(folder, { recursive: true });
      }
    });

    it('says which quota was exceeded, where Node has a class for that', function () {
      const { QuotaExceededError } = globalThis;
      if (QuotaExceededError === undefined) this.skip();
      for (const limits of [{ quota: 1, requested: 4 }, { quota: 1 }, {}]) {
        const error = new QuotaExceededError('m', limits);
        const seen = roundTrip(error);
        assert.ok(seen instanceof QuotaExceededError);
        for (const key of ['message', 'name', 'code', 'quota', 'requested', 'stack']) assert.equal(seen[key], error[key]);
      }
      assert.ok(!(roundTrip(new DOMException('m', 'QuotaExceededError')) instanceof QuotaExceededError));
    });

    it('may be of the kind that is made without Error itself', () => {
      function Old(message) {
        this.message = message;
        this.extra = [1];
      }
      Object.setPrototypeOf(Old.prototype, Error.prototype);
      const seen = roundTrip(new Old('old'));
      assert.ok(seen instanceof Error);
      assert.deepStrictEqual([seen.message, seen.name, seen.constructor.name, seen.extra], ['old', 'Error', 'Old', [1]]);
    });

    it('has no stack where it had none', () => {
      const error = new Error('stack');
      delete error.stack;
      assert.deepStrictEqual(Reflect.ownKeys(roundTrip(error)), ['message']);
      assert.equal(roundTrip(Object.create(TypeError.prototype)).stack, undefined);
    });

    it('may be its own cause', () => {
      const error = new Error('circle');
      error.cause = error;
      const seen = roundTrip(error);
      assert.equal(seen.cause, seen);
    });
  });
}

describe('marshal', () => {
  class Socket {}

  /** What cannot be sent, where it stands in the arguments, and how the error names its place. */
  const REFUSED = [
    [[0, { socket: new Socket() }], 'args[1].socket', /an instance of Socket/],
    [[new (class extends Map {})()], 'args[0]', /a subclass of Map/],
    [[new (class extends Set {})()], 'args[0]', /a subclass of Set/],
    [[new (class extends Array {})()], 'args[0]', /a subclass of Array/],
    [[new (class extends Date {})()], 'args[0]', /a subclass of Date/],
    [[new (class extends Uint8Array {})()], 'args[0]', /a subclass of Uint8Array/],
    [[new (class extends URL {})('a:b')], 'args[0]', /a subclass of URL/],
    [[{ list: [[Promise.resolve()]] }], 'args[0].list[0][0]', /a promise/],
    [[new WeakMap()], 'args[0]', /WeakMap/],
    [[new SharedArrayBuffer(8)], 'args[0]', /SharedArrayBuffer/],
    [[{ flags: new Int32Array(new SharedArrayBuffer(8)) }], 'args[0].flags', /a view of a SharedArrayBuffer/],
    [[Buffer.from(new SharedArrayBuffer(8))], 'args[0]', /a view of a SharedArrayBuffer/],
    [[[1, new EventEmitter()]], 'args[0][1]', /EventEmitter/],
    [[{ a: new Map([['key', new Socket()]]) }], 'args[0].a[1]', /Socket/],
    [[Math], 'args[0]', /an instance of Object/],
    [[(function* () {})()], 'args[0]', /./],
    [[Object.create({ inherited: 1 })], 'args[0]', /./],
    [[{ call() {} }], 'args[0].call', /a function/],
  ];

  it('keeps the texts of a template as they were written, where they are not shown', () => {
    const strings = ((/** @type {any} */ given) => given)`a\n${1}b`;
    const long = new Function('tag', `return tag\`${'\\n${1}'.repeat(200)}\``)((/** @type {any} */ given) => given);
    for (const way of NAMED_WAYS) {
      const copy = WAYS[way](strings);
      assert.deepEqual(
        [[...copy], copy.raw, Object.keys(copy)],
        [
          ['a\n', 'b'],
          ['a\\n', 'b'],
          ['0', '1'],
        ],
      );
      assert.deepEqual(WAYS[way](long).raw, long.raw);
    }
  });

  it('keeps what an error without a prototype says', () => {
    const lost = Object.setPrototypeOf(new TypeError('lost words'), null);
    for (const way of NAMED_WAYS) {
      const copy = WAYS[way](lost);
      assert.equal(copy.message, 'lost words');
      assert.ok(copy instanceof Error);
    }
  });

  it('keeps raw JSON, which the other version of Node does not have', function () {
    const node = [null, [0, [[], 'raw-json', '1']]];
    if (!('rawJSON' in JSON)) {
      const message = /raw.* came from another version of Node/i;
      return assert.throws(() => unmarshal(node[0], node[1], {}), { code: 'IGNIS_UNMARSHALABLE', message });
    }
    for (const way of NAMED_WAYS) {
      const { list } = WAYS[way]({ list: [JSON.rawJSON('12345678901234567890'), JSON.rawJSON('"\\ud800"')] });
      assert.equal(JSON.stringify(list), '[12345678901234567890,"\\ud800"]');
    }
  });

  it('keeps values of the engine, such as locales', () => {
    for (const way of NAMED_WAYS) {
      const { list } = WAYS[way]({ list: [new Intl.Locale('de-u-co-phonebk'), '-', 1] });
      assert.equal(new Intl.NumberFormat(list[0]).format(1.5), '1,5');
      assert.deepEqual([list[0].toString(), ...list.slice(1)], ['de-u-co-phonebk', '-', 1]);
    }
  });

  it('refuses what has lost its prototype, and would arrive as a bare object', () => {
    const iterators = [new Map().keys(), new Set().keys(), (function* () {})()];
    const weak = [new WeakMap(), new WeakSet()];
    const values = [new Map(), new Set(), new Date(), /a/, Promise.resolve(), Object(1), new ArrayBuffer(1), new Uint8Array(1)];
    for (const value of [...values, ...iterators, ...weak]) {
      const bare = Object.setPrototypeOf(value, null);
      assert.throws(() => marshal([bare], null, 'args'), { code: 'IGNIS_UNMARSHALABLE', path: 'args[0]' });
    }
  });

  it('refuses the namespace of an ES module, whose names follow its variables', async () => {
    const namespace = await import('data:text/javascript,export const a = 1');
    assert.throws(() => marshal({ namespace }, null, 'result'), { path: 'result.namespace', message: /is a module namespace/ });
    const written = Object.freeze({ __proto__: null, a: 1, [Symbol.toStringTag]: 'Module' });
    for (const way of NAMED_WAYS) assert.deepEqual(WAYS[way](written), written);
  });

  it('refuses arguments whose length a replica may change, or that are gone, and takes results as long as they are', () => {
    const resizable = new ArrayBuffer(4, /** @type {any} */ ({ maxByteLength: 8 }));
    const detached = new ArrayBuffer(4);
    structuredClone(detached, { transfer: [detached] });
    for (const [value, what] of /** @type {[any, RegExp][]} */ ([
      [resizable, /a resizable ArrayBuffer/],
      [new Uint8Array(resizable), /a resizable ArrayBuffer/],
      [detached, /a detached ArrayBuffer/],
    ]))
      assert.throws(() => marshal([value], null, 'args'), { code: 'IGNIS_UNMARSHALABLE', path: 'args[0]', message: what });
    assert.throws(() => marshal({ in: detached }, null, 'result'), { code: 'IGNIS_UNMARSHALABLE', path: 'result.in' });
    assert.equal(WAYS[NAMED_WAYS[0]](resizable).byteLength, 4);
  });

  it('refuses what cannot be sent, with its place', () => {
    for (const [args, where, what] of REFUSED) {
      assert.throws(
        () => marshal(args, null, 'args'),
        (error) => {
          assert.equal(error.code, 'IGNIS_UNMARSHALABLE');
          assert.equal(error.path, where);
          assert.match(error.message, what);
          assert.ok(error.message.includes(where));
          return true;
        },
      );
    }
  });

  it('names the place of what it refuses, however deep', () => {
    let deep = { bad: Promise.resolve() };
    for (let i = 0; i < 60; i++) deep = { a: [deep] };
    assert.throws(() => marshal([deep], null, 'args'), { code: 'IGNIS_UNMARSHALABLE', path: `args[0]${'.a[0]'.repeat(60)}.bad` });
    for (let i = 0; i < 100000; i++) deep = { next: deep };
    assert.throws(
      () => marshal([deep], null, 'args'),
      (error) => {
        assert.match(error.path, /^args\[0\](\.next){63}\.\.\.\(\d+ more\)\.\.\..*\.a\[0\]\.bad$/);
        return error.code === 'IGNIS_UNMARSHALABLE';
      },
    );
  });

  it('takes a million nodes, one below the other or side by side', function () {
    this.timeout(180_000);
    // Compared by hand: sameGraph keeps four records of each node, which takes longer than all that is tested here.
    const only = (/** @type {object} */ object, /** @type {string} */ name) => Object.keys(object).join() === name;
    let deep = { last: undefined };
    for (let i = 1; i < 1e6; i++) deep = { next: deep };
    const chain = new Set();
    let at = WAYS.msgpackr(deep);
    for (; at.next !== undefined && only(at, 'next'); at = at.next) chain.add(at);
    assert.deepStrictEqual([chain.size, at], [1e6 - 1, { last: undefined }]);

    let wide = /** @type {any} */ ({ list: Array.from({ length: 1e6 }, (_, i) => ({ i })) });
    for (let i = 0; i < 30; i++) wide = [wide];
    let there = WAYS.msgpackr(wide);
    for (let i = 0; i < 30; i++) {
      assert.ok(Array.isArray(there) && there.length === 1);
      [there] = there;
    }
    assert.ok(only(there, 'list') && there.list.every((item, i) => only(item, 'i') && item.i === i));
    assert.equal(new Set(there.list).size, 1e6);

    const { map, ...others } = WAYS.msgpackr({ map: new Map(Array.from({ length: 3e5 }, (_, i) => [i, [i]])) });
    assert.deepStrictEqual([map.size, new Set(map.values()).size, others], [3e5, 3e5, {}]);
    let next = 0;
    for (const [key, value] of map) assert.ok(key === next && Array.isArray(value) && value.length === 1 && value[0] === next++);
  });

  it('gives long texts of other scripts as bytes that are read at once, a byte a character where that is enough, and leaves others as they are', () => {
    for (const [text, bytes] of /** @type {[string, number][]} */ ([
      ['漢字'.repeat(600), 2400],
      ['grüße'.repeat(400), 2000],
    ])) {
      const { value, special } = marshal([text], null, 'args');
      assert.equal(value[0].length, bytes);
      assert.equal(special?.length, 2);
    }
    for (const text of ['漢字'.repeat(300), 'x'.repeat(5000), 'Füße sind selten in solchem Text, der lang genug ist. '.repeat(50)])
      assert.deepEqual(marshal([text], null, 'args').value, [text]);
  });

  it('gives a text with half of a pair as bytes that weigh as much as what is not cloned: a clone takes all of the pool along in which Node has them', () => {
    const { value, weight } = marshal(['cut in an emoji: \ud83d'], null, 'args');
    assert.ok(value[0].buffer.byteLength > CLONE_BYTES, 'it lies in the pool');
    assert.ok(weight >= CLONE_BYTES, String(weight));
  });

  it('needs no specials for plain data', () => {
    const { special, attachments, value } = marshal([1, 'a', { b: [null, true] }], null, 'args');
    assert.deepStrictEqual({ special, attachments, value }, { special: null, attachments: null, value: [1, 'a', { b: [null, true] }] });
  });

  it('copies at once: what is done to the value afterwards has no effect', () => {
    const value = {
      list: [1],
      map: new Map([[1, { a: 1 }]]),
      bytes: Buffer.alloc(10),
      large: Buffer.alloc(5000),
      view: new Float64Array(2),
      at: new Date(1),
      deep: { er: 'x' },
      error: new Error('first'),
    };
    for (const way of NAMED_WAYS) {
      const expected = WAYS[way](value);
      const open = WAYS[way].later(value);
      value.list.push(2);
      value.map.get(1).a = 2;
      value.map.set(2, 2);
      value.bytes.fill(1);
      value.large.fill(1);
      value.view.fill(1);
      value.at.setTime(9);
      delete value.deep.er;
      value.error.message = 'second';
      assert.deepStrictEqual(open(), expected);
      Object.assign(value, {
        list: [1],
        map: new Map([[1, { a: 1 }]]),
        bytes: Buffer.alloc(10),
        large: Buffer.alloc(5000),
        view: new Float64Array(2),
        at: new Date(1),
        deep: { er: 'x' },
      });
      value.error.message = 'first';
    }
  });

  it('gives each large byte array memory of its own, and only its part of a larger one', () => {
    const whole = Buffer.alloc(100000);
    const { attachments } = marshal([whole.subarray(10, 10 + ATTACHMENT_BYTES)], null, 'args');
    assert.equal(attachments?.length, 1);
    assert.equal(attachments?.[0].buffer.byteLength, ATTACHMENT_BYTES);
  });

  it('estimates a weight that grows with the value', () => {
    const weights = ['', 'x'.repeat(1000), Array(1000).fill(1), Array(10000).fill('abc'), Array(10000).fill(undefined)].map(
      (value) => marshal(value, null, 'x').weight,
    );
    assert.deepStrictEqual(
      weights,
      [...weights].sort((a, b) => a - b),
    );
    assert.ok(weights[1] >= 1000 && weights[4] > 200000);
  });

  it('asks for each function how it is lent', () => {
    const one = () => {};
    const { special } = marshal([one, { one }], (fn) => [7, true, fn.length, fn.name], 'args');
    assert.deepStrictEqual(special, [0, [[0], 'function', 7, true, 0, 'one'], [[1, 'one'], 'function', 7, true, 0, 'one']]);
  });
});
