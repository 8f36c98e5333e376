'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vm = require('node:vm');
const { CodeCache } = require('../../lib/boot/code-cache');
const { isPrivate, openFirst } = require('../../lib/boot/private-folder');
const { until } = require('../helpers/until');

const SOURCE = "'use strict';\nexports.answer = () => require('given') + 1;\n";

describe('compiled code of our own files', () => {
  const { Script } = vm;
  let folder;
  /** Of ours, as far as the cache knows. */
  let sources;
  let file;
  let other;
  /** @type {(boolean | null)[]} of each script that was made: null, it was compiled; whether the code that it was given was taken */
  let made;

  // Each of them waits for the end of the process until it has written.
  const most = process.getMaxListeners();
  before(() => process.setMaxListeners(0));
  after(() => process.setMaxListeners(most));

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-code-'));
    sources = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-sources-'));
    [file, other] = ['file.js', 'other.js'].map((name) => path.join(sources, name));
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
    for (const made of [folder, sources]) fs.rmSync(made, { recursive: true, force: true });
  });

  function compile(name, source = SOURCE, cache = new CodeCache([folder], 'entry')) {
    fs.writeFileSync(name, source);
    return cache.compile(name);
  }

  /** What a module made so answers. */
  function answer(source = SOURCE, given = 41) {
    const module = { exports: {} };
    compile(file, source).call(module.exports, module.exports, () => given, module, file, sources);
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

  for (const [what, other] of Object.entries({ version: 'v20.19.1000', execPath: '/opt/node/bin/node' })) {
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
    const before = fs.statSync(place()).size;
    compile(other);
    await until(() => fs.statSync(place()).size > before);
    made.length = 0;
    const cache = new CodeCache([folder], 'entry');
    for (const name of [other, file]) compile(name, SOURCE, cache);
    assert.deepEqual(made, [true, true]);
  });

  it('is taken with letters of more than a byte, and with a long source, part of a longer text', async () => {
    const long = `${SOURCE}// ${'x'.repeat(30_000)}`;
    const cache = new CodeCache([folder], 'entry');
    // The last ones have to be many enough that what stands behind is no text of its own.
    const names = Array.from({ length: 16 }, (_, index) => path.join(sources, `long-${index}.js`));
    compile(other, "exports.answer = () => 'é😀';", cache);
    for (const name of names) compile(name, long, cache);
    await until(() => files().length === 1);
    made.length = 0;
    for (const name of names) assert.ok(String(new CodeCache([folder], 'entry').compile(name)).includes(long));
    const exports = {};
    new CodeCache([folder], 'entry').compile(other)(exports);
    assert.equal(/** @type {any} */ (exports).answer(), 'é😀');
    assert.deepEqual(
      made,
      made.map(() => true),
    );
  });

  it('leaves to Node what is not there, or longer than any of ours', () => {
    assert.equal(new CodeCache([folder], 'entry').compile(path.join(sources, 'none.js')), null);
    assert.equal(new CodeCache([folder], 'entry').compile(sources), null);
    assert.equal(compile(file, `// ${'x'.repeat(32_768)}`), null);
    assert.deepEqual(made, []);
  });

  it('is kept for each entry by itself', async () => {
    await kept();
    new CodeCache([folder], 'another').compile(file);
    assert.deepEqual(made, [null]);
    await until(() => files().length === 2);
  });

  it('says where code is as Node does: its file, line and column', async () => {
    await kept();
    const source = "const fail = () => { throw new Error('x') }; fail();";
    for (let round = 0; round < 2; round += 1) {
      const run = compile(file, source);
      assert.throws(run, (error) => error.stack.split('\n')[1].endsWith(`(${file}:1:28)`) || assert.fail(error.stack));
    }
  });

  describe('in a file in which a byte has changed', () => {
    let whole;
    /** What stands there twice. */
    let bytes;

    beforeEach(async () => {
      await kept();
      whole = fs.readFileSync(place());
      bytes = whole.readUInt32LE(0);
    });

    /** @param {number} at @param {number} by */
    function damage(at, by) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= by;
      fs.writeFileSync(place(), damaged);
      assert.equal(answer(), 42);
    }

    it('is not believed, whichever it is', () => {
      for (let at = 0; at < 4 + 2 * bytes; at += at < 300 ? 1 : 97) damage(at, [0x01, 0x5a, 0x80][at % 3]);
      assert.ok(made.length > 300 && made.every((one) => one === null), String(made));
    });

    it('is not taken for that source', () => {
      for (let at = 4 + 2 * bytes; at < whole.length; at += 1) damage(at, 0x5a);
      assert.ok(made.length > SOURCE.length && made.every((one) => one === null), String(made));
    });
  });

  it('compiles where the file is cut, empty, zeroed or of somebody else', async () => {
    await kept();
    const whole = fs.readFileSync(place());
    const cuts = [0, 1, 3, 4, 10, 60, whole.length - 300, whole.length - 9].map((bytes) => whole.subarray(0, bytes));
    const none = JSON.stringify([{ name: file, textBytes: 9, codeBytes: 9 }]);
    const twice = Buffer.concat([Buffer.from([none.length, 0, 0, 0]), Buffer.from(none)]);
    const others = [
      Buffer.concat([Buffer.from([twice.length, 0, 0, 0]), twice, twice]),
      Buffer.from([4, 0, 0, 0]),
      Buffer.alloc(whole.length),
      Buffer.alloc(whole.length, 0xff),
      Buffer.from('{}'),
      Buffer.from('\x04\0\0\0nullnull'),
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
      compile(file, SOURCE, new CodeCache([folder, second], 'entry'));
      await until(() => fs.existsSync(second) && fs.readdirSync(second).some((name) => name.endsWith('.bin')));
      assert.equal(fs.statSync(second).mode & 0o777, 0o700);
      assert.equal(fs.statSync(place()).mtimeMs, before);
    } finally {
      fs.rmSync(second, { recursive: true, force: true });
    }
  });

  it('is neither read nor written where somebody else could put another folder in its place', async function () {
    if (process.getuid === undefined) this.skip();
    await kept();
    const above = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-above-'));
    const own = path.join(above, 'own');
    try {
      fs.mkdirSync(path.join(above, 'between'));
      fs.cpSync(folder, own, { recursive: true });
      fs.chmodSync(own, 0o700);
      assert.equal(isPrivate(own), true);
      // Everybody may rename what is there; where it is sticky, each what is his own.
      fs.chmodSync(above, 0o777);
      assert.equal(isPrivate(own), false);
      assert.equal(openFirst([own]), null);
      made.length = 0;
      compile(file, SOURCE, new CodeCache([own], 'entry'));
      assert.deepEqual(made, [null]);
      fs.chmodSync(above, 0o1777);
      assert.equal(isPrivate(own), true);
      // That of another user, whom only root can ask for.
      if (process.getuid() !== 0) return;
      fs.chownSync(above, 12345, 12345);
      assert.equal(isPrivate(own), false);
      const deep = path.join(above, 'between', 'deep');
      fs.mkdirSync(deep, { mode: 0o700 });
      assert.equal(isPrivate(deep), false);
    } finally {
      fs.rmSync(above, { recursive: true, force: true });
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
      compile(file, SOURCE, new CodeCache([deep], 'entry'));
      await until(() => coded > 0);
    } finally {
      process.removeListener('uncaughtException', note);
      for (const listener of before) process.on('uncaughtException', listener);
    }
    assert.deepEqual(seen, []);
  });

  it('is given back when all is loaded, also what was read while the file was written', async () => {
    await kept();
    const { readSync } = fs;
    /** @type {ArrayBuffer[]} */
    const read = [];
    for (const name of ['code-cache', 'kept-file']) delete require.cache[require.resolve(`../../lib/boot/${name}`)];
    fs.readSync = /** @type {any} */ (
      (/** @type {any[]} */ ...given) => {
        const { buffer } = given[1];
        if (buffer.resizable && !read.includes(buffer)) read.push(buffer);
        return Reflect.apply(readSync, fs, given);
      }
    );
    try {
      const cache = new (require('../../lib/boot/code-cache').CodeCache)([folder], 'entry');
      vm.Script = class extends vm.Script {
        createCachedData() {
          cache.compile(file);
          return super.createCachedData();
        }
      };
      compile(other, SOURCE, cache);
      // At first, for the file that was compiled while it was written, and to write it.
      await until(
        () => read.length === 3 && read.every(({ byteLength }) => byteLength === 0),
        () => String(read.map(({ byteLength }) => byteLength)),
      );
    } finally {
      fs.readSync = readSync;
    }
  });

  it('keeps the files of the last few engines and flags only', async () => {
    for (let index = 0; index < 60; index += 1) {
      const old = path.join(folder, `code-${index}-x.bin`);
      fs.writeFileSync(old, '');
      fs.utimesSync(old, index, index);
    }
    fs.writeFileSync(path.join(folder, '1.sock'), '');
    assert.equal(answer(), 42);
    await until(() => files().length === 32);
    assert.ok(files().includes('code-59-x.bin') && !files().includes('code-28-x.bin'));
    assert.ok(fs.existsSync(path.join(folder, '1.sock')));
  });
});
