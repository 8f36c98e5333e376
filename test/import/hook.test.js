'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const events = require('node:events');
const Module = require('node:module');
const path = require('node:path');
const { FIXTURES, fixture, watched } = require('../helpers/watched');
const { installHook } = require('../../lib/import/hook');
const { makeCollector } = require('../../lib/object/kept');
const { until } = require('../helpers/until');

describe('hook', () => {
  /** @type {ReturnType<typeof watched>} */
  let run;
  afterEach(() => run?.end());
  const edges = () => run.imports.map(({ request }) => request);

  it('hands a file of the program wrappers of what it imports', () => {
    run = watched();
    const user = run.load('plain-user.js');
    assert.notEqual(user.fn, require.cache[fixture('functions.js')].exports);
    assert.equal(user.fn.add(2, 3), 5);
    assert.equal(user.dep.twice(4), 8);
    assert.equal(user.callable('x'), '0:x');
    const boundary = run.boundaries.find(({ id }) => id === 'plain-user.js -> functions.js');
    assert.equal(boundary.points.get('add').meter.calls, 1);
  });

  it('gives one file the same wrapper each time, and another file another', () => {
    run = watched();
    const user = run.load('plain-user.js');
    assert.equal(user.fn, user.again);
    assert.notEqual(run.load('other-user.js').fn, user.fn);
  });

  it('keeps the true exports in require.cache', () => {
    run = watched();
    const { fn } = run.load('plain-user.js');
    const { exports } = require.cache[fixture('functions.js')];
    assert.equal(exports, run.imports[0].exports);
    assert.notEqual(exports.add, fn.add);
  });

  it('makes a new module and a new boundary after a deletion from require.cache', () => {
    run = watched();
    const first = run.load('other-user.js').fn;
    first.add(1, 1);
    delete require.cache[fixture('functions.js')];
    delete require.cache[fixture('other-user.js')];
    const second = run.load('other-user.js').fn;
    assert.notEqual(second, first);
    assert.equal(second.calls(), 0);
    assert.equal(first.calls(), 1);
    assert.equal(run.boundaries.length, 2);
  });

  it('observes crypto under both of its names as one, and never events or path', () => {
    run = watched();
    const user = run.load('plain-user.js');
    assert.notEqual(user.crypto, require('node:crypto'));
    assert.equal(user.crypto, user.nodeCrypto);
    assert.equal(user.events, events);
    assert.equal(user.path, path);
    assert.equal(user.crypto.createHash('sha1').update('a').digest('hex'), '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8');
  });

  it('passes primitives without a question, and data as it is', () => {
    run = watched();
    const user = run.load('plain-user.js');
    assert.equal(user.primitive, 42);
    assert.ok(!edges().includes('./primitive'));
    assert.equal(user.json, require.cache[fixture('data.json')].exports);
    assert.equal(user.data, require.cache[fixture('data.js')].exports);
  });

  it('at level 1 leaves the imports of dependencies alone, at level 2 watches them', () => {
    run = watched();
    run.load('plain-user.js');
    assert.ok(run.imports.every(({ parentFile }) => parentFile === fixture('plain-user.js')));
    const { other } = require.cache[fixture('node_modules/dep/main.js')].exports;
    assert.equal(other, require.cache[fixture('node_modules/other/index.js')].exports);
    run.end();
    run = watched({ level: 2 });
    run.load('plain-user.js');
    assert.ok(run.boundaries.some(({ id }) => id === 'dep -> other'));
  });

  it('at level 0 watches hot imports only', () => {
    run = watched({ level: 0, isHot: ({ filename }) => filename === fixture('callable.js') });
    const user = run.load('plain-user.js');
    assert.deepEqual(edges(), ['./callable']);
    assert.equal(user.fn, require.cache[fixture('functions.js')].exports);
  });

  it('never watches a cold import, not even a hot one', () => {
    run = watched({ isHot: () => true, isCold: ({ builtin }) => builtin === 'crypto' });
    assert.equal(run.load('plain-user.js').crypto, require('node:crypto'));
  });

  it('lets errors at load pass, and loads again at the next try', () => {
    run = watched();
    for (let i = 0; i < 2; i++) {
      assert.throws(
        () => run.load('throws.js'),
        (error) => error.constructor === SyntaxError && error.message === 'at load',
      );
      assert.equal(require.cache[fixture('throws.js')], undefined);
    }
    assert.throws(() => run.load('no-such-file.js'), { code: 'MODULE_NOT_FOUND' });
    assert.throws(() => run.load('broken.node'), { code: 'ERR_DLOPEN_FAILED' });
  });

  it('hands out a native addon that works', function () {
    run = watched();
    const { createRequire } = Module;
    let extract;
    try {
      extract = createRequire(fixture('any.js'))(require.resolve('msgpackr-extract', { paths: [require.resolve('msgpackr')] }));
    } catch {
      return this.skip();
    }
    assert.equal(typeof extract.extractStrings, 'function');
  });

  it('keeps require.resolve as it is', () => {
    run = watched();
    assert.equal(run.load('plain-user.js').resolve, fixture('functions.js'));
  });

  it('watches what a file imports through module.createRequire', () => {
    run = watched();
    const fn = Module.createRequire(fixture('made.mjs'))('./functions');
    assert.notEqual(fn, require.cache[fixture('functions.js')].exports);
    assert.equal(run.imports[0].parentFile, fixture('made.mjs'));
  });

  it('shows names that a module in a circle exports later', () => {
    run = watched();
    const a = run.load('circle-a.js');
    const b = require.cache[fixture('circle-b.js')].exports;
    assert.deepEqual(b.seenAtLoad, ['early']);
    assert.equal(b.callLate(), 'late');
    assert.equal(a.viaB(), 'late');
    assert.deepEqual(Object.keys(b.a()), ['early', 'late', 'viaB']);
  });

  it('wraps exports that are still empty', () => {
    run = watched();
    const a = run.load('empty-circle-a.js');
    assert.equal(a.b.callGo(), 'gone');
    require(fixture('functions.js'));
    assert.deepEqual(a.b.names(), ['b', 'go']);
    assert.ok(
      run.boundaries.some(({ id, points }) => id === 'empty-circle-b.js -> empty-circle-a.js' && points.get('go').meter.calls === 1),
    );
  });

  it('gives the new exports after module.exports was replaced in a circle', () => {
    run = watched();
    const a = run.load('replaced-a.js');
    const b = require.cache[fixture('replaced-b.js')].exports;
    assert.equal('now' in b.before, false);
    assert.equal(b.after().now(), 'new');
    assert.equal(b.after(), b.after());
    assert.equal(a.now(), 'new');
  });

  it('forgets a module in a circle that throws while it is loaded, each time', async () => {
    run = watched();
    const collect = makeCollector();
    const tried = [];
    for (let count = 0; count < 20; count++) {
      assert.throws(() => run.load('thrown-a.js'), /not this time/);
      tried.push(new WeakRef(globalThis.ignisThrown));
      delete globalThis.ignisThrown;
      delete require.cache[fixture('thrown-b.js')];
      run.imports.length = run.boundaries.length = 0;
    }
    const kept = () => tried.filter((one) => one.deref() !== undefined).length;
    await until(
      () => {
        collect();
        return kept() <= 2;
      },
      () => `${kept()} are kept`,
    );
  });

  it('says whether a module was loaded before the hook', () => {
    require(fixture('functions.js'));
    run = watched();
    run.load('plain-user.js');
    const { loadedBefore } = run.hook;
    assert.deepEqual(
      ['functions.js', 'callable.js'].map((name) => loadedBefore.includes(fixture(name))),
      [true, false],
    );
  });

  it('hands out a copy of an ES module that is required, with its names', function () {
    if (!process.features.require_module) return this.skip();
    run = watched();
    const exports = Module.createRequire(fixture('made.js'))('./es-module.mjs');
    assert.equal(exports.live(), 'esm');
    assert.equal(exports.default, 7);
    assert.deepEqual(
      run.imports.map(({ filename }) => filename),
      [fixture('es-module.mjs')],
    );
    assert.deepEqual(
      run.boundaries.map(({ points }) => [...points.keys()]),
      [['live']],
    );
  });

  it('goes together with another patch of Module._load, whoever leaves first', () => {
    const before = Module._load;
    run = watched();
    const ours = Module._load;
    const seen = [];
    Module._load = function (request) {
      seen.push(request);
      return Reflect.apply(ours, this, arguments);
    };
    const theirs = Module._load;
    assert.equal(run.load('other-user.js').fn.add(1, 2), 3);
    run.hook.uninstall();
    assert.equal(Module._load, theirs);
    delete require.cache[fixture('other-user.js')];
    assert.equal(require(fixture('other-user.js')).fn, require.cache[fixture('functions.js')].exports);
    assert.ok(seen.includes('./functions'));
    Module._load = before;
  });

  it('leaves nothing behind', () => {
    const { _load } = Module;
    const { _compile } = Module.prototype;
    run = watched();
    assert.notEqual(Module._load, _load);
    run.hook.uninstall();
    run.hook.uninstall();
    assert.equal(Module._load, _load);
    assert.equal(Module.prototype._compile, _compile);
  });

  it('never wraps what Ignis imports, and hands out nothing of Ignis', () => {
    const seen = [];
    const hook = installHook({ level: 9, onImport: ({ parentFile, exports }) => (seen.push(parentFile), exports) });
    delete require.cache[require.resolve('../../lib/import/module-id')];
    require('../../lib/import/module-id');
    hook.uninstall();
    assert.deepEqual(seen, []);
  });

  it('loads files of Ignis as Node does, whoever else translates files', () => {
    run = watched();
    const late = require.resolve('../../lib/import/place');
    delete require.cache[late];
    const plain = Module._extensions['.js'];
    const seen = [];
    Module._extensions['.js'] = (module, filename) => (seen.push(filename), plain(module, filename));
    try {
      assert.equal(typeof require.cache[require.resolve('../../lib/import/hook')].require('./place').lineOf, 'function');
      assert.ok(require.cache[late] !== undefined && !seen.includes(late));
      run.load('functions.js');
      assert.deepEqual(seen, [fixture('functions.js')]);
    } finally {
      Module._extensions['.js'] = plain;
    }
  });

  it('works for other extensions that compile by module._compile', () => {
    run = watched();
    Module._extensions['.fixture'] = (module, filename) => module._compile("exports.fn = require('./functions', { hot: true })", filename);
    require('node:fs').writeFileSync(fixture('typed.fixture'), '');
    try {
      assert.equal(run.load('typed.fixture').fn.add(1, 1), 2);
      assert.deepEqual(run.imports[0].recipe, { hot: true });
    } finally {
      delete Module._extensions['.fixture'];
    }
  });

  it('does the same to the main program of a process', () => {
    const script = `
      const { installHook } = require(${JSON.stringify(require.resolve('../../lib/import/hook'))})
      const { Boundary } = require(${JSON.stringify(require.resolve('../../lib/wrap/boundary'))})
      const id = (name) => ({ name, kind: 'file', inside: '' })
      installHook({ onImport: (i) => { console.log(i.request, JSON.stringify(i.recipe)); return new Boundary({ parent: id('a'), child: id('b'), exports: i.exports }).wrapped } })`;
    require('node:fs').writeFileSync(fixture('preload.js'), script);
    const out = execFileSync(process.execPath, ['-r', fixture('preload.js'), fixture('with-recipe.js')], {
      encoding: 'utf8',
      cwd: FIXTURES,
    });
    assert.equal(out, './functions {"call":"await","pure":true}\n');
  });
});
