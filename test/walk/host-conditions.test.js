'use strict';

// Programs that run with conditions of their own for `exports` and `imports` (`node -C development`): their modules must find the same
// files on a host.

const assert = require('node:assert/strict');
const path = require('node:path');
const { areConditions, ownConditions } = require('../../lib/host/conditions');
const { startHome } = require('../helpers/home-program');
const { TestHosts } = require('../helpers/hosts');
const { write } = require('../helpers/hosted-app');

describe('the conditions of a program', () => {
  it('are those among the arguments of Node, and in its variable, as it reads them', () => {
    const cases = [
      [[], '', []],
      [['-C', 'development'], '', ['development']],
      [['-r', './x.js', '--conditions=a', '--conditions', 'b'], '', ['a', 'b']],
      [['--conditions=b'], '--max-old-space-size=100 -C a  "--conditions=@app/source"', ['a', '@app/source', 'b']],
      [['-C', 'a', '-C', 'a'], '--conditions="a"', ['a']],
      [['--conditions'], '', []],
      [['--conditions=no name', '--condition=x'], '', []],
    ];
    for (const [execArgv, options, names] of cases) {
      const own = ownConditions(execArgv, options);
      assert.deepEqual([own, areConditions(own)], [names, true]);
    }
    assert.equal(ownConditions(Array(99).fill(0).map((_, i) => `--conditions=c${i}`), '').length, 32); // prettier-ignore
    for (const wrong of ['a', ['a b'], [''], [7], ['a\0'], ['a'.repeat(65)], Array(33).fill('a')])
      assert.equal(areConditions(wrong), false);
  });
});

describe('a program with conditions of its own', function () {
  this.timeout(60000);

  /** @type {TestHosts} */
  let hosts;
  let app;
  let recipe;
  before(async () => {
    hosts = await TestHosts.make(['home', 'host1']);
    app = path.join(hosts.folder, 'app');
    const either = { 'own-condition': './own.js', default: './other.js' };
    write(app, {
      'package.json': JSON.stringify({ name: 'app', dependencies: { dep: '1' }, imports: { '#file': either } }),
      'own.js': "module.exports = 'own';",
      'other.js': "module.exports = 'other';",
      'node_modules/dep/package.json': JSON.stringify({ name: 'dep', exports: either }),
      'node_modules/dep/own.js': "module.exports = 'own';",
      'node_modules/dep/other.js': "module.exports = 'other';",
      'hot.js': "exports.find = () => [require('dep'), require('#file'), process.pid];",
    });
    const { node } = await hosts.daemon('host1');
    recipe = { where: 'host', nodes: [node], pure: true };
  });
  after(() => hosts.close());

  for (const [call, copies] of [
    ['await', 1],
    ['block', undefined],
  ])
    it(`has them on a host with call: '${call}'`, async () => {
      const home = startHome(
        app,
        `ignis.start({ quiet: true, startMs: 30000, identity: ${JSON.stringify(hosts.keys('home'))} });
        const req = ignis();
        const hot = req('./hot', ${JSON.stringify({ ...recipe, call, copies })});
        (async () => {
          for (;;) {
            const [dep, file, pid] = await hot.find();
            if (pid !== process.pid) return tell({ dep, file });
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        })().finally(() => ignis.close());`,
        { NODE_OPTIONS: '--conditions=own-condition' },
      );
      const { err } = await home.ended;
      assert.deepEqual(home.lines, [{ dep: 'own', file: 'own' }], err);
    });
});
