'use strict';

// Calls with bytes that are too large for their frame, which the replica may keep, and which a call that runs again needs once more.

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
  };
  const kept = [];
  exports.keep = async (whole, floats, part, text) => {
    kept.push([whole, floats, part]);
    return [
      [whole, floats, part].map((bytes) => bytes.constructor.name + ' ' + bytes.byteLength + ' ' + bytes.buffer.constructor.name),
      floats.buffer === part.buffer,
      kept.map(([{ 0: first, length }, { 1: second }, { 0: third }]) => [first, length, second, third]),
      text + ': ' + (process.pid !== ${process.pid} || require('node:worker_threads').threadId > 0),
    ];
  };`;

for (const where of /** @type {const} */ (['thread', 'process'])) {
  for (const recipe of [{ pure: true }, { state: 'none' }])
    it(`a call of a ${where} (${Object.keys(recipe)}) has large bytes for itself, and views that belong together do`, async function () {
      this.timeout(30000);
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-bytes-'));
      const file = path.join(folder, 'keep.js');
      fs.writeFileSync(file, SOURCE);
      const on = new Distributed(file, { hot: true, copies: [0, 1], ...recipe }, where);
      try {
        await on.set.resize(1);
        const all = [];
        for (let i = 1; i <= 5; i++) {
          const floats = new Float64Array(20_000).fill(i);
          const call = on.lib.keep(Buffer.alloc(100_000, i), floats, new Uint8Array(floats.buffer, 6, 90_000), 'text');
          floats.fill(-1);
          all.push([i, 100_000, i, new Uint8Array(new Float64Array([i]).buffer)[6]]);
          const kinds = ['Buffer 100000 ArrayBuffer', 'Float64Array 160000 ArrayBuffer', 'Uint8Array 90000 ArrayBuffer'];
          assert.deepEqual(await call, [kinds, true, all, 'text: true']);
        }
      } finally {
        await on.close();
        fs.rmSync(folder, { recursive: true });
      }
    });

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
