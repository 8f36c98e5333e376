'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { realOf } = require('../../lib/boot/real-path');

describe('where a path leads', () => {
  it('is told without links, and as nothing where it leads nowhere', () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-real-')));
    try {
      const [file, link, lost] = ['file', 'link', 'lost'].map((name) => path.join(folder, name));
      fs.writeFileSync(file, '');
      fs.symlinkSync('file', link);
      fs.symlinkSync('nothing', lost);
      assert.deepEqual([file, link, lost, path.join(file, 'below')].map(realOf), [file, file, null, null]);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
