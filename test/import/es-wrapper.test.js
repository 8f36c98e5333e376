'use strict';

const assert = require('node:assert/strict');
const { addressOf, edgeAt } = require('../../lib/import/es-wrapper');

describe('the address of a module between', () => {
  const edge = { url: 'file:///srv/pkg/index.js', parentFile: '/srv/my app+1/a&b#c.mjs', depth: 1, isResident: false, recipe: undefined };

  it('says which edge it stands at', () => {
    assert.deepEqual(edgeAt(addressOf(edge)), edge);
    for (const other of [undefined, 'node:fs', 'file:///srv/a.mjs?v=1']) assert.equal(edgeAt(other), null);
  });

  it('is one that Node takes from a hook, whatever the importing file is called', () => {
    const names = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code)).join('');
    for (const parentFile of ["/home/o'brien/app.mjs", `/srv/${names}`]) {
      const address = addressOf({ ...edge, parentFile });
      assert.equal(new URL(address).href, address);
      assert.deepEqual(edgeAt(address), { ...edge, parentFile });
    }
  });

  it('says it, too, when another hook has put something behind it', () => {
    const url = new URL(addressOf(edge));
    url.searchParams.set('iitm', 'true');
    assert.match(url.href, /\+app/);
    assert.deepEqual(edgeAt(url.href), edge);
    assert.deepEqual(edgeAt(`${addressOf(edge)}#part`), edge);
  });
});
