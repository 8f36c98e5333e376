'use strict';

// Whole files are read straight from a copy's folder where nothing is written there at the moment: what is read must be what somebody
// wrote, all of it.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { open } = require('../fs-faults/storm');

describe('a replicated file that is read while it is written', function () {
  this.timeout(60_000);
  let system;
  afterEach(async () => {
    await system.courier.close();
    fs.rmSync(system.root, { recursive: true, force: true });
  });

  it('is the old one or the new one, and never older than what was acknowledged', async () => {
    system = open('eventual');
    const { files, at } = system;
    const { readFile, writeFile } = files.promises;
    const contentOf = (i) => Buffer.alloc(200_000, String.fromCharCode(65 + (i % 26)));
    await writeFile(at('a'), contentOf(0));
    let acknowledged = 0;
    let isOver = false;
    const seen = [];
    const read = async () => {
      while (!isOver) {
        const least = acknowledged;
        const content = await readFile(at('a'));
        const i = Array.from({ length: 26 }, (_, letter) => letter).find((letter) => content.equals(contentOf(letter)));
        assert.notEqual(i, undefined, `a mixture: ${content.length} bytes, from ${content[0]} to ${content.at(-1)}`);
        assert.ok(i >= least, `${i} was read, and ${least} was acknowledged before`);
        seen.push(i);
      }
    };
    const readers = [read(), read(), read()];
    for (let i = 1; i < 26; i++) {
      await Promise.race([...readers, writeFile(at('a'), contentOf(i))]);
      acknowledged = i;
    }
    isOver = true;
    await Promise.all(readers);
    assert.ok(new Set(seen).size > 5);
  });
});
