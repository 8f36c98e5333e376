'use strict';

// From an import with a recipe to files that nodes keep: programs of their own, since Ignis watches the whole process.

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { until } = require('../helpers/until');

const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js');

let folder;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-fs-'));
  fs.mkdirSync(path.join(folder, 'data'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** Writes a program and says how it is run. */
function programOf(name, text, others = {}) {
  for (const [file, content] of Object.entries({ ...others, [name]: text })) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), content);
  }
  return ['--import', pathToFileURL(REGISTER).href, path.join(folder, name)];
}

/** What a program prints, as JSON; it must end by itself. */
function run(name, text, others) {
  const { status, stdout, stderr } = spawnSync(process.execPath, programOf(name, text, others), {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stderr, told: stdout.trim() === '' ? null : JSON.parse(stdout.trim().split('\n').at(-1)) };
}

const copiesOf = (file) => ['', '.ignis-fs/copy-2', '.ignis-fs/copy-3'].map((copy) => path.join(folder, 'data', copy, file));
const contentsOf = (file) => copiesOf(file).map((copy) => fs.readFileSync(copy, 'utf8'));

describe('require of fs with a recipe', function () {
  this.timeout(90_000);

  it('keeps as many copies as it says, and the program ends by itself', () => {
    const { status, told, stderr } = run(
      'app.js',
      `const fs = require('fs', { copies: 3, root: 'data' });
       fs.writeFileSync('data/a', 'text');
       fs.mkdirSync('data/d/e', { recursive: true });
       fs.writeFile('data/d/large', 'x'.repeat(300000), (error) => {
         console.log(JSON.stringify([error, fs.readFileSync('data/a', 'utf8'), fs.readdirSync('data'), fs === require('fs'), fs.readFileSync(__filename, 'utf8').length > 10, require('fs/promises', { copies: 3, root: 'data' }) === fs.promises]));
       });`,
    );
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(told, [null, 'text', ['a', 'd'], true, true, true]);
    assert.deepEqual(contentsOf('a'), ['text', 'text', 'text']);
    assert.deepEqual(
      contentsOf('d/large').map((text) => text.length),
      [300000, 300000, 300000],
    );
  });

  it('has no process left, neither living nor dead, when Ignis is closed', function () {
    if (!fs.existsSync(`/proc/self/task/${process.pid}/children`)) this.skip();
    const { status, told, stderr } = run(
      'app.js',
      `const fs = require('fs', { copies: 3, root: 'data' });
       const { spawnSync } = require('node:child_process');
       fs.writeFileSync('data/a', 'text');
       const list = 'for p in $(cat /proc/$PPID/task/*/children); do [ $p = $$ ] || echo $p; done';
       const children = () => spawnSync('sh', ['-c', list], { encoding: 'utf8' }).stdout.trim().split('\\n').filter(Boolean).length;
       const before = children();
       require(${JSON.stringify(path.join(REGISTER, '..', '..'))}).close().then(() => console.log(JSON.stringify([before, children()])));`,
    );
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(told, [3, 0]);
  });

  it('takes over what stands in the root, and what was changed there between two runs', () => {
    fs.writeFileSync(path.join(folder, 'data', 'old'), 'was here');
    const text = `const fs = require('fs', { copies: 3, root: 'data' }); console.log(JSON.stringify(fs.readdirSync('data').map((name) => fs.readFileSync('data/' + name, 'utf8'))));`;
    assert.deepEqual(run('app.js', text).told, ['was here']);
    fs.writeFileSync(path.join(folder, 'data', 'old'), 'by hand');
    assert.deepEqual(run('app.js', text).told, ['by hand']);
    assert.deepEqual(contentsOf('old'), ['by hand', 'by hand', 'by hand']);
  });

  it('does the same under plain Node, which sees the files', () => {
    const text = `const fs = require('fs', { copies: 3, root: 'data' }); fs.appendFileSync('data/a', 'x'); console.log(JSON.stringify(fs.readFileSync('data/a', 'utf8')));`;
    assert.equal(run('app.js', text).told, 'x');
    const { stdout } = spawnSync(process.execPath, [path.join(folder, 'app.js')], { cwd: folder, encoding: 'utf8' });
    assert.equal(stdout, '"xx"\n');
  });

  it('holds in a recipe file for all files that import fs, packages and ES modules too, and leaves packages alone', () => {
    const { told, stderr } = run(
      'app.mjs',
      `import fs, { readFileSync } from 'node:fs';
       import { writeFile } from 'fs/promises';
       import store from 'store';
       import esStore from 'es-store';
       await writeFile('data/y', 'es');
       store.keep('data/z');
       esStore('data/w');
       console.log(JSON.stringify([readFileSync('data/y', 'utf8'), fs.readdirSync('data'), fs.existsSync('node_modules/store/index.js')]));`,
      {
        'ignis.config.js': "module.exports = { modules: { fs: { fs: 'eventual', root: 'data' } } };",
        'node_modules/store/index.js': "const { writeFileSync } = require('fs'); exports.keep = (file) => writeFileSync(file, 'kept');",
        'node_modules/es-store/package.json': '{ "type": "module", "main": "index.js" }',
        'node_modules/es-store/index.js': "import { writeFileSync } from 'fs'; export default (file) => writeFileSync(file, 'es kept');",
      },
    );
    assert.equal(stderr, '');
    assert.deepEqual(told, ['es', ['w', 'y', 'z'], true]);
    assert.deepEqual([contentsOf('z'), contentsOf('w')], [Array(3).fill('kept'), Array(3).fill('es kept')]);
  });

  it('takes the recipe of the program, and the words of ignis.fs', () => {
    const { told, stderr } = run(
      'app.js',
      `const ignis = require(${JSON.stringify(path.join(__dirname, '..', '..'))});
       require = ignis({ fs: ignis.fs.STRONG, root: 'data' });
       const fs = require('fs');
       fs.writeFileSync('data/a', '1');
       console.log(JSON.stringify([fs.readdirSync('data'), ignis.fs]));`,
    );
    assert.equal(stderr, '');
    assert.deepEqual(told, [['a'], { LOCAL: 'local', EVENTUAL: 'eventual', STRONG: 'strong' }]);
    assert.ok(fs.existsSync(path.join(folder, 'data', '.ignis-fs', 'lock')));
  });

  it('hands out Node s own fs for local', () => {
    const { told } = run(
      'app.js',
      `const fs = require('fs', { fs: 'local', copies: 3, root: 'data' }); fs.writeFileSync('data/a', '1');
       console.log(JSON.stringify([fs.readdirSync('data'), fs === process.mainModule.constructor.createRequire('/tmp/x.js')('fs')]));`,
    );
    assert.deepEqual(told, [['a'], true]);
  });

  it('refuses its fields for other modules, two that contradict each other, and a change that comes too late', () => {
    const text = (line) => `try { ${line} } catch (error) { console.log(JSON.stringify([error.code, error.message])); }`;
    const messageOf = (line) => {
      const [code, message] = run('app.js', text(line)).told;
      assert.equal(code, 'IGNIS_BAD_RECIPE');
      return message;
    };
    assert.match(
      messageOf("require('zlib', { fs: 'strong' })"),
      /'fs' is only for the module fs, not for node:zlib \(given in app\.js:1\)/,
    );
    assert.match(messageOf("require('fs', { fs: 'strong', copies: 3 })"), /'strong' has one owner/);
    assert.match(messageOf("require('fs', { copies: [0, 3] })"), /whole number of at least 1/);
    assert.match(
      messageOf("require('fs', { copies: 3, root: 'data' }); require('fs', { copies: 2, root: 'data' })"),
      /different things about .*data/,
    );
    assert.match(messageOf("require('fs', { copies: 3 }); require('fs', { copies: 3, root: 'data' })"), /one root of fs lies in another/);
    const ignis = `require(${JSON.stringify(path.join(__dirname, '..', '..'))})`;
    assert.match(
      messageOf(`require('fs', { copies: 3, root: 'data' }); ${ignis}.recipe('fs', { copies: 2 })`),
      /fs cannot change like this while the program runs/,
    );
  });

  it('ends its nodes when the program is killed, and goes on from its disks', async () => {
    const args = programOf(
      'app.js',
      `const fs = require('fs', { copies: 3, root: 'data' });
       let i = 0;
       const next = () => fs.promises.appendFile('data/log', 'line ' + i + '\\n').then(() => { process.stdout.write(i++ + '\\n'); next(); });
       next();`,
    );
    const program = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    let acknowledged = -1;
    program.stdout.on('data', (text) => (acknowledged = Math.max(acknowledged, ...String(text).trim().split('\n').map(Number))));
    await until(() => acknowledged > 20, 'lines are written', 60_000);
    const nodes = ['', '.ignis-fs/copy-2', '.ignis-fs/copy-3'].map((copy) =>
      Number(fs.readFileSync(path.join(folder, 'data', copy, '.ignis-fs', 'node'), 'utf8').split(' ')[0]),
    );
    assert.equal(nodes.filter(isAlive).length, 3);
    const ended = new Promise((resolve) => program.once('close', resolve));
    program.kill('SIGKILL');
    await ended;
    await until(() => nodes.every((pid) => !isAlive(pid)), 'no node is left', 60_000);
    const again = `const fs = require('fs', { copies: 3, root: 'data' }); console.log(JSON.stringify(fs.readFileSync('data/log', 'utf8').trim().split('\\n')));`;
    const { told: lines } = run('again.js', again);
    assert.deepEqual(
      lines,
      lines.map((_, i) => `line ${i}`),
    );
    assert.ok(lines.length > acknowledged, `${lines.length} lines, and line ${acknowledged} was acknowledged`);
    const [one, two, three] = contentsOf('log');
    assert.deepEqual([one, one], [two, three]);
  });

  it('goes on while a program that all its processes were told to end writes its last', function () {
    if (process.platform === 'win32') this.skip();
    const { status, stderr, told } = run(
      'app.js',
      `const fs = require('fs', { fs: 'strong', root: 'data' });
       const { execFileSync } = require('node:child_process');
       (async () => {
         const texts = [];
         for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']) {
           await fs.promises.writeFile('data/last', 'before');
           process.kill(Number(String(execFileSync('cat', ['data/.ignis-fs/node'])).split(' ')[0]), signal);
           await fs.promises.writeFile('data/last', signal).catch(({ code }) => texts.push(code));
           texts.push(await fs.promises.readFile('data/last', 'utf8').catch(({ code }) => code));
         }
         console.log(JSON.stringify(texts));
       })();`,
    );
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(told, ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']);
  });

  it('warns a program that gives up rights while nodes have its files, once, and not one that did so before', function () {
    const nobody = 65_534;
    if (process.getuid?.() !== 0 || spawnSync('test', ['-r', REGISTER], { uid: nobody, gid: nobody }).status !== 0) this.skip();
    fs.chmodSync(folder, 0o755);
    fs.chownSync(path.join(folder, 'data'), nobody, nobody);
    for (const [name, parts] of [
      ['before.js', [0, 1]],
      ['after.js', [1, 0]],
    ]) {
      const steps = [
        `process.umask(0o27); process.setgroups([${nobody}]); process.setgid(${nobody}); process.setuid(${nobody});`,
        "fs.writeFileSync('data/a', 'text');",
      ];
      const { status, stderr } = run(
        name,
        `const fs = require('fs', { copies: 2, root: 'data' }); ${parts.map((at) => steps[at]).join('\n')}`,
      );
      assert.equal(status, 0);
      const warnings = stderr.match(/\[IGNIS_FS\] .*process\.setgid.*data: its nodes keep theirs/g) ?? [];
      assert.equal(warnings.length, name === 'after.js' ? 1 : 0, stderr);
      fs.rmSync(path.join(folder, 'data', '.ignis-fs'), { recursive: true });
    }
  });

  it('lets no second program at the same root', async () => {
    const args = programOf(
      'app.js',
      "const fs = require('fs', { fs: 'strong', root: 'data' }); fs.writeFileSync('data/a', '1'); console.log('there'); setInterval(() => {}, 1000);",
    );
    const program = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => program.stdout.once('data', resolve));
    const other =
      "const fs = require('fs', { fs: 'strong', root: 'data' }); try { fs.readFileSync('data/a'); } catch (error) { console.log(JSON.stringify([error.code, error.path, error.cause.message])); }";
    const { told } = run('other.js', other);
    const ended = new Promise((resolve) => program.once('close', resolve));
    program.kill();
    await ended;
    assert.deepEqual(told.slice(0, 2), ['EIO', 'data/a']);
    assert.match(told[2], new RegExp(`process ${program.pid} already has the files of`));
  });
});

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    // Dead, and not yet collected by whoever adopted it.
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return error.code === 'EPERM' || (error.code === 'ENOENT' && process.platform !== 'linux');
  }
}
