'use strict';

// Holds lib/ to the order of its rooms, by the `require` lines as they stand in the files.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { builtinModules } = require('node:module');

const LIB = path.join(__dirname, '..', 'lib');
const PAGE = path.join(LIB, 'view', 'page');
const MOST_LINES = 350;

/** Says what each room is for, and through which files a call goes. */
const ARCHITECTURE = fs.readFileSync(path.join(LIB, '..', 'docs', 'architecture.md'), 'utf8');

// A file may require from its own room and from those below it. Rooms on one line do not know each other.
const ORDER = [
  ['register'],
  ['cli'],
  ['nested'],
  ['index'],
  ['program'],
  ['check'],
  ['import'],
  ['recipe'],
  ['wrap'],
  ['profile'],
  ['rank'],
  ['view'],
  ['spawn'],
  ['fs'],
  ['host'],
  ['object'],
  ['session'],
  ['wire'],
  ['options'],
  ['option-table'],
  ['threads'],
  ['boot', 'cores', 'diagnostics', 'errors', 'engine'],
];

/** Files that stand in no folder, and so are a room each. */
const SINGLE = [
  'index.js',
  'program.js',
  'register.js',
  'options.js',
  'option-table.js',
  'errors.js',
  'diagnostics.js',
  'engine.js',
  'threads.js',
  'cores.js',
];

/** All files below lib, as paths from there with slashes. */
function filesBelow(folder = LIB) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const whole = path.join(folder, entry.name);
    // What a browser runs stands in no room: test/view/dash.test.js holds it.
    if (whole === PAGE) return [];
    return entry.isDirectory() ? filesBelow(whole) : [path.relative(LIB, whole).replaceAll(path.sep, '/')];
  });
}

function roomOf(file) {
  const [first] = file.split('/');
  return first.replace(/\.js$/, '');
}

function rankOf(file) {
  return ORDER.findIndex((rooms) => rooms.includes(roomOf(file)));
}

function textOf(file) {
  return fs.readFileSync(path.join(LIB, file), 'utf8');
}

/** What a text requires: '../errors.js', 'node:path', 'msgpackr'. Comments aside. */
function requiresIn(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/\brequire(?:\.resolve)?\(\s*'([^']+)'\s*\)/g)].map((match) => match[1]);
}

/** Of a file, the files of lib that it requires. */
function arrowsOf(file) {
  return requiresIn(textOf(file))
    .filter((id) => id.startsWith('.'))
    .map((id) => path.posix.join(path.posix.dirname(file), id))
    .filter((target) => !target.startsWith('..'))
    .map((target) => [target, `${target}.js`, `${target}/index.js`].find((candidate) => sources.includes(candidate)) ?? target);
}

/** The first circle in a graph, as a path from a file back to itself, or null. */
function circleIn(graph) {
  const done = new Set();
  function visit(file, way) {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...way, file]);
      if (circle !== null) return circle;
    }
    done.add(file);
    return null;
  }
  for (const file of graph.keys()) {
    const circle = visit(file, []);
    if (circle !== null) return circle;
  }
  return null;
}

const sources = filesBelow().filter((file) => file.endsWith('.js'));

describe('the rooms of lib', () => {
  it('hold every file', () => {
    const stray = filesBelow().filter((file) => {
      if (!file.includes('/')) return !(SINGLE.includes(file) || /\.(d\.ts|schema\.json)$/.test(file));
      return rankOf(file) === -1 || !/\.js$/.test(file);
    });
    assert.deepEqual(stray, []);
  });

  it('stand in docs/architecture.md in their order', () => {
    const [, table] = ARCHITECTURE.split('## Rooms');
    const rows = table.split('\n## ')[0].match(/^\| `.*$/gm) ?? [];
    const told = rows.map((row) => [...row.split('|')[1].matchAll(/`([^`]+)`/g)].map(([, room]) => room));
    assert.deepEqual(told.flat(), ORDER.flat());
    assert.deepEqual(told.at(-1), ORDER.at(-1), 'those that do not know each other');
  });

  it('have the files that docs/architecture.md names', () => {
    const named = [...ARCHITECTURE.matchAll(/`([\w-]+\/[\w-]+\.js)`/g)].map(([, file]) => file);
    assert.ok(named.length > 50);
    assert.deepEqual(
      named.filter((file) => !sources.includes(file) && file !== 'test/rooms.test.js'),
      [],
    );
  });

  it('are required in their order only', () => {
    const wrong = [];
    for (const file of sources) {
      for (const target of arrowsOf(file)) {
        if (roomOf(target) !== roomOf(file) && rankOf(target) <= rankOf(file)) wrong.push(`${file} -> ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('have no circle', () => {
    assert.equal(circleIn(new Map(sources.map((file) => [file, arrowsOf(file)]))), null);
  });

  it('require only files that are there', () => {
    const missing = sources.flatMap((file) =>
      arrowsOf(file)
        .filter((target) => !sources.includes(target))
        .map((target) => `${file} -> ${target}`),
    );
    assert.deepEqual(missing, []);
  });

  it('use the packages that package.json lists, and built-ins with their prefix', () => {
    const { dependencies } = require('../package.json');
    // The optional ones, which a recipe chooses, see docs/dependencies.md.
    const allowed = [
      ...Object.keys(dependencies),
      'msgpack-lite',
      'node-ipc',
      '@nats-io/transport-node',
      '@nats-io/jetstream',
      '@nats-io/kv',
    ];
    const wrong = sources.flatMap((file) =>
      requiresIn(textOf(file))
        .filter((id) => !id.startsWith('.') && !id.startsWith('node:') && !allowed.includes(id))
        .map((id) => `${file}: ${id}`),
    );
    assert.deepEqual(wrong, []);
    assert.ok(builtinModules.includes('fs'));
  });

  it('leave import() to the one file that Node itself loads', () => {
    const code = (file) =>
      textOf(file)
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/\/\/.*$/gm, '')
        .replace(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, '');
    const found = sources.filter((file) => /(?:\breturn|\bawait|=>|=|\()\s*import\(/.test(code(file)));
    assert.deepEqual(found, ['boot/import-module.js']);
  });

  it(`have files of at most ${MOST_LINES} lines`, () => {
    const long = sources.map((file) => [file, textOf(file).split('\n').length - 1]).filter(([, lines]) => lines > MOST_LINES);
    assert.deepEqual(long, []);
  });

  it('have files that begin strict and say what they are for', () => {
    const silent = sources.filter((file) => !/^'use strict';?\n+\/[/*]/.test(textOf(file)));
    assert.deepEqual(silent, []);
  });

  it('export nothing by a name that Object.prototype has, which no file that is loaded once a program has frozen that could assign', () => {
    const names = (/** @type {string} */ file) => [...textOf(file).matchAll(/^exports\.(\w+) = /gm)].map(([, name]) => name);
    assert.deepEqual(
      sources.flatMap(names).filter((name) => name in Object.prototype),
      [],
    );
  });
});

describe('the test of the rooms', () => {
  it('finds a circle', () => {
    assert.deepEqual(
      circleIn(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
      ['b', 'c', 'b'],
    );
    assert.equal(
      circleIn(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
      null,
    );
  });

  it('reads requires, and not those in comments', () => {
    assert.deepEqual(requiresIn("const a = require('./a.js')\n// require('./b.js')\n/* require('./c.js') */ require.resolve('./d.js')"), [
      './a.js',
      './d.js',
    ]);
  });
});
