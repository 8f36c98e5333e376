'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Holder, hashOf } = require('../../lib/fs/holder');
const { until } = require('../helpers/until');

const DATA = Buffer.alloc(300_000, 'x');

describe('a holder that others are copied from', function () {
  this.timeout(30_000);
  let root;
  /** @type {Holder[]} */
  let holders;

  beforeEach(async () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-holder-'));
    holders = ['a', 'b'].map((name) => new Holder({ folder: path.join(root, name), root, isSync: false }));
    for (const holder of holders) {
      fs.mkdirSync(holder.folder);
      holder.start();
    }
    await until(() => holders.every(({ state }) => state === 'behind'), 'both are there');
    await holders[0].adopt(0);
    holders[0].serve();
  });
  afterEach(() => {
    for (const holder of holders) holder.stop('the test is over');
    fs.rmSync(root, { recursive: true, force: true });
  });

  /** Gives the first one an entry whose contents are on their way to it. @returns {{arrive: () => void, applied: Promise<any>}} */
  function given() {
    const [source] = holders;
    let arrive = () => {};
    source.fetchBlob = () => new Promise((resolve) => (arrive = () => resolve(DATA)));
    const request = { op: 'writeFile', isWrite: true, path: 'file', flag: 'w', mode: 0o644, hash: hashOf(DATA) };
    const applied = source.apply(1, { request, timeMs: Date.now() });
    applied.catch(() => {});
    return { arrive, applied };
  }

  it('has first what it was given, though the contents were still on their way', async () => {
    const [source, target] = holders;
    const { arrive, applied } = given();
    assert.equal(source.isSettled, false);
    const asked = [];
    const request = source.request.bind(source);
    source.request = (message) => (asked.push(message.kind), request(message));
    const copied = target.copyFrom(source, 1);
    await new Promise(setImmediate);
    assert.deepEqual(asked, []);
    arrive();
    await applied;
    await copied;
    assert.deepEqual([target.applied, source.isSettled], [1, true]);
    assert.ok(fs.readFileSync(path.join(target.folder, 'file')).equals(DATA));
  });

  it('keeps nobody waiting when it is gone', async () => {
    const [source, target] = holders;
    given();
    const copied = assert.rejects(target.copyFrom(source, 1), (error) => error.lost.ran === 'no');
    process.kill(Number(source.pid), 'SIGKILL');
    await copied;
  });
});
