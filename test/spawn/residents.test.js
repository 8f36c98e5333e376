'use strict';

const assert = require('node:assert/strict');
const { execFile, fork } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');

const REGISTER = require.resolve('../../lib/register');

describe('a module that lives in a replica', function () {
  this.timeout(60_000);

  let folder;
  const STATE = `let n = 0; exports.next = () => ++n; exports.end = () => process.reallyExit(3);
    exports.there = () => process.mainModule.children.filter(({ filename }) => filename === __filename).length;`;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-residents-')));
    fs.writeFileSync(path.join(folder, 'part.js'), 'exports.two = () => 2;');
    for (const name of ['state', 'other']) fs.writeFileSync(path.join(folder, `${name}.js`), STATE);
    fs.writeFileSync(path.join(folder, 'app.js'), "process.exitCode = require('./part').two(); process.channel.unref();");
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** What Node tells `node --watch`, which starts a program so. */
  async function watched(env) {
    const child = fork(path.join(folder, 'app.js'), { cwd: folder, execArgv: ['-r', REGISTER], env: { ...process.env, ...env } });
    const files = [];
    child.on('message', (message) => files.push(...(message['watch:require'] ?? [])));
    const [code] = await once(child, 'exit');
    assert.equal(code, 2);
    return [...new Set(files.filter((file) => file?.startsWith(folder)).map((file) => path.basename(file)))];
  }

  for (const where of ['thread', 'process'])
    it(`in a ${where} is among the files of which node --watch is told`, async () => {
      assert.deepEqual(await watched({ WATCH_REPORT_DEPENDENCIES: '1' }), ['app.js', 'part.js']);
      const env = { IGNIS_FORCE: './part.js', IGNIS_WHERE: where };
      assert.deepEqual(await watched({ ...env, WATCH_REPORT_DEPENDENCIES: '1' }), ['app.js', 'part.js']);
      assert.deepEqual(await watched({ ...env, WATCH_REPORT_DEPENDENCIES: '' }), []);
    });

  /** @param {string} where @param {string} program @returns {Promise<any>} what it prints, as JSON */
  async function run(where, program) {
    fs.writeFileSync(
      path.join(folder, 'program.js'),
      `const fail = (run) => { try { run(); } catch (error) { return error.code; } };\n${program}`,
    );
    const args = ['-r', REGISTER, path.join(folder, 'program.js')];
    const env = { ...process.env, IGNIS_FORCE: 'state.js,other.js', IGNIS_WHERE: where };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    return JSON.parse(stdout);
  }

  for (const where of ['thread', 'process'])
    it(`in a ${where} is there once, however often it is loaded anew`, async () => {
      const told = await run(
        where,
        `const file = require.resolve('./state');
         let state = require('./state');
         for (let i = 0; i < 5; i++) {
           state.next();
           delete require.cache[file];
           state = require('./state');
         }
         console.log(JSON.stringify([state.next(), state.there()]));`,
      );
      assert.deepEqual(told, [1, 1]);
    });

  for (const where of ['thread', 'process']) {
    it(`in a ${where} begins in another one when it is loaded anew after that was lost, and so does one that nobody had`, async () => {
      const told = await run(
        where,
        `const state = require('./state');
        const told = [state.next(), state.next(), fail(() => state.end()), fail(() => state.next())];
        delete require.cache[require.resolve('./state')];
        told.push(require('./state').next(), require('./state').next(), require('./other').next(), fail(() => state.next()));
        const { report } = require(${JSON.stringify(REGISTER.replace('register.js', 'index.js'))});
        told.push(report().replicas.map(({ id, module }) => [id, module]));
        console.log(JSON.stringify(told));`,
      );
      const modules = ['./state.js', './state.js, ./other.js'];
      assert.deepEqual(told, [
        ...[1, 2, 'IGNIS_REPLICA_LOST', 'IGNIS_STALE_REFERENCE', 1, 2, 1, 'IGNIS_STALE_REFERENCE'],
        modules.map((module, i) => [`resident-${i + 1}`, module]),
      ]);
    });

    it(`in a ${where} keeps nothing of the request in which it was imported`, async () => {
      const isGone = await run(
        where,
        `require('node:v8').setFlagsFromString('--expose-gc');
        const collect = require('node:vm').runInNewContext('gc');
        const { AsyncLocalStorage } = require('node:async_hooks');
        const requests = new AsyncLocalStorage();
        const serve = () => {
          const store = {};
          requests.run(store, () => require('./state').next());
          return new WeakRef(store);
        };
        const store = serve();
        const look = (left) => {
          collect();
          const isGone = store.deref() === undefined;
          if (isGone || left === 0) console.log(isGone);
          else setTimeout(look, 20, left - 1);
        };
        setTimeout(look, 20, 50);`,
      );
      assert.equal(isGone, true);
    });

    it(`in a ${where} begins in no further one where it ends each`, async () => {
      const told = await run(
        where,
        `const told = [];
        for (let i = 0; i < 9; i++) {
          delete require.cache[require.resolve('./state')];
          told.push(fail(() => require('./state').end()));
        }
        console.log(JSON.stringify(told));`,
      );
      assert.deepEqual(told, [...Array(6).fill('IGNIS_REPLICA_LOST'), ...Array(3).fill('IGNIS_STALE_REFERENCE')]);
    });
  }
});
