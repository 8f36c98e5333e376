'use strict';

const assert = require('node:assert/strict');
const { flatten } = require('../../lib/object/flat');
const { Mail } = require('../../lib/object/mail');
const { FORM, MESSAGE, TAG } = require('../../lib/object/tags');

/** A mail whose other side has its answers ready. @param {any[][]} answers @param {boolean} [sharesMemory] */
function mailWith(answers, sharesMemory = true) {
  const sent = [];
  const line = { post: (message) => void sent.push(message), isClosed: false, sharesMemory, error: null };
  const mail = new Mail(/** @type {any} */ (line), {
    isHome: true,
    makeStub: () => assert.fail('nothing is lent'),
    contexts: null,
    onSettle() {},
    onSettled() {},
    onPost() {},
    waitFor(id) {
      while (mail.fetches.lacks(id)) {
        assert.ok(answers.length > 0, 'it waits for what has come');
        const message = answers.shift();
        mail.took([...message, 0]);
        if (message[0] === MESSAGE.DROP) mail.dropped(message);
        else mail.fetches.take(message);
      }
    },
  });
  return { mail, sent };
}

const twin = (id) => [TAG.TWIN, id];
const baggageOf = (...nodes) => [flatten(nodes), flatten([])];

describe('the mail of a conversation', () => {
  it('has contents that were asked for before it opens what they bring, which may name them in a circle', () => {
    const bring = baggageOf([4, FORM.ARRAY, 0, 0, null, [twin(1)]]);
    const { mail, sent } = mailWith([[MESSAGE.CONTENT, bring, 1, [1, FORM.PLAIN, 0, 0, null, ['list', twin(4), 'self', twin(1)]]]]);
    try {
      const [list] = mail.unpacker.open(baggageOf([2, FORM.ARRAY, 0, 0, null, [twin(1)]]));
      const [circle] = list;
      assert.deepEqual(
        sent.map(([kind, id]) => [kind, id]),
        [[MESSAGE.FETCH, 1]],
      );
      assert.deepEqual([circle.self === circle, circle.list[0] === circle, mail.unpacker.value(twin(1)) === circle], [true, true, true]);
    } finally {
      mail.end();
    }
  });

  it('reads a message whole before it hears what the other side has dropped since it sent that', () => {
    const content = [MESSAGE.CONTENT, null, 1, [1, FORM.PLAIN, 0, 0, null, ['name', 'fetched']]];
    const { mail } = mailWith([[MESSAGE.DROP, [2], [], 0], content]);
    try {
      const [list] = mail.unpacker.open(baggageOf([2, FORM.ARRAY, 0, 0, null, [twin(1)]]));
      assert.equal(mail.unpacker.value(twin(2)), list);
      assert.deepEqual(list, [{ name: 'fetched' }]);
      assert.equal(mail.tables.twins.idOf(list), 2);
      mail.took([MESSAGE.TURN, 0]);
      assert.equal(mail.tables.twins.idOf(list), undefined);
    } finally {
      mail.end();
    }
  });

  it('is done with a message when all contents that it needs have come, and what these need', () => {
    const contentOf = (id, ...members) => [MESSAGE.CONTENT, null, id, [id, FORM.PLAIN, 0, 0, null, members]];
    const { mail, sent } = mailWith([contentOf(1, 'a', twin(3), 'b', twin(5)), contentOf(3), contentOf(5)]);
    try {
      const doneBefore = 7;
      mail.received = doneBefore;
      mail.took([MESSAGE.RETURN, 0]);
      const [list] = mail.unpacker.open(baggageOf([2, FORM.ARRAY, 0, 0, null, [twin(1)]]));
      assert.deepEqual(list, [{ a: {}, b: {} }]);
      assert.deepEqual(
        sent,
        [1, 3, 5].map((id) => [MESSAGE.FETCH, id, doneBefore]),
      );
      mail.took([MESSAGE.TURN, 0]);
      mail.send([MESSAGE.TURN]);
      assert.deepEqual(sent.at(-1), [MESSAGE.TURN, doneBefore + 5]);
    } finally {
      mail.end();
    }
  });

  it('answers who asks for contents with these alone: what else has changed since goes with the next message, and is looked for then', () => {
    const { mail, sent } = mailWith([]);
    const updatesIn = ([, baggage]) => (baggage === null ? 0 : baggage[1].length);
    try {
      const [asked, other] = [{ name: 'asked for' }, { name: 'as it was' }];
      const post = () => mail.post(MESSAGE.TURN, (packer) => packer.slots([asked]));
      mail.post(MESSAGE.TURN, (packer) => packer.slots([asked, other]));
      other.name = 'as it is';
      mail.fetched([MESSAGE.FETCH, mail.tables.twins.idOf(asked)]);
      post();
      post();
      assert.deepEqual([sent[1][0], ...sent.slice(1).map((message) => updatesIn(message) > 0)], [MESSAGE.CONTENT, false, true, false]);
    } finally {
      mail.end();
    }
  });

  it('says where that is which cannot be sent: in a value of the message, or in what both sides have from earlier ones', () => {
    const { mail, sent } = mailWith([], false);
    const refused = (path) => ({
      code: 'IGNIS_UNMARSHALABLE',
      message: `a value cannot be sent to or from a replica: a SharedArrayBuffer cannot be shared with another process (${path})`,
    });
    const post = (/** @type {any[]} */ ...values) => mail.post(MESSAGE.TURN, (packer) => [packer.slots(values)]);
    try {
      const kept = /** @type {any} */ ({ list: [{}] });
      post(kept);
      kept.list[0]['the memory'] = new SharedArrayBuffer(1);
      assert.throws(() => post(1, kept), refused('[1].list[0]["the memory"]'));
      assert.throws(() => post(1), refused('["the memory"] of an object that both sides have'));
      delete kept.list[0]['the memory'];
      kept.list[0] = { more: [new DataView(new SharedArrayBuffer(1))] };
      assert.throws(() => post(1), refused('[0].more[0].buffer of an object that both sides have'));
      kept.list.pop();
      post(1);
      assert.equal(sent.length, 2);
    } finally {
      mail.end();
    }
  });
});
