'use strict';

const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { IgnisError } = require('../../lib/errors.js');
const { talk } = require('../../lib/view/dash-talk.js');

/** A page that is open, and what it was sent. */
function page(source = {}) {
  const sent = [];
  let isWatched = true;
  let tell;
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (text) => sent.push(JSON.parse(text)),
    close: (code) => sent.push({ closed: code }),
    terminate: () => sent.push({ closed: null }),
  });
  talk(socket, {
    watch: (everyMs, listener) => {
      tell = (more) => listener({ decisions: [], boundaries: [], ...more });
      return () => (isWatched = false);
    },
    ...source,
  });
  return {
    socket,
    sent,
    tell,
    isWatched: () => isWatched,
    ask: (question) => socket.emit('message', Buffer.from(JSON.stringify(question))),
  };
}

const boundary = (id, share, functions = {}) => ({ id, share, kinds: { parse: 'sync' }, functions });
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what a page is told', () => {
  it('has of each boundary the functions that took most time, and of all boundaries the first, with what is so of all', () => {
    const { sent, tell } = page();
    const functions = { often: { kind: 'sync', calls: 9, exclusiveMs: 0 } };
    for (let i = 0; i < 60; i++) functions[`f${i}`] = { kind: 'sync', calls: 1, exclusiveMs: i, latencyMs: null };
    tell({ boundaries: Array.from({ length: 301 }, (_, i) => boundary(`b${i}`, 0.001, functions)) });
    const [{ kind, snapshot }] = sent;
    assert.equal(kind, 'snapshot');
    assert.deepEqual([snapshot.boundaries.length, snapshot.boundaryCount, snapshot.boundaryShare], [300, 301, 0.301]);
    const [first] = snapshot.boundaries;
    assert.deepEqual(Object.keys(first), ['id', 'share', 'functions']);
    assert.deepEqual(
      Object.keys(first.functions),
      Array.from({ length: 40 }, (_, i) => `f${59 - i}`),
    );
    assert.deepEqual(first.functions.f59, { kind: 'sync', calls: 1, exclusiveMs: 59 });
  });

  it('has of those that took no time the ones that were called more', () => {
    const { sent, tell } = page();
    const of = (calls) => ({ kind: 'sync', calls, exclusiveMs: 0 });
    tell({ boundaries: [boundary('a', 0, { seldom: of(1), often: of(3), never: of(0) })] });
    assert.deepEqual(Object.keys(sent[0].snapshot.boundaries[0].functions), ['often', 'seldom', 'never']);
  });

  it('names each decision once, also after a second in which there was none', () => {
    const { sent, tell } = page();
    const numbers = () => sent.at(-1).snapshot.decisions.map(({ number }) => number);
    const [one, two, three] = [{ number: 1 }, { number: 2 }, { number: 3 }];
    tell({ decisions: [one, two] });
    assert.deepEqual(numbers(), [1, 2]);
    tell({ decisions: [one, two] });
    assert.deepEqual(numbers(), []);
    tell({ decisions: [two, three] });
    assert.deepEqual(numbers(), [3]);
  });

  it('is nothing while it does not read, and all of it afterwards', () => {
    const { socket, sent, tell } = page();
    socket.bufferedAmount = 5 * 2 ** 20;
    tell({ decisions: [{ number: 1 }] });
    assert.deepEqual(sent, []);
    socket.bufferedAmount = 0;
    tell({ decisions: [{ number: 1 }] });
    assert.deepEqual(sent[0].snapshot.decisions, [{ number: 1 }]);
  });

  it('has figures of no more digits than anybody sees', () => {
    const { sent, tell } = page();
    tell({ loop: { utilisation: 1 / 3, total: 12345678.9, count: 12345678901 } });
    assert.deepEqual(sent[0].snapshot.loop, { utilisation: 0.3333333, total: 12345679, count: 12345678901 });
  });
});

describe('what a page asks', () => {
  it('is answered by its number, also when it fails', async () => {
    const { sent, ask } = page({
      detail: (id) => ({ id }),
      whatIf: async (asked) => ({ asked }),
      act: () => {
        throw new IgnisError('IGNIS_REFUSED', 'not by a page');
      },
    });
    ask({ id: 1, what: 'detail', about: 7 });
    ask({ id: 2, what: 'what-if', about: null });
    ask({ id: 3, what: 'act', about: {} });
    ask({ id: 4, what: 'constructor' });
    await turn();
    const answers = Object.fromEntries(sent.map(({ kind, id, ...answer }) => [`${kind} ${id}`, answer]));
    assert.deepEqual(answers['answer 1'], { value: { id: '7' } });
    assert.deepEqual(answers['answer 2'], { value: { asked: {} } });
    assert.match(answers['answer 3'].error, /not by a page/);
    assert.match(answers['answer 4'].error, /nothing is asked by 'constructor'/);
  });

  it('ends its connection where it is no question, too many at once, or asked by who does not read', async () => {
    const pages = [page(), page(), page()];
    for (const question of ['{', 'null', '{"id":"1","what":"detail"}', '{"id":1}']) pages[0].socket.emit('message', Buffer.from(question));
    assert.deepEqual(pages[0].sent, [{ closed: 1008 }, { closed: 1008 }, { closed: 1008 }, { closed: 1008 }]);
    let answers;
    const many = page({ detail: () => new Promise((resolve) => (answers ??= []).push(resolve)) });
    for (let id = 0; id < 9; id++) many.ask({ id, what: 'detail' });
    assert.deepEqual(many.sent, [{ closed: 1008 }]);
    for (const answer of answers) answer(null);
    await turn();
    many.ask({ id: 10, what: 'detail' });
    assert.deepEqual([answers.length, many.sent.length], [9, 9]);
    pages[1].socket.bufferedAmount = 5 * 2 ** 20;
    pages[1].ask({ id: 1, what: 'detail' });
    assert.deepEqual(pages[1].sent, [{ closed: 1008 }]);
    pages[2].socket.emit('error', new Error('reset'));
    assert.deepEqual(pages[2].sent, [{ closed: null }]);
  });

  it('is watched no longer than it is open', () => {
    const { socket, isWatched } = page();
    assert.ok(isWatched());
    socket.emit('close');
    assert.ok(!isWatched());
  });
});
