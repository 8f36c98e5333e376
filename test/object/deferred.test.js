'use strict';

const assert = require('node:assert/strict');
const { Conversation } = require('../../lib/object/conversation');
const { MESSAGE, OPERATION, TAG } = require('../../lib/object/tags');

const turn = () => new Promise(setImmediate);

/** A line of which a test says what comes. */
class Script {
  /** @type {any[][]} */
  coming = [];
  /** @type {any[][]} */
  posted = [];
  /** @type {((message: any[]) => void) | null} */
  onMessage = null;
  /** calls of the other side that this one was asked, and has not answered, each time that it waits */
  owed = /** @type {number[]} */ ([]);
  #asked = 0;
  isClosed = false;
  onClose() {}
  ref() {}
  unref() {}

  post(/** @type {any[]} */ message) {
    this.posted.push(message);
  }

  receive() {
    this.owed.push(this.#asked - this.answered);
    return this.#take(this.coming.shift());
  }

  get answered() {
    return this.posted.filter(([kind]) => kind === MESSAGE.RETURN).length;
  }

  /** From the event loop. @param {any[]} message */
  bring(message) {
    /** @type {any} */ (this.onMessage)(this.#take(message));
  }

  /** @param {any[] | undefined} message */
  #take(message) {
    if (message?.[0] === MESSAGE.CALL) this.#asked += 1;
    return message === undefined ? undefined : [...message, this.posted.length];
  }
}

/** @param {number} call @param {number} id @returns {any[]} what a module wants on its own account: to call a function of home's */
const wish = (call, id) => [MESSAGE.CALL, null, call, 0, OPERATION.APPLY, id, [TAG.UNDEFINED], []];

describe('what the other side wants on its own account', () => {
  it('is all done before home waits for it: of two calls, one within the other, home did one, and then each waited for the other', async () => {
    const line = new Script();
    const conversation = new Conversation(/** @type {any} */ (line), { isHome: true });
    /** @type {string[]} */
    const done = [];
    line.coming = [wish(1, 1), [MESSAGE.RETURN, 1, [TAG.UNDEFINED], null]];
    conversation.ask(OPERATION.APPLY, 1, [undefined, [() => done.push('called')]]);
    line.owed = [];
    line.bring(wish(2, 1));
    while (line.answered < 2) await turn();
    assert.deepEqual(done, ['called', 'called']);
    assert.ok(line.owed.length > 0 && line.owed.every((count) => count === 0), `it owes ${line.owed} when it waits`);
  });
});
