'use strict';

// Contents of large files go to the holders beside the log: they are let go when all have applied them, and do not fill the disk until
// then.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Holders } = require('../../lib/fs/holders');
const { settingsOf } = require('../../lib/fs/modes');
const { remove } = require('../helpers/remove');
const { until } = require('../helpers/until');

const MB = 1024 * 1024;

describe('a large file that is written again and again', function () {
  this.timeout(60_000);
  let root;
  let holders;
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-blobs-'));
    holders = new Holders(settingsOf({ fs: 'eventual', copies: [2, 2], root, sync: false, given: {} }), () => {});
  });
  afterEach(async () => {
    await holders.close();
    await remove(root);
  });

  it('takes room for few of its contents on each disk', async () => {
    const write = (i) => holders.ask({ op: 'writeFile', path: 'a', data: Buffer.alloc(MB, `${i}`), flag: 'w', mode: 0o600, isWrite: true });
    for (let i = 10; i < 50; i++) await write(i);
    for (const folder of ['.ignis-fs', '.ignis-fs/copy-2/.ignis-fs']) {
      const count = () => fs.readdirSync(path.join(root, folder, 'blobs')).length;
      await until(() => count() <= 18, `few contents are left in ${folder}`);
      assert.ok(count() > 0, 'those that a node may have to apply again are there');
    }
    const content = await holders.ask({ op: 'readFile', path: 'a', flag: 'r' });
    assert.ok(Buffer.from(content).equals(Buffer.alloc(MB, '49')));
  });

  it('is in no file that others may read or write, but for its own', async () => {
    const mask = process.umask(0);
    try {
      await holders.ask({ op: 'writeFile', path: 'a', data: Buffer.alloc(MB, 'a'), flag: 'w', mode: 0o600, isWrite: true });
      await holders.ask({ op: 'writeFile', path: 'b', data: Buffer.from('b'), flag: 'w', mode: 0o600, isWrite: true });
    } finally {
      process.umask(mask);
    }
    const open = [];
    const look = (folder) => {
      for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const file = path.join(folder, entry.name);
        const isOpen = (fs.statSync(file).mode & (entry.isDirectory() ? 0o022 : 0o066)) !== 0;
        if (isOpen && !/^(lock|node)$/.test(entry.name)) open.push(path.relative(root, file));
        if (entry.isDirectory()) look(file);
      }
    };
    look(root);
    assert.deepEqual(open, []);
  });
});
