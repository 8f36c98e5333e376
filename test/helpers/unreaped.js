'use strict';

// A process of whose end its parent takes no note, as in a container whose first process is no init: its number stays its own.

const fs = require('node:fs');
const { once } = require('node:events');
const { spawn } = require('node:child_process');
const { until } = require('./until');

/**
 * @returns {Promise<{pid: number, end: () => Promise<void>, forget: () => Promise<void>}>} forget: its parent ends, and with that nothing
 *   is left of it
 */
async function startUnreaped() {
  const shell = spawn('sh', ['-c', 'exec 3<&0; read -r line <&3 & echo $!; exec sleep 1000'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const pid = Number((await once(shell.stdout.setEncoding('utf8'), 'data'))[0]);
  const isDead = () => /^Z/.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1));
  return {
    pid,
    async end() {
      await until(() => fs.readFileSync(`/proc/${shell.pid}/comm`, 'latin1') === 'sleep\n', 'the shell is one that waits for nobody');
      shell.stdin.end();
      await until(isDead, 'it has read that there is nothing');
    },
    async forget() {
      shell.kill('SIGKILL');
      await once(shell, 'exit');
    },
  };
}

exports.startUnreaped = startUnreaped;
