'use strict';

// The log of a root on an engine: on the one in this process, and on servers of its own, where there are any.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { ClusterLog } = require('../../lib/fs/cluster-log');
const { encodeRecord } = require('../../lib/fs/cluster-record');
const { isInCluster } = require('../../lib/fs/cluster-state');
const { Log } = require('../../lib/fs/log');
const { openEngine } = require('../../lib/host/engine');
const { spaceOf } = require('../../lib/host/processes');
const { needs, startEtcd, startNats } = require('../helpers/servers');
const { until } = require('../helpers/until');

const LIMIT_MS = 30_000;

for (const [kind, start] of [
  ['embedded', async () => ({ url: 'embedded', end: () => {} })],
  ['nats', startNats],
  ['etcd', startEtcd],
]) {
  describe(`the log of a root on an engine: ${kind}`, function () {
    this.timeout(LIMIT_MS);
    let server;
    /** keeps what is in this process, too */
    let engine;
    let folder;
    let opened = [];

    before(async function () {
      server = await start(kind === 'embedded' ? '' : needs(kind, this));
      engine = await openEngine(server.url);
    });
    after(async () => {
      await engine?.close();
      await server?.end();
    });
    beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-fs-'))));
    afterEach(async () => {
      for (const log of opened) await log.close();
      opened = [];
      fs.rmSync(folder, { recursive: true });
    });

    // Only where somebody is asked in vain it is not waited for longer than the test may take.
    const logIn = (state = folder, objectMs = 2 * LIMIT_MS) => {
      const log = new ClusterLog({ folder: state, cluster: server.url, isSync: false, objectMs });
      log.lost = [];
      log.onLost = (why) => log.lost.push(why);
      opened.push(log);
      return log;
    };
    const begun = async () => {
      const log = logIn();
      assert.equal(await log.open(), false);
      await log.begin(0);
      return log;
    };
    const known = (state = folder) => JSON.parse(fs.readFileSync(path.join(state, 'cluster'), 'utf8'));
    const appendRaw = (bytes) => engine.append(`fs-${known().id}`, bytes);
    const forge = (record) => appendRaw(encodeRecord(record, known().key));
    const write = (log, ...texts) => Promise.all(texts.map((text) => log.append({ text }, () => {})));
    const textsOf = async (log, number = log.first) => {
      const texts = [];
      for await (const { number: at, entry } of log.from(number)) texts.push([at, entry.text]);
      return texts;
    };
    const copied = () => {
      const copy = path.join(folder, 'copy');
      fs.mkdirSync(copy);
      fs.copyFileSync(path.join(folder, 'cluster'), path.join(copy, 'cluster'));
      return copy;
    };

    it('gives numbers in the order of the appends, hands out before it answers, and has all when it is opened again', async () => {
      const log = await begun();
      const seen = [];
      const numbers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => {
          const handOut = (number) => {
            assert.equal(log.head, number);
            seen.push(`out ${number}`);
          };
          return log.append({ text: String(i) }, handOut).then((number) => (seen.push(`said ${number}`), number));
        }),
      );
      assert.deepEqual(
        numbers,
        Array.from({ length: 50 }, (_, i) => i + 1),
      );
      for (const number of numbers) assert.ok(seen.indexOf(`out ${number}`) < seen.indexOf(`said ${number}`));
      assert.deepEqual(await textsOf(log, 49), [
        [49, '48'],
        [50, '49'],
      ]);
      await log.close();
      const again = logIn();
      assert.equal(await again.open(), true);
      assert.deepEqual([again.head, again.first], [50, 1]);
      assert.deepEqual((await textsOf(again)).length, 50);
      await write(again, 'later');
      assert.deepEqual(await textsOf(again, 50), [
        [50, '49'],
        [51, 'later'],
      ]);
    });

    it('forgets what is trimmed, also on the server, and what was before it began anew', async () => {
      const log = await begun();
      for (const text of ['a', 'b', 'c', 'd']) await write(log, text);
      await log.trim(3);
      assert.deepEqual(
        [log.first, await textsOf(log)],
        [
          3,
          [
            [3, 'c'],
            [4, 'd'],
          ],
        ],
      );
      const { position } = known();
      const error = await new Promise((resolve) => engine.follow(`fs-${known().id}`, position.seq - 1, () => {}, { onLost: resolve }));
      assert.equal(error.code, 'IGNIS_LOG_GAP');
      await log.close();
      const again = logIn();
      assert.equal(await again.open(), true);
      assert.deepEqual([again.first, again.head], [3, 4]);
      await again.begin(4);
      assert.deepEqual([again.first, again.head], [5, 4]);
      await write(again, 'e');
      await again.close();
      const third = logIn();
      await third.open();
      assert.deepEqual(await textsOf(third), [[5, 'e']]);
    });

    it('counts a record once that the engine has twice', async () => {
      const log = await begun();
      await write(log, 'a');
      let last;
      const stop = engine.follow(`fs-${known().id}`, known().position.seq, ({ bytes }) => (last = bytes));
      await until(() => last !== undefined, 'the record is there', LIMIT_MS);
      stop();
      await appendRaw(last);
      await write(log, 'b');
      await log.close();
      const again = logIn();
      await again.open();
      assert.deepEqual(await textsOf(again), [
        [1, 'a'],
        [2, 'b'],
      ]);
    });

    it('stops with a report, and acknowledges nothing any more, where another program has taken it', async () => {
      const log = await begun();
      await write(log, 'a');
      const { token } = known().position;
      await forge({ kind: 'take', token: 'other', after: token, who: { machine: 'x', host: 'there', pid: 7, begin: '' } });
      const late = log.append({ text: 'b' }, () => assert.fail('it is handed out'));
      const error = await late.catch((thrown) => thrown);
      assert.equal(error.code, 'EIO');
      await until(() => log.lost.length === 1, 'it is reported', LIMIT_MS);
      assert.match(log.lost[0], /was taken up by process 7 on there/);
      assert.equal((await log.append({ text: 'c' }, () => {}).catch((thrown) => thrown)).lost.ran, 'no');
      assert.equal(log.head, 1);
      // And the next program on this folder is not let in.
      await assert.rejects(logIn().open(), /was taken up by process 7 on there/);
    });

    it('stops where somebody wrote what this root has not written, or where something is missing', async () => {
      const log = await begun();
      await appendRaw(Buffer.from('something else that is long enough to have a sum'));
      await until(() => log.lost.length === 1, 'it is reported', LIMIT_MS);
      assert.match(log.lost[0], /something that this root has not written/);
      await log.close();
      fs.rmSync(path.join(folder, 'cluster'));
      const other = await begun();
      await write(other, 'a');
      await forge({ kind: 'entries', token: known().position.token, turn: 4, first: 3, entries: [] });
      await until(() => other.lost.length === 1, 'it is reported', LIMIT_MS);
      assert.match(other.lost[0], /goes on with record 4, and 3 is missing/);
    });

    it('refuses a second one on a copy of the root, lets it in when the first has ended, and the first no more', async () => {
      const log = await begun();
      await write(log, 'a');
      const copy = copied();
      await assert.rejects(logIn(copy).open(), /process \d+ on .* already has its log: two programs, perhaps on copies of one root/);
      await write(log, 'b');
      await log.close();
      const second = logIn(copy);
      assert.equal(await second.open(), true);
      assert.equal(second.head, 2);
      await second.begin(2);
      await write(second, 'c');
      await second.close();
      await assert.rejects(logIn().open(), /does not hold what this root has written, or no longer does|was taken up by/);
    });

    it('asks for one that has not said that it has ended, and goes by its process where that is of this machine', async () => {
      const log = await begun();
      await log.close();
      const machine = `${os.hostname()} ${spaceOf()}`;
      const gone = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' });
      for (const [who, refused] of [
        [{ machine: 'another', host: 'there', pid: 7, begin: '' }, null],
        [{ machine, host: 'here', pid: Number(gone.stdout), begin: '1' }, null],
        [{ machine, host: 'here', pid: process.ppid, begin: '' }, /process \d+ on here already has its log/],
      ]) {
        const token = `gone-${who.host}-${who.pid}`;
        const state = known();
        await forge({ kind: 'take', token, after: state.mine.at(-1).token, who });
        fs.writeFileSync(path.join(folder, 'cluster'), JSON.stringify({ ...state, mine: [...state.mine, { token, who }] }));
        const next = logIn(folder, 100);
        if (refused !== null) await assert.rejects(next.open(), refused);
        else assert.equal(await next.open(), true);
        await next.close();
      }
    });

    it('is looked for nowhere else from when it has begun', async () => {
      const log = logIn();
      await log.open();
      assert.equal(isInCluster(folder), false);
      await log.begin(0);
      assert.equal(isInCluster(folder), true);
      await assert.rejects(new Log(path.join(folder, 'log'), false, isInCluster(folder)).open(), /its log is in a cluster: name that one/);
    });

    it('goes on with the log that the root had in files, and only there', async () => {
      const files = new Log(path.join(folder, 'log'), false);
      await files.open();
      await files.begin(0);
      for (const text of ['a', 'b']) await files.append({ text }, () => {});
      await files.close();
      const log = logIn();
      assert.equal(await log.open(), true);
      assert.deepEqual([log.head, log.first, await textsOf(log, 2)], [2, 1, [[2, 'b']]]);
      await log.append({ text: 'c' }, () => {});
      await log.begin(3);
      assert.equal(fs.existsSync(path.join(folder, 'log')), false);
      await write(log, 'd');
      assert.deepEqual(await textsOf(log), [[4, 'd']]);
    });

    if (kind === 'nats')
      it('refuses what its server does not take, which certainly was not done, and goes on', async () => {
        const small = await startNats(needs('nats', this), { more: 'max_payload: 65536' });
        const log = new ClusterLog({ folder, cluster: small.url, isSync: false });
        try {
          await log.open();
          await log.begin(0);
          const error = await log.append({ text: 'x'.repeat(100_000) }, () => assert.fail('it is handed out')).catch((thrown) => thrown);
          assert.deepEqual([error.code, error.lost.ran], ['EIO', 'no']);
          assert.match(error.lost.detail, /its log on nats:.* refuses it: .*max_payload/);
          assert.deepEqual(await write(log, 'a'), [1]);
          assert.deepEqual(await textsOf(log), [[1, 'a']]);
        } finally {
          await log.close();
          await small.end();
        }
      });

    it('refuses a name that is too long for a record', async () => {
      const log = await begun();
      const error = await log
        .append({ request: { path: 'x'.repeat(600_000) } }, () => assert.fail('it is handed out'))
        .catch((thrown) => thrown);
      assert.equal(error.code, 'ENAMETOOLONG');
      assert.deepEqual(await write(log, 'a', 'y'.repeat(300_000), 'z'.repeat(300_000), 'b'), [1, 2, 3, 4]);
    });
  });
}
