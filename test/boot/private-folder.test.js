'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { candidates, isPrivate, openFirst } = require('../../lib/boot/private-folder.js');

describe('a folder of the user alone', function () {
  let folder;

  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(() => (folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-private-'))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  /** @param {string} name @param {number} mode whatever the umask is */
  function make(name, mode) {
    const made = path.join(folder, name);
    fs.mkdirSync(made);
    fs.chmodSync(made, mode);
    return made;
  }

  it('is one that nobody else can enter, and no link to one', () => {
    assert.ok(isPrivate(make('own', 0o700)));
    for (const mode of [0o750, 0o701, 0o722, 0o777, 0o1777]) assert.ok(!isPrivate(make(mode.toString(8), mode)), mode.toString(8));
    fs.symlinkSync('own', path.join(folder, 'link'));
    assert.ok(!isPrivate(path.join(folder, 'link')));
    fs.writeFileSync(path.join(folder, 'file'), '', { mode: 0o600 });
    assert.ok(!isPrivate(path.join(folder, 'file')));
    assert.ok(!isPrivate(path.join(folder, 'none')));
  });

  it('is none where others could put another one in its place, or in that of a folder above it', () => {
    make('open', 0o777);
    assert.ok(!isPrivate(make('open/own', 0o700)));
    make('open/deep', 0o755);
    assert.ok(!isPrivate(make('open/deep/own', 0o700)));
    make('sticky', 0o1777);
    assert.ok(isPrivate(make('sticky/own', 0o700)));
  });

  it('is none that is, or lies in one that is, of another user', function () {
    if (process.getuid() !== 0) this.skip();
    const other = make('other', 0o700);
    fs.chownSync(other, 65534, 65534);
    assert.ok(!isPrivate(other));
    assert.ok(!isPrivate(make('other/own', 0o700)));
  });

  it('is made where there is none, and the next best is taken where there is another', () => {
    const wide = make('wide', 0o755);
    const [first, second] = ['first', 'second'].map((name) => path.join(folder, name));
    assert.equal(openFirst([wide, first, second]), first);
    assert.equal(fs.statSync(first).mode & 0o7777, 0o700);
    assert.ok(!fs.existsSync(second));
    assert.equal(openFirst([wide, first]), first);
    assert.equal(openFirst([wide, path.join(folder, 'none/below')]), null);
  });

  it('is that of the session, where it has one, and else one for temporary files', () => {
    const own = [path.join(os.tmpdir(), `ignis-${process.getuid()}`), path.join('/tmp', `ignis-${process.getuid()}`)];
    assert.deepEqual(candidates({}), [...new Set(own)]);
    assert.deepEqual(candidates({ XDG_RUNTIME_DIR: '/run/user/7' }), ['/run/user/7/ignis', ...new Set(own)]);
    assert.deepEqual(candidates({ XDG_RUNTIME_DIR: 'run' }), [...new Set(own)]);
  });
});
