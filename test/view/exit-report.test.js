'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js');

describe('the report at the end of a program', () => {
  /** @type {string} */
  let folder;
  before(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-report-'))));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('is one of each process of a cluster, where its name has a place for the id', () => {
    fs.writeFileSync(
      path.join(folder, 'workers.js'),
      `const cluster = require('node:cluster');
      require('node:zlib').deflateSync('x');
      if (cluster.isPrimary) cluster.fork();
      else process.disconnect();`,
    );
    const env = { ...process.env, IGNIS_REPORT: 'report-%p.json' };
    const { status, stderr } = spawnSync(process.execPath, ['-r', REGISTER, 'workers.js'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: 20000,
    });
    assert.deepEqual([status, stderr], [0, '']);
    const names = fs.readdirSync(folder).filter((name) => name.startsWith('report'));
    assert.equal(names.length, 2, String(names));
    for (const name of names) {
      const { pid, boundaries } = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
      assert.equal(name, `report-${pid}.json`);
      assert.ok(boundaries.some((/** @type {any} */ { child }) => child === 'node:zlib'));
    }
  });

  // One that listens once is gone when the next listener is called: the program would look as if nobody had listened.
  const DRAIN = (/** @type {string} */ how) => `process.${how}('SIGTERM', () => {
    setTimeout(() => {
      console.log('drained');
      process.exit(0);
    }, 50);
  });\n`;
  for (const [title, preloaded, program] of [
    ['before Ignis was there', DRAIN('once'), ''],
    ['before all others', '', DRAIN('prependOnceListener')],
    ['after Ignis', '', DRAIN('once')],
  ])
    it(`leaves a program that listens once to a signal, ${title}, to end as it likes`, async () => {
      fs.writeFileSync(path.join(folder, 'first.js'), preloaded);
      fs.writeFileSync(path.join(folder, 'drains.js'), `${program}setInterval(() => {}, 1000);\nsetImmediate(() => console.log('up'));\n`);
      const report = path.join(folder, 'drained.json');
      fs.rmSync(report, { force: true });
      const child = spawn(process.execPath, ['-r', './first.js', '-r', REGISTER, 'drains.js'], {
        cwd: folder,
        env: { ...process.env, IGNIS_REPORT: report },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
        if (text.includes('up')) child.kill('SIGTERM');
      });
      assert.deepEqual(await once(child, 'close'), [0, null]);
      assert.equal(said, 'up\ndrained\n');
      assert.equal(JSON.parse(fs.readFileSync(report, 'utf8')).pid, child.pid);
    });

  it('says once that it cannot be written, though it is tried at a signal and at the end', async () => {
    fs.writeFileSync(path.join(folder, 'twice.js'), `${DRAIN('on')}setInterval(() => {}, 1000);\nsetImmediate(() => console.log('up'));\n`);
    const taken = path.join(folder, 'taken.json');
    const child = spawn(process.execPath, ['-r', REGISTER, 'twice.js'], {
      cwd: folder,
      env: { ...process.env, IGNIS_REPORT: taken },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let warned = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (warned += text));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (!text.includes('up')) return;
      fs.mkdirSync(taken);
      child.kill('SIGTERM');
    });
    assert.deepEqual(await once(child, 'close'), [0, null]);
    assert.equal(said, 'up\ndrained\n');
    assert.match(warned, /^ignis: the report \S*taken\.json cannot be written: [^\n]*\n$/);
  });
});
