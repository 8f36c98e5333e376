'use strict';

// Which of the answers of several holders the program is given.

const assert = require('node:assert/strict');
const { setTimeout: after } = require('node:timers/promises');
const { Outcome, ROOT_PATIENCE_MS } = require('../../lib/fs/outcome');

const GONE = { error: { code: 'ENOENT' } };
const DONE = { value: 1 };

describe('what came of an entry of the log', () => {
  /** @param {number} [stuckMs] of the holder of the root */
  function begun(stuckMs = 0) {
    const [root, copy] = /** @type {any[]} */ ([{ stuckMs }, {}]);
    /** @type {any[]} */
    const failing = [];
    const outcome = new Outcome({ root, onFailing: (holder) => failing.push(holder) });
    const said = new Map([root, copy].map((holder) => [holder, deferred()]));
    for (const [holder, { promise }] of said) outcome.expect(holder, promise);
    const say = (/** @type {any} */ holder, /** @type {any} */ what) => {
      said.get(holder).resolve(what);
      return new Promise(setImmediate);
    };
    return { outcome, root, copy, failing, say };
  }

  function deferred() {
    /** @type {any} */
    const made = {};
    made.promise = new Promise((resolve) => (made.resolve = resolve));
    return made;
  }

  it('is what the root says, which others may write, where it says it soon enough', async () => {
    const { outcome, root, copy, failing, say } = begun();
    await say(copy, GONE);
    assert.equal(outcome.answer, null);
    await say(root, DONE);
    assert.deepEqual([outcome.answer, failing], [DONE, [copy]]);
  });

  it('is a success as soon as the root has been waited for a little', async () => {
    const { outcome, root, copy, failing, say } = begun();
    await say(copy, DONE);
    assert.equal(outcome.answer, null);
    await after(2 * ROOT_PATIENCE_MS);
    assert.equal(outcome.answer, DONE);
    await say(root, DONE);
    assert.deepEqual(failing, []);
  });

  it('is no error of the files while a root that is slow may not have it', async () => {
    for (const stuckMs of [0, 2 * ROOT_PATIENCE_MS]) {
      const { outcome, root, copy, failing, say } = begun(stuckMs);
      await say(copy, GONE);
      await after(2 * ROOT_PATIENCE_MS);
      assert.equal(outcome.answer, null);
      await say(root, DONE);
      assert.deepEqual([outcome.answer, failing], [DONE, [copy]]);
    }
  });

  it('waits for no root that stands still', async () => {
    for (const what of [DONE, GONE]) {
      const { outcome, copy, say } = begun(60_000);
      await say(copy, what);
      assert.equal(outcome.answer, what);
    }
  });
});
