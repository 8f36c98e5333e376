'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { findProgram, identify, appRootOf, packageOf, isApplicationFile } = require('../../lib/import/module-id');
const { FIXTURES, fixture } = require('../helpers/watched');

const id = (filename) => identify({ filename, appRoot: FIXTURES });

describe('module-id', () => {
  it('names a file of the program by its path from the root', () => {
    assert.deepEqual(id(fixture('functions.js')), {
      name: './functions.js',
      kind: 'file',
      filename: fixture('functions.js'),
      packageName: null,
      version: null,
      inside: '',
    });
  });

  it('names a package by its name when the file is its main one', () => {
    const main = fixture('node_modules/dep/main.js');
    assert.deepEqual(id(main), { name: 'dep', kind: 'package', filename: main, packageName: 'dep', version: '2.3.4', inside: '' });
  });

  it('names another file of a package with its path inside', () => {
    const { name, packageName, inside } = id(fixture('node_modules/dep/inner.js'));
    assert.deepEqual({ name, packageName, inside }, { name: 'dep/inner.js', packageName: 'dep', inside: './inner.js' });
  });

  it('finds the main file through index.js and through exports', () => {
    assert.equal(id(fixture('node_modules/other/index.js')).name, 'other');
    assert.equal(id(fixture('node_modules/@scope/thing/sub/entry.js')).name, '@scope/thing');
  });

  it('knows by what name a package gives a file out, whichever way it is loaded', () => {
    const { name, inside, entries } = id(fixture('node_modules/@scope/thing/sub/extra.js'));
    assert.deepEqual({ name, inside, entries }, { name: '@scope/thing/sub/extra.js', inside: './sub/extra.js', entries: ['./extra'] });
    assert.deepEqual(id(fixture('node_modules/@scope/thing/sub/extra.mjs')).entries, ['./extra']);
    assert.deepEqual(id(fixture('node_modules/@scope/thing/sub/entry.js')).entries, ['./sub/entry.js']);
  });

  it('knows all names that a package gives a file out by: two for one file, by a pattern, or by a folder with a package.json of its own', () => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-names-')));
    const write = (name, text) => {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), text);
      return path.join(root, name);
    };
    try {
      write('package.json', '{"name":"app"}');
      const exported = {
        '.': './main.js',
        './*': { types: './dist/*.d.ts', default: ['./dist/*.js'] },
        './twice/*': './dist/*/$&*.js',
        './client': './main.js',
        './main.js': './main.js',
        './also': './same.js',
        './other': './same.js',
      };
      write('node_modules/pk/package.json', JSON.stringify({ name: 'pk', exports: exported }));
      write('node_modules/old/package.json', '{"name":"old"}');
      write('node_modules/old/inner/package.json', '{"main":"lib.js"}');
      const names = (file) => identify({ filename: write(`node_modules/${file}`, ''), appRoot: root }).entries;
      assert.deepEqual(names('pk/main.js'), ['./client', './main.js']);
      assert.deepEqual(names('pk/dist/deep/foo.js'), ['./deep/foo']);
      assert.deepEqual(names('pk/dist/a/$&a.js'), ['./a/$&a', './twice/a']);
      assert.deepEqual(names('pk/same.js'), ['./also', './other']);
      assert.deepEqual(names('pk/inside.js'), undefined);
      assert.deepEqual(names('old/inner/lib.js'), ['./inner']);
      assert.deepEqual(names('old/inner/more.js'), undefined);
    } finally {
      fs.rmSync(root, { recursive: true });
    }
  });

  it('takes the innermost node_modules', () => {
    const deep = '/srv/app/node_modules/a/node_modules/@s/b/lib/x.js';
    assert.equal(packageOf(deep).root, '/srv/app/node_modules/a/node_modules/@s/b');
    assert.equal(packageOf(deep).name, '@s/b');
  });

  it('names a package without a readable package.json by its folder', () => {
    assert.deepEqual(
      { ...id('/nowhere/node_modules/ghost/lib/a.js') },
      {
        name: 'ghost/lib/a.js',
        kind: 'package',
        filename: '/nowhere/node_modules/ghost/lib/a.js',
        packageName: 'ghost',
        version: null,
        inside: './lib/a.js',
      },
    );
  });

  it('knows built-ins with and without their prefix as one', () => {
    assert.equal(id('crypto').name, 'node:crypto');
    assert.equal(id('node:crypto').name, 'node:crypto');
    assert.equal(id('fs/promises').name, 'node:fs/promises');
    assert.equal(id('crypto').kind, 'builtin');
  });

  it("knows a member of a workspace as a package, and as the program's own", () => {
    const member = fixture('workspace/lib/member.js');
    assert.equal(id(member).packageName, 'workspace-member');
    assert.equal(isApplicationFile(member), true);
  });

  it('names a file outside the root by the way to it', () => {
    const outside = identify({ filename: fixture('functions.js'), appRoot: fixture('workspace') });
    assert.match(outside.name, /functions\.js$/);
  });

  it('leaves nothing behind of the look for the main file, which Node finds in a way of its own', () => {
    const kept = /** @type {any} */ (Module)._pathCache;
    const file = fixture('functions');
    const key = `${file}\0`;
    const before = kept[key];
    delete kept[key];
    assert.equal(findProgram(file), fixture('functions.js'));
    assert.ok(!(key in kept));
    require(file);
    const { [key]: found } = kept;
    assert.equal(findProgram(file), found);
    assert.equal(kept[key], found);
    if (before !== undefined) assert.equal(found, before);
  });

  it('answers with the same frozen object', () => {
    assert.equal(id(fixture('functions.js')), id(fixture('functions.js')));
    assert.ok(Object.isFrozen(id(fixture('functions.js'))));
  });

  it('takes the folder of the nearest package.json as root, else the folder of the file', () => {
    assert.equal(appRootOf(fixture('functions.js')), FIXTURES);
    assert.equal(
      appRootOf(path.join(path.parse(FIXTURES).root, 'no-such-folder', 'main.js')),
      path.join(path.parse(FIXTURES).root, 'no-such-folder'),
    );
  });

  it('takes a file below any node_modules for a dependency', () => {
    assert.equal(isApplicationFile(fixture('node_modules/dep/main.js')), false);
    assert.equal(isApplicationFile(fixture('functions.js')), true);
    assert.equal(isApplicationFile('/srv/my_node_modules/a.js'), true);
  });
});
