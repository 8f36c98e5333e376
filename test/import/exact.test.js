'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { inspect } = require('node:util');

const REGISTER = require.resolve('../../lib/register.js');
const BIN = require.resolve('../../bin/ignis.js');

describe('a program that looks closely', function () {
  this.timeout(30_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-exact-')));
    fs.cpSync(path.join(__dirname, '../fixtures/exact'), folder, { recursive: true });
    fs.renameSync(path.join(folder, 'packages'), path.join(folder, 'node_modules'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /**
   * @param {string[]} args
   * @param {Record<string, string>} [env]
   * @param {string} [cwd]
   * @returns {Map<string, unknown>} what was seen, by behaviour
   */
  function run(args, env = {}, cwd = folder) {
    const output = execFileSync(process.execPath, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
    return new Map(
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  }

  /** @param {Map<string, unknown>} seen @param {Map<string, unknown>} plain @returns {string[]} behaviours that differ */
  const differing = (seen, plain) => [...plain.keys()].filter((name) => JSON.stringify(seen.get(name)) !== JSON.stringify(plain.get(name)));

  it('sees the same with `exact` as without Ignis, behaviour by behaviour', () => {
    const plain = run(['program.js']);
    // Newer Nodes print Proxies as such, where nothing can be put beside their contents.
    if (inspect(new Proxy({}, {})) !== '{}') plain.delete('inspect of what was closed');
    assert.ok(plain.size > 37);
    const seen = run(['-r', REGISTER, 'program.js'], { IGNIS_EXACT: '1' });
    for (const [name, value] of plain) assert.deepEqual(seen.get(name), value, name);
    // The list can tell: without the option it finds what docs/limits.md says.
    const found = differing(run(['-r', REGISTER, 'program.js']), plain);
    for (const name of ['identity across files', 'delete is seen at once', 'deep equality', 'mock.method and restore'])
      assert.ok(found.includes(name), name);
  });

  it('changes a module that is in a replica as it would at home', () => {
    const cwd = path.join(folder, 'away');
    const plain = run(['program.js'], {}, cwd);
    const seen = run([BIN, 'run', '--exact', '--quiet', 'program.js'], {}, cwd);
    assert.deepEqual([...seen], [...plain.set('away', true)]);
  });
});
