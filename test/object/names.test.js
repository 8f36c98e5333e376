'use strict';

// What a program has put on the engine's objects before anything crosses: in a process of its own, since names are given once.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const { promisify } = require('node:util');

const CONTRACT = path.join(__dirname, '..', 'contract', 'places');
const FIXTURE = path.join(__dirname, '..', 'fixtures', 'contract', 'intrinsics.js');
const PROGRAM = `
Error.Own = class Own extends Error {};
Object.defineProperty(Array.prototype, 'own', { value: function own() {}, configurable: true });
require('node:events').Own = { Inner: class Inner {} };
const { EventEmitter } = require('node:events');
const { open } = require(${JSON.stringify(CONTRACT)});
const place = open(process.argv[1]);
try {
  const m = place.require(${JSON.stringify(FIXTURE)});
  const error = new Error.Own('mine');
  console.log(JSON.stringify([
    m.isA('Error', error),
    m.isConstructedBy(error, Error.Own),
    m.prototypeOf(error) === Error.Own.prototype,
    m.construct(Error.Own, 'made') instanceof Error.Own,
    m.typeName([].own),
    m.construct(EventEmitter.Own.Inner) instanceof EventEmitter.Own.Inner,
    m.getClass('Map') === Map && m.isClass('Readable', require('node:stream').Readable),
    m.typeName(require('node:http').Agent) + typeof m.construct(Headers).get,
    ...['MessageEvent', 'CryptoKey'].map((name) => m.globalOf(name) === globalThis[name] && m.isGlobal(name, globalThis[name])),
  ]));
} finally {
  place.close();
}
`;

describe('what a program has put on objects of the engine and of Node', function () {
  this.timeout(60_000);

  for (const where of ['thread', 'process']) {
    it(`is its own to a module in a ${where}, and what both have is known by name`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', PROGRAM, where]);
      assert.deepEqual(JSON.parse(stdout), [true, true, true, true, 'function', true, true, 'functionfunction', true, true]);
    });
  }
});

const INDEX = path.join(__dirname, '..', '..', 'lib', 'index.js');

describe('a class of a module of Node', function () {
  this.timeout(60_000);

  // What each of these gives is an instance of it.
  const MADE = /** @type {[string, string][]} */ ([
    ['vm.Script', "new (require('node:vm').Script)('1')"],
    ['v8.Serializer', "new (require('node:v8').Serializer)()"],
    ['dns.Resolver', "new (require('node:dns').Resolver)()"],
    ['dns/promises.Resolver', "new (require('node:dns/promises').Resolver)()"],
    ['readline/promises.Readline', "new (require('node:readline/promises').Readline)(new (require('node:stream').PassThrough)())"],
    ['net.BlockList', "new (require('node:net').BlockList)()"],
    ['net.SocketAddress', "new (require('node:net').SocketAddress)()"],
    ['util.MIMEType', "new (require('node:util').MIMEType)('text/plain')"],
    ...(isBuiltin('node:sqlite') ? [['sqlite.DatabaseSync', "new (require('node:sqlite').DatabaseSync)(':memory:')"]] : []),
    ['async_hooks.AsyncLocalStorage', "new (require('node:async_hooks').AsyncLocalStorage)()"],
    ['events.EventEmitterAsyncResource', "new (require('node:events').EventEmitterAsyncResource)({ name: 'made' })"],
    ['fs.ReadStream', "Object.create(require('node:fs').ReadStream.prototype)"],
    ['fs.WriteStream', "Object.create(require('node:fs').WriteStream.prototype)"],
    ['fs.Dir', "Object.create(require('node:fs').Dir.prototype)"],
    ['tty.ReadStream', "Object.create(require('node:tty').ReadStream.prototype)"],
  ]);

  // What nothing has for its value: each is the prototype of what the engine makes; and what Node makes when it is looked at.
  const PROTOTYPES = [
    "Object.getPrototypeOf(''.matchAll(/a/g))",
    "require('node:fs').promises",
    'Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype)',
    ...('Iterator' in globalThis
      ? ['Object.getPrototypeOf(Iterator.from({ next() {} }))', 'Object.getPrototypeOf([].values().drop(0))']
      : []),
  ];

  for (const where of ['thread', 'process']) {
    it(`is the same to home and to a module in a ${where}, whichever has loaded it first`, async () => {
      const program = `
const { open } = require(${JSON.stringify(CONTRACT)});
const place = open(${JSON.stringify(where)});
try {
  const m = place.require(${JSON.stringify(path.join(__dirname, '..', 'fixtures', 'modules', 'evaluate.js'))});
  const answers = ${JSON.stringify(MADE)}.map(([name, text]) => {
    const made = m.evaluate(text);
    const [id, Class] = name.split('.');
    return made instanceof require('node:' + id)[Class] && made.constructor === require('node:' + id)[Class];
  });
  const prototypes = ${JSON.stringify(PROTOTYPES)}.map((text) => m.evaluate(text) === eval(text));
  console.log(JSON.stringify([...answers, ...prototypes]));
} finally {
  place.close();
}
`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '-e', program]);
      assert.deepEqual(
        JSON.parse(stdout),
        [...MADE, ...PROTOTYPES].map(() => true),
      );
    });
  }
});

/** Since Node 22 to look at Node's own classes, before the program does, would be to load them. */
const REPLACED =
  Number(process.versions.node.split('.', 1)[0]) < 22
    ? ['AbortController', 'Blob', 'CryptoKey', 'DOMException', 'Event', 'Headers', 'Map', 'URL']
    : ['Map', 'RegExp'];
const LATE_PROGRAM = `
const ignis = require(${JSON.stringify(INDEX)});
ignis.start({ quiet: true });
const load = ignis();
const names = ${JSON.stringify(REPLACED)};
const own = names.map((name) => (globalThis[name] = { [name]: class {} }[name]));
const m = load(${JSON.stringify(FIXTURE)}, { call: 'block', where: process.argv[1] });
console.log(JSON.stringify(names.filter((name, i) =>
  globalThis[name] !== own[i] || m.isGlobal(name, own[i]) || !(m.construct(own[i], 1) instanceof own[i]) || m.globalOf(name) === own[i])));
ignis.close();
`;

const CLOCK_PROGRAM = `
const ignis = require(${JSON.stringify(INDEX)});
ignis.start({ quiet: true });
Date.now = () => 5;
if (process.argv[2] === 'class') globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length === 0 ? [0] : given)); }
};
const m = ignis()(${JSON.stringify(path.join(path.dirname(FIXTURE), 'surroundings.js'))}, { call: 'block', where: process.argv[1] });
console.log(JSON.stringify([m.now(), m.year() === new Date().getFullYear()]));
ignis.close();
`;

describe('what a program has put in the place of globals before its first module lives in a replica', function () {
  this.timeout(60_000);

  for (const where of ['thread', 'process']) {
    it(`is its own to a module in a ${where}`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', LATE_PROGRAM, where]);
      assert.deepEqual(JSON.parse(stdout), []);
    });

    for (const what of ['function', 'class'])
      it(`is there for a module in a ${where} where it is a clock, a ${what} of the program`, async () => {
        const { stdout } = await promisify(execFile)(process.execPath, ['-e', CLOCK_PROGRAM, where, what]);
        assert.deepEqual(JSON.parse(stdout), [5, true]);
      });
  }
});
