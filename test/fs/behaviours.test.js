'use strict';

// Each behaviour of a file system, as Node's own shows it, shown by every mode: one list, every file system.

const assert = require('node:assert/strict');
const { execFileSync, spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Courier } = require('../../lib/fs/courier');
const { Facade } = require('../../lib/fs/facade');
const { settingsOf } = require('../../lib/fs/modes');
const { remove } = require('../helpers/remove');
const { needs, startNats } = require('../helpers/servers');
const { BEHAVIOURS, FAILURES } = require('./behaviours');

const RECIPES = {
  strong: { fs: 'strong', copies: [1, 1] },
  eventual: { fs: 'eventual', copies: [3, 3] },
  'eventual, more disks than copies': { fs: 'eventual', copies: [2, 2], disks: 4 },
  'eventual, its log on NATS': { fs: 'eventual', copies: [3, 3], isOnServer: true },
};

/** What a behaviour tells, in a folder of its own. */
async function seen(behaviour, files, folder) {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  files.mkdirSync(folder, { recursive: true });
  return behaviour({ fs: files, folder, at: (...parts) => path.join(folder, ...parts) });
}

describe('the list of behaviours', () => {
  it('is long enough to mean something', () => {
    assert.ok(Object.keys(BEHAVIOURS).length + Object.keys(FAILURES).length >= 80);
  });
});

describe('the fs of one root', function () {
  this.timeout(60_000);

  it('leaves to Node what takes no path and no descriptor, and nothing else that this version of it has', () => {
    const { fs: own } = new Facade(new Courier(settingsOf({ fs: 'strong', copies: [1, 1], root: os.tmpdir(), sync: false, given: {} })));
    const same = (/** @type {any} */ mine, /** @type {any} */ nodes) =>
      Object.keys(nodes).filter((name) => typeof nodes[name] === 'function' && mine[name] === nodes[name]);
    const known = ['Dir', 'Dirent', 'Stats', 'Utf8Stream', '_toUnixTimestamp', 'unwatchFile'];
    assert.deepEqual(
      [...same(own, fs), ...same(own.promises, fs.promises)].filter((name) => !known.includes(name)),
      [],
    );
  });

  it("is no matter of Node's own, nor of that of another root", async () => {
    const kept = [fs, fs.promises].map((one) => Object.entries(one));
    const folders = Array.from({ length: 4 }, () => fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-fs-')));
    const couriers = [0, 2].map(
      (i) => new Courier(settingsOf({ fs: 'strong', copies: [1, 1], root: folders[i], disks: [folders[i + 1]], sync: false, given: {} })),
    );
    try {
      const [one, other] = couriers.map((courier) => new Facade(courier).fs);
      assert.deepEqual([Object.entries(fs), Object.entries(fs.promises)], kept);
      const file = path.join(folders[0], 'file');
      one.writeFileSync(file, 'text');
      const textOf = async (stream) => (await stream.toArray()).join('');
      const opened = (files) => [
        () => files.createReadStream(file),
        () => new files.ReadStream(file),
        () => new files.FileReadStream(file),
      ];
      for (const open of opened(one)) assert.equal(await textOf(open()), 'text');
      // Its files are not in the root itself, but on the disk of its node.
      for (const open of [...opened(fs), ...opened(other)]) await assert.rejects(textOf(open()), { code: 'ENOENT' });
    } finally {
      for (const courier of couriers) await courier.close();
      for (const folder of folders) await remove(folder);
    }
  });
});

for (const [mode, { disks: count = 0, isOnServer = false, ...recipe }] of Object.entries(RECIPES)) {
  describe(`fs: ${mode}`, function () {
    this.timeout(60_000);
    let root;
    let plainRoot;
    let courier;
    let files;
    let server;

    before(async function () {
      if (isOnServer) server = await startNats(needs('nats', this));
      root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-fs-'));
      plainRoot = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-fs-'));
      const disks =
        count === 0 ? undefined : [root, ...Array.from({ length: count - 1 }, (_, i) => path.join(root, '.ignis-fs', `disk-${i}`))];
      courier = new Courier(settingsOf({ ...recipe, root, disks, sync: false, cluster: server?.url, given: {} }));
      files = new Facade(courier).fs;
    });

    after(async () => {
      // Where there is no server nothing was begun.
      await courier?.close();
      await server?.end();
      for (const folder of [root, plainRoot]) if (folder !== undefined) await remove(folder);
    });

    for (const [i, [name, behaviour]] of Object.entries({ ...BEHAVIOURS }).entries()) {
      it(`${name}, as Node does`, async () => {
        const expected = await seen(behaviour, fs, path.join(plainRoot, `case${i}`));
        assert.deepEqual(await seen(behaviour, files, path.join(root, `case${i}`)), expected);
      });
    }

    for (const [i, [name, behaviour]] of Object.entries(FAILURES).entries()) {
      it(`fails as Node does: ${name}`, async () => {
        const expected = await seen(behaviour, fs, path.join(plainRoot, `fail${i}`));
        assert.deepEqual(await seen(behaviour, files, path.join(root, `fail${i}`)), expected);
      });
    }

    const own = mode === 'strong' ? it : () => {};
    own('goes on while a pipe in the root waits for its other end', async () => {
      execFileSync('mkfifo', [path.join(root, 'pipe')]);
      const reading = files.promises.readFile(path.join(root, 'pipe'), 'utf8');
      await files.promises.writeFile(path.join(root, 'other'), 'written meanwhile');
      const sends = spawn('sh', ['-c', 'echo sent > "$1"', 'sh', path.join(root, 'pipe')]);
      const [text] = await Promise.all([reading, once(sends, 'close')]);
      assert.equal(text, 'sent\n');
    });

    it('makes a folder for a while beside its root where its name begins as that of the root', () => {
      const made = files.mkdtempSync(root);
      try {
        assert.equal(made.length, root.length + 6);
        assert.ok(fs.statSync(made).isDirectory());
        assert.ok(!files.existsSync(path.join(root, made.slice(-6))));
      } finally {
        fs.rmdirSync(made);
      }
    });

    it('has all its copies after that', async () => {
      const nodes = await courier.ask({ op: 'nodes' });
      assert.deepEqual(
        nodes.filter(({ state }) => state === 'stopped'),
        [],
      );
    });
  });
}
