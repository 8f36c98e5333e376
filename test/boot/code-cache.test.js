'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vm = require('node:vm');
const { CodeCache } = require('../../lib/boot/code-cache');
const { until } = require('../helpers/until');

const FILE = path.join(__dirname, '..', '..', 'lib', 'errors.js');
const SOURCE = "'use strict';\nexports.answer = () => require('given') + 1;\n";

describe('compiled code of our own files', () => {
  const { Script } = vm;
  let folder;
  /** @type {(boolean | null)[]} of each script that was made: null, it was compiled; whether the code that it was given was taken */
  let made;

  // Each of them waits for the end of the process until it has written.
  const most = process.getMaxListeners();
  before(() => process.setMaxListeners(0));
  after(() => process.setMaxListeners(most));

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-code-'));
    made = [];
    vm.Script = class extends Script {
      constructor(source, options) {
        super(source, options);
        made.push(options.cachedData === undefined ? null : !this.cachedDataRejected);
      }
    };
  });

  afterEach(() => {
    vm.Script = Script;
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** What a module made so answers. */
  function answer(source = SOURCE, given = 41) {
    const module = { exports: {} };
    new CodeCache([folder]).compile(FILE, source).call(module.exports, module.exports, () => given, module, FILE, path.dirname(FILE));
    return module.exports.answer();
  }

  const files = () => fs.readdirSync(folder).filter((name) => name.endsWith('.bin'));
  const place = () => path.join(folder, files()[0]);

  async function kept() {
    assert.equal(answer(), 42);
    await until(() => files().length === 1);
    made.length = 0;
  }

  it('is kept a moment after it was compiled, and taken the next time', async () => {
    assert.equal(answer(), 42);
    assert.deepEqual(made, [null]);
    await until(() => files().length === 1);
    assert.equal(answer(), 42);
    assert.equal(answer(SOURCE, 1), 2);
    assert.deepEqual(made, [null, true, true]);
    if (process.platform !== 'win32') assert.equal(fs.statSync(place()).mode & 0o777, 0o600);
    assert.deepEqual(fs.readdirSync(folder), files(), 'nothing half-written is left');
  });

  it('is not taken for a source that has changed, even in a letter', async () => {
    await kept();
    assert.equal(answer(SOURCE.replace('+ 1', '+ 2')), 43);
    assert.deepEqual(made, [null]);
  });

  for (const [what, other] of Object.entries({ version: 'v20.19.0', execPath: '/opt/node/bin/node' })) {
    it(`is not taken where another Node has the same engine by its tag, known by its ${what}`, async () => {
      await kept();
      const own = Object.getOwnPropertyDescriptor(process, what);
      Object.defineProperty(process, what, { ...own, value: other });
      try {
        assert.equal(answer(), 42);
      } finally {
        Object.defineProperty(process, what, own);
      }
      assert.deepEqual(made, [null]);
    });
  }

  it('adds to what others have written meanwhile', async () => {
    await kept();
    const other = path.join(path.dirname(FILE), 'engine.js');
    const before = fs.statSync(place()).size;
    new CodeCache([folder]).compile(other, SOURCE);
    await until(() => fs.statSync(place()).size > before);
    made.length = 0;
    const cache = new CodeCache([folder]);
    cache.compile(other, SOURCE);
    cache.compile(FILE, SOURCE);
    assert.deepEqual(made, [true, true]);
  });

  it('says where code is as Node does: its file, line and column', async () => {
    await kept();
    const source = "const fail = () => { throw new Error('x') }; fail();";
    for (let round = 0; round < 2; round += 1) {
      const run = new CodeCache([folder]).compile(FILE, source);
      assert.throws(run, (error) => error.stack.split('\n')[1].endsWith(`(${FILE}:1:28)`) || assert.fail(error.stack));
    }
  });

  describe('in a file in which a byte has changed', () => {
    let whole;
    let codeAt;

    beforeEach(async () => {
      // Before the other: where its numbers are wrong, all behind it lies elsewhere.
      new CodeCache([folder]).compile(path.join(path.dirname(FILE), 'engine.js'), SOURCE);
      await until(() => files().length === 1, 'the first file');
      const before = fs.statSync(place()).size;
      assert.equal(answer(), 42);
      await until(() => fs.statSync(place()).size > before, 'the second file');
      made.length = 0;
      whole = fs.readFileSync(place());
      codeAt = 4 + whole.readUInt32LE(0);
    });

    /** @param {number} at @param {number} by */
    function damage(at, by) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= by;
      fs.writeFileSync(place(), damaged);
      assert.equal(answer(), 42);
    }

    it('is not believed', () => {
      const [[, textBytes, codeBytes], [, , ownBytes]] = JSON.parse(whole.toString('latin1', 4, codeAt));
      const ownAt = codeAt + codeBytes + Math.ceil(textBytes / 4) * 4;
      for (let at = ownAt; at < ownAt + ownBytes; at += 97) damage(at, 0x5a);
      assert.ok(made.length > 5 && made.every((one) => one === null), String(made));
    });

    it('is looked for where the file says, or not found', () => {
      for (let at = 0; at < codeAt; at += 1) for (const by of [0x01, 0x5a, 0x80]) damage(at, by);
      // A space more or less between names and numbers changes nothing.
      const taken = made.filter((one) => one !== null).length;
      assert.ok(taken < made.length / 4, `${taken} of ${made.length}`);
    });
  });

  it('compiles where the file is cut, empty, zeroed or of somebody else', async () => {
    await kept();
    const whole = fs.readFileSync(place());
    const cuts = [0, 1, 3, 4, 10, 60, whole.length - 300, whole.length - 9].map((bytes) => whole.subarray(0, bytes));
    // Its code begins between two words.
    const index = JSON.stringify([[path.basename(FILE), SOURCE.length, 4, 1]]).padEnd(33);
    const crooked = Buffer.concat([Buffer.from([index.length, 0, 0, 0]), Buffer.from(`${index}code${SOURCE}`)]);
    const others = [
      crooked,
      Buffer.alloc(whole.length),
      Buffer.alloc(whole.length, 0xff),
      Buffer.from('{}'),
      Buffer.from('\x04\0\0\0null'),
    ];
    for (const bytes of [...cuts, ...others]) {
      fs.writeFileSync(place(), bytes);
      assert.equal(answer(), 42);
    }
    assert.deepEqual(
      made,
      made.map(() => null),
    );
  });

  it('is neither read from a folder that others can enter, nor written there', async function () {
    if (process.getuid === undefined) this.skip();
    await kept();
    fs.chmodSync(folder, 0o755);
    const before = fs.statSync(place()).mtimeMs;
    assert.equal(answer(), 42);
    assert.deepEqual(made, [null]);
    const second = `${folder}-second`;
    try {
      const cache = new CodeCache([folder, second]);
      cache.compile(FILE, SOURCE);
      await until(() => fs.existsSync(second) && fs.readdirSync(second).some((name) => name.endsWith('.bin')));
      assert.equal(fs.statSync(second).mode & 0o777, 0o700);
      assert.equal(fs.statSync(place()).mtimeMs, before);
    } finally {
      fs.rmSync(second, { recursive: true, force: true });
    }
  });

  it('may be refused a folder in whatever way, and nothing comes of it', async () => {
    // A path that is too long with the name of the file behind: what lstat says of it is not that there is no such file.
    let deep = folder;
    const most = process.platform === 'linux' ? 4095 : 1023;
    while (deep.length < most - 2) deep = path.join(deep, 'x'.repeat(Math.min(200, most - deep.length - 1)));
    fs.mkdirSync(deep, { recursive: true, mode: 0o700 });
    const seen = [];
    const note = (error) => void seen.push(error.code);
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', note);
    try {
      let coded = 0;
      vm.Script = class extends vm.Script {
        createCachedData() {
          // What comes of it has come when this is called.
          setTimeout(() => (coded += 1), 0);
          return super.createCachedData();
        }
      };
      new CodeCache([deep]).compile(FILE, SOURCE);
      await until(() => coded > 0);
    } finally {
      process.removeListener('uncaughtException', note);
      for (const listener of before) process.on('uncaughtException', listener);
    }
    assert.deepEqual(seen, []);
  });

  it('is given up again when all is loaded, also what was read while the file was written', async function () {
    if (global.gc === undefined) this.skip();
    // Small files are read into memory that others have a part of.
    const source = `${SOURCE}// ${'x'.repeat(1e5)}`;
    assert.equal(answer(source), 42);
    await until(() => files().length === 1);
    const { readFileSync } = fs;
    /** @type {WeakRef<ArrayBufferLike>[]} */
    const read = [];
    const other = path.join(path.dirname(FILE), 'engine.js');
    for (const name of ['code-cache', 'kept-file']) delete require.cache[require.resolve(`../../lib/boot/${name}`)];
    fs.readFileSync = /** @type {any} */ (
      (/** @type {any[]} */ ...given) => {
        const bytes = Reflect.apply(readFileSync, fs, given);
        if (String(given[0]).endsWith('.bin')) read.push(new WeakRef(bytes.buffer));
        return bytes;
      }
    );
    try {
      const cache = new (require('../../lib/boot/code-cache').CodeCache)([folder]);
      vm.Script = class extends vm.Script {
        createCachedData() {
          cache.compile(FILE, source);
          return super.createCachedData();
        }
      };
      cache.compile(other, SOURCE);
      // At first, for the file that was compiled while it was written, and to write it.
      await until(
        () => {
          global.gc();
          return read.length === 3 && read.every((ref) => ref.deref() === undefined);
        },
        () => `${read.length} read, ${read.filter((ref) => ref.deref() !== undefined).length} held by ${typeof cache}`,
      );
    } finally {
      fs.readFileSync = readFileSync;
    }
  });

  it('keeps the files of the last few engines and flags only', async () => {
    for (let index = 0; index < 30; index += 1) {
      const old = path.join(folder, `code-${index}-x.bin`);
      fs.writeFileSync(old, '');
      fs.utimesSync(old, index, index);
    }
    fs.writeFileSync(path.join(folder, '1.sock'), '');
    assert.equal(answer(), 42);
    await until(() => files().length === 16);
    assert.ok(files().includes('code-29-x.bin') && !files().includes('code-14-x.bin'));
    assert.ok(fs.existsSync(path.join(folder, '1.sock')));
  });
});
