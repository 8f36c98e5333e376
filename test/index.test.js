'use strict';

// The front door, in programs of its own: there is one Ignis in a process.

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const IGNIS = path.join(__dirname, '..');

let folder;
before(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-door-')));
  fs.writeFileSync(
    path.join(folder, 'work.js'),
    'exports.busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); return ms; };',
  );
});
after(() => fs.rmSync(folder, { recursive: true }));

/** @param {string} body @returns {any} what the program gave to `tell` */
function run(body) {
  const file = path.join(folder, 'app.js');
  fs.writeFileSync(
    file,
    `const ignis = require(${JSON.stringify(IGNIS)}); const tell = (x) => require('node:fs').writeSync(1, JSON.stringify(x)); const caught = (f) => { try { return f(); } catch (e) { return [e.code, e.message, e.nearest]; } };\n${body}`,
  );
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8', cwd: folder }));
}

describe('the front door', function () {
  this.timeout(30000);

  for (const entry of ['index.js', 'register.js']) {
    it(`says that a bundler has to leave Ignis out, before anything else fails there (${entry})`, () => {
      const file = path.join(IGNIS, 'lib', entry);
      // As bundlers do it: a function for each module, with a `module` that has no file, and Node's own modules out of reach.
      const told = run(`
        const required = [];
        const own = require('node:module').createRequire(${JSON.stringify(file)});
        const bundled = new Function('exports', 'require', 'module', require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8'));
        const code = caught(() => bundled({}, (id) => (required.push(id), own(id)), { exports: {} }));
        tell([code[0], code[1], required]);
      `);
      assert.deepEqual([told[0], told[2]], ['IGNIS_BUNDLED', ['./import/refuse-bundle']]);
      assert.match(told[1], /tell the bundler that 'ignis' is external/);
    });
  }

  for (const [name, version] of [
    ['bun', 'Bun 1.4.5'],
    ['deno', 'Deno 2.9.6'],
    ['', `Node ${process.versions.node}`],
  ])
    it(`says in one sentence that it needs Node, on ${version.split(' ')[0]}${name === '' ? ' that is too old' : ''}`, () => {
      // As such a runtime looks to the first of our files.
      const file = path.join(folder, `like-${name}.js`);
      const like = name === '' ? 'process.getBuiltinModule = undefined' : `process.versions.${name} = '${version.split(' ')[1]}'`;
      fs.writeFileSync(file, `${like};`);
      const sentence = `ignis: Ignis needs Node 20.19, 22.12 or newer: this is ${version} (IGNIS_NOT_NODE)\n`;
      const ended = (/** @type {string[]} */ ...args) => {
        const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', file, ...args], { encoding: 'utf8' });
        return [status, stdout, stderr];
      };
      assert.deepEqual(ended('-r', path.join(IGNIS, 'lib/register.js'), '-p', '1'), [2, '', sentence]);
      assert.deepEqual(ended(path.join(IGNIS, 'bin/ignis.js'), 'run', file), [2, '', sentence]);
      const [, , thrown] = ended('-e', `require(${JSON.stringify(IGNIS)})({})`);
      assert.match(thrown, /IgnisError: Ignis needs Node 20\.19, 22\.12 or newer: this is /);
    });

  it('is started with a recipe, and again with another', () => {
    const told = run(`
      ignis.start({ quiet: true, recipe: { modules: { './work.js': { call: 'await', copies: [0, 0] } } } });
      require('./work.js').busy(1);
      const before = ignis.boundaries().find(({ child }) => child === './work.js').state;
      ignis.start({ recipe: { modules: { './work.js': { call: 'await', copies: [0, 2] } } } });
      tell([before, ignis.boundaries().find(({ child }) => child === './work.js').state]);
    `);
    assert.deepEqual(told, ['declined', 'home']);
  });

  it('gives an ES module its functions by name, too', () => {
    const file = path.join(folder, 'named.mjs');
    const names = ['start', 'boundaries', 'explain', 'recipe', 'report', 'metrics', 'import', 'close', 'fs', 'IgnisError'];
    fs.writeFileSync(
      file,
      `import ignis, { ${names.map((name, i) => `${name} as n${i}`).join(', ')} } from ${JSON.stringify(`${pathToFileURL(IGNIS)}/lib/index.js`)};
      const given = [${names.map((_, i) => `n${i}`).join(', ')}];
      console.log(JSON.stringify([${JSON.stringify(names)}.filter((name, i) => given[i] !== undefined && given[i] === ignis[name]), Object.keys(ignis).sort()]));`,
    );
    const [same, all] = JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
    assert.deepEqual(same, names);
    assert.deepEqual(all, [...names, 'program'].sort(), 'what is new has to be a name, too');
  });

  it('refuses a recipe that is wrong, naming the place', () => {
    const [code, message] = run(`tell(caught(() => ignis.start({ recipe: { modulse: {} } })));`);
    assert.equal(code, 'IGNIS_BAD_RECIPE');
    assert.match(message, /modulse.*modules/);
  });

  it('refuses options that are wrong, also where it is started already', () => {
    const [first, again] = run(`
      const first = caught(() => ignis.start({ tikMs: 3 }));
      ignis.start({ quiet: true });
      tell([first, caught(() => ignis.start({ tikMs: 3, level: 'x' }))]);
    `);
    assert.deepEqual([first[0], again[0]], ['IGNIS_BAD_OPTION', 'IGNIS_BAD_OPTION']);
    assert.match(again[1], /tikMs[^]*tickMs[^]*level/);
  });

  it('says of a field of a recipe among the options where it stands', () => {
    const [told] = run(`
      tell([caught(() => ignis.start({ quiet: true, modules: { x: { copies: 2 } } }))]);
    `);
    assert.equal(told[0], 'IGNIS_BAD_OPTION');
    assert.match(told[1], /'modules' is a field of the recipe, not an option .*ignis\.start\(\{ recipe: \{ modules: /);
  });

  it('explains a module and a boundary in a sentence, with the line that called', () => {
    const [byModule, byBoundary] = run(`
      ignis.start({ quiet: true });
      const work = require('./work.js');
      work.busy(80);
      tell([ignis.explain('./work.js'), ignis.explain('app.js -> work.js')]);
    `);
    // Shares are those of the moment.
    const withoutShare = (/** @type {string} */ sentence) => sentence.replace(/\d+ % of/, 'n % of');
    assert.equal(withoutShare(byModule), withoutShare(byBoundary));
    assert.match(
      byModule,
      /^app\.js -> work\.js: synchronous, \d+ % of the event loop, longest call \d+ ms \(called at app\.js:\d+\): at home/,
    );
  });

  it('explains a built-in by the name that the program imports it by, and a module that lives in a replica', () => {
    const [builtin, inside, missing] = run(`
      ignis.start({ quiet: true, recipe: { modules: { './work.js': { call: 'block', where: 'thread' } } } });
      require('crypto').createHash('md5');
      require('./work.js').busy(1);
      tell([ignis.explain('crypto'), ignis.explain('./work.js'), caught(() => ignis.explain('./wrok.js'))]);
    `);
    assert.match(builtin, /^app\.js -> node:crypto: /);
    assert.match(inside, /^\.\/work\.js: has lived in a replica \(resident-1, thread\) since its import/);
    assert.equal(missing[2], './work.js');
  });

  it('explains the last decision on a module that may be moved', () => {
    const line = run(`
      ignis.start({ quiet: true, recipe: { modules: { './work.js': { call: 'await', copies: [0, 2] } } } });
      const work = require('./work.js');
      work.busy(300);
      // The long call has asked for a decision in the next turn.
      setImmediate(() => setImmediate(() => { tell(ignis.explain('./work.js')); void ignis.close(); }));
    `);
    // A replica may be ready by then: the two turns last as long as the machine lets them.
    assert.match(line, /^app\.js -> work\.js: synchronous; \d of [12] replicas? ready\. .*(asked for|start \d)/);
  });

  it('says once that it does not start again after it was closed, and nothing where it was told to be quiet', () => {
    const again = (/** @type {string} */ options) => `
      const heard = [];
      process.on('warning', ({ message, code }) => heard.push([code, message]));
      ignis.start(${options});
      void ignis.close().then(async () => {
        ignis.start(${options});
        ignis.start();
        await ignis.import('./work.js').catch(() => {});
        setImmediate(() => tell(heard));
      });
    `;
    const heard = run(again(''));
    assert.equal(heard.length, 1);
    assert.equal(heard[0][0], 'IGNIS_CLOSED');
    assert.match(heard[0][1], /does not start again in this process/);
    assert.deepEqual(run(again('{ quiet: true }')), []);
  });

  it('says what replicas would bring to a module that presses, though nobody may move it', () => {
    const [line, prospects] = run(`
      ignis.start({ quiet: true });
      const work = require('./work.js');
      let calls = 0;
      const next = () => {
        work.busy(5);
        if (++calls < 300) return void setImmediate(next);
        tell([ignis.explain('./work.js'), ignis.report().prospects.map(({ module }) => module)]);
      };
      next();
    `);
    assert.match(line, /\. In its busiest second, at home: .* calls a second, p99 .* with 1 replica: .* calls a second, p99/);
    assert.deepEqual(prospects, ['./work.js']);
  });

  it('names the nearest where there is no such module, and says when it was not started', () => {
    assert.deepEqual(run(`tell(caught(() => ignis.explain('x')).slice(0, 2));`), [
      'IGNIS_CLOSED',
      'Ignis is not running, or is closing: it was not started (-r ignis/register, ignis run or ignis.start() starts it), so there is nothing to explain',
    ]);
    const [code, message, nearest] = run(`
      ignis.start({ quiet: true });
      require('./work.js').busy(1);
      tell(caught(() => ignis.explain('./wrok.js')));
    `);
    assert.deepEqual([code, nearest], ['IGNIS_NOT_FOUND', './work.js']);
    assert.match(message, /the nearest is '\.\/work\.js'/);
  });
});
