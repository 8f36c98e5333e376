'use strict';

const assert = require('node:assert/strict');
const { constants, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Redo } = require('../../lib/fs/redo.js');

describe('what is noted before it is written', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'ignis-redo-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is what replaces the contents of a file, and nothing else', () => {
    const redo = new Redo(folder, false);
    const isFor = (op, flag) => redo.isFor({ op, flag });
    assert.deepEqual([isFor('copyFile'), isFor('writeFile', 'w'), isFor('writeFile', constants.O_TRUNC)], [true, true, true]);
    assert.deepEqual([isFor('writeFile', 'a'), isFor('write'), isFor('unlink')], [false, false, false]);
  });

  it('is there after a crash until it is done, and none where it was not noted whole', () => {
    const request = { op: 'writeFile', path: 'a', data: Buffer.from('text') };
    for (const isSync of [false, true]) {
      new Redo(folder, isSync).note(request, { existed: true });
      assert.deepEqual(readdirSync(folder), ['redo']);
      assert.deepEqual(new Redo(folder, isSync).read(), { request, facts: { existed: true } });
      new Redo(folder, isSync).clear();
      assert.equal(new Redo(folder, isSync).read(), null);
      new Redo(folder, isSync).clear();
    }
    writeFileSync(path.join(folder, 'redo'), 'te');
    assert.equal(new Redo(folder, false).read(), null);
  });

  it('is for nobody else, whatever the file is, and though nothing is masked', () => {
    const mask = process.umask(0);
    try {
      new Redo(folder, false).note({ op: 'writeFile', path: 'a', data: Buffer.from('secret') }, {});
    } finally {
      process.umask(mask);
    }
    assert.equal(statSync(path.join(folder, 'redo')).mode & 0o777, 0o600);
  });
});
