'use strict';
/*
 * What a file system does, as one list: each behaviour is a function that uses the `fs` it is given, in an empty folder of its own, and
 * tells what it saw. Whoever runs it on Node's own `fs` and on another can compare the two. Paths in what is told are relative to the
 * folder; times, inode numbers and the like are left out.
 */
const path = require('node:path');
const { pipeline } = require('node:stream/promises');
const { promisify } = require('node:util');

/** @typedef {{fs: any, at: (...parts: string[]) => string, folder: string}} Given */

/** What an error says, without its stack. @param {any} error @param {string} folder */
function told(error, folder) {
  const text = (value) =>
    typeof value === 'string' ? value.replaceAll(folder, '<folder>').replaceAll(/(tmp-)\w{6}\b/g, '$1XXXXXX') : value;
  const { code, errno, syscall, path: file, dest, message, name } = error;
  return { error: name, code, errno, syscall, path: text(file), dest: text(dest), message: text(message) };
}

/** @param {() => any} run @param {string} folder */
async function outcome(run, folder) {
  try {
    return { value: await run() };
  } catch (error) {
    return told(error, folder);
  }
}

/** A folder that was opened, and its first entry, as they call themselves. */
function relative(dir, folder) {
  const entry = dir.readSync();
  dir.closeSync();
  return [dir.path, entry.name, entry.parentPath ?? entry.path].map((name) => name.replace(folder, ''));
}

/** The same failure by all three forms of a function. */
const failure =
  (name, ...args) =>
  async ({ fs, at, folder }) => {
    const given = args.map((arg) => (typeof arg === 'string' && arg.startsWith('./') ? at(arg.slice(2)) : arg));
    fs.writeFileSync(at('file'), 'text');
    fs.mkdirSync(at('full/inner'), { recursive: true });
    return [
      await outcome(() => fs[`${name}Sync`](...given), folder),
      await outcome(() => fs.promises[name](...given), folder),
      await outcome(() => promisify((...all) => fs[name](...all))(...given), folder),
    ];
  };

/** Facts about a file that are the same wherever it lies. */
const facts = (stats) => ({
  size: stats.size,
  mode: stats.mode,
  kind: [stats.isFile(), stats.isDirectory(), stats.isSymbolicLink(), stats.isSocket(), stats.isFIFO()],
  types: [
    typeof stats.ino,
    typeof stats.mtimeMs,
    typeof stats.mtimeNs,
    stats.mtime instanceof Date,
    Math.abs(Number(stats.mtimeMs) - stats.mtime.getTime()) <= 1,
  ],
  owner: [stats.uid, stats.gid],
  nlink: stats.isDirectory() ? 0 : stats.nlink,
});

/** @type {Record<string, (given: Given) => any>} */
const BEHAVIOURS = {
  'reads what it wrote, as text and as bytes': ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'grüße');
    return [
      fs.readFileSync(at('a'), 'utf8'),
      fs.readFileSync(at('a')),
      fs.readFileSync(at('a'), { encoding: 'base64' }),
      fs.readFileSync(at('a'), 'latin1'),
    ];
  },
  'writes text in an encoding, typed arrays, views, and nothing': ({ fs, at }) => {
    fs.writeFileSync(at('a'), '00ff10', 'hex');
    fs.writeFileSync(at('b'), new Uint16Array([1, 2]));
    fs.writeFileSync(at('c'), new DataView(new ArrayBuffer(3)));
    fs.writeFileSync(at('d'), '');
    return ['a', 'b', 'c', 'd'].map((name) => fs.readFileSync(at(name)));
  },
  'replaces a longer file whole': ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'a long text');
    fs.writeFileSync(at('a'), 'short');
    return fs.readFileSync(at('a'), 'utf8');
  },
  'appends, with appendFile and with flags': async ({ fs, at }) => {
    fs.appendFileSync(at('a'), '1');
    await fs.promises.appendFile(at('a'), Buffer.from('2'));
    fs.writeFileSync(at('a'), '3', { flag: 'a' });
    await promisify(fs.appendFile)(at('a'), '4');
    return fs.readFileSync(at('a'), 'utf8');
  },
  'writes parts of an iterable, and of a stream, with promises': async ({ fs, at }) => {
    await fs.promises.writeFile(at('a'), ['x', 'y', 'z']);
    await fs.promises.writeFile(at('b'), fs.createReadStream(at('a')));
    return fs.readFileSync(at('b'), 'utf8');
  },
  'takes URLs and bytes for paths': ({ fs, at }) => {
    fs.writeFileSync(require('node:url').pathToFileURL(at('a b')), '1');
    return [fs.readFileSync(Buffer.from(at('a b')), 'utf8'), fs.readdirSync(require('node:url').pathToFileURL(at('')))];
  },
  'takes URLs and bytes for the beginning of a path, for what a link says, and for what is copied': async ({ fs, at, folder }) => {
    const url = (name) => require('node:url').pathToFileURL(at(name));
    const made = [
      fs.mkdtempSync(url('a b-')),
      await fs.promises.mkdtemp(new Uint8Array(Buffer.from(at('c-')))),
      fs.mkdtempSync(Buffer.from(at('d-'))),
    ];
    fs.mkdirSync(at('tree'));
    fs.writeFileSync(at('tree/a b'), 'text');
    fs.symlinkSync(url('tree/a b'), at('link'));
    fs.cpSync(url('tree'), url('copy of tree'), { recursive: true });
    await fs.promises.cp(url('tree'), url('another'), { recursive: true });
    return [
      made.map((name) => [path.relative(folder, name).slice(0, -6), fs.existsSync(name)]),
      fs.readFileSync(at('link'), 'utf8'),
      path.relative(folder, fs.readlinkSync(at('link'))),
      fs.readdirSync(at('copy of tree')),
      fs.readdirSync(at('another')),
    ];
  },
  'writes parts in an encoding, and stops between them for a signal': async ({ fs, at, folder }) => {
    await fs.promises.writeFile(at('a'), ['6869', '6a'], 'hex');
    const ending = new AbortController();
    const endless = async function* () {
      for (let i = 0; ; i++) {
        if (i === 3) ending.abort();
        yield 'x';
      }
    };
    const { error, code } = await outcome(() => fs.promises.writeFile(at('b'), endless(), { signal: ending.signal }), folder);
    return [fs.readFileSync(at('a'), 'utf8'), error, code];
  },
  'gives permissions less those of the umask': ({ fs, at }) => {
    fs.writeFileSync(at('a'), '', { mode: 0o777 });
    fs.mkdirSync(at('b'), { mode: 0o777 });
    fs.writeFileSync(at('c'), '');
    fs.closeSync(fs.openSync(at('d'), 'w', 0o640));
    return ['a', 'b', 'c', 'd'].map((name) => fs.statSync(at(name)).mode.toString(8));
  },
  'keeps the permissions of a file that is there': ({ fs, at }) => {
    fs.writeFileSync(at('a'), '', { mode: 0o600 });
    fs.writeFileSync(at('a'), 'x', { mode: 0o644 });
    return fs.statSync(at('a')).mode;
  },
  'tells the state of a file, a folder, and a link': ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'text');
    fs.symlinkSync('a', at('l'));
    const all = [
      fs.statSync(at('a')),
      fs.statSync(at('')),
      fs.lstatSync(at('l')),
      fs.statSync(at('l')),
      fs.statSync(at('a'), { bigint: true }),
    ];
    return [
      all.map(facts).map(({ size: _size, ...rest }) => rest),
      all.slice(0, 1).map((one) => one instanceof fs.Stats),
      Object.keys(all[0]).sort(),
    ];
  },
  'tells no state of what is not there, where that is asked for': async ({ fs, at, folder }) => {
    fs.writeFileSync(at('file'), '');
    const seen = [];
    for (const name of ['none', 'file/none'])
      for (const state of ['stat', 'lstat']) {
        for (const run of [fs[`${state}Sync`], fs.promises[state], promisify(fs[state])])
          seen.push(await outcome(() => run(at(name), { throwIfNoEntry: false }), folder));
      }
    return [fs.statSync(at('none'), { throwIfNoEntry: false }) === undefined, seen];
  },
  'sets times, and tells them': ({ fs, at }) => {
    fs.writeFileSync(at('a'), '');
    fs.utimesSync(at('a'), 1_600_000_000, new Date(1_500_000_000_500));
    fs.symlinkSync('a', at('l'));
    fs.lutimesSync(at('l'), 1_400_000_000, '1400000001');
    const { atimeMs, mtimeMs, mtime } = fs.statSync(at('a'));
    return [atimeMs, mtimeMs, mtime, fs.lstatSync(at('l')).mtimeMs];
  },
  'leaves the times of a file as they are that somebody wanted to make anew': async ({ fs, at, folder }) => {
    fs.writeFileSync(at('lock'), 'mine');
    fs.writeFileSync(at('other'), '');
    fs.utimesSync(at('lock'), 1_500_000_000, 1_500_000_000);
    const refused = [
      await outcome(() => fs.writeFileSync(at('lock'), 'his', { flag: 'wx' }), folder),
      await outcome(() => fs.openSync(at('lock'), 'wx'), folder),
      await outcome(() => fs.copyFileSync(at('other'), at('lock'), fs.constants.COPYFILE_EXCL), folder),
    ];
    return [refused.map(({ code }) => code), fs.statSync(at('lock')).mtimeMs, fs.readFileSync(at('lock'), 'utf8')];
  },
  'has a time of change that goes on': ({ fs, at }) => {
    const before = Date.now();
    fs.writeFileSync(at('a'), '');
    const { mtimeMs } = fs.statSync(at('a'));
    return mtimeMs >= before - 1000 && mtimeMs <= Date.now() + 1000;
  },
  'lists names in order, also as bytes': ({ fs, at }) => {
    for (const name of ['b', 'a', 'ü', '.hidden']) fs.writeFileSync(at(name), '');
    return [fs.readdirSync(at('')), fs.readdirSync(at(''), 'buffer'), fs.readdirSync(at(''), { encoding: 'hex' })];
  },
  'lists entries with their kinds': ({ fs, at, folder }) => {
    fs.mkdirSync(at('d'));
    fs.writeFileSync(at('f'), '');
    fs.symlinkSync('f', at('l'));
    const entries = fs.readdirSync(at(''), { withFileTypes: true });
    return entries.map((entry) => [
      entry.name,
      entry.isFile(),
      entry.isDirectory(),
      entry.isSymbolicLink(),
      entry.parentPath.replace(folder, ''),
      entry instanceof fs.Dirent,
    ]);
  },
  'lists folders with all below them': async ({ fs, at, folder }) => {
    fs.mkdirSync(at('a/b/c'), { recursive: true });
    for (const name of ['a/1', 'a/b/2', 'z']) fs.writeFileSync(at(name), '');
    const entries = await fs.promises.readdir(at('a'), { recursive: true, withFileTypes: true });
    return [
      fs.readdirSync(at(''), { recursive: true }).sort(),
      entries.map(({ name, parentPath }) => `${parentPath.replace(folder, '')} ${name}`).sort(),
    ];
  },
  'goes through a folder that is opened': async ({ fs, at }) => {
    for (const name of ['a', 'b', 'c']) fs.writeFileSync(at(name), '');
    const dir = fs.opendirSync(at(''));
    const names = [];
    for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) names.push(entry.name);
    dir.closeSync();
    for await (const entry of await fs.promises.opendir(at(''))) names.push(entry.name);
    return [names.sort(), dir instanceof fs.Dir, (await outcome(() => dir.closeSync(), '')).code];
  },
  'makes folders, one and many at once, and says which was the first': ({ fs, at, folder }) => {
    const first = fs.mkdirSync(at('a/b/c'), { recursive: true });
    return [first.replace(folder, ''), fs.mkdirSync(at('a/b/c'), { recursive: true }), fs.mkdirSync(at('x')), fs.readdirSync(at('a'))];
  },
  'makes folders for a while, each with a name of its own': async ({ fs, at, folder }) => {
    const names = [fs.mkdtempSync(at('tmp-')), await fs.promises.mkdtemp(at('tmp-'))];
    return [names.map((name) => /tmp-\w{6}$/.test(name)), names[0] !== names[1], fs.statSync(names[0]).mode, names[0].startsWith(folder)];
  },
  // Since Node 24.
  'makes folders for a while that whoever asked for them removes, wherever he is by then': async ({ fs, at, folder }) => {
    if (fs.mkdtempDisposableSync === undefined) return null;
    const here = process.cwd();
    const prefix = path.relative(here, at('tmp-'));
    const [first, later] = [fs.mkdtempDisposableSync(prefix), await fs.promises.mkdtempDisposable(prefix)];
    const { dispose, asyncDispose } = /** @type {any} */ (Symbol);
    const told = [];
    for (const made of [first, later]) {
      told.push(fs.existsSync(made.path));
      fs.mkdirSync(path.join(made.path, 'a/b'), { recursive: true });
      fs.writeFileSync(path.join(made.path, 'a/file'), '');
      told.push(Reflect.ownKeys(made), Object.getPrototypeOf(made) === null, made.path.replace(prefix, '').length, made.remove.name);
    }
    process.chdir(__dirname);
    try {
      told.push(
        fs.readdirSync(at('')).length,
        first[dispose](),
        fs.readdirSync(at('')).length,
        await later[asyncDispose](),
        fs.readdirSync(at('')),
      );
    } finally {
      process.chdir(here);
    }
    return [...told, first.remove(), await later.remove(), await outcome(() => fs.mkdtempDisposableSync(at('none/tmp-')), folder)];
  },
  // Since Node 24.
  'writes by a Utf8Stream, in a folder that it makes': async ({ fs, at }) => {
    if (fs.Utf8Stream === undefined) return null;
    const told = [];
    for (const sync of [true, false]) {
      const stream = new fs.Utf8Stream({ dest: at('logs', String(sync), 'log'), sync, mkdir: true });
      told.push(stream.constructor.name, stream instanceof fs.Utf8Stream);
      const closed = new Promise((resolve, reject) => stream.once('close', resolve).once('error', reject));
      stream.write('first\n');
      stream.write('second\n');
      stream.end();
      await closed;
      told.push(fs.readFileSync(at('logs', String(sync), 'log'), 'utf8'));
    }
    return told;
  },
  // Since Node 24.
  'closes a folder that goes with a block': async ({ fs, at }) => {
    const { dispose } = /** @type {any} */ (Symbol);
    const open = fs.opendirSync(at(''));
    if (/** @type {any} */ (fs.Dir.prototype)[dispose] === undefined) return open.closeSync();
    open[dispose]();
    return [open[dispose](), await outcome(() => open.readSync())];
  },
  'removes files, folders, and trees': ({ fs, at }) => {
    fs.mkdirSync(at('a/b'), { recursive: true });
    fs.writeFileSync(at('a/b/c'), '');
    fs.writeFileSync(at('f'), '');
    fs.mkdirSync(at('e'));
    fs.rmdirSync(at('e'));
    fs.unlinkSync(at('f'));
    fs.rmSync(at('a'), { recursive: true });
    fs.rmSync(at('none'), { force: true });
    return fs.readdirSync(at(''));
  },
  'leaves a file that somebody wants to remove as a tree of folders, and a link to such a tree': async ({ fs, at, folder }) => {
    fs.writeFileSync(at('file'), '');
    fs.mkdirSync(at('tree/inner'), { recursive: true });
    fs.symlinkSync('tree', at('link'));
    const refused = [
      await outcome(() => fs.rmdirSync(at('file'), { recursive: true }), folder),
      await outcome(() => fs.promises.rmdir(at('file'), { recursive: true }), folder),
      await outcome(() => promisify(fs.rmdir)(at('file'), { recursive: true }), folder),
      await outcome(() => fs.rmdirSync(at('link'), { recursive: true }), folder),
    ];
    // Newer Nodes remove no trees so, and say it.
    const removed = await outcome(() => fs.rmdirSync(at('tree'), { recursive: true }), folder);
    return [refused, removed, fs.readdirSync(at(''))];
  },
  'renames over a file, and a folder with all in it': ({ fs, at }) => {
    fs.writeFileSync(at('a'), '1');
    fs.writeFileSync(at('b'), '2');
    fs.renameSync(at('a'), at('b'));
    fs.mkdirSync(at('d'));
    fs.writeFileSync(at('d/x'), '3');
    fs.renameSync(at('d'), at('e'));
    return [fs.readdirSync(at(''), { recursive: true }), fs.readFileSync(at('b'), 'utf8'), fs.readFileSync(at('e/x'), 'utf8')];
  },
  'copies a file with its permissions': async ({ fs, at, folder }) => {
    fs.writeFileSync(at('a'), 'text', { mode: 0o700 });
    fs.copyFileSync(at('a'), at('b'));
    const again = await outcome(() => fs.copyFileSync(at('a'), at('b'), fs.constants.COPYFILE_EXCL), folder);
    return [fs.readFileSync(at('b'), 'utf8'), fs.statSync(at('b')).mode, again];
  },
  'copies trees': async ({ fs, at }) => {
    fs.mkdirSync(at('a/b'), { recursive: true });
    fs.writeFileSync(at('a/b/c'), '1');
    fs.symlinkSync('b/c', at('a/l'));
    await fs.promises.cp(at('a'), at('x/y'), { recursive: true, verbatimSymlinks: true, filter: (from) => !from.endsWith('skip') });
    fs.cpSync(at('a/b/c'), at('c'));
    return [fs.readdirSync(at(''), { recursive: true }).sort(), fs.readFileSync(at('x/y/b/c'), 'utf8'), fs.readlinkSync(at('x/y/l'))];
  },
  'copies times where it is asked to, and else not': async ({ fs, at }) => {
    fs.mkdirSync(at('d'));
    fs.writeFileSync(at('d/f'), '1');
    fs.utimesSync(at('d/f'), 1000, 2000);
    fs.cpSync(at('d/f'), at('anew'));
    fs.cpSync(at('d/f'), at('kept'), { preserveTimestamps: true });
    await fs.promises.cp(at('d'), at('tree'), { recursive: true, preserveTimestamps: true });
    await fs.promises.cp(at('d'), at('other'), { recursive: true });
    return [
      ['anew', 'other/f'].map((name) => fs.statSync(at(name)).mtimeMs > 2e6),
      fs.statSync(at('kept')).mtimeMs,
      fs.statSync(at('tree/f')).mtimeMs,
    ];
  },
  'does not copy a tree where nobody said so, nor over what is there': async ({ fs, at }) => {
    fs.mkdirSync(at('a'));
    fs.writeFileSync(at('f'), '1');
    fs.writeFileSync(at('g'), '2');
    const codes = [];
    for (const args of [
      [at('a'), at('b')],
      [at('f'), at('g'), { force: false, errorOnExist: true }],
      [at('f'), at('f')],
      [at('none'), at('z')],
    ]) {
      codes.push((await outcome(() => fs.promises.cp(...args), '')).code);
    }
    return [codes, fs.readFileSync(at('g'), 'utf8')];
  },
  'copies nothing that the filter does not want, and makes no folders for it': async ({ fs, at, folder }) => {
    fs.mkdirSync(at('a'));
    for (const name of ['x', 'y']) fs.writeFileSync(at('a', name), name);
    await fs.promises.cp(at('a/x'), at('p/q'), { filter: () => false });
    fs.cpSync(at('a/x'), at('p/q'), { filter: () => false });
    await fs.promises.cp(at('none'), at('p/q'), { filter: () => false });
    await fs.promises.cp(at('a'), at('b'), { recursive: true, filter: async (from) => !from.endsWith('x') });
    const failed = (filter) => () => promisify(fs.cp)(at('a/x'), at('p/q'), { filter });
    return [
      await outcome(() => fs.cpSync(at('a/x'), at('p/q'), { filter: async () => false }), folder),
      await outcome(
        failed(() => {
          throw new Error('of the filter');
        }),
        folder,
      ),
      fs.readdirSync(at(''), { recursive: true }).sort(),
    ];
  },
  'gives a copy the permissions of its source, and folders on the way to it those of the program': async ({ fs, at, folder }) => {
    const plain = process.getBuiltinModule('fs');
    const beside = path.join(folder, '../..', `beside-${path.basename(path.dirname(folder))}`);
    const write = (files, name, mode) => {
      files.writeFileSync(name, 'text');
      files.chmodSync(name, mode);
      return name;
    };
    plain.mkdirSync(beside);
    try {
      const from = [write(fs, at('a'), 0o777), write(plain, path.join(beside, 'a'), 0o777)];
      fs.mkdirSync(at('closed'));
      fs.writeFileSync(at('closed/f'), '');
      fs.chmodSync(at('closed'), 0o500);
      await fs.promises.cp(at('closed'), at('other'), { recursive: true });
      const modes = [fs.statSync(at('other')).mode];
      for (const [i, one] of from.entries()) {
        await fs.promises.cp(one, write(fs, at('b'), 0o600));
        fs.copyFileSync(one, write(fs, at('c'), 0o600));
        await fs.promises.cp(one, write(plain, path.join(beside, 'b'), 0o600));
        fs.copyFileSync(one, write(plain, path.join(beside, 'c'), 0o600));
        fs.cpSync(one, path.join(beside, `new${i}`));
        fs.cpSync(one, at(`way${i}/to/it`));
        modes.push(...['b', 'c', `way${i}`, `way${i}/to/it`].map((name) => fs.statSync(at(name)).mode));
        modes.push(...['b', 'c', `new${i}`].map((name) => plain.statSync(path.join(beside, name)).mode));
      }
      return modes;
    } finally {
      plain.rmSync(beside, { recursive: true });
    }
  },
  'does not copy what would be copied over itself, or into itself, by way of a link': async ({ fs, at, folder }) => {
    fs.mkdirSync(at('d'));
    fs.writeFileSync(at('d/f'), 'text');
    fs.symlinkSync('d', at('l'));
    const failures = [];
    for (const [from, to] of ['d d/e', 'd l/e', 'd/f l/f', 'l/f d/f', 'd d'].map((names) => names.split(' ').map((name) => at(name)))) {
      failures.push(await outcome(() => fs.promises.cp(from, to, { recursive: true }), folder));
      failures.push((await outcome(() => fs.cpSync(from, to, { recursive: true }), folder)).code);
    }
    return [failures, fs.readFileSync(at('d/f'), 'utf8'), fs.readdirSync(at('d'))];
  },
  'puts the copy of a link in the place of a link, whatever is said, and of nothing else': async ({ fs, at, folder }) => {
    fs.writeFileSync(at('f'), 'text');
    fs.writeFileSync(at('g'), 'other');
    fs.symlinkSync('f', at('l'));
    fs.symlinkSync('none', at('m'));
    await fs.promises.cp(at('l'), at('m'), { force: false });
    return [
      fs.readFileSync(at('m'), 'utf8'),
      await outcome(() => fs.promises.cp(at('l'), at('g')), folder),
      await outcome(() => fs.cpSync(at('l'), at('g')), folder),
      fs.readFileSync(at('g'), 'utf8'),
    ];
  },
  'says what is wrong with how it is to copy': async ({ fs, at, folder }) => {
    fs.mkdirSync(at('d'));
    fs.writeFileSync(at('f'), 'text');
    fs.writeFileSync(at('g'), 'other');
    const failures = [];
    const wrong = [5, null, { recursive: 1 }, { mode: 99 }, { filter: 'f' }, { dereference: true, verbatimSymlinks: true }];
    for (const options of wrong)
      failures.push(
        await outcome(() => fs.promises.cp(at('f'), at('h'), options), folder),
        await outcome(() => fs.cpSync(at('f'), at('h'), options), folder),
      );
    for (const [from, to, options] of [
      ['d', 'h'],
      ['d', 'f', { recursive: true }],
      ['f', 'd'],
      ['f', 'g', { force: false, errorOnExist: true }],
      ['none', 'h'],
      ['f', 'g/h'],
    ]) {
      failures.push(await outcome(() => fs.promises.cp(at(from), at(to), options), folder));
      failures.push((await outcome(() => fs.cpSync(at(from), at(to), options), folder)).code);
    }
    return [failures, fs.readdirSync(at(''))];
  },
  'makes links, reads them, and follows them': ({ fs, at, folder }) => {
    fs.mkdirSync(at('d'));
    fs.writeFileSync(at('d/f'), 'text');
    fs.symlinkSync('d/f', at('near'));
    fs.symlinkSync(at('d'), at('whole'));
    const root = path.dirname(folder);
    fs.symlinkSync(root, at('all'));
    const real = (name) => fs.realpathSync(at(name)).replace(fs.realpathSync(folder), '');
    return [
      [fs.readlinkSync(at('all')), fs.realpathSync(at('all')), fs.realpathSync.native(at('all'))].map((found) =>
        found.replace(root, 'root'),
      ),
      fs.readlinkSync(at('near')),
      fs.readlinkSync(at('whole')).replace(folder, ''),
      fs.readFileSync(at('near'), 'utf8'),
      fs.readFileSync(at('whole/f'), 'utf8'),
      real('near'),
      real('whole/f'),
      fs.realpathSync.native(at('near')).endsWith('/d/f'),
    ];
  },
  'says whether a file is there, and whether it may be used': async ({ fs, at, folder }) => {
    fs.writeFileSync(at('a'), '', { mode: 0o644 });
    const found = await new Promise((resolve) => fs.exists(at('a'), resolve));
    return [
      fs.existsSync(at('a')),
      fs.existsSync(at('b')),
      fs.existsSync(undefined),
      found,
      fs.accessSync(at('a')),
      await outcome(() => fs.accessSync(at('a'), fs.constants.X_OK), folder),
    ];
  },
  'changes permissions': ({ fs, at }) => {
    fs.writeFileSync(at('a'), '');
    fs.chmodSync(at('a'), '604');
    const first = fs.statSync(at('a')).mode;
    fs.chmodSync(at('a'), 0o4711);
    return [first, fs.statSync(at('a')).mode];
  },
  'keeps a folder in which only packages are, and takes them along': async ({ fs, at, folder }) => {
    fs.mkdirSync(at('app'));
    fs.mkdirSync(at('app/node_modules'));
    fs.mkdirSync(at('other'));
    const refused = [
      await outcome(() => fs.rmdirSync(at('app')), folder),
      await outcome(() => fs.promises.rmdir(at('app')), folder),
      await outcome(() => fs.renameSync(at('other'), at('app')), folder),
    ];
    fs.writeFileSync(at('file'), '');
    refused.push(await outcome(() => fs.renameSync(at('file'), at('app')), folder));
    fs.symlinkSync('app', at('link'));
    refused.push(await outcome(() => fs.rmdirSync(at('link')), folder));
    fs.renameSync(at('app'), at('moved'));
    return [refused, fs.readdirSync(at('')), fs.existsSync(at('moved/node_modules'))];
  },
  'goes through links that lead out of the root, and back, and to packages': async ({ fs, at, folder }) => {
    const beside = path.join(folder, '../..', `beside-${path.basename(path.dirname(folder))}`);
    const plain = process.getBuiltinModule('fs');
    plain.mkdirSync(path.join(beside, 'inner'), { recursive: true });
    plain.writeFileSync(path.join(beside, 'inner/kept'), 'kept');
    try {
      fs.symlinkSync(path.relative(folder, beside), at('out'));
      fs.symlinkSync(path.join(beside, 'log'), at('log'));
      fs.mkdirSync(at('node_modules/p'), { recursive: true });
      fs.writeFileSync(at('node_modules/p/index'), 'package');
      fs.symlinkSync('node_modules/p', at('package'));
      fs.symlinkSync(
        path.join(path.relative(folder, path.dirname(path.dirname(folder))), path.relative(path.join(folder, '../..'), at('mine'))),
        at('back'),
      );
      fs.symlinkSync(path.join(fs.realpathSync(folder), 'mine'), at('whole'));
      fs.writeFileSync(at('mine'), '');
      for (const i of [0, 1, 2]) {
        fs.appendFileSync(at('log'), `${i}`);
        fs.appendFileSync(at('out/log'), `${i}`);
        await fs.promises.appendFile(at('log'), `${i}`);
        await promisify(fs.appendFile)(at('back'), `${i}`);
        fs.appendFileSync(at('whole'), '-');
      }
      const texts = [];
      for (let i = 0; i < 12; i++)
        texts.push(['log', 'out/inner/kept', 'package/index', 'back', 'mine'].map((name) => fs.readFileSync(at(name), 'utf8')));
      await Promise.all(Array.from({ length: 12 }, async () => texts.push(await fs.promises.readFile(at('out/inner/kept'), 'utf8'))));
      const fd = fs.openSync(at('out/opened'), 'wx');
      fs.writeSync(fd, 'opened');
      fs.closeSync(fd);
      const handle = await fs.promises.open(at('out/opened'));
      texts.push(await handle.readFile('utf8'));
      await handle.close();
      await pipeline(fs.createReadStream(at('log')), fs.createWriteStream(at('out/streamed')));
      fs.renameSync(at('out/streamed'), at('out/renamed'));
      fs.copyFileSync(at('out/renamed'), at('copied'));
      fs.copyFileSync(at('mine'), at('out/mine'));
      fs.cpSync(at('out'), at('all'), { recursive: true, dereference: true });
      fs.mkdirSync(at('app/node_modules/p'), { recursive: true });
      fs.cpSync(at('app'), at('near/app'), { recursive: true });
      fs.cpSync(at('app'), at('out/app'), { recursive: true });
      fs.cpSync(at('out/app'), at('app again'), { recursive: true });
      fs.cpSync(at('mine'), at('out/new/mine'));
      const made = path.basename(fs.mkdtempSync(at('out/tmp-'))).length;
      return [
        texts,
        made,
        fs.mkdirSync(at('out/a/b'), { recursive: true })?.slice(-5),
        fs.readdirSync(at('out')).filter((name) => !name.startsWith('tmp-')),
        fs
          .readdirSync(at('out/inner'), { withFileTypes: true })
          .map((entry) => [entry.name, path.relative(folder, entry.parentPath ?? entry.path)]),
        fs.readdirSync(at('all/inner')),
        ['near/app', 'out/app', 'app again'].map((name) => fs.existsSync(at(`${name}/node_modules/p`))),
        fs.readdirSync(at('package')),
        fs.readFileSync(at('copied'), 'utf8'),
        fs.lstatSync(at('log')).isSymbolicLink(),
        fs.readlinkSync(at('out')) === path.relative(folder, beside),
        path.relative(fs.realpathSync(beside), fs.realpathSync(at('out/inner'))),
        fs.existsSync(at('out/none')),
        relative(fs.opendirSync(at('out/inner')), folder),
        relative(await fs.promises.opendir(at('package')), folder),
        await outcome(() => fs.realpathSync.native(at('out/none')), folder),
        await outcome(() => promisify(fs.realpath.native)(at('out/none')), folder),
        await outcome(() => fs.promises.realpath(at('out/none')), folder),
        await outcome(() => fs.readFileSync(at('out/none')), folder),
        await outcome(() => fs.promises.stat(at('out/none')), folder),
        await outcome(() => promisify(fs.readdir)(at('out/none')), folder),
        await outcome(() => fs.writeFileSync(at('log'), '', { flag: 'wx' }), folder),
        await outcome(() => fs.renameSync(at('back'), at('moved')), folder),
        await outcome(() => fs.rmSync(at('out'), { recursive: true }), folder),
        plain.readdirSync(beside).includes('inner'),
      ];
    } finally {
      plain.rmSync(beside, { recursive: true });
    }
  },
  'makes the folders on the way to packages': async ({ fs, at }) => {
    fs.mkdirSync(at('a/node_modules/p'), { recursive: true });
    const first = await fs.promises.mkdir(at('b/c/node_modules'), { recursive: true });
    const seen = [];
    for (let i = 0; i < 12; i++) seen.push(fs.readdirSync(at('a')), fs.existsSync(at('b/c')));
    return [seen, path.relative(at(''), first), fs.mkdirSync(at('a'), { recursive: true }) ?? null];
  },
  'lists all that is below a folder, packages too': async ({ fs, at }) => {
    for (const name of ['node_modules/p/lib', 'a/node_modules/q', 'a/.git']) fs.mkdirSync(at(name), { recursive: true });
    for (const name of ['node_modules/p/lib/i.js', 'a/node_modules/q/i.js', 'a/.git/HEAD', 'a/f']) fs.writeFileSync(at(name), '');
    const names = (entries) => entries.map(({ name, parentPath }) => path.relative(at(''), path.join(parentPath, name))).sort();
    return [
      fs.readdirSync(at(''), { recursive: true }).sort(),
      (await fs.promises.readdir(`${at('a')}/`, { recursive: true })).sort(),
      names(await fs.promises.readdir(at(''), { recursive: true, withFileTypes: true })),
      fs.readdirSync(at('a')),
    ];
  },
  'goes up from where a link leads': async ({ fs, at, folder }) => {
    fs.mkdirSync(at('releases/5'), { recursive: true });
    fs.symlinkSync('releases/5', at('current'));
    fs.writeFileSync(at('releases/config'), 'right');
    fs.writeFileSync(at('config'), 'wrong');
    fs.writeFileSync(`${folder}/current/../made`, 'made');
    const up = `${folder}/current/../config`;
    return [
      fs.readFileSync(up, 'utf8'),
      await fs.promises.readFile(`${folder}/releases/../current/.././config`, 'utf8'),
      fs.readFileSync(`${folder}/releases/5/../../config`, 'utf8'),
      fs.readdirSync(at('')),
      fs.readdirSync(`${folder}/current/..`),
      await outcome(() => fs.readFileSync(`${folder}/current/../none`), folder),
    ];
  },
  'leads to the devices of the program, and not to those of a node': ({ fs, at }) => {
    fs.symlinkSync('/dev/fd', at('fd'));
    const plain = process.getBuiltinModule('fs');
    plain.writeFileSync(`${at('')}-beside`, 'of the program');
    const fd = plain.openSync(`${at('')}-beside`);
    try {
      return [fs.readFileSync(at(`fd/${fd}`), 'utf8'), fs.existsSync(at(`fd/${fd}`))];
    } finally {
      plain.closeSync(fd);
      plain.rmSync(`${at('')}-beside`);
    }
  },
  'changes the owner to whom it belongs': ({ fs, at }) => {
    fs.writeFileSync(at('a'), '');
    const { uid, gid } = fs.statSync(at('a'));
    return [fs.chownSync(at('a'), uid, gid), fs.lchownSync(at('a'), uid, gid)];
  },
  'cuts files, and makes them longer': async ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'abcdef');
    fs.truncateSync(at('a'), 3);
    await fs.promises.truncate(at('a'), 5);
    return fs.readFileSync(at('a'));
  },
  'reads and writes with a descriptor, where it stands and elsewhere': ({ fs, at }) => {
    const fd = fs.openSync(at('a'), 'w+');
    const buffer = Buffer.alloc(8);
    const seen = [
      fs.writeSync(fd, 'hello '),
      fs.writeSync(fd, Buffer.from('xworldx'), 1, 5),
      fs.writeSync(fd, 'J', 0),
      fs.writeSync(fd, 'ff', null, 'hex'),
    ];
    seen.push(
      fs.readSync(fd, buffer, 0, 5, 0),
      fs.readSync(fd, buffer, { offset: 5, length: 3, position: 6 }),
      fs.readSync(fd, buffer),
      buffer,
    );
    fs.closeSync(fd);
    return [seen, fs.readFileSync(at('a'))];
  },
  'reads to the end of a descriptor, and nothing behind it': ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'abc');
    const fd = fs.openSync(at('a'));
    const buffer = Buffer.alloc(2);
    const counts = [
      fs.readSync(fd, buffer),
      fs.readSync(fd, buffer),
      fs.readSync(fd, buffer),
      fs.readSync(fd, buffer, 0, 2, 99),
      fs.readSync(fd, buffer, 0, 0, 0),
    ];
    fs.closeSync(fd);
    return counts;
  },
  'appends with a descriptor, wherever one writes': ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'abc');
    const fd = fs.openSync(at('a'), 'a+');
    fs.writeSync(fd, 'd', 0);
    fs.writeSync(fd, 'e');
    const text = fs.readFileSync(fd, 'utf8');
    fs.closeSync(fd);
    return [fs.readFileSync(at('a'), 'utf8'), typeof text];
  },
  'leaves a hole where one writes behind the end': ({ fs, at }) => {
    const fd = fs.openSync(at('a'), 'w');
    fs.writeSync(fd, 'x', 4);
    fs.closeSync(fd);
    return fs.readFileSync(at('a'));
  },
  'reads and writes with callbacks': async ({ fs, at }) => {
    const fd = await promisify(fs.open)(at('a'), 'w+');
    const written = await promisify(fs.write)(fd, 'some text');
    const back = await new Promise((resolve, reject) =>
      fs.read(fd, Buffer.alloc(4), 0, 4, 5, (error, count, buffer) => (error ? reject(error) : resolve([count, buffer.toString()]))),
    );
    const plain = await new Promise((resolve, reject) =>
      fs.read(fd, { position: 0 }, (error, count, buffer) => (error ? reject(error) : resolve([count, buffer.length]))),
    );
    await promisify(fs.close)(fd);
    return [written, back, plain];
  },
  'reads and writes many buffers at once': ({ fs, at }) => {
    const fd = fs.openSync(at('a'), 'w+');
    const buffers = [Buffer.alloc(2), Buffer.alloc(5)];
    const counts = [fs.writevSync(fd, [Buffer.from('ab'), Buffer.from('cde')]), fs.readvSync(fd, buffers, 0)];
    fs.closeSync(fd);
    return [counts, buffers];
  },
  'tells and changes a file by its descriptor': ({ fs, at }) => {
    const fd = fs.openSync(at('a'), 'w+');
    fs.writeSync(fd, 'abcdef');
    fs.ftruncateSync(fd, 2);
    fs.fchmodSync(fd, 0o600);
    fs.futimesSync(fd, 1000, 2000);
    fs.fsyncSync(fd);
    fs.fdatasyncSync(fd);
    const { size, mode, mtimeMs } = fs.fstatSync(fd);
    fs.closeSync(fd);
    return [size, mode, mtimeMs];
  },
  'reads whole and writes on with a descriptor': ({ fs, at }) => {
    const fd = fs.openSync(at('a'), 'w+');
    fs.writeFileSync(fd, 'one ');
    fs.appendFileSync(fd, 'two');
    fs.closeSync(fd);
    const again = fs.openSync(at('a'));
    const text = fs.readFileSync(again, 'utf8');
    fs.closeSync(again);
    return text;
  },
  'writes to a file that is renamed while it is open': ({ fs, at }) => {
    const fd = fs.openSync(at('a'), 'w');
    fs.writeSync(fd, '1');
    fs.renameSync(at('a'), at('b'));
    fs.writeSync(fd, '2');
    fs.closeSync(fd);
    return [fs.readdirSync(at('')), fs.readFileSync(at('b'), 'utf8')];
  },
  'writes to the file that it opened, also if that is renamed meanwhile': async ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'old');
    const opening = fs.promises.open(at('a'), 'r+');
    const renaming = fs.promises.rename(at('a'), at('b')).then(() => fs.promises.writeFile(at('a'), 'new'));
    // Either may be first: who finds no file wrote nothing.
    const handle = await opening.catch(() => null);
    await renaming;
    await handle?.write('OLD', 0);
    await handle?.close();
    return [fs.readFileSync(at('a'), 'utf8'), fs.readFileSync(at('b'), 'utf8').toLowerCase()];
  },
  'writes to a file whose mode forbids it, if it was open before': ({ fs, at }) => {
    const fd = fs.openSync(at('a'), 'w', 0o444);
    fs.writeSync(fd, 'x');
    fs.closeSync(fd);
    return [fs.readFileSync(at('a'), 'utf8'), fs.statSync(at('a')).mode];
  },
  'does nothing with a descriptor that is closed': async ({ fs, at, folder }) => {
    const fd = fs.openSync(at('a'), 'w');
    fs.closeSync(fd);
    const all = [() => fs.closeSync(fd), () => fs.writeSync(fd, 'x'), () => fs.readSync(fd, Buffer.alloc(1)), () => fs.fstatSync(fd)];
    return Promise.all(all.map((run) => outcome(run, folder)));
  },
  'reads only, and writes only, as it was opened': async ({ fs, at, folder }) => {
    fs.writeFileSync(at('a'), 'x');
    const reading = fs.openSync(at('a'), 'r');
    const writing = fs.openSync(at('a'), 'a');
    const found = [
      await outcome(() => fs.writeSync(reading, 'y'), folder),
      await outcome(() => fs.readSync(writing, Buffer.alloc(1)), folder),
      await outcome(() => fs.ftruncateSync(reading, 0), folder),
    ];
    fs.closeSync(reading);
    fs.closeSync(writing);
    return found;
  },
  'reads with a file handle': async ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'line 1\nline 2\n');
    const handle = await fs.promises.open(at('a'));
    const lines = [];
    for await (const line of handle.readLines({ autoClose: false, start: 0 })) lines.push(line);
    await handle.close();
    const other = await fs.promises.open(at('a'));
    const { bytesRead, buffer } = await other.read({ buffer: Buffer.alloc(4), position: 5 });
    const text = await other.readFile('utf8');
    const { size } = await other.stat();
    await other.close();
    return [lines, bytesRead, buffer, text, size, other.fd];
  },
  'reads a file handle as a stream of the web, which closes it where that is asked for (Node 24)': async ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'some text');
    const seen = [];
    for (const autoClose of [false, Number(process.versions.node.split('.')[0]) >= 24]) {
      const handle = await fs.promises.open(at('a'));
      const closed = new Promise((resolve) => handle.once('close', resolve));
      for await (const part of handle.readableWebStream({ autoClose })) seen.push(Buffer.from(part).toString());
      if (autoClose) await closed;
      seen.push(handle.fd === -1);
      await handle.close();
    }
    return seen;
  },
  'writes with a file handle': async ({ fs, at }) => {
    const handle = await fs.promises.open(at('a'), 'w+');
    const seen = [
      (await handle.write('abc')).bytesWritten,
      (await handle.write(Buffer.from('def'), 1, 2, 0)).bytesWritten,
      (await handle.writev([Buffer.from('x'), Buffer.from('yz')])).bytesWritten,
    ];
    await handle.appendFile('!');
    await handle.chmod(0o600);
    await handle.utimes(5, 6);
    await handle.sync();
    await handle.datasync();
    const { mtimeMs, mode } = await handle.stat();
    await handle.truncate(5);
    await handle.close();
    return [seen, mtimeMs, mode, fs.readFileSync(at('a'), 'utf8')];
  },
  'takes a file handle where a path may stand': async ({ fs, at }) => {
    const handle = await fs.promises.open(at('a'), 'w+');
    await fs.promises.writeFile(handle, 'one');
    await fs.promises.appendFile(handle, ' two');
    await handle.close();
    const other = await fs.promises.open(at('a'));
    const text = await fs.promises.readFile(other, 'utf8');
    await other.close();
    return text;
  },
  'reads and writes a part whose length is no whole number': async ({ fs, at }) => {
    const seen = [];
    for (const length of [1.5, '2', true, NaN, -0.5]) {
      fs.writeFileSync(at('open'), 'text');
      const fd = fs.openSync(at('open'), 'r+');
      const bytes = Buffer.from('....');
      const read = fs.readSync(fd, bytes, 1, length, 0);
      const later = await new Promise((done) => fs.read(fd, bytes, 0, length, 0, (_error, count) => done(count)));
      const named = fs.readSync(fd, bytes, { offset: 2, length, position: 2 });
      seen.push([read, later, named, String(bytes)]);
      if (typeof length !== 'number') seen.push(fs.writeSync(fd, 'ab', length), fs.writeSync(fd, Buffer.from('cd'), 1, length, 3));
      fs.closeSync(fd);
      seen.push(fs.readFileSync(at('open'), 'utf8'));
    }
    return seen;
  },
  'streams what is read, whole and in part': async ({ fs, at }) => {
    fs.writeFileSync(at('a'), Buffer.alloc(200_000, 'abcdefg'));
    const parts = async (options) => Buffer.concat(await fs.createReadStream(at('a'), options).toArray());
    return [
      (await parts()).length,
      await parts({ start: 3, end: 9 }),
      (await parts({ start: 199_990 })).length,
      await fs.createReadStream(at('a'), { encoding: 'utf8', end: 2 }).toArray(),
    ];
  },
  'streams what is written, at a place, and behind what is there': async ({ fs, at }) => {
    await pipeline(['abc', 'def'], fs.createWriteStream(at('a')));
    await pipeline(['X'], fs.createWriteStream(at('a'), { flags: 'r+', start: 2 }));
    await pipeline(['!'], fs.createWriteStream(at('a'), { flags: 'a' }));
    return fs.readFileSync(at('a'), 'utf8');
  },
  'tells of streams what it tells of files': async ({ fs, at, folder }) => {
    const reading = fs.createReadStream(at('none'));
    const error = await new Promise((resolve) => reading.once('error', resolve));
    const writing = fs.createWriteStream(at('a'));
    writing.write('1234');
    await new Promise((resolve) => writing.end(resolve));
    return [
      told(error, folder),
      writing.bytesWritten,
      writing.path === at('a'),
      writing instanceof fs.WriteStream,
      reading instanceof fs.ReadStream,
    ];
  },
  'streams through a class that somebody extends the old way': async ({ fs, at }) => {
    function Extended(...args) {
      fs.WriteStream.apply(this, args);
    }
    Object.setPrototypeOf(Extended.prototype, fs.WriteStream.prototype);
    await pipeline(['text'], new Extended(at('a')));
    return [fs.readFileSync(at('a'), 'utf8'), Buffer.concat(await new fs.ReadStream(at('a')).toArray())];
  },
  'streams with a file handle, and closes it': async ({ fs, at }) => {
    fs.writeFileSync(at('a'), 'text');
    const handle = await fs.promises.open(at('a'));
    const parts = Buffer.concat(await handle.createReadStream().toArray());
    const other = await fs.promises.open(at('b'), 'w');
    await pipeline(['more'], other.createWriteStream());
    return [parts, fs.readFileSync(at('b'), 'utf8'), other.fd];
  },
  'carries a large file': async ({ fs, at }) => {
    const large = Buffer.alloc(1_300_000, 'large file ');
    await fs.promises.writeFile(at('a'), large);
    fs.appendFileSync(at('a'), 'end');
    const back = await promisify(fs.readFile)(at('a'));
    return [back.length, back.subarray(0, large.length).equals(large), back.subarray(-3)];
  },
  'answers callbacks later, and not in the call': async ({ fs, at }) => {
    let isOver = false;
    const late = new Promise((resolve) => fs.writeFile(at('a'), '1', (error) => resolve([error, isOver])));
    isOver = true;
    return late;
  },
  'runs many writes at once, and none is lost': async ({ fs, at }) => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => fs.promises.writeFile(at(`f${i}`), String(i))));
    await Promise.all(Array.from({ length: 20 }, (_, i) => fs.promises.appendFile(at('all'), `${i % 10}`)));
    return [fs.readdirSync(at('')).length, fs.readFileSync(at('all'), 'utf8').length];
  },
  'stops for a signal that was given before': async ({ fs, at }) => {
    fs.writeFileSync(at('a'), '1');
    const signal = AbortSignal.abort();
    const one = await outcome(() => fs.promises.readFile(at('a'), { signal }), '');
    const other = await outcome(() => fs.promises.writeFile(at('a'), '2', { signal }), '');
    return [one.code, one.error, other.code];
  },
  'tells of the disk': ({ fs, at }) => {
    const told = fs.statfsSync(at(''));
    return [Object.keys(told).sort(), typeof told.bsize, typeof fs.statfsSync(at(''), { bigint: true }).blocks];
  },
  'refuses arguments that are none': async ({ fs, at, folder }) => {
    const all = [
      () => fs.readFileSync(),
      () => fs.readFile(at('a')),
      () => fs.writeFileSync(at('a'), {}),
      () => fs.openSync(at('a'), 'nonsense'),
      () => fs.mkdirSync(at('m'), { mode: 'x' }),
      () => fs.statSync('a\0b'),
      () => fs.readFileSync(at('a'), 'nonsense'),
      () => fs.promises.readFile(3.5),
    ];
    const found = await Promise.all(all.map((run) => outcome(run, folder)));
    return found.map(({ error, code }) => [error, code]);
  },
  'reads what lies outside, and copies to and fro': async ({ fs, at, folder }) => {
    const outside = `${folder}-outside`;
    fs.mkdirSync(outside);
    try {
      fs.writeFileSync(path.join(outside, 'a'), 'text', { mode: 0o600 });
      fs.copyFileSync(path.join(outside, 'a'), at('b'));
      await fs.promises.copyFile(at('b'), path.join(outside, 'c'));
      await fs.promises.cp(outside, at('tree'), { recursive: true });
      const { COPYFILE_EXCL } = fs.constants;
      return [
        fs.readFileSync(path.join(outside, 'c'), 'utf8'),
        await outcome(() => fs.copyFileSync(path.join(outside, 'none'), at('none')), folder),
        await outcome(() => fs.promises.copyFile(at('none'), path.join(outside, 'none')), folder),
        await outcome(() => promisify(fs.copyFile)(path.join(outside, 'a'), at('b'), COPYFILE_EXCL), folder),
        await outcome(() => fs.copyFileSync(at('b'), path.join(outside, 'a'), COPYFILE_EXCL), folder),
        fs.statSync(at('b')).mode,
        fs.readdirSync(at(''), { recursive: true }).sort(),
      ];
    } finally {
      fs.rmSync(outside, { recursive: true });
    }
  },
};

/** Errors, each by all three forms. */
const FAILURES = {
  'reading what is not there': failure('readFile', './none'),
  'reading a folder': failure('readFile', './full'),
  'reading below a file': failure('readFile', './file/below'),
  'writing into a folder that is not there': failure('writeFile', './none/file', 'x'),
  'writing a folder': failure('writeFile', './full', 'x'),
  'writing anew what is there': failure('writeFile', './file', 'x', { flag: 'wx' }),
  'appending to a folder': failure('appendFile', './full', 'x'),
  'the state of what is not there': failure('stat', './none'),
  'the state of a link that is not there': failure('lstat', './none'),
  'listing what is not there': failure('readdir', './none'),
  'listing a file': failure('readdir', './file'),
  // Without the blocking form, whose error names no path in Node 20.
  'opening a folder that is not there': async ({ fs, at, folder }) => [
    await outcome(() => fs.promises.opendir(at('none')), folder),
    await outcome(() => promisify(fs.opendir)(at('none')), folder),
  ],
  'reading into, and writing, what cannot be, in words of Node': async ({ fs, at, folder }) => {
    const fd = fs.openSync(at('open'), 'w+');
    fs.writeSync(fd, 'text');
    const wrong = [
      () => fs.readSync(fd, 'text', 0, 4, 0),
      () => fs.readSync(fd, Buffer.alloc(4), 5, 1, 0),
      () => fs.readSync(fd, Buffer.alloc(4), 0.5, 1, 0),
      () => fs.readSync(fd, Buffer.alloc(4), 2, 3, 0),
      () => fs.readSync(fd, Buffer.alloc(4), 0, -1, 0),
      () => fs.readSync(fd, Buffer.alloc(4), 9, 0, 0),
      () => fs.readvSync(fd, ['text'], 0),
      () => fs.writeSync(fd, 5),
      () => fs.writeSync(fd, { length: 2 }),
      () => fs.writeSync(fd, Buffer.alloc(4), 5),
      () => fs.writeSync(fd, Buffer.alloc(4), { offset: 1, length: 9 }),
      () => fs.writevSync(fd, ['text']),
      () => fs.writevSync(fd, 'text'),
      () => fs.writeFileSync(fd, {}),
      () => fs.appendFile(fd, null, () => {}),
      () => fs.promises.writeFile(at('open'), 5),
    ];
    const seen = [];
    for (const run of wrong) seen.push(await outcome(run, folder));
    fs.closeSync(fd);
    return [seen, fs.readFileSync(at('open'), 'utf8')];
  },
  'making a folder that is there': failure('mkdir', './full'),
  'making a folder below a file': failure('mkdir', './file/a/b', { recursive: true }),
  'making a folder below one that is not there': failure('mkdir', './none/inner'),
  'making a folder for a while where there is none': failure('mkdtemp', './none/tmp-'),
  'removing a folder that is full': failure('rmdir', './full'),
  'removing a folder as if it were a file, in words of Node': failure('rm', './full'),
  'removing a file as a folder': failure('rmdir', './file'),
  'removing a folder as a file': failure('unlink', './full'),
  'removing what is not there': failure('unlink', './none'),
  'removing a tree that is not there': failure('rm', './none', { recursive: true }),
  'renaming what is not there': failure('rename', './none', './other'),
  'renaming a file over a folder': failure('rename', './file', './full'),
  'copying what is not there': failure('copyFile', './none', './other'),
  'linking over what is there': failure('symlink', 'target', './file'),
  'reading a link that is none': failure('readlink', './file'),
  'the real path of what is not there': failure('realpath', './none/deep'),
  'access to what is not there': failure('access', './none'),
  'changing the mode of what is not there': failure('chmod', './none', 0o600),
  'setting times of what is not there': failure('utimes', './none', 1, 1),
  'cutting what is not there': failure('truncate', './none', 1),
};

exports.BEHAVIOURS = BEHAVIOURS;
exports.FAILURES = FAILURES;
