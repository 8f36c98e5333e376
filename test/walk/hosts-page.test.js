'use strict';

// The commands of docs/hosts.md, word by word, in a folder of their own; only ports and folders are others, and `npx ignis` is this
// checkout.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { makeKeys } = require('../../lib/host/keys');
const { freePorts } = require('../helpers/ports');

const ROOT = path.join(__dirname, '..', '..');
const PAGE = fs.readFileSync(path.join(ROOT, 'docs', 'hosts.md'), 'utf8');
/** Nothing of it may stay, whatever happens. */
const HEAD = "trap 'kill -9 $(jobs -p) 2>/dev/null' EXIT; trap 'exit 1' TERM\n";

describe('docs/hosts.md', function () {
  this.timeout(400000);

  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-page-')));
    fs.mkdirSync(path.join(folder, 'bin'));
    const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${path.join(ROOT, 'bin', 'ignis.js')}' "$@"\n`;
    fs.writeFileSync(path.join(folder, 'bin', 'npx'), npx, { mode: 0o755 });
    fs.symlinkSync(path.join(ROOT, 'examples'), path.join(folder, 'examples'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  it('takes the wiki from nothing to two hosts in under ten commands', async () => {
    const [, block] = /```sh\n([\s\S]*?)```/.exec(PAGE);
    assert.ok(block.trim().split('\n').length < 10);
    const [one, two, wiki] = await freePorts(3);
    const commands = block.replaceAll('7101', one).replaceAll('7102', two).replaceAll('8080', wiki);
    const env = {
      ...process.env,
      PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`,
      PORT: wiki,
      WIKI_DATA: path.join(folder, 'data'),
    };
    const shell = spawn('bash', ['-m', '-c', HEAD + commands], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', (text) => (out += text));
    const timer = setTimeout(() => shell.kill('SIGTERM'), 360000);
    await new Promise((resolve) => shell.once('close', resolve));
    clearTimeout(timer);
    assert.match(fs.readFileSync(path.join(folder, 'page.html'), 'utf8'), /<html/);
    const { replicas } = JSON.parse(fs.readFileSync(path.join(folder, 'report.json'), 'utf8'));
    const places = new Set(replicas.map(({ where }) => where));
    assert.ok(places.has(`host 127.0.0.1:${one}`), out);
    for (const place of places) assert.ok([`host 127.0.0.1:${one}`, `host 127.0.0.1:${two}`].includes(place), place);
    assert.ok(out.includes(`host 127.0.0.1:${one}`), 'the report says so');
    for (const port of [one, two]) await assert.rejects(fetch(`http://127.0.0.1:${port}`), 'the daemons have ended');
  });

  /**
   * What is started ends by the signal that it is sent, as a service or a container is stopped.
   *
   * @param {string[]} command as the page has it
   */
  async function startsAndStops([program, ...args]) {
    const own = { '192.0.2.7:7100': '127.0.0.1:0', '0.0.0.0:7100': '127.0.0.1:0', '/var/cache/ignis-host': path.join(folder, 'store') };
    const folders = ['/etc/ignis', '/run/secrets'].map((base) => [`${base}/host1`, path.join(folder, 'service', 'host1')]);
    const known = { ...own, ...Object.fromEntries(folders) };
    const given = args.map((arg) => known[arg] ?? arg);
    assert.equal(path.basename(program), 'node');
    const child = spawn(process.execPath, [...given, '--user', os.userInfo().username], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve([code, signal])));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
        if (/listens on/.test(text)) child.kill('SIGTERM');
      });
    assert.deepEqual(await ended, [0, null], said);
    assert.match(said, /ignis daemon: stops/);
  }

  it('has a service and a container whose process is the daemon, which hears that it is to stop', async () => {
    await makeKeys(path.join(folder, 'service'), ['home', 'host1']);
    fs.mkdirSync(path.join(folder, 'node_modules'));
    fs.symlinkSync(ROOT, path.join(folder, 'node_modules', 'ignis'));
    await startsAndStops(/^ExecStart=(.*)$/m.exec(PAGE)[1].split(' '));
    await startsAndStops(JSON.parse(/^CMD (.*)$/m.exec(PAGE)[1]));
  });
});
