'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { WebSocket } = require('ws');
const { until } = require('../helpers/until');

const ROOT = path.join(__dirname, '..', '..');
const IGNIS = path.join(ROOT, 'bin', 'ignis.js');
const PROGRAM = `
  require(${JSON.stringify(ROOT)})();
  const uri = require('uri-js');
  const timer = setInterval(() => uri.parse('http://a/b'), 20);
  console.log('runs');
  process.stdin.once('data', () => {
    clearInterval(timer);
    process.stdin.destroy();
  });
`;

describe('ignis dash', function () {
  this.timeout(120_000);
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-run-'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** A child whose words are kept. */
  function start(...args) {
    const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, XDG_RUNTIME_DIR: folder } });
    const started = { child, said: '', exit: once(child, 'exit') };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (started.said += text));
    return started;
  }

  /** @param {ReturnType<typeof start>} of @param {RegExp} pattern */
  async function hears(of, pattern) {
    for (;;) {
      const found = pattern.exec(of.said);
      if (found !== null) return found;
      const ended = of.exit.then(() => assert.fail(`it has ended: ${of.said}`));
      await Promise.race([once(of.child.stdout, 'data'), once(of.child.stderr, 'data'), ended]);
    }
  }

  /** A program that runs, and its page. @param {...string} flags of the Node that serves it */
  async function shown(...flags) {
    const program = start('-e', PROGRAM);
    await hears(program, /runs/);
    // Its monitor socket comes a little after it.
    let dash;
    do dash = start(...flags, IGNIS, 'dash', String(program.child.pid));
    while (!(await Promise.race([hears(dash, /the page is at/).catch(() => false), dash.exit.then(() => false)])));
    const [address] = await hears(dash, /http\S+\//);
    const open = () => new WebSocket(`${address.replace('http', 'ws')}live`, { headers: { Origin: new URL(address).origin } });
    return { program, dash, open };
  }

  it('shows a program that runs already, answers questions, and ends when the program does', async () => {
    const { program, dash, open } = await shown();
    const socket = open();
    const answers = new Map();
    let snapshot = null;
    socket.on('message', (data) => {
      const told = JSON.parse(String(data));
      if (told.kind === 'snapshot') snapshot = told.snapshot;
      else answers.set(told.id, told);
    });
    while (!(snapshot?.boundaries[0]?.calls > 0)) await once(socket, 'message');
    assert.equal(snapshot.program.pid, program.child.pid);
    const [{ id }] = snapshot.boundaries;
    socket.send(JSON.stringify({ id: 1, what: 'detail', about: id }));
    socket.send(JSON.stringify({ id: 2, what: 'what-if', about: { most: 1 } }));
    socket.send(JSON.stringify({ id: 3, what: 'act', about: { what: 'home', boundary: id } }));
    socket.send(JSON.stringify({ id: 4, what: 'what-if', about: { load: -1 } }));
    while (answers.size < 4) await once(socket, 'message');
    assert.equal(answers.get(1).value.boundary.id, id);
    assert.deepEqual(
      answers.get(2).value.answers.map(({ replicas }) => replicas),
      [0, 1],
    );
    assert.equal(answers.get(3).value.changed, true);
    assert.match(answers.get(4).error, /load must be/);
    program.child.stdin.write('end');
    assert.deepEqual(await program.exit, [0, null]);
    assert.deepEqual(await dash.exit, [0, null]);
    assert.match(dash.said, /has ended/);
  });

  it('shows it to as many pages as there are, and again when all were closed', async () => {
    const { program, dash, open } = await shown();
    const pidOn = async (page) => JSON.parse(String((await once(page, 'message'))[0])).snapshot.program.pid;
    for (const many of [6, 1]) {
      const pages = Array.from({ length: many }, open);
      assert.deepEqual(await Promise.all(pages.map(pidOn)), new Array(many).fill(program.child.pid));
      // Of one that leaves the others are told further.
      const [first, ...others] = pages;
      first.close();
      await once(first, 'close');
      await Promise.all(others.map(pidOn));
      for (const page of others) page.terminate();
    }
    program.child.stdin.write('end');
    assert.deepEqual(
      [await program.exit, await dash.exit],
      [
        [0, null],
        [0, null],
      ],
    );
  });

  it('shows a program that did not answer for longer than a question waits', async function () {
    if (process.platform === 'win32') return this.skip();
    // To it a minute is half a second.
    const hasty = path.join(folder, 'hasty.js');
    fs.writeFileSync(
      hasty,
      `const { setTimeout } = globalThis;
      globalThis.setTimeout = (run, ms, ...more) => setTimeout(run, ms > 50_000 ? 500 : ms, ...more);`,
    );
    const { program, dash, open } = await shown('-r', hasty);
    program.child.kill('SIGSTOP');
    // Whoever waits for it loads the page again and again.
    for (let i = 0; i < 6; i++) {
      const before = open();
      await once(before, 'open');
      before.close();
      await once(before, 'close');
    }
    const page = open();
    const heard = [];
    page.on('message', (data) => heard.push(JSON.parse(String(data))));
    await once(page, 'open');
    page.send(JSON.stringify({ id: 1, what: 'detail', about: 'any' }));
    await until(() => heard.length > 0, 'the end of its patience');
    assert.match(heard[0].error, /did not answer within 60000 ms/);
    program.child.kill('SIGCONT');
    await until(() => heard.some(({ kind }) => kind === 'snapshot'), 'a snapshot');
    page.send(JSON.stringify({ id: 2, what: 'what-if', about: { most: 1 } }));
    await until(() => heard.some(({ id }) => id === 2), 'an answer');
    const { length } = heard;
    await until(() => heard.slice(length).some(({ kind }) => kind === 'snapshot'), 'a further snapshot');
    page.terminate();
    program.child.stdin.write('end');
    assert.deepEqual([await program.exit, await dash.exit].flat(), [0, null, 0, null]);
  });

  it('says that its port is taken, and ends', async () => {
    const program = start('-e', PROGRAM);
    const taken = net.createServer().listen(0, '127.0.0.1');
    try {
      await Promise.all([hears(program, /runs/), once(taken, 'listening')]);
      const { port } = taken.address();
      const args = [IGNIS, 'dash', '--port', String(port), String(program.child.pid)];
      const how = { cwd: ROOT, env: { ...process.env, XDG_RUNTIME_DIR: folder }, encoding: 'utf8', timeout: 20_000 };
      let dash;
      do {
        dash = spawnSync(process.execPath, args, how);
        assert.deepEqual([dash.status, dash.stdout], [2, '']);
      } while (!/page/.test(dash.stderr));
      assert.match(dash.stderr, new RegExp(`^ignis: [^\n]*cannot be served on port ${port}: the port is in use \\(IGNIS_BAD_OPTION\\)\n$`));
    } finally {
      taken.close();
      program.child.stdin.write('end');
      await program.exit;
    }
  });
});
