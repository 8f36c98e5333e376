'use strict';

const assert = require('node:assert/strict');
const { RecipeBook } = require('../../lib/recipe/book');
const { namedHosts } = require('../../lib/recipe/named-hosts');

describe('the hosts that options name', () => {
  const GOOD = [
    [{}, null],
    [{ where: 'host' }, null],
    [{ nodes: '192.0.2.7:7100' }, { nodes: [{ ip: '192.0.2.7', port: 7100 }] }],
    [
      { nodes: 'a=192.0.2.7:7100, [2001:db8::1]:1', where: 'host' },
      {
        nodes: [
          { ip: '192.0.2.7', port: 7100, name: 'a' },
          { ip: '2001:db8::1', port: 1 },
        ],
      },
    ],
    [{ cluster: 'nats://192.0.2.7:4222' }, { nodes: [], cluster: 'nats://192.0.2.7:4222' }],
  ];
  for (const [options, found] of GOOD)
    it(`are read from ${JSON.stringify(options)}`, () => assert.deepEqual(namedHosts(/** @type {any} */ (options)), found));

  const BAD = [
    [{ nodes: '192.0.2.7' }, /'nodes' is '192\.0\.2\.7': it must be hosts as IP:PORT/],
    [{ nodes: '192.0.2.7:0' }, /IP:PORT/],
    [{ nodes: '192.0.2.7:65536' }, /IP:PORT/],
    [{ nodes: '192.0.2.7:7100,' }, /IP:PORT/],
    [{ nodes: '=192.0.2.7:7100' }, /IP:PORT/],
    [{ nodes: ' a =192.0.2.7:7100' }, /IP:PORT/],
    [{ nodes: 'a:1:2' }, /IP:PORT/],
    [{ cluster: 'natz://me:hidden@192.0.2.7' }, /^(?!.*hidden).*'cluster' must be nats:/],
    [{ cluster: 'nats://192.0.2.7:4222', nodes: '192.0.2.7:7100' }, /use either .cluster. or .nodes., not both/],
    [{ nodes: '192.0.2.7:7100', where: 'host', force: 'x' }, /'where' is 'host': .* give 'identity', a folder that `ignis keys` makes/],
    [{ nodes: '192.0.2.7:7100', where: 'host', force: 'x', identity: '/nowhere' }, /cannot be read from \/nowhere\/key\.pem/],
    [{ where: 'host', force: 'x' }, /no host is named; give 'nodes' or 'cluster'/],
  ];
  for (const [options, message] of BAD)
    it(`are refused where they are ${JSON.stringify(options)}`, () =>
      assert.throws(() => namedHosts(/** @type {any} */ (options)), { code: 'IGNIS_BAD_OPTION', message }));

  it('hold for recipes that send a module to hosts and name none, and for no others', () => {
    const hosts = { nodes: [{ ip: '192.0.2.7', port: 7100 }] };
    const book = new RecipeBook({ appRoot: __dirname, recipeFile: null, cpus: 2, hosts });
    const nodesOf = (/** @type {object} */ importRecipe) => {
      const { nodes, cluster, given } = book.lookup({ module: { name: 'm', version: '1.0.0', inside: '' }, importRecipe, where: 'a.js:1' });
      return [nodes, cluster, given.nodes?.where];
    };
    assert.deepEqual(nodesOf({ where: 'host', copies: 1 }), [hosts.nodes, undefined, 'the option nodes']);
    assert.deepEqual(nodesOf({ where: ['process', 'host'], copies: 1 }), [hosts.nodes, undefined, 'the option nodes']);
    assert.deepEqual(nodesOf({ copies: 1 }), [undefined, undefined, undefined]);
    const own = [{ ip: '198.51.100.1', port: 1 }];
    assert.deepEqual(nodesOf({ where: 'host', copies: 1, nodes: own }), [own, undefined, 'a.js:1']);
    const cluster = 'nats://192.0.2.7:4222';
    assert.deepEqual(nodesOf({ where: 'host', copies: 1, cluster }), [undefined, cluster, undefined]);
  });
});
