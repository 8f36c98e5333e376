'use strict';

const assert = require('node:assert/strict');
const { KIND, VERSION, checkAnswer, checkControl } = require('../../lib/host/control-frames');

const HASH = 'a'.repeat(64);
const SESSION = 'b'.repeat(32);
const long = (/** @type {number} */ length) => 'x'.repeat(length);

const IDS = [-1, 0.5, 2 ** 31, NaN, '1', null, undefined];
const HASHES = [HASH.slice(1), `${HASH}a`, HASH.toUpperCase(), `../${HASH.slice(3)}`, [HASH], null];
const texts = (/** @type {number} */ most) => [long(most + 1), 7, null, undefined, ['x']];
const LISTS = [{}, 'x', null, { length: 1, 0: 1 }];
const RECORDS = [null, [], 'x', undefined];
const MARK = { machine: 'm', pid: 7, since: '8' };

/** Of each name what is right, and of each of its fields what else is, and what is not. */
const ASKS = {
  hello: {
    right: { version: VERSION, session: Buffer.alloc(16), node: 'v20.20.2', mark: MARK },
    also: { mark: [null, undefined], node: [long(64)] },
    wrong: {
      version: IDS,
      session: [Buffer.alloc(15), Buffer.alloc(17), long(16), Array(16).fill(0), null],
      node: texts(64),
      mark: [7, 'x', [], {}, ...['machine', 'pid', 'since'].map((name) => ({ ...MARK, [name]: [] })), { ...MARK, machine: long(129) }],
    },
  },
  dead: {
    right: { sessions: [SESSION] },
    also: { sessions: [[], Array(64).fill(SESSION)] },
    wrong: { sessions: [...LISTS, Array(65).fill(SESSION), [SESSION.slice(1)], [`${SESSION}b`], [SESSION.toUpperCase()], [[SESSION]]] },
  },
  echo: { right: {}, also: {}, wrong: {} },
  offer: {
    right: { text: '{}', signature: Buffer.alloc(64) },
    also: { signature: [Buffer.alloc(1024)] },
    wrong: { text: texts(16 * 1024 * 1024), signature: [Buffer.alloc(1025), 'x', null, { byteLength: 1 }] },
  },
  chunk: {
    right: { digest: HASH, hash: HASH, offset: 0 },
    also: { offset: [2 ** 40] },
    wrong: { digest: HASHES, hash: HASHES, offset: [-1, 0.5, 2 ** 53, '0', null] },
  },
  start: {
    right: { env: 'production', conditions: ['development', '@scope/own-1'] },
    also: { env: [null, ''], conditions: [null, undefined, []] },
    wrong: {
      env: [long(65), 7, undefined],
      // They become arguments of Node there.
      conditions: [{}, 'x', { length: 1, 0: 'a' }, [7], [''], ['a b'], ['a\n--require=/x'], ['a,b'], [['a']], Array(1000).fill('a')],
    },
  },
  grant: { right: { replica: 3, digest: HASH }, also: {}, wrong: { replica: IDS, digest: HASHES } },
};

const END = { code: null, signal: 'SIGKILL', written: '' };
const TELLS = {
  ping: { right: {}, also: {}, wrong: {} },
  kill: { right: { replica: 3 }, also: {}, wrong: { replica: IDS } },
  bye: { right: {}, also: {}, wrong: {} },
  exited: {
    right: { replica: 3, why: 'it ended', end: END },
    also: { end: [null, undefined, { ...END, code: 1, signal: null }] },
    wrong: {
      replica: IDS,
      why: texts(4096),
      end: [
        'x',
        [],
        { ...END, code: '1' },
        { ...END, code: 0.5 },
        { ...END, signal: 9 },
        { ...END, signal: long(33) },
        { ...END, written: null },
        { ...END, written: long(16385) },
      ],
    },
  },
  output: {
    right: { replica: 3, fd: 1, text: 'x' },
    also: { fd: [2] },
    wrong: { replica: IDS, fd: [0, 3, '1', null], text: texts(1024 * 1024) },
  },
  facts: { right: { facts: {} }, also: {}, wrong: { facts: RECORDS } },
  draining: { right: {}, also: {}, wrong: {} },
};

const OTHER = { session: SESSION, pid: 7, since: '8' };
const ANSWERS = {
  hello: {
    right: { version: VERSION, replicas: [1, 2], facts: {}, others: [OTHER] },
    also: { others: [null, undefined, []], replicas: [[]] },
    wrong: {
      replicas: [...LISTS, [-1], ['1']],
      facts: RECORDS,
      others: ['x', {}, [null], ...['session', 'pid', 'since'].map((name) => [{ ...OTHER, [name]: [] }])],
    },
  },
  dead: { right: { facts: {} }, also: {}, wrong: { facts: RECORDS } },
  echo: { right: {}, also: {}, wrong: {} },
  offer: {
    right: { missing: [{ hash: HASH, have: 0 }] },
    also: { missing: [[]] },
    wrong: { missing: [...LISTS, [null], [{ hash: HASH }], [{ hash: HASH, have: -1 }], [{ hash: 'x', have: 0 }]] },
  },
  chunk: { right: { have: 7 }, also: {}, wrong: { have: [-1, 0.5, '7', null] } },
  start: {
    right: { replica: 3, pid: 9, cert: 'PEM', ticket: Buffer.alloc(16) },
    also: {},
    wrong: { replica: IDS, pid: IDS, cert: texts(16384), ticket: [Buffer.alloc(15), Buffer.alloc(17), long(16), null] },
  },
  grant: { right: { root: '/store', proof: HASH }, also: {}, wrong: { root: texts(4096), proof: texts(128) } },
};

const ways = {
  'a home asks': [ASKS, (name, body) => checkControl([KIND.ASK, 1, name, body, [-1]])],
  'either tells': [TELLS, (name, body) => checkControl([KIND.TELL, name, body, [-1]])],
  'a daemon answers': [ANSWERS, checkAnswer],
};

describe('host/control-frames', () => {
  for (const [what, [table, check]] of Object.entries(ways)) {
    it(`lets pass what ${what}, and refuses each of its fields in another shape`, () => {
      for (const [name, { right, also, wrong }] of Object.entries(table)) {
        check(name, right);
        for (const [field, values] of Object.entries(also)) for (const value of values) check(name, { ...right, [field]: value });
        for (const [field, values] of Object.entries(wrong))
          for (const value of values)
            assert.throws(
              () => check(name, { ...right, [field]: value }),
              { code: 'IGNIS_BAD_FRAME', message: new RegExp(`'${field}' of .*'${name}' has a wrong shape`) },
              `${name} ${field} ${String(value).slice(0, 40)}`,
            );
      }
      for (const name of ['eval', '', 'constructor', '__proto__'])
        assert.throws(() => check(name, {}), { code: 'IGNIS_BAD_FRAME', message: /nothing is called/ });
    });
  }

  it('has names of one side only: a daemon asks nothing, and who tells does not ask', () => {
    assert.throws(() => checkControl([KIND.ASK, 1, 'ping', {}, [-1]]), { code: 'IGNIS_BAD_FRAME' });
    assert.throws(() => checkControl([KIND.TELL, 'start', ASKS.start.right, [-1]]), { code: 'IGNIS_BAD_FRAME' });
  });

  it('asks nothing of what another version says in its hello', () => {
    checkAnswer('hello', { version: VERSION + 1 });
    for (const version of ['9', -1, undefined]) assert.throws(() => checkAnswer('hello', { version }), { code: 'IGNIS_BAD_FRAME' });
    assert.throws(() => checkAnswer('chunk', { version: VERSION + 1 }), { code: 'IGNIS_BAD_FRAME' });
  });

  it('refuses frames of no kind, and of each kind those with a field too many, too few, or of another shape', () => {
    const frames = {
      ASK: [KIND.ASK, 1, 'echo', {}, [-1]],
      ANSWER: [KIND.ANSWER, 1, {}, [0]],
      FAIL: [KIND.FAIL, 1, 'IGNIS_X', 'why', [-1]],
      TELL: [KIND.TELL, 'ping', {}, [-1]],
    };
    assert.deepEqual(Object.keys(frames), Object.keys(KIND));
    const bad = (/** @type {any} */ frame) => assert.throws(() => checkControl(frame), { code: 'IGNIS_BAD_FRAME' });
    for (const frame of Object.values(frames)) {
      assert.equal(checkControl(frame), frame);
      bad(frame.slice(0, -1));
      bad([...frame, null]);
      for (let i = 1; i < frame.length; i++) for (const odd of [null, -1, 0.5, long(8193), [], [0, 0], ['0']]) bad(frame.with(i, odd));
    }
    for (const frame of [null, undefined, 'x', {}, [], [0], [9, 1, {}, [-1]], ['1', 1, 'echo', {}, [-1]], [[1], 1, 'echo', {}, [-1]]])
      bad(frame);
  });
});
