'use strict';

// The program's end of a distributed file system whose thread ends before its time.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Courier } = require('../../lib/fs/courier');
const { settingsOf } = require('../../lib/fs/modes');
const { remove } = require('../helpers/remove');
const { until } = require('../helpers/until');

for (const mode of ['strong', 'eventual'])
  describe(`a file system whose thread has ended (${mode})`, function () {
    this.timeout(60_000);
    let base;
    let root;
    let courier;
    beforeEach(() => {
      base = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-courier-'));
      root = path.join(base, 'disk', 'data');
      courier = new Courier(settingsOf({ fs: mode, copies: mode === 'strong' ? [1, 1] : [2, 2], root, sync: false, given: {} }));
    });
    afterEach(async () => {
      await courier.close();
      await remove(base);
    });
    const request = { op: 'writeFile', path: 'a', data: Buffer.from('text'), flag: 'w', mode: 0o600, isWrite: true };
    const write = () =>
      courier.ask(request).then(
        () => 'written',
        ({ code, lost }) => `${code} ${lost.detail}`,
      );
    const writeNow = () => {
      try {
        courier.askNow(request);
        return 'written';
      } catch (error) {
        return error.code;
      }
    };

    it('says so to all who ask, and has another one when its root is there', async () => {
      fs.writeFileSync(path.join(base, 'disk'), 'no folder');
      assert.equal(writeNow(), 'EIO');
      assert.match(await write(), /^EIO /);
      await until(async () => /ENOTDIR/.test(await write()), 'it says why');
      assert.equal(writeNow(), 'EIO');
      fs.rmSync(path.join(base, 'disk'));
      await until(async () => (await write()) === 'written', 'its root is there', 20_000);
      assert.equal(writeNow(), 'written');
      assert.equal(fs.readFileSync(path.join(root, 'a'), 'utf8'), 'text');
    });

    it('is had again where it ended without a word', async () => {
      const threads = [];
      const note = (thread) => threads.push(thread);
      process.on('worker', note);
      try {
        assert.equal(await write(), 'written');
        await threads[0].terminate();
        await until(async () => (await write()) === 'written', 'another thread has its root', 20_000);
      } finally {
        process.off('worker', note);
      }
      assert.equal(writeNow(), 'written');
    });

    if (mode === 'eventual')
      it('does not find the root taken by itself', async () => {
        const file = path.join(root, '.ignis-fs', 'spread');
        fs.mkdirSync(file, { recursive: true });
        assert.match(await write(), /^EIO EISDIR/);
        fs.rmdirSync(file);
        await until(async () => (await write()) === 'written', 'what it fell over is gone', 20_000);
      });
  });
