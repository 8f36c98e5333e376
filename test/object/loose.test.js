'use strict';

// Listeners of one side at streams of the other that have closed.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { once } = require('node:events');
const { promisify } = require('node:util');
const { Conversation } = require('../../lib/object/conversation');
const { Loose } = require('../../lib/object/loose');
const { openResident } = require('../../lib/spawn/resident');
const { until } = require('../helpers/until');
const { makePair } = require('./pair');

const MODULE = require.resolve('../fixtures/lost/module.js');

describe('listeners at streams that have closed', function () {
  this.timeout(60_000);

  it('keep these on neither side, whoever has the stream and whoever listens', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [require.resolve('./loose-kept')], { timeout: 50_000 });
    assert.equal(stdout, 'forgotten\n');
  });

  it('are called and counted as before, once where that was said, and can be taken off', async () => {
    const resident = openResident({ where: 'thread', serve: require.resolve('../contract/serve-counted') });
    const conversation = new Conversation(resident.line, { isHome: true, timeoutMs: 40_000 });
    const m = conversation.load({ kind: 'file', name: MODULE, place: MODULE, argv: [] });
    const stream = m.short();
    const heard = [];
    const always = (what) => heard.push(`always ${what}`);
    const first = (what) => heard.push(`once ${what}`);
    const removed = () => heard.push('removed');
    stream.on('error', always).once('error', first).on('error', removed);
    stream.resume();
    await once(stream, 'close');
    await until(() => conversation.load({ kind: 'watched' }) === 0, 'the replica has seen that it is closed');
    await until(() => JSON.parse(conversation.load({ kind: 'counts' })).held === 0, 'the replica has let go of all functions of home');
    assert.deepEqual(stream.listeners('error'), [always, first, removed]);
    stream.off('error', removed);
    stream.emit('error', 'a');
    stream.emit('error', 'b');
    assert.deepEqual(heard, ['always a', 'once a', 'always b']);
    stream.off('error', always);
    assert.equal(stream.listenerCount('error'), 0);
    await resident.close();
  });

  it('are functions that do nothing to the side whose they were, once it has let go of them, also within data', () => {
    const { home, away, there, back } = makePair();
    const heard = () => assert.fail('it is gone');
    const [stub] = there(heard);
    const id = away.tables.heldId(stub);
    const loose = () => {};
    away.tables.standFor(loose, id);
    assert.deepEqual(back(loose, { list: [loose] }), [heard, { list: [heard] }]);
    home.tables.lent.release(id, 1);
    assert.throws(() => back(stub), { code: 'IGNIS_STALE_REFERENCE' });
    const [alone, { list }] = back(loose, { list: [loose] });
    assert.deepEqual([alone(1), list.length, list[0](2)], [undefined, 1, undefined]);
  });

  it('are believed only where they are functions of ours at an object of the other side', () => {
    const { home, back } = makePair();
    const [object] = back(new (class Thing {})());
    const loose = new Loose({ tables: home.tables }, () => {});
    const refused = { code: 'IGNIS_BAD_FRAME' };
    assert.throws(() => loose.take({}, []), refused);
    assert.throws(() => loose.take(null, []), refused);
    assert.throws(() => loose.take(object, ['f']), refused);
    assert.doesNotThrow(() => loose.take(object, [() => {}]));
  });
});
