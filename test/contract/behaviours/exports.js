'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');

exports.title = 'exports';
exports.fixture = 'exports.js';
exports.alsoUses = ['offer.js'];

exports.behaviours = {
  'values of every kind are read'(m) {
    assert.equal(m.text, 'text');
    assert.equal(m.nothing, undefined);
    assert.equal(m.nil, null);
    assert.ok(Object.is(m.zero, -0));
    assert.deepEqual(m.list, [1, 2]);
    assert.equal(m.nested.deep.deeper(), 'deepest');
    assert.equal(m.default, m.nested);
  },
  'a name that is not there is undefined'(m) {
    assert.equal(m.missing, undefined);
    assert.equal('missing' in m, false);
    assert.ok('nothing' in m);
    assert.equal(m.toString, Object.prototype.toString);
    assert.equal(m.then, undefined);
  },
  'the names of all exports, in order'(m) {
    assert.deepEqual(Object.keys(m), m.keys());
    assert.deepEqual(Object.keys(m).slice(0, 4), ['text', 'nothing', 'nil', 'zero']);
    assert.equal(Object.keys(m).includes('hidden'), false);
    assert.ok(Object.getOwnPropertyNames(m).includes('hidden'));
    assert.equal(Object.prototype.toString.call(m), '[object Exports]');
  },
  'destructuring and spread'(m) {
    const { text, list, missing = 'default', ...others } = m;
    assert.deepEqual([text, list, missing], ['text', [1, 2], 'default']);
    assert.equal(others.nested, m.nested);
    assert.equal('text' in others, false);
  },
  'a getter runs at each reading'(m) {
    const first = m.counted;
    assert.equal(m.counted, first + 1);
    assert.equal(m.read('counted'), first + 2);
  },
  'a getter does not run when it is only looked at'(m) {
    const first = m.counted;
    assert.equal(typeof Object.getOwnPropertyDescriptor(m, 'counted').get, 'function');
    assert.ok('counted' in m && Object.keys(m).includes('counted'));
    assert.equal(m.counted, first + 1);
  },
  'a getter that throws'(m) {
    assert.throws(() => m.broken, { name: 'RangeError', message: 'cannot be read' });
  },
  'a setter runs in the module'(m) {
    m.level = 7;
    assert.equal(m.level, 7);
    assert.equal(m.readLevel(), 7);
    assert.throws(() => (m.level = 'high'), { name: 'TypeError', message: 'level must be a number' });
    m.level = 1;
  },
  'an export that is written is read by the module'(m) {
    const mine = { mine: true };
    m.text = mine;
    assert.equal(m.text, mine);
    assert.equal(m.read('text'), mine);
    m.text = 'text';
    assert.equal(m.read('text'), 'text');
  },
  'an export that is added and deleted'(m) {
    m.added = () => 'added';
    assert.equal(m.read('added')(), 'added');
    assert.ok(m.has('added'));
    assert.ok(m.keys().includes('added'));
    assert.equal(delete m.added, true);
    assert.equal(m.has('added'), false);
    assert.equal(m.added, undefined);
  },
  'an export that cannot be written'(m) {
    assert.throws(() => (m.hidden = 1), TypeError);
    assert.throws(() => delete m.hidden, TypeError);
    assert.equal(m.hidden, 'hidden');
  },
  'an export that is defined'(m) {
    Object.defineProperty(m, 'defined', { value: 5, configurable: true });
    assert.equal(m.read('defined'), 5);
    assert.equal(m.keys().includes('defined'), false);
    assert.equal(delete m.defined, true);
  },
  'a list that is exported is changed in place'(m) {
    m.list.push(3);
    assert.deepEqual(m.read('list'), [1, 2, 3]);
    m.list.pop();
    assert.deepEqual([...m.read('list')], [1, 2]);
  },
  'the module knows where its file is'(m) {
    const [file, folder, isMain, idType] = m.where();
    assert.equal(path.basename(file), 'exports.js');
    assert.equal(folder, path.dirname(file));
    assert.deepEqual([isMain, idType], [false, 'string']);
    assert.equal(m.resolve('./offer'), path.join(folder, 'offer.js'));
  },
  'what the module loads later'(m) {
    assert.equal(typeof m.lazy().offer, 'function');
    assert.equal(m.lazy(), m.lazy());
    assert.equal(m.load('node:path'), path);
    assert.throws(() => m.load('./not-there'), { code: 'MODULE_NOT_FOUND' });
  },
  'a file that is not there cannot be loaded'(m, t) {
    assert.throws(
      () => t.load('not-there.js'),
      (error) => error instanceof Error && error.code === 'MODULE_NOT_FOUND',
    );
  },
  'the program that the module is in'(m) {
    assert.equal(m.environment('PATH'), process.env.PATH);
    assert.equal(m.cwd(), process.cwd());
    assert.deepEqual(m.argv(), process.argv);
    assert.equal(m.versions(), process.versions.node);
  },
  'a variable of the environment that is set after the load'(m) {
    process.env.IGNIS_CONTRACT_TEST = 'set after the load';
    assert.equal(m.environment('IGNIS_CONTRACT_TEST'), 'set after the load');
    delete process.env.IGNIS_CONTRACT_TEST;
    assert.equal(m.environment('IGNIS_CONTRACT_TEST'), undefined);
  },
  'globals that either side sets'(m) {
    m.setGlobal('contractGlobal', { a: 1 });
    assert.deepEqual(globalThis.contractGlobal, { a: 1 });
    globalThis.contractGlobal = 'home';
    assert.equal(m.getGlobal('contractGlobal'), 'home');
    delete globalThis.contractGlobal;
  },
  'this in a function that is called bare'(m) {
    const { strict } = m;
    assert.equal(strict(), true);
    assert.equal(m.strict(), false);
  },
};
