'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { Replaced, replace, replaceFar } = require('../../lib/object/replaced');

const FILE = require.resolve('../../lib/object/replaced');
const { argv } = process;

describe('what a program has put in the place of globals, and where it is', () => {
  it('is told though its current directory was removed, and that directory when there is one again', function () {
    // There a folder that somebody is in cannot be removed.
    if (process.platform === 'win32') this.skip();
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-gone-')));
    const program = `const { Replaced } = require(${JSON.stringify(FILE)});
      process.chdir(${JSON.stringify(folder)});
      require('node:fs').rmdirSync(${JSON.stringify(folder)});
      const replaced = new Replaced();
      const told = [];
      const look = () => replaced.tellChanges((place, isOwn, value) => told.push(typeof value === 'function' ? 'a function' : value));
      look();
      console.log = (text) => process.stdout.write(text);
      look();
      process.chdir('/');
      look();
      console.log(JSON.stringify(told));`;
    try {
      const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8', timeout: 20_000 });
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), ['a function', '/']);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are the names of its platform, too, as they are defined, and its own again', () => {
    for (const name of /** @type {const} */ (['platform', 'arch'])) {
      const own = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(process, name));
      /** @type {[place: number, isOwn: boolean, value: any][]} */
      const told = [];
      const replaced = new Replaced();
      try {
        const look = () => replaced.tellChanges((...one) => told.push(one));
        look();
        told.length = 0;
        Object.defineProperty(process, name, { value: 'other' });
        look();
        Object.defineProperty(process, name, own);
        look();
        assert.deepEqual(
          told.map(([, ...rest]) => rest),
          [
            [false, 'other'],
            [true, undefined],
          ],
        );
        replace(...told[0]);
        assert.deepEqual(Object.getOwnPropertyDescriptor(process, name), { ...own, value: 'other' });
        replace(...told[1]);
        assert.deepEqual(Object.getOwnPropertyDescriptor(process, name), own);
      } finally {
        Object.defineProperty(process, name, own);
      }
    }
  });

  it('are the arguments, too: told when the program has changed them, and whether they are in the same list', () => {
    const [first, ...rest] = argv;
    try {
      /** @type {[place: number, isOwn: boolean, value: string][]} */
      const told = [];
      const replaced = new Replaced();
      const look = () => replaced.tellChanges((...one) => void (typeof one[2] === 'string' && told.push(one)));
      look();
      told.length = 0;
      look();
      argv.push('more');
      look();
      look();
      process.argv = ['node', 'other'];
      look();
      process.argv[1] = 'another';
      look();
      assert.deepEqual(
        told.map(([, ...rest]) => rest),
        [
          [true, JSON.stringify([first, ...rest, 'more'])],
          [false, '["node","other"]'],
          [true, '["node","another"]'],
        ],
      );
      const [[place]] = told;
      process.argv = argv;
      replace(place, true, '["a","b"]');
      assert.deepEqual([process.argv === argv, [...argv]], [true, ['a', 'b']]);
      replace(place, false, '["c"]');
      assert.deepEqual([process.argv === argv, process.argv], [false, ['c']]);
      for (const wrong of ['{"length":1}', 5, undefined]) replace(place, true, wrong);
      assert.deepEqual(process.argv, ['c']);
    } finally {
      process.argv = argv;
      argv.splice(0, argv.length, first, ...rest);
    }
  });

  it('stays where it is on another host, where that folder may not be entered', () => {
    const told = [];
    new Replaced().tellChanges((...change) => told.push(change));
    const [place] = told.find(([, , value]) => value === process.cwd());
    const before = process.cwd();
    // As one that is for others only: it cannot be entered.
    assert.throws(() => replace(place, false, FILE), { code: 'ENOTDIR' });
    replaceFar(place, false, FILE);
    assert.equal(process.cwd(), before);
  });
});
