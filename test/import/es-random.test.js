'use strict';

const assert = require('node:assert/strict');
const { programs } = require('./es-generator');
const { REGISTER, runNode, writeProgram } = require('./es-program');

const COUNT = 200;

/** @param {string} out @returns {Map<string, string>} seed to what the program said */
const byNumber = (out) =>
  new Map(
    out
      .trim()
      .split('\n')
      .map((line) => /** @type {[string, string]} */ ([line.split(' ', 1)[0], line])),
  );

describe('random programs of ES modules', function () {
  this.timeout(180000);

  for (const [level, first] of [
    ['1', 1],
    ['9', 1001],
  ]) {
    it(`say the same with and without Ignis, at level ${level}`, async () => {
      const folder = writeProgram(programs(Number(first), COUNT));
      const plain = await runNode(folder, ['main.mjs']);
      const watched = await runNode(folder, ['--import', REGISTER, 'main.mjs'], { IGNIS_LEVEL: String(level) });
      assert.equal(watched.err, plain.err);
      const [expected, found] = [byNumber(plain.out), byNumber(watched.out)];
      assert.equal(expected.size, COUNT);
      for (const [seed, said] of expected) assert.equal(found.get(seed), said, `program ${seed}`);
      const failing = plain.out.split('\n').filter((line) => line.includes('"fails ')).length;
      assert.ok(failing < COUNT / 3, `${failing} programs do not even run without Ignis`);
    });
  }
});
