'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { beginFollowing, follow } = require('../../lib/spawn/current-directory');
const { KIND } = require('../../lib/wire/frame');

describe('what home has set of itself', () => {
  const first = { folder: process.cwd(), mask: process.umask() };
  let folder;
  let told;
  let channel;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-directory-')));
    told = [];
    channel = /** @type {any} */ ({ state: 'open', send: ([kind, texts]) => told.push([kind === KIND.TOLD, ...texts]) });
  });
  afterEach(() => {
    process.chdir(first.folder);
    process.umask(first.mask);
    fs.rmSync(folder, { recursive: true });
  });

  it('is told to a replica before its first call where home has set it while that was starting, and later on until that has ended', () => {
    const since = beginFollowing();
    process.chdir(folder);
    process.umask(0o77);
    const end = follow(channel, since);
    assert.deepEqual(told.splice(0), [
      [true, folder],
      [true, folder, '[["umask",63]]'],
    ]);
    process.chdir(os.tmpdir());
    process.umask(0o27);
    const here = process.cwd();
    assert.deepEqual(told.splice(0), [
      [true, here],
      [true, here, '[["umask",23]]'],
    ]);
    end();
    process.chdir(folder);
    assert.deepEqual(told, []);
  });

  it('is not told to one that has it from its start', () => {
    process.chdir(folder);
    process.umask(0o77);
    follow(channel, beginFollowing())();
    assert.deepEqual(told, []);
  });
});
