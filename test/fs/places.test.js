'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');
const { Places, textOf } = require('../../lib/fs/places.js');

describe('a path', () => {
  let folder;
  let root;
  /** @type {(given: any) => string | null | undefined} */
  let at;
  let around;

  before(() => {
    folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-places-'));
    root = path.join(folder, 'data');
    fs.mkdirSync(path.join(root, 'releases/5'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'beside'));
    fs.symlinkSync('releases/5', path.join(root, 'current'));
    fs.symlinkSync('../beside', path.join(root, 'out'));
    fs.symlinkSync('data', path.join(folder, 'also'));
    const places = new Places({ settings: { root: path.join(folder, 'also'), realRoot: root } });
    at = (given) => places.of(given)?.at;
    around = (given) => places.around(given)?.at;
  });

  after(() => fs.rmSync(folder, { recursive: true }));

  it('lies where its name says, whether it names the root by a link or not', () => {
    assert.equal(at(root), '');
    assert.equal(at(path.join(folder, 'also')), '');
    assert.equal(at(`${root}/a/b`), 'a/b');
    assert.equal(at(`${folder}/also//a/./b/`), 'a/b/');
    assert.equal(at(path.relative(process.cwd(), `${root}/a`)), 'a');
    assert.equal(at(Buffer.from(`${root}/a`)), 'a');
    assert.equal(at(vm.runInNewContext('Uint8Array').from(Buffer.from(`${root}/a`))), 'a');
    assert.equal(at(pathToFileURL(`${root}/a b`)), 'a b');
    const { href, protocol, hostname, pathname } = pathToFileURL(`${root}/a b`);
    assert.equal(at({ href, protocol, hostname, pathname }), 'a b');
    const all = new Places({ settings: { root: path.parse(root).root, realRoot: path.parse(root).root } });
    assert.equal(all.of('/a/../b').at, 'b');
    assert.equal(all.of(''), null);
    assert.equal(at(`${root}/`), '');
  });

  it('goes up from where a link leads, and from what is not there as its name says', () => {
    assert.equal(at(`${root}/current/../made`), 'releases/made');
    assert.equal(at(`${root}/current//.././made`), 'releases/made');
    assert.equal(at(path.relative(process.cwd(), root) + '/current/../made'), 'releases/made');
    assert.equal(at(`${root}/current/../../made`), 'made');
    assert.equal(at(`${root}/releases/../made`), 'made');
    assert.equal(at(`${root}/none/../made`), 'made');
    assert.equal(at(`${root}/a..b`), 'a..b');
  });

  it('is no business of the file system where it leads elsewhere', () => {
    for (const given of [
      folder,
      `${root}-beside/a`,
      `${root}/../a`,
      `${root}/out/../a`,
      `${folder}/data2`,
      '',
      '/',
      `${root}/a\0`,
      7,
      null,
    ])
      assert.equal(at(given), undefined, String(given));
    for (const given of [new URL('http://a/b'), new URL('file://elsewhere/b%2Fc')]) assert.equal(textOf(given), null, String(given));
  });

  it('is no business of the file system below packages and histories, and neither is what stands around those but at the root', () => {
    assert.equal(at(`${root}/a/node_modules/p`), undefined);
    assert.equal(around(`${root}/a/node_modules/p`), 'a');
    assert.equal(at(`${root}/a/b/.git`), undefined);
    assert.equal(around(`${root}/a/b/.git`), 'a/b');
    assert.equal(around(`${root}/node_modules/p`), undefined);
    assert.equal(around(`${root}/a/b`), undefined);
    assert.equal(around(folder), undefined);
  });
});
