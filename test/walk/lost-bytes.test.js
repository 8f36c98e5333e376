'use strict';

// A pure call whose argument is too large for its frame, and whose replica is lost: it runs again with the same bytes, though a thread was given the memory.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');
const { until } = require('../helpers/until');

const SOURCE = `
  const fs = require('node:fs');
  exports.look = async (flag, bytes) => {
    const seen = [bytes.length, bytes[0], bytes.at(-1)];
    fs.writeFileSync(flag + '.begun', '');
    while (fs.existsSync(flag)) await new Promise((resolve) => setTimeout(resolve, 5));
    return seen;
  };`;

for (const where of /** @type {const} */ (['thread', 'process'])) {
  it(`a pure call with 600 kB runs again when its ${where} is lost`, async function () {
    this.timeout(30000);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-bytes-'));
    const file = path.join(folder, 'look.js');
    const flag = path.join(folder, 'flag');
    fs.writeFileSync(file, SOURCE);
    const on = new Distributed(file, { hot: true, pure: true, copies: [0, 2] }, where);
    try {
      assert.deepEqual(await on.lib.look(flag, Buffer.alloc(10)), [10, 0, 0]);
      await on.set.resize(1);
      fs.writeFileSync(flag, '');
      fs.rmSync(`${flag}.begun`);
      const bytes = Buffer.alloc(600_000, 7);
      const look = on.lib.look(flag, bytes);
      bytes.fill(9);
      await until(() => fs.existsSync(`${flag}.begun`), 'it runs in the replica');
      assert.equal(on.set.pending, 1);
      on.set.replicas[0].kill('struck by a test');
      fs.rmSync(flag);
      assert.deepEqual(await look, [600_000, 7, 7]);
      assert.equal(on.set.lost, 1);
    } finally {
      await on.close();
      fs.rmSync(folder, { recursive: true });
    }
  });
}
