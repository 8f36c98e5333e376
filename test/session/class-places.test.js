'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { classAt, placesOf } = require('../../lib/session/class-places');

describe('session/class-places', () => {
  it('finds a class that its module exports by a getter, as bundlers and TypeScript write them, and runs no other', () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-places-')));
    const file = path.join(folder, 'bundled.js');
    fs.writeFileSync(
      file,
      `const inner = { Bad: class Bad extends Error {}, Kept: class Kept extends Error {} };
      let runs = 0;
      Object.defineProperty(exports, 'Bad', { enumerable: true, get: () => inner['Bad'.slice()] });
      Object.defineProperty(exports, 'Worse', { enumerable: true, get: function () { return inner.Bad; } });
      Object.defineProperty(exports, 'Kept', { enumerable: true, get: () => (runs++, inner.Kept) });
      Object.defineProperty(exports, 'Packed', { enumerable: true, get: () => (/* reexport safe */ inner['Bad']) });
      Object.defineProperty(exports, 'Lazy', { enumerable: true, get() { return this.Kept; } });
      Object.defineProperty(exports, 'later', { enumerable: true, get: () => notThere });
      exports.make = (name) => new inner[name]('no');
      exports.runs = () => runs;`,
    );
    try {
      const lib = require(file);
      assert.deepEqual(placesOf(lib.make('Bad'))?.[0], [file, 'Worse']);
      assert.equal(classAt([file, 'Worse'], 'Bad'), lib.make('Bad').constructor);
      assert.equal(placesOf(lib.make('Kept')), null);
      assert.equal(classAt([file, 'Kept'], 'Kept'), undefined);
      assert.equal(classAt([file, 'Packed'], 'Bad'), lib.make('Bad').constructor);
      assert.equal(classAt([file, 'Lazy'], 'Kept'), undefined);
      assert.equal(classAt([file, 'later'], 'Bad'), undefined);
      assert.equal(lib.runs(), 0);
    } finally {
      delete require.cache[file];
      fs.rmSync(folder, { recursive: true });
    }
  });
});
