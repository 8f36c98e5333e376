'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { fork } = require('node:child_process');
const { once } = require('node:events');

describe('the door of a replica on a host', function () {
  this.timeout(20000);

  it('ends the replica with the channel to its daemon, with nothing thrown in it, not by an exit that is not its own, and with no code of an exit that home could be told', async () => {
    const child = fork(path.join(__dirname, 'fixtures', 'door.js'), { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    const ended = Promise.all([once(child, 'exit'), once(child.stdout, 'end')]);
    assert.equal((await once(child, 'message'))[0], 'undefined');
    child.disconnect();
    // One that does not end by itself.
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    assert.deepEqual([(await ended)[0], said], [[0, null], '']);
    clearTimeout(timer);
  });
});
