'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { idleIn, parseForce } = require('../../lib/import/force');
const { missing } = require('../../lib/import/targets');

describe('import/targets', () => {
  let root;
  before(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-targets-')));
    const write = (name, text = '') => {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), text);
    };
    write('package.json', '{ "dependencies": { "uri-js": "1" }, "devDependencies": { "@scope/tool": "1" } }');
    write('lib/links.js');
    write('lib/views/index.ts');
    write('node_modules/uri-js/index.js');
    write('node_modules/uri-js/node_modules/inner/index.js');
    write('node_modules/@scope/tool/node_modules/deep/index.js');
    write('node_modules/unsaid/index.js');
    write('node_modules/.package-lock.json', '{ "packages": { "node_modules/a/node_modules/b/node_modules/noted": {} } }');
    write('node_modules/.pnpm/stored@1.0.0/x');
    write('node_modules/.pnpm/@scope+stored@1.0.0/x');
  });
  after(() => fs.rmSync(root, { recursive: true }));

  for (const target of [
    'uri-js',
    'uri-js/dist/parse',
    'inner',
    'deep',
    'noted',
    'stored',
    '@scope/stored',
    '@scope/tool',
    'crypto',
    'node:crypto',
    'fs/promises',
    './lib/links.js',
    './lib/links',
    './lib/views/index',
    './lib/views/index.js',
    './lib/views',
    './lib/',
    './',
  ]) {
    it(`finds ${target}`, () => assert.equal(missing(target, root), null));
  }

  for (const target of ['x*', '@none/*', './none/**', '/^none/', /^none/]) {
    it(`says nothing of ${target}, which means many`, () => assert.equal(missing(target, root), null));
  }

  for (const [target, kind, nearest] of [
    ['uri.js', 'package, file or built-in', 'uri-js'],
    ['./lib/links.cjs', 'file', './lib/links.js'],
    ['@scope/tol', 'package, file or built-in', '@scope/tool'],
    ['unsaidd', 'package, file or built-in', 'unsaid'],
    ['crpyto', 'package, file or built-in', 'crypto'],
    ['node:crpyto', 'built-in', 'node:crypto'],
    ['./lib/lnks.js', 'file', './lib/links.js'],
    ['./libs/', 'folder', './lib/'],
    ['lib/links.js', 'package', './lib/links.js'],
    ['lib/lnks.js', 'package, file or built-in', './lib/links.js'],
    ['links.js', 'package, file or built-in', './lib/links.js'],
    ['uri-j/dist/parse', 'package, file or built-in', 'uri-js'],
    ['tsl/socket.js', 'package, file or built-in', ''],
  ]) {
    it(`misses ${target}, and names ${nearest || 'nothing'}`, () => assert.deepEqual(missing(target, root), { kind, nearest }));
  }

  it('doubts nothing where packages are found in another way', () => {
    const before = process.env.NODE_PATH;
    process.env.NODE_PATH = root;
    try {
      assert.equal(missing('anything', root), null);
    } finally {
      if (before === undefined) delete process.env.NODE_PATH;
      else process.env.NODE_PATH = before;
    }
  });

  it('are forced by the name under which a package gives a file out, and nothing else of it', () => {
    const inside = (file) => path.join(root, 'node_modules', file);
    const isForced = parseForce('uri-js/dist/parse,@scope/tool/sub.js', root);
    for (const file of ['uri-js/dist/parse.js', '@scope/tool/sub.js']) assert.ok(isForced(inside(file)), file);
    for (const file of ['uri-js/dist/parser.js', '@scope/tool/index.js', 'inner/dist/parse.js']) assert.ok(!isForced(inside(file)), file);
    assert.ok(!isForced(path.join(root, 'uri-js', 'dist', 'parse.js')));
  });

  it('are forced by globs as recipes have them', () => {
    const forced = (glob) => {
      const means = parseForce(glob, root);
      return ['lib/links.js', 'lib/views/index.ts', 'lib/views/deep/x.js', 'lib.js'].filter((file) => means(path.join(root, file)));
    };
    assert.deepEqual(forced('lib/*'), ['lib/links.js']);
    assert.deepEqual(forced('lib/**'), ['lib/links.js', 'lib/views/index.ts', 'lib/views/deep/x.js']);
    assert.deepEqual(forced('lib/**.js'), ['lib/links.js', 'lib/views/deep/x.js']);
    // Also where no folder is between the two.
    assert.deepEqual(forced('lib/**/*.js'), ['lib/links.js', 'lib/views/deep/x.js']);
  });

  it('are missed in what is forced, too, and named with the nearest', () => {
    const effective = ['uri-js', 'inner', '@scope/tool', './lib', 'lib/', 'lib/links.js', path.join('lib', '*.ts'), './none/**', ''];
    assert.deepEqual(idleIn(effective.join(','), root, root), []);
    assert.deepEqual(idleIn('links.js', path.join(root, 'lib'), root), []);
    assert.deepEqual(idleIn('uri-js/dist/parse,@scope/tool/sub', root, root), []);
    assert.deepEqual(idleIn('uri-jss,zlob, lib/link.js,uri-js,crypto, ./lib/links', root, root), [
      "force names 'uri-jss', but there is no such package, file or folder; the nearest is 'uri-js'",
      "force names 'zlob', but there is no such package, file or folder",
      "force names 'lib/link.js', but there is no such file or folder; the nearest is './lib/links.js'",
      "force names 'crypto', but a built-in cannot be forced",
      "force names './lib/links', but there is no such file or folder; the nearest is './lib/links.js'",
    ]);
  });

  it('are named as they have to be written in the working directory, where what is forced begins', () => {
    const [above, inside] = [path.dirname(root), path.join(root, 'lib')];
    const sentence = (name, nearest) => [`force names '${name}', but there is no such file or folder; the nearest is '${nearest}'`];
    const named = `./${path.basename(root)}/lib/links.js`;
    assert.deepEqual(idleIn('./lib/links.js', above, root), sentence('./lib/links.js', named));
    assert.deepEqual(idleIn(named, above, root), []);
    assert.deepEqual(idleIn('./lib/links.js', inside, root), sentence('./lib/links.js', './links.js'));
  });
});
