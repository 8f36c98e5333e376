'use strict';

// What a distributed file system promises while its nodes are killed; a short form of `npm run faults:fs`.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { remove } = require('../helpers/remove');
const { until } = require('../helpers/until');
const { checkStorm, treeOf } = require('./checks');
const { isLinearizable } = require('./history');
const { isLoss, killNode, loseNodes, open, storm } = require('./storm');

const write = (value, began, ended) => ({ kind: 'write', value, began, ended });
const read = (value, began, ended) => ({ kind: 'read', value, began, ended });

describe('the check of histories', () => {
  it('finds an order where there is one', () => {
    assert.ok(isLinearizable([write('a', 0, 3), read('first', 1, 2), read('a', 4, 5)], 'first'));
    assert.ok(isLinearizable([write('a', 0, 5), write('b', 1, 6), read('b', 7, 8), read('b', 9, 10)], 'first'));
    assert.ok(isLinearizable([write('a', 0, Infinity), read('first', 1, 2), read('a', 8, 9)], 'first'));
    assert.ok(isLinearizable([write('a', 0, Infinity), read('first', 1, 2)], 'first'));
  });

  it('finds none where a read is stale, a write is lost, or two reads go back', () => {
    assert.ok(!isLinearizable([write('a', 0, 1), read('first', 2, 3)], 'first'));
    assert.ok(!isLinearizable([write('a', 0, 1), write('b', 2, 3), read('a', 4, 5)], 'first'));
    assert.ok(!isLinearizable([write('a', 0, 9), read('a', 1, 2), read('first', 3, 4)], 'first'));
    assert.ok(!isLinearizable([read('never', 0, 1)], 'first'));
  });
});

describe('nodes that are killed', function () {
  this.timeout(120_000);
  let system;
  afterEach(async () => {
    if (system === undefined) return;
    await system.courier.close();
    // One that was just being started may still write for a moment.
    await remove(system.root);
    system = undefined;
  });

  for (const [mode, seed] of [
    ['strong', 11],
    ['eventual', 12],
    ['spread', 13],
  ]) {
    it(`lose and double nothing that was acknowledged: ${mode}, seed ${seed}`, async () => {
      const seen = await storm({ mode, seed });
      assert.deepEqual(await checkStorm(mode, seen), []);
      assert.ok(seen.killed > 0);
      assert.ok(seen.cut > 0);
      assert.ok(seen.stopped > 0 || mode !== 'strong' || process.platform !== 'linux');
    });
  }

  it('leave a strong file system with EIO and its cause until the owner is back, with all that was written', async () => {
    system = open('strong');
    const { files, at, nodes } = system;
    files.writeFileSync(at('a'), 'text');
    await killNode(nodes, 0);
    const error = await until(
      () => {
        try {
          files.readFileSync(at('a'));
          return null;
        } catch (thrown) {
          return thrown;
        }
      },
      'the loss is seen',
      60_000,
    );
    assert.deepEqual(
      [error.code, error.errno, error.path, error.cause.code, isLoss(error)],
      ['EIO', -5, at('a'), 'IGNIS_REPLICA_LOST', true],
    );
    assert.match(error.message, /^EIO: i\/o error, /);
    assert.equal(await until(() => files.promises.readFile(at('a'), 'utf8').catch(() => null), 'the owner is back', 60_000), 'text');
  });

  it('are fenced where the owner of a strong file system stands still: EIO with its cause, and what was lost never runs later', async function () {
    if (process.platform !== 'linux') return this.skip();
    system = open('strong');
    const { files, at, nodes } = system;
    files.writeFileSync(at('a'), 'old');
    const [{ pid }] = await nodes();
    const isUp = async () => (await nodes())[0].state === 'up';
    process.kill(pid, 'SIGSTOP');
    const error = await files.promises.appendFile(at('a'), ' and more').catch((thrown) => thrown);
    assert.deepEqual([error.code, error.errno, isLoss(error), error.cause.ran], ['EIO', -5, true, 'maybe']);
    assert.match(error.cause.message, /its process was stopped for 150 ms \(by a signal or a debugger\), and was killed/);
    await until(isUp, 'the owner is back', 60_000);
    assert.notEqual((await nodes())[0].pid, pid);
    assert.throws(() => process.kill(pid, 'SIGCONT'), { code: 'ESRCH' });
    assert.equal(files.readFileSync(at('a'), 'utf8'), 'old');
    process.kill((await nodes())[0].pid, 'SIGSTOP');
    assert.throws(() => files.readFileSync(at('a')), isLoss);
    await until(isUp, 'the owner is back again', 60_000);
    files.appendFileSync(at('a'), ' and new');
    assert.equal(files.readFileSync(at('a'), 'utf8'), 'old and new');
    return undefined;
  });

  it('do not keep an eventual file system from reading, nor from writing, and catch up before they serve', async () => {
    system = open('eventual');
    const { files, at, nodes } = system;
    files.writeFileSync(at('a'), '0');
    await until(async () => (await nodes()).every(({ state }) => state === 'serving'), 'all serve', 60_000);
    for (let i = 1; i <= 3; i++) {
      await killNode(nodes, i - 1);
      files.appendFileSync(at('a'), String(i));
      files.writeFileSync(at(`large${i}`), Buffer.alloc(300_000, String(i)));
      assert.equal(files.readFileSync(at('a'), 'utf8'), '0123'.slice(0, i + 1));
      await until(async () => (await nodes()).every(({ state }) => state === 'serving'), 'the node is back', 60_000);
    }
    const trees = (await nodes()).map(({ folder }) => treeOf(folder));
    assert.deepEqual(trees[1], trees[0]);
    assert.deepEqual(trees[2], trees[0]);
    assert.equal(trees[0][0][1], '0123');
  });

  it('do not keep an eventual file system from anything while one of them stands still, and get what they missed', async () => {
    system = open('eventual');
    const { files, at, nodes } = system;
    files.writeFileSync(at('a'), '0');
    await until(async () => (await nodes()).every(({ state }) => state === 'serving'), 'all serve', 60_000);
    for (let i = 0; i < 3; i++) {
      const { pid } = (await nodes())[i];
      process.kill(pid, 'SIGSTOP');
      try {
        files.appendFileSync(at('a'), String(i + 1));
        await files.promises.writeFile(at(`large${i}`), Buffer.alloc(300_000, String(i)));
        for (let j = 0; j < 4; j++) assert.equal(files.readFileSync(at('a'), 'utf8'), '0123'.slice(0, i + 2));
        assert.equal(files.statSync(at(`large${i}`)).size, 300_000);
        assert.equal((await files.promises.readdir(at(''))).length, i + 2);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    }
    const head = Math.max(...(await nodes()).map(({ applied }) => applied));
    await until(async () => (await nodes()).every(({ applied }) => applied === head), 'all have applied all', 60_000);
    const trees = (await nodes()).map(({ folder }) => treeOf(folder));
    assert.deepEqual(trees[1], trees[0]);
    assert.deepEqual(trees[2], trees[0]);
  });

  it('keep a file open whose node dies', async () => {
    system = open('eventual');
    const { files, at, nodes } = system;
    const fd = files.openSync(at('a'), 'w+');
    files.writeSync(fd, 'one ');
    await killNode(nodes, 0);
    await killNode(nodes, 1);
    files.writeSync(fd, 'two');
    assert.equal(files.readFileSync(at('a'), 'utf8'), 'one two');
    files.closeSync(fd);
  });

  it('answer again when all of them died at once', async () => {
    // How long three processes take to start is the machine's: who waits for them here is not given up after 10 s.
    system = open('eventual', { patienceMs: 60_000 });
    const { files, at, nodes } = system;
    files.writeFileSync(at('a'), 'text');
    await loseNodes(nodes, 0, 1, 2);
    assert.equal(await files.promises.readFile(at('a'), 'utf8'), 'text');
    files.appendFileSync(at('a'), '!');
    assert.equal(files.readFileSync(at('a'), 'utf8'), 'text!');
  });

  it('get a whole copy where a disk was lost, also of what lies in folders', async () => {
    system = open('eventual');
    const { files, at, nodes } = system;
    files.mkdirSync(at('d/e'), { recursive: true });
    files.writeFileSync(at('d/e/a'), Buffer.alloc(1_200_000, 'x'), { mode: 0o640 });
    files.symlinkSync(at('d/e/a'), at('l'));
    await until(async () => (await nodes()).every(({ state }) => state === 'serving'), 'all serve', 60_000);
    const { folder, pid } = (await nodes())[2];
    // It stands still meanwhile, and the one that is started in its place finds nothing.
    await killNode(nodes, 2, 'SIGSTOP');
    fs.rmSync(folder, { recursive: true, force: true });
    await killNode(nodes, 2);
    files.writeFileSync(at('b'), 'later');
    const another = (node) => node.pid !== pid && node.state === 'serving';
    await until(async () => another((await nodes())[2]), 'the copy is whole', 60_000);
    assert.deepEqual(
      treeOf(folder).map(([name, text, mode]) => [name, text.length, mode]),
      treeOf(system.root).map(([name, text, mode]) => [name, text.length, mode]),
    );
    assert.equal(fs.readlinkSync(path.join(folder, 'l')), path.join(folder, 'd/e/a'));
  });

  // Elsewhere nobody tells one container from another.
  const onLinux = process.platform === 'linux' ? it : it.skip;
  for (const mode of ['strong', 'eventual'])
    onLinux(`serve nothing more where a program of another container has taken their root: ${mode}`, async () => {
      system = open(mode);
      const { files, at, root } = system;
      files.writeFileSync(at('a'), 'text');
      const warned = new Promise((resolve) => process.once('warning', resolve));
      fs.writeFileSync(path.join(root, '.ignis-fs', 'lock'), '77 1 another-space');
      assert.match(
        (await warned).message,
        /^nothing of .* is served any more: this program stood still, and process 77 has taken its files$/,
      );
      for (const ask of [() => files.promises.readFile(at('a')), () => files.promises.writeFile(at('a'), 'more')])
        await assert.rejects(ask(), ({ code, cause }) => code === 'EIO' && /process 77 already has the files/.test(cause.message));
      await system.courier.close();
      assert.equal(fs.readFileSync(path.join(root, '.ignis-fs', 'lock'), 'utf8'), '77 1 another-space');
      assert.equal(fs.readFileSync(at('a'), 'utf8'), 'text');
    });

  it('stop with a report where they have seen more than the log holds', async () => {
    system = open('eventual');
    const { root, at } = system;
    for (let i = 0; i < 5; i++) system.files.appendFileSync(at('a'), String(i));
    await until(async () => (await system.nodes()).every(({ applied }) => applied === 5), 'all have applied all', 60_000);
    await system.courier.close();
    const log = path.join(root, '.ignis-fs', 'log');
    for (const name of fs.readdirSync(log)) fs.truncateSync(path.join(log, name), 0);
    const warned = new Promise((resolve) => process.once('warning', resolve));
    system = open('eventual', { root });
    assert.throws(() => system.files.readFileSync(at('a')), { code: 'EIO' });
    const { code, message } = await warned;
    assert.equal(code, 'IGNIS_FS');
    assert.match(message, /no longer kept up to date: it has applied [45] entries, and the log ends with 0: the end of the log is lost/);
    assert.equal(fs.readFileSync(at('a'), 'utf8'), '01234');
  });
});
