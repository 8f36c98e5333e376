'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { checkRecipe } = require('../../lib/recipe/fields.js');
const { consentOf, mergeLayers } = require('../../lib/recipe/merge.js');
const { allShipped, fileNameOf, findShipped } = require('../../lib/recipe/shipped.js');
const ids = require('./module-ids.js');
const { OPTIONAL_FIELDS, PAYS_FIELDS, SHIPPED_FIELDS } = require('./shipped-fields.js');

const FOLDER = path.join(__dirname, '..', '..', 'recipes');

describe('shipped recipes', () => {
  for (const shipped of allShipped()) {
    describe(shipped.package, () => {
      it('stands in the file of its name, with evidence', () => {
        assert.ok(fs.existsSync(path.join(FOLDER, fileNameOf(shipped.package))));
        const fields = Object.keys(shipped);
        assert.deepEqual(
          fields,
          SHIPPED_FIELDS.filter((field) => fields.includes(field) || !OPTIONAL_FIELDS.includes(field)),
        );
        assert.ok(shipped.evidence.length > 40);
        assert.equal(shipped.versions.length === 0, shipped.package.startsWith('node:'));
      });

      it('passes the check, and gives no consent', () => {
        const recipe = checkRecipe('module', shipped.recipe, shipped.package);
        assert.equal(consentOf(mergeLayers([{ by: 'shipped', where: 'here', recipe }], 4)).allowed, false);
        assert.notEqual(recipe.hot, true);
        assert.equal(recipe.call, undefined);
      });

      it('says whether it runs in a thread, and what its figures are of', () => {
        assert.ok(shipped.threads === true || shipped.threads.endsWith('.'));
        if (shipped.recipe.setup !== undefined) assert.equal(typeof shipped.setup, 'string');
        for (const row of shipped.pays) {
          assert.deepEqual(Object.keys(row), PAYS_FIELDS);
          assert.ok(row.bytes > 0 && row.ms > 0 && row.homeMs > 0, row.function);
          // Measured: what never pays costs home about as much as the call itself, or more.
          assert.equal(row.breakEven === 'never', row.homeMs > 0.8 * row.ms, row.function);
        }
      });
    });
  }

  it('hold only for the versions that were examined', () => {
    assert.ok(findShipped(ids.uri));
    for (const version of ['2.1.10', '2.1', '4.4.1', null]) assert.equal(findShipped({ ...ids.uri, version }), null);
  });

  it('hold for the file that the package means by its name, and for those they name', () => {
    assert.equal(findShipped({ ...ids.uri, name: 'uri-js/src/uri.js', inside: './src/uri.js' }), null);
    const bcrypt = { ...ids.uri, name: 'bcryptjs', packageName: 'bcryptjs', version: '3.0.3' };
    assert.equal(findShipped(bcrypt).where, 'recipes/bcryptjs.js of Ignis');
    assert.equal(findShipped({ ...bcrypt, inside: './index.js' })?.package, 'bcryptjs');
    assert.equal(findShipped({ ...bcrypt, inside: './other.js' }), null);
  });

  it('hold for a built-in with its own name', () => {
    assert.equal(findShipped(ids.crypto).package, 'node:crypto');
    assert.equal(findShipped({ ...ids.fs, name: 'node:fs/promises' }), null);
  });

  it('do not hold for a file of the program that has such a name', () => {
    assert.equal(findShipped({ ...ids.links, name: 'uri-js' }), null);
  });
});

describe('the evidence for uri-js 2.1.1', () => {
  const uri = require('uri-js');

  it('parse, resolve, normalize and equal of strings return the same, whatever came before', () => {
    const links = [
      'http://a.example/b/../c?d#e',
      'mailto:A@b.example?subject=x',
      'urn:foo:A%2cb',
      '//x',
      '',
      'http://[::1]:80/',
      'HTTP://EXAMPLE.com:80/%7euser',
    ];
    // On some links 2.1.1 throws; that is an answer too.
    const answer = (run) => {
      try {
        return run();
      } catch (error) {
        return error.message;
      }
    };
    const answers = () =>
      links.map((link) =>
        [
          () => uri.parse(link),
          () => uri.normalize(link),
          () => uri.resolve('http://a.example/b/c', link),
          () => uri.equal(link, '//x'),
        ].map(answer),
      );
    const first = JSON.stringify(answers());
    links.reverse();
    answers();
    links.reverse();
    assert.equal(JSON.stringify(answers()), first);
  });

  it('serialize changes the object that it is given', () => {
    const parts = { scheme: 'http', host: 'a.example', port: 80, path: '' };
    uri.serialize(parts);
    assert.equal(parts.path, '/');
  });

  it('serialize of a URN depends on what was parsed before', () => {
    const before = uri.serialize({ scheme: 'urn:ignis-test', path: 'b' });
    uri.parse('urn:ignis-test:a');
    assert.notEqual(uri.serialize({ scheme: 'urn:ignis-test', path: 'b' }), before);
  });

  it('the functions that are called pure change nothing and repeat themselves', () => {
    for (const [name, arg] of [
      ['escapeComponent', 'a b%'],
      ['unescapeComponent', 'a%20b'],
      ['pctEncChar', 'é'],
      ['pctDecChars', '%41%42'],
      ['removeDotSegments', '/a/../b/./c'],
    ]) {
      assert.equal(uri[name](arg), uri[name](arg));
    }
  });
});
