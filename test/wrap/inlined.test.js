'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');

/** What the engine inlines at most: --max-inlined-bytecode-size. */
const MOST_BYTES = 460;

const PROGRAM = `
  const { Boundary } = require(${JSON.stringify(require.resolve('../../lib/wrap/boundary'))});
  const id = (name) => ({ name, kind: 'file', filename: name, packageName: null, version: null, inside: '' });
  const exports = { method() {}, constructible: function () {} };
  const { wrapped } = new Boundary({ parent: id('./a.js'), child: id('./b.js'), exports });
  wrapped.method();
  wrapped.constructible();
`;

describe('wrap/crossing', () => {
  it('stays short enough for the engine to inline it into its callers', function () {
    this.timeout(20_000);
    const flags = ['--print-bytecode', '--print-bytecode-filter=closure'];
    const { stdout } = spawnSync(process.execPath, [...flags, '-e', PROGRAM], { encoding: 'utf8', maxBuffer: 1 << 26 });
    const lengths = [...stdout.matchAll(/Bytecode length: (\d+)/g)].map(([, length]) => Number(length));
    // An engine that was built without this flag's code prints nothing.
    if (stdout === '') this.skip();
    assert.equal(lengths.length, 2, stdout.slice(0, 1000));
    for (const length of lengths) assert.ok(length <= MOST_BYTES, `${length} bytes`);
  });
});
