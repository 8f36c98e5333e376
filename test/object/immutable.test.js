'use strict';

// Memory that nobody can write into, which engines have behind a flag yet.

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');

const FLAG = '--js-immutable-arraybuffer';
const hasFlag = () => spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).stdout.includes(FLAG);

/** @param {string} text of a program @returns {any} what it prints, as JSON */
const run = (text) => JSON.parse(execFileSync(process.execPath, [FLAG, '-e', text], { encoding: 'utf8' }));

describe('immutable memory', function () {
  this.timeout(20_000);

  before(function () {
    if (!hasFlag()) this.skip();
  });

  it('is immutable on both sides, alone and behind views, and writes into it are what they are in one process', () => {
    const answer = run(`
      const { makePair } = require(${JSON.stringify(require.resolve('./pair'))});
      const { there, back } = makePair();
      const memory = Uint8Array.of(1, 2, 3, 4).buffer.transferToImmutable();
      const [copy, view] = there(memory, new Uint8Array(memory, 1));
      view[0] = 9;
      const [again] = back(copy);
      const piece = Buffer.from(memory, 1, 2);
      const [far] = there(piece);
      far[0] = 7;
      console.log(JSON.stringify([copy.immutable, copy !== memory, view.buffer === copy, [...view], again === memory, back(far)[0] === piece, [...piece]]));`);
    assert.deepEqual(answer, [true, true, true, [2, 3, 4], true, true, [2, 3]]);
  });

  it('is no argument of a call that leaves: what the callee is given could be written into', () => {
    const answer = run(`
      const { marshal } = require(${JSON.stringify(require.resolve('../../lib/session/marshal'))});
      const memory = new ArrayBuffer(2).transferToImmutable();
      const codes = [[memory], [new Uint8Array(memory)]].map((args) => {
        try { return marshal(args, null, 'args') } catch (error) { return error.message }
      });
      console.log(JSON.stringify(codes.map((text) => /args\\[0\\] is an immutable ArrayBuffer/.test(text))));`);
    assert.deepEqual(answer, [true, true]);
  });
});
