'use strict';

// Code on its way to a host: what goes along, what a host takes, and what it keeps.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { makeBundle, ownKind } = require('../../lib/host/bundle');
const { closureOf } = require('../../lib/host/closure');
const { digestOf, readManifest, sign } = require('../../lib/host/manifest');
const { Store } = require('../../lib/host/store');
const { makeApp, write } = require('../helpers/hosted-app');

const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
const sha = (text) => crypto.createHash('sha256').update(text).digest('hex');

let folder;
before(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-bundle-')));
});
after(() => fs.rmSync(folder, { recursive: true }));

/** A manifest as somebody could sign it. @param {object} changed */
const manifestOf = (changed) => JSON.stringify({ version: 1, files: [['a.js', sha('a'), 1]], links: [], native: null, ...changed });
const readSigned = (text, key = privateKey) => readManifest(text, sign(text, key), publicKey);

describe('the closure of a module', () => {
  it('is its package and all that this one depends on, with links as links, and no secret', () => {
    const file = makeApp(path.join(folder, 'app'));
    const { base, files, links } = closureOf(file, {});
    assert.equal(base, path.join(folder, 'app'));
    const names = files.map((place) => path.relative(base, place));
    assert.ok(['hot.js', 'data/words.txt', 'node_modules/dep/lib/sub.js', 'node_modules/dep/node_modules/inner/in.js', 'packages/work/index.js'].every((name) => names.includes(name))); // prettier-ignore
    assert.deepEqual(
      names.filter((name) => name.startsWith('.') || name.includes('outside')),
      [],
    );
    assert.deepEqual(
      links.map((pair) => pair.map((place) => path.relative(base, place))),
      [
        ['data/alias.txt', 'data/words.txt'],
        ['node_modules/@app/work', 'packages/work'],
      ],
    );
    assert.equal(new Set(files).size, files.length);
  });

  it('of an installed package is that package, and what lies beside it that it needs', () => {
    write(path.join(folder, 'flat'), {
      'package.json': '{"name":"flat"}',
      'node_modules/a/package.json': '{"name":"a","dependencies":{"b":"1"}}',
      'node_modules/a/index.js': '',
      'node_modules/b/package.json': '{"name":"b"}',
      'node_modules/b/index.js': '',
      'node_modules/c/index.js': '',
    });
    const { base, files } = closureOf(path.join(folder, 'flat/node_modules/a/index.js'), {});
    assert.equal(base, path.join(folder, 'flat'));
    assert.deepEqual(
      files.map((place) => path.relative(base, place)),
      ['a/index.js', 'a/package.json', 'b/index.js', 'b/package.json'].map((name) => `node_modules/${name}`),
    );
  });

  it('has a folder whose name begins with a dot where the module was loaded from there, and no other', () => {
    write(path.join(folder, 'built'), {
      'package.json': '{"name":"built"}',
      '.env': 'SECRET=1',
      '.git/config': '',
      '.build/server/main.js': "require('./.chunk.js'); require('../data.json')",
      '.build/server/.chunk.js': '',
      '.build/server/.cache/old.js': '',
      '.build/data.json': '{}',
      'lib.js': '',
    });
    const file = path.join(folder, 'built/.build/server/main.js');
    require(file);
    const names = (/** @type {any} */ cache, name = '.build/server/main.js') => {
      const { base, files } = closureOf(path.join(folder, 'built', name), cache);
      return files.map((place) => path.relative(base, place));
    };
    const seen = ['.build/data.json', '.build/server/main.js', 'lib.js', 'package.json'];
    assert.deepEqual(names({}), seen);
    assert.deepEqual(names({}, 'lib.js'), ['lib.js', 'package.json']);
    assert.deepEqual(names(require.cache), ['.build/data.json', '.build/server/.chunk.js', ...seen.slice(1)]);
  });

  it('has what the module has loaded, though no package names it', () => {
    write(path.join(folder, 'phantom'), {
      'package.json': '{"name":"phantom"}',
      'main.js': "require('ghost')",
      'node_modules/ghost/package.json': '{"name":"ghost"}',
      'node_modules/ghost/index.js': '',
    });
    const file = path.join(folder, 'phantom/main.js');
    require(file);
    assert.ok(closureOf(file, require.cache).files.some((place) => place.endsWith('ghost/index.js')));
  });

  it('has the links by which Node found what the module has loaded, though no package names it', () => {
    const store = 'pnpm/node_modules/.pnpm';
    write(path.join(folder, 'pnpm'), {
      'package.json': '{"name":"pnpm","dependencies":{"dep":"1"}}',
      'main.js': "require('dep'); require('@team/shared/sub')",
      'packages/shared/package.json': '{"name":"@team/shared"}',
      'packages/shared/sub.js': '',
      'node_modules/.pnpm/dep@1/node_modules/dep/package.json': '{"name":"dep"}',
      'node_modules/.pnpm/dep@1/node_modules/dep/index.js': "require('ghost'); require('other-name');",
      'node_modules/.pnpm/ghost@1/node_modules/ghost/package.json': '{"name":"ghost"}',
      'node_modules/.pnpm/ghost@1/node_modules/ghost/index.js': '',
      'node_modules/.pnpm/other@1/node_modules/other-name/package.json': '{"name":"its-own-name"}',
      'node_modules/.pnpm/other@1/node_modules/other-name/index.js': '',
    });
    const linked = [
      ['pnpm/node_modules/@team/shared', 'pnpm/packages/shared'],
      ['pnpm/node_modules/dep', `${store}/dep@1/node_modules/dep`],
      [`${store}/node_modules/ghost`, `${store}/ghost@1/node_modules/ghost`],
      [`${store}/node_modules/other-name`, `${store}/other@1/node_modules/other-name`],
    ].map((pair) => pair.map((place) => path.join(folder, place)));
    for (const [place, target] of linked) {
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.symlinkSync(path.relative(path.dirname(place), target), place);
    }
    const file = path.join(folder, 'pnpm/main.js');
    require(file);
    const { links } = closureOf(file, require.cache);
    assert.deepEqual(links, linked.sort());
  });

  it('has what its texts require where it is not loaded at home, though no package names it, and files beyond its package', () => {
    write(path.join(folder, 'elsewhere'), {
      'package.json': '{"name":"elsewhere"}',
      'node_modules/ghost/package.json': '{"name":"ghost","dependencies":{"deep":"1"}}',
      'node_modules/ghost/index.js': '',
      'node_modules/deep/index.js': '',
      'node_modules/unused/index.js': '',
      'packages/a/package.json': '{"name":"a"}',
      'packages/a/main.js': "exports.late = () => require('./lib').x; require('not-there');",
      'packages/a/lib/index.js': "exports.x = require ( '../../b/x' )",
      'packages/b/package.json': '{"name":"b"}',
      'packages/b/x.js': "require('ghost/sub')",
      'packages/c/package.json': '{"name":"c"}',
    });
    const { base, files } = closureOf(path.join(folder, 'elsewhere/packages/a/main.js'), {});
    const own = ['a/lib/index.js', 'a/main.js', 'a/package.json', 'b/package.json', 'b/x.js'].map((name) => `packages/${name}`);
    assert.deepEqual(
      files.map((place) => path.relative(base, place)),
      ['deep/index.js', 'ghost/index.js', 'ghost/package.json'].map((name) => `node_modules/${name}`).concat(own),
    );
  });

  it('is none where home finds a package in no folder that a host could have, and is one where home does not find it either', () => {
    write(path.join(folder, 'ways'), {
      'app/package.json': '{"name":"app","exports":"./named.js","optionalDependencies":{"absent":"1"}}',
      'app/named.js': "exports.late = () => require('beside');",
      'app/itself.js': "require('app'); require('absent');",
      'listed/package.json': '{"name":"listed","dependencies":{"beside":"1"}}',
      'listed/main.js': '',
      'beside/index.js': '',
    });
    const before = process.env.NODE_PATH;
    const setPath = (/** @type {string | undefined} */ value) => {
      if (value === undefined) delete process.env.NODE_PATH;
      else process.env.NODE_PATH = value;
      Module._initPaths();
    };
    const closureIn = (/** @type {string} */ name) => closureOf(path.join(folder, 'ways', name), {});
    setPath(path.join(folder, 'ways'));
    try {
      for (const name of ['app/named.js', 'listed/main.js'])
        assert.throws(() => closureIn(name), {
          code: 'IGNIS_BAD_BUNDLE',
          message: /home does not find the package beside in any node_modules folder/,
        });
      assert.equal(closureIn('app/itself.js').files.length, 3);
    } finally {
      setPath(before);
    }
    assert.equal(closureIn('app/named.js').files.length, 3);
  });

  it('has what ES modules import, though no package names it, with what those packages need', () => {
    write(path.join(folder, 'es'), {
      'package.json': '{"name":"es","type":"module"}',
      'main.js':
        "import fs from 'node:fs';\nexport { a } from './lib/a.js';\nimport none from 'not-there'; import { b } from '@up/b/sub.js';",
      'lib/a.js': "import '../main.js';\nexport const a = () => import('late');",
      'lib/data.json': '"import \'data\'"',
      'node_modules/late/package.json': '{"name":"late","dependencies":{"deep":"1"}}',
      'node_modules/late/index.js': '',
      'node_modules/deep/package.json': '{"name":"deep"}',
      'node_modules/deep/index.js': '',
      'node_modules/data/index.js': '',
      'node_modules/unused/index.js': '',
      'packages/b/package.json': '{"name":"@up/b"}',
      'packages/b/sub.js': '',
    });
    fs.mkdirSync(path.join(folder, 'es/node_modules/@up'));
    fs.symlinkSync('../../packages/b', path.join(folder, 'es/node_modules/@up/b'));
    const { base, files, links } = closureOf(path.join(folder, 'es/main.js'), {});
    const names = files.map((place) => path.relative(base, place)).filter((name) => /node_modules|packages/.test(name));
    const packages = ['deep/index.js', 'deep/package.json', 'late/index.js', 'late/package.json'].map((name) => `node_modules/${name}`);
    assert.deepEqual(names, [...packages, 'packages/b/package.json', 'packages/b/sub.js']);
    assert.deepEqual(
      links.map((pair) => pair.map((place) => path.relative(base, place))),
      [['node_modules/@up/b', 'packages/b']],
    );
  });
});

describe('a bundle', () => {
  const PEM = `-----BEGIN ${'PRIVATE'} KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END ${'PRIVATE'} KEY-----\n`;

  /** What a host that has it would have. @param {string} name @param {Record<string, string>} files @param {[string, string][]} [links] */
  async function sent(name, files, links = []) {
    const app = path.join(folder, name);
    write(app, { 'package.json': `{"name":"${name}"}`, 'hot.js': '', ...files });
    for (const [place, target] of links) {
      fs.mkdirSync(path.dirname(path.join(app, place)), { recursive: true });
      fs.symlinkSync(target, path.join(app, place));
    }
    const bundle = await makeBundle(path.join(app, 'hot.js'), privateKey, {});
    const manifest = readManifest(bundle.text, bundle.signature, publicKey);
    return {
      files: manifest.files.map(([file]) => file).filter((file) => !['hot.js', 'package.json'].includes(file)),
      links: manifest.links,
    };
  }

  it('leaves out what home may not read, unless it is the folder of a package itself', () => {
    const file = makeApp(path.join(folder, 'guarded'));
    const { readdirSync } = fs;
    const refusing = (/** @type {string} */ guarded) => (fs.readdirSync = /** @type {any} */ (
      (/** @type {string} */ place, /** @type {any[]} */ ...rest) => {
        if (place === guarded) throw Object.assign(new Error('not for you'), { code: 'EACCES' });
        return Reflect.apply(readdirSync, fs, [place, ...rest]);
      }
    )); // prettier-ignore
    try {
      refusing(path.join(folder, 'guarded', 'data'));
      const { files } = closureOf(file, {});
      assert.ok(files.includes(file));
      assert.deepEqual(files.filter((place) => place.includes(`${path.sep}data${path.sep}`)), []); // prettier-ignore
      refusing(path.join(folder, 'guarded'));
      assert.throws(() => closureOf(file, {}), { code: 'EACCES' });
    } finally {
      fs.readdirSync = readdirSync;
    }
  });

  it('has no private key, wherever it lies and whatever it is called, and no store of a daemon', async () => {
    const { files } = await sent('keys', {
      'keys/home/key.pem': PEM,
      'keys/home/cert.pem': PEM.replaceAll('PRIVATE KEY', 'CERTIFICATE'),
      'keys/home/deploy.key': PEM,
      'certs/both': `some words\n${PEM.replaceAll('PRIVATE', 'RSA PRIVATE').replaceAll('\n', '\r\n')}`,
      'about.js': `// what begins with\n${PEM}`,
      'store1/files/a': '',
      'store1/bundles/b/hot.js': '',
      'store1/partial/c': '',
      'files/data.txt': 'no store',
    });
    assert.deepEqual(files, ['about.js', 'files/data.txt', 'keys/home/cert.pem']);
  });

  it('says which files may be executed, and a store lays them so', async () => {
    const app = path.join(folder, 'tools');
    write(app, { 'package.json': '{"name":"tools"}', 'hot.js': '', 'bin/tool': '#!/bin/sh\n', 'bin/text': 'no program' });
    fs.chmodSync(path.join(app, 'bin/tool'), 0o755);
    const bundle = await makeBundle(path.join(app, 'hot.js'), privateKey, {});
    const manifest = readManifest(bundle.text, bundle.signature, publicKey);
    const store = new Store(path.join(folder, 'tools-store'), 1e6);
    await store.expect(bundle.digest, manifest);
    for (const [hash, place] of bundle.files) {
      const content = fs.readFileSync(place);
      await store.add(bundle.digest, hash, content.length, 0, content);
    }
    const root = await store.build(bundle.digest, manifest);
    assert.deepEqual(
      ['bin/tool', 'bin/text', 'hot.js'].map((name) => fs.statSync(path.join(root, name)).mode & 0o111),
      [0o111, 0, 0],
    );
  });

  it('says that it is too large without reading what is: Node reads no file of more than 2 GiB', async () => {
    const app = path.join(folder, 'huge');
    write(app, { 'package.json': '{"name":"huge"}', 'hot.js': '' });
    fs.closeSync(fs.openSync(path.join(app, 'data.bin'), 'w'));
    fs.truncateSync(path.join(app, 'data.bin'), 5 * 2 ** 30);
    await assert.rejects(makeBundle(path.join(app, 'hot.js'), privateKey, {}), {
      code: 'IGNIS_BAD_BUNDLE',
      message: /huge has more than 268435456 bytes that a host would need/,
    });
  });

  it('leaves out links to what is not in it, or to what they are in, and names that not every system has', async () => {
    const { files, links } = await sent(
      'links',
      { 'data/words.txt': 'w', 'keys/key.pem': PEM, 'empty/.gitkeep': '', 'node_modules/jquery/jquery.js': '', 'a:b.txt': '' },
      [
        ['good.txt', 'data/words.txt'],
        ['data/folder', '../data'],
        ['whole', '.'],
        ['shown', 'empty'],
        ['secret.pem', 'keys/key.pem'],
        ['public/jquery.js', '../node_modules/jquery/jquery.js'],
        ['more', 'data'],
      ],
    );
    assert.deepEqual(files, ['data/words.txt']);
    assert.deepEqual(links, [
      ['good.txt', 'data/words.txt'],
      ['more', 'data'],
    ]);
  });

  it('is none of a module whose own name not every system has', async function () {
    if (process.platform === 'win32') this.skip();
    for (const [i, name] of ['back\\slash/hot.js', 'back\\slash.js', 'c:hot.js'].entries()) {
      const app = path.join(folder, `named-${i}`);
      write(app, { 'package.json': '{"name":"named"}', [name]: '' });
      await assert.rejects(makeBundle(path.join(app, name), privateKey, {}), {
        code: 'IGNIS_BAD_BUNDLE',
        message: /is a name that not every system can have$/,
      });
    }
  });

  it('has folders that hold nothing that is sent, and a store makes them', async () => {
    const app = path.join(folder, 'empty');
    write(app, {
      'package.json': '{"name":"empty"}',
      'hot.js': '',
      'plugins/.gitkeep': '',
      'data/sub/words.txt': '',
      'data/keys/key.pem': PEM,
      '.cache/entry': '',
    });
    fs.mkdirSync(path.join(app, 'data/none/inside'), { recursive: true });
    const bundle = await makeBundle(path.join(app, 'hot.js'), privateKey, {});
    const manifest = readManifest(bundle.text, bundle.signature, publicKey);
    const empty = ['data/keys', 'data/none/inside', 'plugins'];
    assert.deepEqual(manifest.folders, empty);
    const store = new Store(path.join(folder, 'store-empty'), 1e9);
    for (const { hash } of await store.expect(bundle.digest, manifest))
      await store.add(bundle.digest, hash, bundle.sizes.get(hash), 0, fs.readFileSync(bundle.files.get(hash)));
    const root = await store.build(bundle.digest, manifest);
    fs.writeFileSync(path.join(root, 'plugins', 'cache'), '');
    fs.rmSync(path.join(root, 'data', 'none'), { recursive: true });
    await store.build(bundle.digest, manifest);
    const lists = [...empty, ''].map((name) => fs.readdirSync(path.join(root, name)));
    assert.deepEqual(lists, [[], [], ['cache'], ['data', 'hot.js', 'package.json', 'plugins']]);
  });

  it('has packages whose folder is a link, and one that is the application itself', async () => {
    write(path.join(folder, 'elsewhere'), {
      'node_modules/dep/package.json': '{"name":"dep","dependencies":{"inner":"1"}}',
      'node_modules/dep/index.js': '',
      'node_modules/inner/package.json': '{"name":"inner"}',
      'node_modules/inner/index.js': '',
    });
    const app = path.join(folder, 'linked');
    write(app, { 'package.json': '{"name":"linked","dependencies":{"dep":"1"}}', 'hot.js': '' });
    fs.symlinkSync('../elsewhere/node_modules', path.join(app, 'node_modules'));
    const bundle = await makeBundle(path.join(app, 'hot.js'), privateKey, {});
    const { links } = readManifest(bundle.text, bundle.signature, publicKey);
    assert.deepEqual(links, [['linked/node_modules/dep', 'elsewhere/node_modules/dep']]);

    const own = path.join(folder, 'own');
    write(own, { 'package.json': '{"name":"own","dependencies":{"own":"file:."}}', 'hot.js': '' });
    fs.mkdirSync(path.join(own, 'node_modules'));
    fs.symlinkSync('..', path.join(own, 'node_modules/own'));
    const itself = await makeBundle(path.join(own, 'hot.js'), privateKey, {});
    assert.deepEqual(readManifest(itself.text, itself.signature, publicKey).links, []);
  });
});

describe('a manifest', () => {
  it('is read when it is signed with the deploy key, and only then', async () => {
    const bundle = await makeBundle(makeApp(path.join(folder, 'signed')), privateKey, {});
    const { files } = readManifest(bundle.text, bundle.signature, publicKey);
    assert.equal(files.length, bundle.files.size);
    assert.equal(bundle.digest, digestOf(bundle.text));
    const other = crypto.generateKeyPairSync('ed25519').privateKey;
    for (const [text, signature] of [
      [bundle.text.replace('hot.js', 'hit.js'), bundle.signature],
      [bundle.text, Buffer.alloc(64)],
      [bundle.text, Buffer.alloc(0)],
      [bundle.text, sign(bundle.text, other)],
      [bundle.text, crypto.sign(null, Buffer.from(bundle.text), privateKey)],
    ]) {
      assert.throws(() => readManifest(text, signature, publicKey), {
        code: 'IGNIS_BAD_BUNDLE',
        message: /not signed with the deploy key/,
      });
    }
  });

  it('names no path outside of its folder, and nothing below a file or a link', () => {
    const files = (...names) => names.map((name) => [name, sha('a'), 1]);
    const wrong = ['../a', '/etc/passwd', 'a/../../b', 'a//b', './a', 'a/.', '', 'a\\b', 'C:/a', 'a\0b', 'x'.repeat(2000), 7, null];
    for (const name of wrong)
      for (const changed of [{ files: files(name) }, { folders: [name] }])
        assert.throws(() => readSigned(manifestOf(changed)), { code: 'IGNIS_BAD_BUNDLE' }, String(name));
    assert.throws(() => readSigned(manifestOf({ files: files('a', 'a') })), /is listed twice/);
    assert.throws(() => readSigned(manifestOf({ files: files('a', 'a/b') })), /below what is a file or a link/);
    for (const folders of [['a'], ['a/b'], ['d/f/g'], ['e', 'e/f'], ['e', 'e'], 'e', {}])
      assert.throws(() => readSigned(manifestOf({ files: files('a', 'd/f'), folders })), { code: 'IGNIS_BAD_BUNDLE' }, String(folders));
    const links = [
      [['l', '../..']],
      [['l', '/etc']],
      [['l', 'nowhere']],
      [['l', 'l']],
      [['a/l', 'a']],
      [['l', 'd'], ['d2', 'l']], // prettier-ignore
      [['l', 'd'], ['l/x', 'd/f']], // prettier-ignore
    ];
    for (const one of links)
      assert.throws(() => readSigned(manifestOf({ files: files('d/f', 'a/f'), links: one })), { code: 'IGNIS_BAD_BUNDLE' });
    readSigned(manifestOf({ files: files('d/f'), folders: ['d/e', 'e'], links: [['l', 'd'], ['m/n', 'd/f']] })); // prettier-ignore
  });

  it('of another version or form is refused', () => {
    for (const changed of [
      { version: 2 },
      { files: {} },
      { files: [['a', 'b', 1]] },
      { files: [['a', sha('a'), -1]] },
      { native: 'linux' },
      { native: { ...ownKind(), modules: 115 } },
      { links: 1 },
    ])
      assert.throws(() => readSigned(manifestOf(changed)), { code: 'IGNIS_BAD_BUNDLE' });
    assert.throws(() => readSigned('{'), /is not JSON/);
  });

  it('says what its addons were built for', () => {
    assert.deepEqual(readSigned(manifestOf({ native: ownKind() })).native, ownKind());
  });
});

describe('the store of a host', () => {
  const manifest = (content) => {
    const text = JSON.stringify({ version: 1, files: Object.entries(content).map(([name, body]) => [name, sha(body), Buffer.byteLength(body)]), links: [['l', 'd']], native: null }); // prettier-ignore
    return { text, digest: digestOf(text), read: readSigned(text) };
  };
  let count = 0;
  const make = (bytes = 1e9) => new Store(path.join(folder, `store-${count++}`), bytes);

  it('asks for what it has not, takes it in pieces, goes on where it stopped, and asks for nothing twice', async () => {
    const store = make();
    const { digest, read } = manifest({ 'd/a': 'first', 'd/b': 'second', 'd/c': 'first' });
    assert.deepEqual(
      (await store.expect(digest, read)).map(({ have }) => have),
      [0, 0],
    );
    assert.equal(await store.add(digest, sha('first'), 5, 0, Buffer.from('fir')), 3);
    assert.equal(await store.add(digest, sha('first'), 5, 0, Buffer.from('fir')), 3, 'it says where to go on');
    assert.deepEqual(
      (await store.expect(digest, read)).find(({ hash }) => hash === sha('first')),
      { hash: sha('first'), have: 3 },
    );
    assert.equal(await store.add(digest, sha('first'), 5, 3, Buffer.from('st')), 5);
    await assert.rejects(store.build(digest, read), { code: 'IGNIS_BAD_BUNDLE', message: /was not sent/ });
    assert.equal(await store.add(digest, sha('second'), 6, 0, Buffer.from('second')), 6);
    const root = await store.build(digest, read);
    assert.equal(fs.readFileSync(path.join(root, 'l', 'c'), 'utf8'), 'first');
    assert.deepEqual(await store.expect(digest, read), []);
    const next = manifest({ 'd/a': 'first', 'd/b': 'changed' });
    assert.deepEqual(await store.expect(next.digest, next.read), [{ hash: sha('changed'), have: 0 }]);
  });

  it('can be read by the user of the replicas, whatever the umask', async function () {
    if (process.platform === 'win32') this.skip();
    const before = process.umask(0o077);
    try {
      const store = new Store(path.join(folder, 'above', 'masked'), 1e9);
      const { digest, read } = manifest({ 'd/e/f/a': 'first', 'd/e/g/b': 'first' });
      await store.expect(digest, read);
      await store.add(digest, sha('first'), 5, 0, Buffer.from('first'));
      const root = await store.build(digest, read);
      const below = fs.readdirSync(root, { recursive: true }).map((name) => path.join(root, name));
      assert.ok(below.includes(path.join(root, 'd', 'e', 'g', 'b')));
      for (const place of [path.join(folder, 'above'), path.join(folder, 'above', 'masked'), path.dirname(root), root, ...below]) {
        const stat = fs.statSync(place);
        assert.equal(stat.mode & 0o777, stat.isDirectory() ? 0o755 : 0o644, place);
      }
    } finally {
      process.umask(before);
    }
  });

  it('keeps nothing that is not what its hash says', async () => {
    const store = make();
    const { digest, read } = manifest({ 'd/a': 'right' });
    await store.expect(digest, read);
    await assert.rejects(store.add(digest, sha('right'), 5, 0, Buffer.from('wrong')), {
      code: 'IGNIS_BAD_BUNDLE',
      message: /is not the file/,
    });
    await assert.rejects(store.add(digest, sha('right'), 5, 0, Buffer.from('right and more')), /longer than its manifest says/);
    await assert.rejects(store.add(digest, sha('other'), 5, 0, Buffer.from('other')), /nobody asked/);
    await assert.rejects(store.build(digest, read), { code: 'IGNIS_BAD_BUNDLE' });
    assert.equal(fs.existsSync(store.rootOf(digest)), false);
    await store.add(digest, sha('right'), 5, 0, Buffer.from('right'));
    await store.build(digest, read);
  });

  it('lays no file that was changed where it is kept, and asks for it once more', async () => {
    const at = path.join(folder, `store-${count}`, 'files');
    const store = make();
    const { digest, read } = manifest({ 'd/a': 'right', 'd/b': 'other' });
    await store.expect(digest, read);
    for (const text of ['right', 'other']) await store.add(digest, sha(text), 5, 0, Buffer.from(text));
    fs.writeFileSync(path.join(at, sha('right')), 'wrong');
    await assert.rejects(store.build(digest, read), { code: 'IGNIS_BAD_BUNDLE', message: /was changed in the store/ });
    assert.equal(fs.existsSync(store.rootOf(digest)), false);
    assert.deepEqual(await store.expect(digest, read), [{ hash: sha('right'), have: 0 }]);
    await store.add(digest, sha('right'), 5, 0, Buffer.from('right'));
    assert.equal(fs.readFileSync(path.join(await store.build(digest, read), 'd', 'a'), 'utf8'), 'right');
  });

  it('lays anew what has gone from a tree or was changed in it, before a replica gets it', async () => {
    const store = make();
    const { digest, read } = manifest({ 'd/a': 'right', 'd/e/b': 'other' });
    const send = async () => {
      for (const { hash } of await store.expect(digest, read)) {
        const text = ['right', 'other'].find((one) => sha(one) === hash);
        await store.add(digest, hash, 5, 0, Buffer.from(text));
      }
    };
    await send();
    const root = await store.build(digest, read);
    const [a, b, l] = ['d/a', 'd/e/b', 'l'].map((name) => path.join(root, name));
    const lies = () => [a, b].map((file) => fs.readFileSync(file, 'utf8'));
    for (const harm of [
      () => fs.writeFileSync(a, 'wrong'),
      () => fs.writeFileSync(a, ''),
      () => fs.rmSync(a),
      () => fs.rmSync(path.dirname(b), { recursive: true }),
      () => fs.rmSync(l),
      () => fs.rmSync(root, { recursive: true }),
    ]) {
      harm();
      assert.equal(await store.build(digest, read), root);
      assert.deepEqual([...lies(), fs.readFileSync(path.join(l, 'a'), 'utf8')], ['right', 'other', 'right'], String(harm));
    }
    // A module may write to its own files.
    fs.writeFileSync(a, 'mine!');
    fs.rmSync(b);
    await store.build(digest, read, () => true);
    assert.deepEqual(lies(), ['mine!', 'other']);
    await store.build(digest, read);
    assert.deepEqual(lies(), ['right', 'other']);
    // What it was laid from has gone too.
    fs.rmSync(path.dirname(path.dirname(root)), { recursive: true });
    await assert.rejects(store.build(digest, read), { code: 'IGNIS_BAD_BUNDLE' });
    await send();
    assert.equal(await store.build(digest, read), root);
    fs.rmSync(b);
    fs.rmSync(path.join(root, '..', '..', 'files', sha('other')));
    await assert.rejects(store.build(digest, read), { code: 'IGNIS_BAD_BUNDLE' });
    await send();
    await store.build(digest, read);
    assert.deepEqual(lies(), ['right', 'other']);
  });

  it('lays and looks at some files at once: a package may have thousands', async () => {
    const store = make();
    const texts = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d/${i}`, `text ${i}`]));
    const { digest, read } = manifest(texts);
    for (const { hash } of await store.expect(digest, read)) {
      const text = Object.values(texts).find((one) => sha(one) === hash);
      await store.add(digest, hash, text.length, 0, Buffer.from(text));
    }
    const { readFile, lstat } = fs.promises;
    const most = { readFile: 0, lstat: 0 };
    for (const [name, original] of Object.entries({ readFile, lstat })) {
      let open = 0;
      fs.promises[name] = async (...args) => {
        most[name] = Math.max(most[name], ++open);
        return Reflect.apply(original, fs.promises, args).finally(() => open--);
      };
    }
    try {
      const root = await store.build(digest, read);
      for (const [name, text] of Object.entries(texts)) assert.equal(fs.readFileSync(path.join(root, name), 'utf8'), text);
    } finally {
      Object.assign(fs.promises, { readFile, lstat });
    }
    assert.ok(most.readFile > 1 && most.readFile < 40, `${most.readFile} files at once`);
    assert.ok(most.lstat > 1 && most.lstat < 40, `${most.lstat} files at once`);
  });

  it('says which name its disk takes for another one: case, and how accents are written, count on some systems only', async () => {
    const store = make();
    const { digest, read } = manifest({ 'd/File.js': 'first', 'd/file.js': 'other' });
    for (const { hash } of await store.expect(digest, read))
      await store.add(digest, hash, 5, 0, Buffer.from(hash === sha('first') ? 'first' : 'other'));
    const { writeFile, chmod } = fs.promises;
    for (const [name, original] of Object.entries({ writeFile, chmod }))
      fs.promises[name] = (/** @type {string} */ place, /** @type {any[]} */ ...rest) =>
        Reflect.apply(original, fs.promises, [path.join(path.dirname(place), path.basename(place).toLowerCase()), ...rest]);
    try {
      await assert.rejects(store.build(digest, read), { code: 'IGNIS_HOST_REFUSED', message: /cannot tell the name "[Ff]ile\.js" from that of another file beside it$/ }); // prettier-ignore
    } finally {
      Object.assign(fs.promises, { writeFile, chmod });
    }
    await store.build(digest, read);
  });

  it('makes room by what nobody uses, and says so when there is none', async () => {
    const store = make(100);
    const [old, next, large] = ['a', 'b', 'c'].map((letter) => manifest({ 'd/f': letter.repeat(letter === 'c' ? 60 : 30) }));
    await store.expect(old.digest, old.read);
    await store.add(old.digest, sha('a'.repeat(30)), 30, 0, Buffer.from('a'.repeat(30)));
    await store.build(old.digest, old.read);
    store.use(old.digest, 1);
    await assert.rejects(store.expect(next.digest, next.read), { code: 'IGNIS_HOST_REFUSED', message: /is full: \d+ bytes of 100/ });
    store.use(old.digest, -1);
    assert.equal((await store.expect(next.digest, next.read)).length, 1);
    assert.equal(fs.existsSync(store.rootOf(old.digest)), false);
    await assert.rejects(store.expect(large.digest, large.read), { code: 'IGNIS_HOST_REFUSED' });
  });

  it('keeps what was sent of a bundle for the next home that offers it, until the room is needed', async () => {
    const store = make(100);
    const [half, next] = ['a', 'b'].map((letter) => manifest({ 'd/f': letter.repeat(30), 'd/g': letter.repeat(9) }));
    /** @param {typeof half} bundle */
    const offer = ({ digest, read }) => {
      store.use(digest, 1);
      return store.expect(digest, read);
    };
    await offer(half);
    await store.add(half.digest, sha('a'.repeat(30)), 30, 0, Buffer.from('a'.repeat(29)));
    await store.add(half.digest, sha('a'.repeat(9)), 9, 0, Buffer.from('a'.repeat(9)));
    await assert.rejects(offer(next), { code: 'IGNIS_HOST_REFUSED', message: /is full: 38 bytes of 100/ });
    store.use(next.digest, -1);
    // Its home has gone, and comes again.
    store.use(half.digest, -1);
    assert.deepEqual(await offer(half), [{ hash: sha('a'.repeat(30)), have: 29 }]);
    store.use(half.digest, -1);
    assert.equal((await offer(next)).length, 2);
    await assert.rejects(store.add(half.digest, sha('a'.repeat(30)), 30, 29, Buffer.from('a')), /nobody asked/);
  });

  it('remembers what is in a bundle for as long as a home is there that has offered it', async () => {
    const store = make();
    const { digest, read } = manifest({ 'd/f': 'a' });
    for (let home = 0; home < 2; home++) {
      store.use(digest, 1);
      await store.expect(digest, read);
    }
    store.use(digest, -1);
    assert.equal(await store.add(digest, sha('a'), 1, 0, Buffer.from('a')), 1);
    store.use(digest, -1);
    await assert.rejects(store.add(digest, sha('a'), 1, 0, Buffer.from('a')), /nobody asked/);
    store.use(digest, 1);
    assert.deepEqual(await store.expect(digest, read), [], 'what was sent is there');
  });

  it('does not take away what a home offers while room is made', async () => {
    const store = make(130);
    const [old, next] = ['a', 'b'].map((letter) => manifest({ 'd/f': letter.repeat(30), 'd/g': letter.repeat(9) }));
    /** @param {typeof old} bundle */
    const offer = ({ digest, read }) => {
      store.use(digest, 1);
      return store.expect(digest, read);
    };
    await store.expect(old.digest, old.read);
    for (const length of [30, 9]) await store.add(old.digest, sha('a'.repeat(length)), length, 0, Buffer.from('a'.repeat(length)));
    await store.build(old.digest, old.read);
    const { rm } = fs.promises;
    let built;
    const offerAgain = async () => {
      for (const { hash, have } of await offer(old)) {
        const text = [30, 9].map((length) => 'a'.repeat(length)).find((one) => sha(one) === hash);
        await store.add(old.digest, hash, text.length, have, Buffer.from(text.slice(have)));
      }
      return store.build(old.digest, old.read);
    };
    fs.promises.rm = async (...args) => {
      built ??= offerAgain();
      // Long enough for a home that finds its bundle whole to be told so.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      return rm(...args);
    };
    try {
      await offer(next);
      const root = await built;
      assert.equal(fs.readFileSync(path.join(root, 'd', 'f'), 'utf8'), 'a'.repeat(30));
      assert.equal(fs.readFileSync(path.join(root, 'd', 'g'), 'utf8'), 'a'.repeat(9));
    } finally {
      fs.promises.rm = rm;
    }
  });

  it('makes room by what nobody uses where the disk is full before the store is', async () => {
    const store = make();
    const [old, next] = ['a', 'b'].map((letter) => manifest({ 'd/f': letter.repeat(30) }));
    const send = ({ digest }, letter) => store.add(digest, sha(letter.repeat(30)), 30, 0, Buffer.from(letter.repeat(30)));
    await store.expect(old.digest, old.read);
    await send(old, 'a');
    await store.build(old.digest, old.read);
    store.use(old.digest, 1);
    await store.expect(next.digest, next.read);
    const { appendFile, writeFile } = fs.promises;
    /** Room for one bundle and what it is laid of. */
    const asOn = (write) => (place, bytes, options) => {
      if (fs.existsSync(store.rootOf(old.digest))) return Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      return write(place, bytes, options);
    };
    Object.assign(fs.promises, { appendFile: asOn(appendFile), writeFile: asOn(writeFile) });
    try {
      await assert.rejects(send(next, 'b'), { code: 'IGNIS_HOST_REFUSED', message: /its disk is full/ });
      store.use(old.digest, -1);
      assert.equal(await send(next, 'b'), 30);
      assert.equal(fs.readFileSync(path.join(await store.build(next.digest, next.read), 'd', 'f'), 'utf8'), 'b'.repeat(30));
    } finally {
      Object.assign(fs.promises, { appendFile, writeFile });
    }
  });

  it('makes room also where somebody else takes away what it is about to', async () => {
    const store = make(40);
    const [old, next] = ['a', 'b'].map((letter) => manifest({ 'd/f': letter.repeat(15) }));
    await store.expect(old.digest, old.read);
    await store.add(old.digest, sha('a'.repeat(15)), 15, 0, Buffer.from('a'.repeat(15)));
    await store.build(old.digest, old.read);
    store.use(old.digest, 1);
    store.use(old.digest, -1);
    const { readdir } = fs.promises;
    let taken = 0;
    fs.promises.readdir = async (place, ...how) => {
      const names = await readdir(place, ...how);
      if (how.length === 0)
        for (const name of names) {
          fs.rmSync(path.join(String(place), name), { recursive: true });
          taken += 1;
        }
      return names;
    };
    try {
      assert.equal((await store.expect(next.digest, next.read)).length, 1);
    } finally {
      fs.promises.readdir = readdir;
    }
    assert.ok(taken > 0);
  });

  it('says that it cannot write', async () => {
    const store = make();
    const { digest, read } = manifest({ 'd/a': 'x' });
    await store.expect(digest, read);
    const { appendFile } = fs.promises;
    fs.promises.appendFile = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    try {
      await assert.rejects(store.add(digest, sha('x'), 1, 0, Buffer.from('x')), {
        code: 'IGNIS_HOST_REFUSED',
        message: /its disk is full/,
      });
    } finally {
      fs.promises.appendFile = appendFile;
    }
  });
});

describe('what an addon is built for', () => {
  it('is said by platform, processor and the number of its interface', () => {
    assert.deepEqual(ownKind(), { platform: process.platform, arch: process.arch, modules: process.versions.modules });
  });
});
