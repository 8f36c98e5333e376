'use strict';

// The disk that has the log is full: who writes hears what Node would say, and may write again when there is room.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Holders } = require('../../lib/fs/holders');
const { settingsOf } = require('../../lib/fs/modes');
const { unpackError } = require('../../lib/fs/far-error');
const { remove } = require('../helpers/remove');

describe('a replicated file system whose log has no room', function () {
  this.timeout(60_000);
  const { writeSync } = fs;
  let root;
  let holders;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-full-'));
    holders = new Holders(settingsOf({ fs: 'eventual', copies: [2, 2], root, sync: false, given: {} }), () => {});
  });
  afterEach(async () => {
    fs.writeSync = writeSync;
    await holders.close();
    await remove(root);
  });

  const write = (name) => holders.ask({ op: 'writeFile', path: name, data: Buffer.from('x'), flag: 'w', mode: 0o600, isWrite: true });

  for (const [code, says] of [
    ['ENOSPC', 'no space left on device'],
    ['EDQUOT', 'disk quota exceeded'],
  ]) {
    it(`says ${code}, and goes on when there is room`, async () => {
      await write('before');
      fs.writeSync = () => {
        throw Object.assign(new Error(`${code}: ${says}, write`), { code, errno: -os.constants.errno[code], syscall: 'write' });
      };
      const far = await write('none').catch((error) => error);
      fs.writeSync = writeSync;
      const { message, errno, path: file, cause } = unpackError(far, { root, at: 'none', path: 'none', syscall: 'open' });
      assert.deepEqual([message, errno, file, cause], [`${code}: ${says}, write`, -os.constants.errno[code], undefined, undefined]);
      await write('after');
      const names = await holders.ask({ op: 'readdir', path: '', isRecursive: false });
      assert.deepEqual(names.map(([name]) => name).sort(), ['after', 'before']);
    });
  }
});
