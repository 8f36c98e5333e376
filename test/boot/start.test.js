'use strict';

// What a start of Ignis brings along of Node's own: each program, and each replica, pays for it.

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register');

/** Parts of Node that most programs never load: large ones, and one that warns where it is an experiment. */
const PARTS = ['internal/deps/undici/undici', 'http', 'https', 'http2', 'tls', 'crypto', 'zlib', 'internal/webstorage'];
const LOADED = `exports.loaded = () => ${JSON.stringify(PARTS)}.filter((id) => process.moduleLoadList.includes('NativeModule ' + id));`;
const EXPERIMENTS = ['--experimental-webstorage'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

describe('a start of Ignis', function () {
  this.timeout(30_000);

  let folder;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-start-')));
    fs.writeFileSync(path.join(folder, 'look.js'), LOADED);
    fs.writeFileSync(path.join(folder, 'here.js'), LOADED);
    fs.writeFileSync(path.join(folder, 'app.js'), "console.log(JSON.stringify([require('./look').loaded(), require('./here').loaded()]));");
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  /** @param {Record<string, string>} env @param {string[]} flags @returns {string[][]} what is loaded where the module is, and at home */
  function loadedWith(env, flags) {
    return JSON.parse(
      execFileSync(process.execPath, [...EXPERIMENTS, ...flags, path.join(folder, 'app.js')], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      }),
    );
  }

  it('loads no such part of Node that the program has not asked for', () => {
    assert.deepEqual(loadedWith({}, ['-r', REGISTER]), loadedWith({}, []));
  });

  for (const where of ['thread', 'process'])
    it(`nor does that of a replica that is a ${where}, on either side`, () => {
      const loaded = loadedWith({ IGNIS_FORCE: path.join(folder, 'look.js'), IGNIS_WHERE: where }, ['-r', REGISTER]);
      assert.deepEqual(loaded, loadedWith({}, []));
    });
});
