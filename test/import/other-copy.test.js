'use strict';

// A second copy: the same folder by another path, which Node takes for another one under --preserve-symlinks.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');

let folder;
before(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-copies-')));
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(ROOT, path.join(folder, 'node_modules', 'ignis'));
  fs.writeFileSync(path.join(folder, 'work.js'), 'exports.work = () => 7;\n');
});
after(() => {
  fs.rmSync(folder, { recursive: true });
});

/** A program of a folder that has a copy of its own, under the copy of this one. @param {string} text @param {string[]} options of Node */
function run(text, options = ['--preserve-symlinks', '-r', path.join(ROOT, 'lib', 'register.js')]) {
  fs.writeFileSync(path.join(folder, 'app.js'), text);
  return spawnSync(process.execPath, [...options, 'app.js'], { cwd: folder, encoding: 'utf8' });
}

describe('two copies of Ignis in one process', () => {
  it('are told of when the second one starts, with the folder of each, and the program goes on', () => {
    const { status, stdout, stderr } = run("require = require('ignis')({}); console.log(require('./work.js').work());");
    assert.deepEqual([status, stdout], [0, '7\n']);
    const [, told] = /\[IGNIS_TWICE\] IgnisWarning: (.*)/.exec(stderr);
    assert.ok(told.startsWith(`two copies of Ignis are active in this process, ${ROOT} and ${path.join(folder, 'node_modules', 'ignis')}`));
  });

  it('are told apart by one that is asked, and was not started', () => {
    const { stdout } = run("try { require('ignis').explain('x'); } catch ({ code, message }) { console.log(code, message); }");
    assert.match(
      stdout,
      /^IGNIS_CLOSED .*: this copy, .*node_modules.ignis, was not started, but another one was, .*; keep only one of the two\n$/,
    );
  });

  it('are none where a program starts the copy that was loaded before it', () => {
    const { status, stderr } = run("require('ignis').start();", ['-r', 'ignis/register']);
    assert.deepEqual([status, stderr], [0, '']);
  });
});
