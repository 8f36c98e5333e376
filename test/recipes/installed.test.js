'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { INSTALL_MS, installed } = require('./installed');

describe('the packages of the recipe book', function () {
  this.timeout(INSTALL_MS);

  it('are found from their folder, in the versions of its package.json', () => {
    const folder = installed();
    const { dependencies } = require('./packages/package.json');
    assert.ok(fs.existsSync(require.resolve('marked', { paths: [folder] })));
    for (const version of Object.values(dependencies)) assert.match(version, /^\d+\.\d+\.\d+$/, 'pinned');
  });

  it('that cannot be installed are named, with what npm says', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-packages-'));
    try {
      fs.writeFileSync(
        path.join(folder, 'package.json'),
        JSON.stringify({ name: 'none', version: '1.0.0', dependencies: { marked: '18.2.1' } }),
      );
      assert.throws(() => installed(folder), /\(marked\) could not be installed; `npm ci .*lock/s);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('come without the address of a registry in their lock file', () => {
    assert.doesNotMatch(fs.readFileSync(path.join(__dirname, 'packages', 'package-lock.json'), 'utf8'), /"resolved"/);
  });
});
