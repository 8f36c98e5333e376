'use strict';
/*
 * What every engine must do, one suite for all. In: how to open one, several times over the same records. Out: mocha tests. Whatever passes
 * here may carry a cluster.
 */
const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { until } = require('../helpers/until.js');

const LIMIT_MS = 30_000;
const bytes = (text) => Buffer.from(text);
const code = (wanted) => (error) => error.code === wanted;

/** @param {(node: string) => Promise<import('../../lib/host/engine-base.js').Engine>} open */
function engineSuite(open) {
  let one;
  let two;
  const stops = [];
  before(async () => {
    [one, two] = await Promise.all([open('one'), open('two')]);
  });
  after(async () => {
    await Promise.all([one?.close(), two?.close()]);
  });
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  /** Records below a prefix as `two` sees them, and the changes in order. */
  function seen(prefix) {
    const about = { now: new Map(), changes: [], isReady: false };
    const onChange = ({ key, value, rev }) => {
      assert.equal(typeof rev, 'number');
      about.changes.push([key, value]);
      if (value === null) about.now.delete(key);
      else about.now.set(key, value);
    };
    stops.push(two.watch(prefix, onChange, { onReady: () => (about.isReady = true), onLost: (error) => (about.lost = error) }));
    return about;
  }

  function followed(engine, log, after = 0) {
    const about = { entries: [], isReady: false, lost: null };
    const onEntry = ({ seq, bytes: got, id }) => about.entries.push({ seq, text: Buffer.from(got).toString(), id });
    stops.push(engine.follow(log, after, onEntry, { onReady: () => (about.isReady = true), onLost: (error) => (about.lost = error) }));
    about.texts = () => about.entries.map(({ text }) => text);
    return about;
  }

  const fresh = (name) => `${name}-${randomUUID().slice(0, 8)}`;

  it('says that it is up', () => {
    const told = [];
    one.status(({ state }) => told.push(state))();
    assert.deepEqual(told, ['up']);
  });

  it('gives what was put, with a revision that rises', async () => {
    const key = fresh('a/b');
    assert.equal(await one.get(key), null);
    const first = await one.put(key, { n: 1 });
    assert.deepEqual(await two.get(key), { value: { n: 1 }, rev: first });
    const second = await two.put(key, { n: 2, text: 'ü€😀' });
    assert.ok(second > first);
    assert.deepEqual(await one.get(key), { value: { n: 2, text: 'ü€😀' }, rev: second });
  });

  it('puts only at the revision that is named', async () => {
    const key = fresh('cas');
    const rev = await one.put(key, 1, { ifRev: 0 });
    await assert.rejects(two.put(key, 2, { ifRev: 0 }), code('IGNIS_ENGINE_CONFLICT'));
    await assert.rejects(two.put(key, 2, { ifRev: rev + 1000 }), code('IGNIS_ENGINE_CONFLICT'));
    const next = await two.put(key, 2, { ifRev: rev });
    await assert.rejects(one.put(key, 3, { ifRev: rev }), code('IGNIS_ENGINE_CONFLICT'));
    assert.deepEqual(await one.get(key), { value: 2, rev: next });
    await assert.rejects(one.put(fresh('none'), 3, { ifRev: rev }), code('IGNIS_ENGINE_CONFLICT'));
  });

  it('deletes only at the revision that is named, and lets a record be made again', async () => {
    const key = fresh('gone');
    const rev = await one.put(key, 1);
    await assert.rejects(one.delete(key, { ifRev: rev + 1000 }), code('IGNIS_ENGINE_CONFLICT'));
    await two.delete(key, { ifRev: rev });
    assert.equal(await one.get(key), null);
    await one.delete(key);
    const again = await one.put(key, 2, { ifRev: 0 });
    assert.ok(again > rev);
    assert.equal((await two.get(key)).value, 2);
  });

  it('keeps keys apart that look alike, whatever they are written with', async () => {
    const root = fresh('odd');
    const names = [
      'a.b',
      'a/b',
      'a=b',
      'a=002eb',
      'a b',
      'a*',
      '>',
      '*',
      'ä😀',
      'A/B',
      '$x',
      '.',
      '..',
      '-_=',
      'a\\b',
      '"',
      'a\u0000b',
      '%2e',
    ];
    for (const name of names) await one.put(`${root}/${name}`, name, { ifRev: 0 });
    for (const name of names) assert.equal((await two.get(`${root}/${name}`)).value, name);
    const { now } = seen(`${root}/`);
    await until(() => now.size === names.length, 'all odd keys are seen', LIMIT_MS);
    assert.deepEqual([...now.keys()].sort(), names.map((name) => `${root}/${name}`).sort());
    for (const [key, value] of now) assert.equal(key, `${root}/${value}`);
  });

  it('refuses keys, records and entries that no engine could hold', async () => {
    for (const key of ['', '/a', 'a/', 'a//b', 7, 'a'.repeat(257), '\ud800'])
      await assert.rejects(one.get(key), code('IGNIS_BAD_OPTION'), String(key));
    await assert.rejects(one.put('a', undefined), code('IGNIS_BAD_OPTION'));
    await assert.rejects(one.put('a', null), code('IGNIS_BAD_OPTION'));
    await assert.rejects(one.put('a', 'x'.repeat(256 * 1024)), code('IGNIS_BAD_OPTION'));
    await assert.rejects(one.put('a', 1, { ifRev: -1 }), code('IGNIS_BAD_OPTION'));
    await assert.rejects(one.append('no/log', bytes('x')), code('IGNIS_BAD_OPTION'));
    await assert.rejects(one.append('log', 'text'), code('IGNIS_BAD_OPTION'));
    await assert.rejects(one.append('log', bytes('x'), { id: 'a b' }), code('IGNIS_BAD_OPTION'));
    assert.throws(() => one.watch('members', () => {}), code('IGNIS_BAD_OPTION'));
  });

  it('holds the largest record and the largest entry', async () => {
    const record = 'x'.repeat(256 * 1024 - 2);
    const key = fresh('large');
    await one.put(key, record);
    assert.equal((await two.get(key)).value, record);
    const log = fresh('large');
    const entry = Buffer.alloc(512 * 1024, 7);
    await one.append(log, entry);
    const { entries } = followed(two, log);
    await until(() => entries.length === 1, 'the large entry is there', LIMIT_MS);
    assert.equal(entries[0].text, entry.toString());
  });

  it('tells a watch what is there, then each change, then that a record is gone', async () => {
    const root = fresh('watch');
    await one.put(`${root}/x`, 1);
    await one.put(`${root}/gone-before`, 1);
    await one.delete(`${root}/gone-before`);
    await one.put(`${root}-not/x`, 'another prefix');
    const about = seen(`${root}/`);
    await until(() => about.isReady, 'the watch is ready', LIMIT_MS);
    assert.deepEqual(about.changes, [[`${root}/x`, 1]]);
    await one.put(`${root}/y`, 2);
    await two.put(`${root}/x`, 3);
    await one.delete(`${root}/y`);
    await one.put(`${root}/z`, 4);
    await until(() => about.now.has(`${root}/z`), 'the last change is seen', LIMIT_MS);
    assert.deepEqual(
      about.now,
      new Map([
        [`${root}/x`, 3],
        [`${root}/z`, 4],
      ]),
    );
    // Of several changes of one record a watch that is late may see the last alone, but never another order.
    const later = about.changes.slice(1).map(([key, value]) => `${key.slice(root.length)} ${value}`);
    assert.deepEqual(
      ['/y 2', '/x 3', '/y null', '/z 4'].filter((change) => later.includes(change)),
      later,
    );
    for (const last of ['/x 3', '/z 4']) assert.ok(later.includes(last), last);
    assert.equal(about.lost, undefined);
  });

  it('tells a watch of nothing that there is nothing', async () => {
    const about = seen(`${fresh('empty')}/`);
    await until(() => about.isReady, 'the watch is ready', LIMIT_MS);
    assert.deepEqual(about.changes, []);
  });

  it('tells a watch nothing more once it is stopped', async () => {
    const root = fresh('stopped');
    const changes = [];
    const stop = one.watch(`${root}/`, ({ key }) => changes.push(key));
    const about = seen(`${root}/`);
    await until(() => about.isReady, 'the other watch is ready', LIMIT_MS);
    stop();
    stop();
    await one.put(`${root}/x`, 1);
    await until(() => about.now.size === 1, 'the other watch sees it', LIMIT_MS);
    assert.deepEqual(changes, []);
  });

  it('counts exactly when many count at once', async () => {
    const key = fresh('counter');
    let conflicts = 0;
    const count = async (engine) => {
      for (let done = 0; done < 10;) {
        const found = await engine.get(key);
        try {
          await engine.put(key, (found?.value ?? 0) + 1, { ifRev: found?.rev ?? 0 });
          done += 1;
        } catch (error) {
          assert.equal(error.code, 'IGNIS_ENGINE_CONFLICT');
          conflicts += 1;
        }
      }
    };
    await Promise.all([one, two, one, two].map(count));
    assert.equal((await one.get(key)).value, 40);
    assert.ok(conflicts > 0);
  });

  it('keeps a log in one order for all, and gives an id its number once', async () => {
    const log = fresh('log');
    const early = followed(two, log);
    const numbers = [];
    for (let n = 0; n < 20; n++) numbers.push(await (n % 2 ? one : two).append(log, bytes(`${n}`), { id: `id-${n}` }));
    assert.deepEqual(
      [...numbers].sort((a, b) => a - b),
      numbers,
    );
    assert.equal(await two.append(log, bytes('7 again'), { id: 'id-7' }), numbers[7]);
    const late = followed(one, log);
    await until(() => early.entries.length === 20 && late.isReady, 'both have all', LIMIT_MS);
    assert.deepEqual(early.entries, late.entries);
    assert.deepEqual(
      early.entries,
      numbers.map((seq, n) => ({ seq, text: `${n}`, id: `id-${n}` })),
    );
  });

  it('gives all entries that were there before it says that a follower is ready', async () => {
    const log = fresh('ready');
    await Promise.all(Array.from({ length: 150 }, (_, n) => one.append(log, bytes(`${n}`))));
    const seqs = [];
    let atReady = -1;
    stops.push(two.follow(log, 0, ({ seq }) => seqs.push(seq), { onReady: () => (atReady = seqs.length) }));
    await until(() => atReady !== -1, 'it is ready', LIMIT_MS);
    assert.equal(atReady, 150);
  });

  it('follows a log from any number on', async () => {
    const log = fresh('from');
    const numbers = [];
    for (const text of ['a', 'b', 'c']) numbers.push(await one.append(log, bytes(text)));
    const rest = followed(two, log, numbers[0]);
    await until(() => rest.isReady, 'it is ready', LIMIT_MS);
    assert.deepEqual(rest.texts(), ['b', 'c']);
    const none = followed(two, log, numbers[2]);
    await until(() => none.isReady, 'it is ready', LIMIT_MS);
    await one.append(log, bytes('d'));
    await until(() => none.entries.length === 1 && rest.entries.length === 3, 'both hear of the next', LIMIT_MS);
    assert.deepEqual(none.texts(), ['d']);
  });

  it('says so when a follower needs what is trimmed, or what never was', async () => {
    const log = fresh('trim');
    const numbers = [];
    for (const text of ['a', 'b', 'c']) numbers.push(await one.append(log, bytes(text)));
    await one.trim(log, numbers[1]);
    const whole = followed(two, log, 0);
    const ahead = followed(two, log, numbers[2] + 100_000);
    const right = followed(two, log, numbers[1]);
    await until(() => whole.lost && ahead.lost && right.isReady, 'each knows', LIMIT_MS);
    assert.equal(whole.lost.code, 'IGNIS_LOG_GAP');
    assert.equal(ahead.lost.code, 'IGNIS_LOG_GAP');
    assert.deepEqual(right.texts(), ['c']);
    await one.append(log, bytes('d'));
    await until(() => right.entries.length === 2, 'the log goes on', LIMIT_MS);
    assert.deepEqual(whole.entries, []);
  });

  it('ends a follower that cannot take an entry, rather than pass over it', async () => {
    const log = fresh('throws');
    await one.append(log, bytes('a'));
    await one.append(log, bytes('b'));
    const taken = [];
    let lost = null;
    const onEntry = ({ bytes: got }) => {
      taken.push(Buffer.from(got).toString());
      throw new Error('cannot');
    };
    stops.push(two.follow(log, 0, onEntry, { onLost: (error) => (lost = error) }));
    await until(() => lost, 'it has ended', LIMIT_MS);
    assert.equal(lost.message, 'cannot');
    assert.deepEqual(taken, ['a']);
  });

  it('takes nothing more once it is closed, and closes once', async () => {
    const third = await open('three');
    const states = [];
    third.status(({ state }) => states.push(state));
    const lost = [];
    third.watch('x/', () => {}, { onLost: (error) => lost.push(error) });
    const closing = third.close();
    assert.equal(third.close(), closing);
    await closing;
    assert.deepEqual(states, ['up', 'closed']);
    await assert.rejects(third.get('a'), code('IGNIS_CLOSED'));
    await assert.rejects(third.append('log', bytes('x')), code('IGNIS_CLOSED'));
    assert.throws(() => third.follow('log', 0, () => {}), code('IGNIS_CLOSED'));
    assert.deepEqual(lost, []);
  });
}

exports.engineSuite = engineSuite;
