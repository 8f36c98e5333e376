'use strict';

// How a node is followed: its processes here are plain records, whose ends come when the test says so.

const assert = require('node:assert/strict');
const childProcess = require('node:child_process');
const { EventEmitter } = require('node:events');
const { isStopped } = require('../../lib/host/processes');
const { until } = require('../helpers/until');

const LINK = require.resolve('../../lib/fs/link');

/** A process that says nothing of itself. */
class Child extends EventEmitter {
  exitCode = null;
  signalCode = null;
  connected = true;
  channel = { unref() {} };
  sent = [];
  signals = [];

  constructor(pid) {
    super();
    this.pid = pid;
  }

  unref() {}

  send(message, callback) {
    this.sent.push({ message, callback });
  }

  kill(signal) {
    this.signals.push(signal);
  }

  disconnect() {
    this.connected = false;
  }

  end(signal) {
    this.signalCode = signal;
    this.emit('exit', null, signal);
  }
}

describe('the link to a node', () => {
  const { fork } = childProcess;
  let children;
  let Link;
  let link;
  let news;
  beforeEach(() => {
    children = [];
    childProcess.fork = () => {
      children.push(new Child(5_000_000 + children.length));
      return children.at(-1);
    };
    delete require.cache[LINK];
    ({ Link } = require(LINK));
  });
  afterEach(() => {
    childProcess.fork = fork;
    delete require.cache[LINK];
    link.stop('the test is over');
  });

  const start = (stillMs) => {
    link = new Link({ folder: 'data', root: 'data', isSync: false }, stillMs);
    news = [];
    link.onUp = () => news.push('up');
    link.onDown = () => news.push('down');
    link.start();
    children[0].emit('message', { ready: true, applied: 0 });
  };
  const another = () => until(() => children.length === 2, 'another is started');
  const failed = (promise) => promise.then(() => assert.fail('it was answered'), ({ code, lost }) => [code, lost.ran, lost.detail]); // prettier-ignore

  it('takes the late end of a process for what it is, when another is in its place', async () => {
    start();
    const asked = failed(link.request({ kind: 'read' }));
    // What cannot be sent tells of the end before the system does.
    children[0].sent[0].callback(new Error('write EPIPE'));
    assert.deepEqual(await asked, ['EIO', 'maybe', 'the node of data is gone: write EPIPE']);
    await another();
    children[1].emit('message', { ready: true, applied: 0 });
    const answered = link.request({ kind: 'read' });
    children[0].end('SIGKILL');
    children[0].emit('error', new Error('kill EPERM'));
    assert.equal(link.state, 'up');
    children[1].emit('message', { id: children[1].sent[0].message.id, value: 'text' });
    assert.equal(await answered, 'text');
    assert.deepEqual([news, children.length], [['up', 'down', 'up'], 2]);
  });

  it('leaves no process behind that cannot hear of the end', async function () {
    if (process.platform !== 'linux') return this.skip();
    const sleeper = childProcess.spawn('sleep', ['60'], { stdio: 'ignore' });
    const ended = new Promise((resolve) => sleeper.once('exit', resolve));
    try {
      for (const signal of ['SIGCONT', 'SIGSTOP']) {
        sleeper.kill(signal);
        await until(() => isStopped(sleeper.pid) === (signal === 'SIGSTOP'), 'the signal has come');
        children.length = 0;
        start();
        children[0].pid = sleeper.pid;
        link.stop('the file system was closed');
        assert.deepEqual([children[0].connected, children[0].signals], [false, signal === 'SIGSTOP' ? ['SIGKILL'] : []]);
      }
      return undefined;
    } finally {
      sleeper.kill('SIGKILL');
      await ended;
    }
  });

  it('hears nothing more of a process that it has fenced, and starts another only when that one is gone', async function () {
    if (process.platform !== 'linux') return this.skip();
    const stopped = childProcess.spawn('sleep', ['60'], { stdio: 'ignore' });
    const ended = new Promise((resolve) => stopped.once('exit', resolve));
    try {
      stopped.kill('SIGSTOP');
      start(25);
      children[0].pid = stopped.pid;
      const [first, second] = [failed(link.request({ kind: 'run' })), failed(link.request({ kind: 'run' }))];
      const why = 'the node of data is gone: its process was stopped for 25 ms (by a signal or a debugger), and was killed';
      assert.deepEqual(await Promise.all([first, second]), [['EIO', 'maybe', why], ['EIO', 'maybe', why]]); // prettier-ignore
      assert.deepEqual([link.state, children[0].signals], ['fenced', ['SIGKILL']]);
      const [code, ran, detail] = await failed(link.request({ kind: 'run' }));
      assert.deepEqual([code, ran], ['EIO', 'no']);
      assert.match(detail, /the node of data is fenced: its process was stopped/);
      // It may still speak, and its channel fail, before the system has ended it.
      children[0].emit('message', { id: children[0].sent[0].message.id, value: 'late' });
      children[0].emit('message', { refused: 'somebody else has the folder' });
      children[0].sent[1].callback(new Error('write EPIPE'));
      assert.deepEqual([link.state, children.length], ['fenced', 1]);
      children[0].end('SIGKILL');
      assert.equal(link.state, 'down');
      await another();
      assert.deepEqual(news, ['up', 'down']);
      // The other one is stopped while it starts.
      children[1].pid = stopped.pid;
      await until(() => link.state === 'fenced', 'it is fenced, too');
      assert.deepEqual([news, children[1].signals], [['up', 'down', 'down'], ['SIGKILL']]);
      return undefined;
    } finally {
      stopped.kill('SIGKILL');
      await ended;
    }
  });

  for (const stillMs of [undefined, 60_000])
    it(`that cannot be started is ${stillMs === undefined ? 'given up' : 'tried on where nobody else could answer, and serves when it is there'}`, async () => {
      start(stillMs);
      children[0].end('SIGKILL');
      const most = stillMs === undefined ? 9 : 10;
      for (let count = 1; count < most; count++) {
        await until(() => children.length > count, 'another is started');
        children[count].end('SIGABRT');
      }
      if (stillMs === undefined)
        return assert.deepEqual([link.state, link.why], ['stopped', 'it cannot be started: its process ended with SIGABRT']);
      assert.deepEqual(await failed(link.request({ kind: 'run' })), [
        'EIO',
        'no',
        'the node of data is down: its process ended with SIGABRT',
      ]);
      await until(() => children.length > most, 'another is started');
      children[most].emit('message', { ready: true, applied: 0 });
      assert.deepEqual([link.state, news.at(-1)], ['up', 'up']);
    }).timeout(60_000);
});
