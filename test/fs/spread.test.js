'use strict';

// More disks than copies: which disks have a file, counted on the disks themselves; and what becomes of it when disks are added, taken
// away, or lost.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { decodePointer, encodePointer } = require('../../lib/fs/pointer');
const { idOf, ranked } = require('../../lib/fs/rendezvous');
const { spreadProblems } = require('../fs-faults/checks');
const { killNode, open } = require('../fs-faults/storm');
const { remove } = require('../helpers/remove');
const { until } = require('../helpers/until');

const NAMES = Array.from({ length: 4000 }, (_, i) => `posts/${i}.md`);
const IDS = ['/a', '/b', '/c', '/d'].map(idOf);
const chosen = (name, ids) => ranked(name, ids).slice(0, 2);

describe('the choice of holders', () => {
  it('gives each as many files as another, within a tenth', () => {
    const counts = new Map(IDS.map((id) => [id, 0]));
    for (const name of NAMES) for (const id of chosen(name, IDS)) counts.set(id, counts.get(id) + 1);
    for (const count of counts.values()) assert.ok(Math.abs(count - NAMES.length / 2) < NAMES.length / 20, `${[...counts.values()]}`);
  });

  it('is the same in whatever order nodes are named, and one more takes only what it gets itself', () => {
    const more = [idOf('/e'), ...IDS];
    for (const name of NAMES) {
      assert.deepEqual(chosen(name, [...IDS].reverse()), chosen(name, IDS));
      const kept = chosen(name, more).filter((id) => id !== more[0]);
      assert.deepEqual(kept, chosen(name, IDS).slice(0, kept.length));
    }
  });
});

describe('a pointer', () => {
  it('says who has the contents, and how long they are; nothing else is one', () => {
    const pointer = { holders: IDS.slice(1), size: 2 ** 40 };
    const bytes = encodePointer(pointer, 'secret');
    assert.deepEqual(decodePointer(bytes, 'secret'), pointer);
    for (const other of [bytes.subarray(1), Buffer.concat([bytes, bytes]), Buffer.alloc(bytes.length), Buffer.alloc(0)])
      assert.equal(decodePointer(other, 'secret'), null);
    assert.equal(decodePointer(bytes, 'another'), null);
  });
});

describe('more disks than copies', function () {
  this.timeout(90_000);
  let base;
  let system;
  const disk = (name) => path.join(base, name);
  const disks = (...names) => names.map(disk);
  const start = (names, copies = 2) => {
    const given = { fs: 'eventual', copies: [copies, copies], disks: disks(...names) };
    system = open('spread', { root: disk('data'), ...given });
    return system;
  };
  const stop = () => system.courier.close();
  /** Names of the disks that have a file's contents, told by the disks. */
  const holdersOf = (name, text, names = ['data', 'b', 'c', 'd', 'e']) =>
    names.filter((one) => fs.existsSync(path.join(disk(one), name)) && fs.readFileSync(path.join(disk(one), name), 'utf8') === text);
  const settled = async () => {
    await until(async () => (await system.nodes()).every(({ state }) => state === 'serving'), 'all serve', 60_000);
    const head = Math.max(...(await system.nodes()).map(({ applied }) => applied));
    await until(async () => (await system.nodes()).every(({ applied }) => applied === head), 'all have applied all', 60_000);
  };
  const write = async (count) => {
    const { files, at } = system;
    files.mkdirSync(at('posts'), { recursive: true });
    await Promise.all(Array.from({ length: count }, (_, i) => files.promises.writeFile(at('posts', String(i)), `text ${i}`)));
  };
  const readAll = (count) =>
    Promise.all(Array.from({ length: count }, (_, i) => system.files.promises.readFile(system.at('posts', String(i)), 'utf8')));
  const texts = (count) => Array.from({ length: count }, (_, i) => `text ${i}`);

  beforeEach(() => {
    base = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-fs-'));
    fs.mkdirSync(disk('data'));
  });
  afterEach(async () => {
    await system.courier.close();
    await remove(base);
  });

  it('keep each file on exactly so many of them, whatever is done to it', async () => {
    const { files, at } = start(['data', 'b', 'c', 'd']);
    await write(40);
    const large = 'large '.repeat(60_000);
    await files.promises.writeFile(at('large'), large);
    files.appendFileSync(at('large'), large);
    files.renameSync(at('posts'), at('articles'));
    for (let i = 0; i < 6; i++) files.renameSync(at('articles', String(i)), at(`renamed${i}`));
    files.copyFileSync(at('large'), at('copied'));
    files.symlinkSync('../renamed1', at('articles/link'));
    files.appendFileSync(at('articles/link'), ' and more');
    files.writeFileSync(at('renamed2'), 'anew');
    files.truncateSync(at('renamed3'), 3);
    const fd = files.openSync(at('renamed4'), 'r+');
    files.writeSync(fd, 'TE', 0);
    files.writeSync(fd, 'far', 2000);
    files.closeSync(fd);
    for (const name of ['large', 'copied']) assert.equal(files.readFileSync(at(name), 'utf8'), large + large);
    assert.deepEqual(
      [0, 1, 2, 3].map((i) => files.readFileSync(at(`renamed${i}`), 'utf8')),
      ['text 0', 'text 1 and more', 'anew', 'tex'],
    );
    assert.deepEqual(
      ['large', 'renamed1', 'renamed3', 'renamed4'].map((name) => files.statSync(at(name)).size),
      [large.length * 2, 15, 3, 2003],
    );
    await settled();
    assert.deepEqual(spreadProblems(disks('data', 'b', 'c', 'd'), 2), []);
    const all = Array.from({ length: 34 }, (_, i) => holdersOf(`articles/${i + 6}`, `text ${i + 6}`));
    assert.ok(all.every(({ length }) => length === 2));
    for (const one of ['data', 'b', 'c', 'd']) assert.ok(all.filter((names) => names.includes(one)).length > 5, `${one} has its part`);
    for (const one of ['data', 'b', 'c', 'd'])
      assert.equal(
        fs.statSync(path.join(disk(one), '.ignis-fs/elsewhere')).mode & 0o777,
        0o600,
        'by which a pointer is told from data is for nobody',
      );
    assert.throws(() => files.writeFileSync(at('no'), fs.readFileSync(path.join(firstWithout('articles/9', 'text 9'), 'articles/9'))), {
      code: 'EINVAL',
    });
  });

  it('are for nobody who may not see the root, where their folders are made for them', async () => {
    fs.chmodSync(disk('data'), 0o700);
    fs.mkdirSync(disk('b'), { mode: 0o755 });
    const { files, at } = start(['data', 'b', 'new/c', 'd']);
    await files.promises.writeFile(at('a'), 'text');
    await settled();
    const modes = ['data', 'b', 'new', 'new/c', 'd'].map((one) => fs.statSync(disk(one)).mode & 0o077);
    const mask = process.umask();
    assert.deepEqual(modes, [0, 0o055 & ~mask, 0o077 & ~mask, 0, 0]);
  });

  /** The folder of a disk that has only a pointer. */
  const firstWithout = (name, text) => disk(['data', 'b', 'c', 'd'].find((one) => !holdersOf(name, text).includes(one)));

  it('take what stands in the root for true where another disk is named first, also with as many copies as disks', async () => {
    for (const [names, copies] of [
      [['b', 'data'], 2],
      [['c', 'data', 'd'], 2],
    ]) {
      fs.rmSync(disk('data'), { recursive: true, force: true });
      fs.mkdirSync(disk('data'), { recursive: true });
      fs.writeFileSync(path.join(disk('data'), 'old'), 'was here');
      start(names, copies);
      assert.equal(await system.files.promises.readFile(system.at('old'), 'utf8'), 'was here');
      await settled();
      assert.equal(holdersOf('old', 'was here', names).length, copies);
      await stop();
    }
  });

  it('take over what stands in the root, and go on so with a disk more, a disk less, and as many disks as copies', async () => {
    fs.mkdirSync(disk('data/posts'));
    for (const [i, text] of texts(30).entries()) fs.writeFileSync(disk(`data/posts/${i}`), text);
    start(['data', 'b', 'c']);
    assert.deepEqual(await readAll(30), texts(30));
    await settled();
    assert.deepEqual(spreadProblems(disks('data', 'b', 'c'), 2), []);
    assert.ok(texts(30).some((text, i) => !holdersOf(`posts/${i}`, text).includes('data')));
    const before = texts(30).map((text, i) => holdersOf(`posts/${i}`, text));
    const wanted = texts(30);
    for (const names of [
      ['data', 'b', 'c', 'd'],
      ['data', 'c', 'd'],
      ['b', 'data', 'd'],
      ['d', 'data'],
    ]) {
      await stop();
      if (names[0] === 'b') {
        // By hand; what the disk has that had no part in the last run is old, though it is named first now.
        const i = before.findIndex((had, one) => had.join() === 'data,b' && holdersOf(`posts/${one}`, `text ${one}`).includes('data'));
        assert.ok(i >= 0);
        fs.writeFileSync(disk(`data/posts/${i}`), (wanted[i] = 'by hand'));
      }
      start(names);
      assert.deepEqual(await readAll(30), wanted);
      await settled();
      assert.deepEqual(spreadProblems(disks(...names), 2), []);
      // What has enough copies where it is stays there.
      if (names.length === 4) assert.deepEqual(texts(30).map((text, i) => holdersOf(`posts/${i}`, text)), before); // prettier-ignore
    }
  });

  it('are refused where contents are on a disk that is not named, and nothing is touched', async () => {
    start(['data', 'b', 'c', 'd']);
    await write(30);
    await settled();
    await stop();
    const state = JSON.stringify(spreadProblems(disks('data', 'b', 'c', 'd'), 2));
    const warned = new Promise((resolve) => process.once('warning', resolve));
    start(['data', 'b']);
    await assert.rejects(
      readAll(30),
      (error) => error.code === 'EIO' && /none of its folders has the contents of posts\/\d+: /.test(error.cause.message),
    );
    assert.match((await warned).message, /no copy of .* is served/);
    await stop();
    assert.equal(JSON.stringify(spreadProblems(disks('data', 'b', 'c', 'd'), 2)), state);
    system = open('strong', { root: disk('data') });
    assert.throws(
      () => system.files.readFileSync(system.at('posts/1')),
      (error) => /a part of the files/.test(error.cause.message),
    );
    await stop();
    start(['data', 'b', 'c', 'd']);
    assert.deepEqual(await readAll(30), texts(30));
  });

  it('serve all while one is out of reach; what is only on two that are gone for good is refused, and new files go elsewhere', async () => {
    const { files, at, nodes } = start(['data', 'b', 'c', 'd']);
    await write(30);
    await settled();
    const { pid } = (await nodes())[1];
    process.kill(pid, 'SIGSTOP');
    try {
      assert.deepEqual(await readAll(30), texts(30));
      for (let i = 0; i < 30; i += 5) files.appendFileSync(at('posts', String(i)), '!');
      assert.equal(files.readFileSync(at('posts/5'), 'utf8'), 'text 5!');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await settled();
    assert.deepEqual(spreadProblems(disks('data', 'b', 'c', 'd'), 2), []);
    // Folders that are another's now: their nodes are not started again.
    for (const i of [1, 2]) {
      fs.writeFileSync(path.join((await nodes())[i].folder, '.ignis-fs', 'elsewhere'), 'of another root');
      await killNode(nodes, i);
    }
    await until(async () => (await nodes()).filter(({ state }) => state === 'stopped').length === 2, 'two are gone', 60_000);
    const gone = texts(30).map((text, i) => holdersOf(`posts/${i}`, i % 5 === 0 ? `${text}!` : text).join() === 'b,c');
    assert.ok(gone.includes(true) && gone.includes(false));
    for (const [i, isGone] of gone.entries()) {
      const name = at('posts', String(i));
      const isLost = (error) =>
        error.code === 'EIO' && error.cause.ran === 'no' && /no copy of posts.* is kept any more/.test(error.cause.message);
      if (isGone) {
        assert.throws(() => files.readFileSync(name), isLost);
        assert.throws(() => files.appendFileSync(name, '?'), isLost);
        files.writeFileSync(name, 'new');
      } else files.appendFileSync(name, '?');
      assert.match(files.readFileSync(name, 'utf8'), isGone ? /^new$/ : /^text \d+!?\?$/);
    }
  });

  it("acknowledge nothing before one of a file's holders has it", async () => {
    const { files, at, nodes } = start(['data', 'b', 'c', 'd']);
    files.writeFileSync(at('a'), 'old');
    await settled();
    const holders = holdersOf('a', 'old').map(disk);
    const pids = (await nodes()).filter(({ folder }) => holders.includes(folder)).map(({ pid }) => pid);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      let isAcknowledged = false;
      const written = files.promises.writeFile(at('a'), 'new').then(() => (isAcknowledged = true));
      const others = async () => (await nodes()).filter(({ folder }) => !holders.includes(folder));
      const before = (await nodes()).find(({ folder }) => holders.includes(folder)).applied;
      await until(async () => (await others()).every(({ applied }) => applied === before + 1), 'the others have noted it', 60_000);
      await files.promises.stat(at('a'));
      assert.equal(isAcknowledged, false);
      process.kill(pids[1], 'SIGCONT');
      await written;
      assert.equal(files.readFileSync(at('a'), 'utf8'), 'new');
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  });

  it('fill a disk that was lost', async () => {
    const { nodes } = start(['data', 'b', 'c', 'd']);
    await write(30);
    await settled();
    const { folder, pid } = (await nodes())[2];
    // It stands still meanwhile, and the one that is started in its place finds nothing.
    await killNode(nodes, 2, 'SIGSTOP');
    fs.rmSync(folder, { recursive: true, force: true });
    await killNode(nodes, 2);
    await until(async () => (await nodes())[2].pid !== pid && (await nodes())[2].state === 'serving', 'the copy is whole', 60_000);
    assert.deepEqual(spreadProblems(disks('data', 'b', 'c', 'd'), 2), []);
    assert.ok(texts(30).some((text, i) => holdersOf(`posts/${i}`, text).includes('c')));
  });
});
