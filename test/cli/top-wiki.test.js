'use strict';

// ignis top end to end: the wiki under load, looked at from outside, against the report that it leaves.

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { Watching } = require('../../lib/view/monitor-client.js');
const { until } = require('../helpers/until.js');
const { BIN, LONG_MS } = require('./seen.js');

const WIKI = path.join(__dirname, '..', '..', 'examples', 'wiki');
const HOT = 'lib/links.js -> uri-js';

describe('ignis top of the wiki under load', function () {
  this.timeout(2 * LONG_MS);

  let folder;
  let env;
  const children = [];
  beforeEach(() => {
    // Short, since the path of a socket is.
    folder = fs.mkdtempSync(path.join(fs.existsSync('/tmp') ? '/tmp' : os.tmpdir(), 'ig-'));
    env = { ...process.env, XDG_RUNTIME_DIR: folder, PORT: '0', WIKI_DATA: path.join(folder, 'data') };
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function start(args, stdio) {
    const child = spawn(process.execPath, args, { cwd: WIKI, env, stdio });
    children.push(child);
    return child;
  }

  /** What a person reads, as a program gets it. */
  function top(...args) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'top', ...args], { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
    assert.deepEqual([status, stderr], [0, '']);
    return stdout;
  }

  it('has the right module and the right path first, and counts as the report does', async () => {
    const file = path.join(folder, 'report.json');
    const wiki = start([BIN, 'run', '--report', file, 'server.js'], ['ignore', 'pipe', 'inherit']);
    let said = '';
    wiki.stdout.on('data', (text) => (said += text));
    const url = await until(() => /wiki ready on (\S+)/.exec(said)?.[1], 'the wiki', LONG_MS);
    const sockets = path.join(folder, 'ignis');
    // Kept code lies there, too.
    const socketIn = () => fs.existsSync(sockets) && fs.readdirSync(sockets).find((name) => name.endsWith('.sock'));
    const link = await Watching.open(path.join(sockets, await until(socketIn, 'its socket', LONG_MS)));
    const load = start(['load.js', '--url', url, '--connections', '2', '--slow', '0.1', '--seconds', String(LONG_MS / 1000)], 'ignore');

    const isFound = ({ boundaries: [first] }) => first.id === HOT && first.heat > 0.25;
    await until(async () => isFound(await link.ask('snapshot', { brief: true })), `${HOT} is the hottest`, LONG_MS);
    const printed = await until(
      () => {
        const text = top(String(wiki.pid));
        return /^ *\d+% [#.]+ +uri-js +\S*links\.js /.test(text.split('\n')[4]) ? text : null;
      },
      'it stands first in the table',
      LONG_MS,
    );
    assert.match(printed, /\nlib\/links\.js -> uri-js: \w/);
    const [, dearest] = /\nHot paths, the most expensive first\n[^\n]*\n([^]*?)\n *[\d.]+ +<?\d+% /.exec(printed) ?? [];
    assert.match(String(dearest).replace(/\s+/g, ' '), /lib\/links\.js .*-> uri-js parse$/);

    const loadEnd = once(load, 'exit');
    load.kill();
    await loadEnd;
    const counts = await settled(link);
    const shown = Object.fromEntries(JSON.parse(top(String(wiki.pid), '--json')).boundaries.map(({ id, calls }) => [id, calls]));
    link.close();
    const exit = once(wiki, 'exit');
    wiki.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    const { boundaries, paths } = JSON.parse(fs.readFileSync(file, 'utf8'));
    const reported = Object.fromEntries(boundaries.map(({ id, calls }) => [id, calls]));
    assert.ok(reported[HOT] > 0);
    assert.deepEqual(counts, reported);
    assert.deepEqual(shown, reported);
    // The paths of a function add up to what its meter says.
    const byPaths = paths.filter(({ steps }) => steps.at(-1)?.boundary === HOT).reduce((sum, { calls }) => sum + calls, 0);
    assert.equal(byPaths, reported[HOT]);
  });

  /** Calls by boundary, once none is open and they no longer change. */
  async function settled(link) {
    const read = async () => {
      const { boundaries } = await link.ask('snapshot', { brief: true });
      return {
        open: boundaries.reduce((sum, { pending }) => sum + pending, 0),
        calls: Object.fromEntries(boundaries.map(({ id, calls }) => [id, calls])),
      };
    };
    let before = await read();
    return until(
      async () => {
        // What the last requests left behind has its turn between two looks.
        await new Promise((resolve) => setTimeout(resolve, 250));
        const now = await read();
        const isSettled = now.open === 0 && isDeepStrictEqual(now.calls, before.calls);
        before = now;
        return isSettled ? now.calls : null;
      },
      'no call is open',
      LONG_MS,
    );
  }
});
