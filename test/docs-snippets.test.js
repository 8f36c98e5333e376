'use strict';

// Runs what README and docs/ show: JavaScript that needs no more than what is installed here, and command lines of Ignis that end by
// themselves. The rest is held to its grammar: JavaScript is parsed, command lines are read as `ignis` would read them.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const acorn = require('acorn');
const { readArguments } = require('../lib/cli/arguments.js');
const { COMMANDS } = require('../lib/cli/main.js');

const ROOT = path.join(__dirname, '..');
const IGNIS = path.join(ROOT, 'bin', 'ignis.js');
const run = promisify(execFile);

/**
 * What runs in place of a reader's program: some load on two modules until both were measured (by whoever watches them, if anybody), and an
 * end.
 */
const SERVER = `
const uri = require('uri-js');
const { parse } = require('marked');
const isOver = () => {
  try {
    const measured = require('ignis').report().busiest?.boundaries.map(({ child }) => child) ?? [];
    return ['uri-js', 'marked'].every((name) => measured.includes(name));
  } catch {
    // Nobody watches.
    return true;
  }
};
(function turn() {
  for (let i = 0; i < 200; i++) uri.parse('http://a/b?c=' + i);
  parse('# a *b*');
  if (!isOver()) setTimeout(turn, 1);
})();
`;

/** Names that snippets take for given. */
const GIVEN = `
require = require('ignis')({ modules: { 'uri-js': {} } });
require('uri-js').parse('http://a/b');
const link = 'http://a/b';
const app = { get() {} };
`;

const pages = ['README.md', ...fs.readdirSync(path.join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];

/** @type {{at: string, kind: string, text: string}[]} */
const blocks = pages.flatMap((page) => {
  const text = fs.readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map((match) => ({
    at: `${page}:${text.slice(0, match.index).split('\n').length}`,
    kind: match[1],
    text: match[2],
  }));
});

/** With something left out, for the reader to think of. */
const isCut = (text) => /['"]\.\.\.\//.test(text);
const snippets = blocks.filter(({ kind, text }) => kind === 'js' && !isCut(text));

/** Command lines of Ignis, without what is said of them. */
const lines = blocks
  .filter(({ kind }) => kind === 'sh' || kind === '')
  .flatMap(({ at, text }) =>
    text.split('\n').map((line) => ({
      at,
      words: line
        .replace(/\s+#.*$/, '')
        .replace(/"\$\([^)]*\)"/g, 'me')
        .replace(/\s*[;&|].*$/, '')
        .trim()
        .split(/\s+/),
    })),
  )
  .map(({ at, words }) => ({ at, words: words[0] === 'npx' ? words.slice(1) : words }))
  .filter(({ words: [first, second] }) => first === 'ignis' || (first === 'node' && /^(-r|--import)$/.test(second)));

/** @param {string} text @returns {string[]} what it requires */
const requiredBy = (text) => [...text.matchAll(/\brequire\('([^']+)'/g)].map(([, id]) => id);

/** What the folder of the test has; the recipe book's own programs are run by test/recipes/. */
const INSTALLED = ['uri-js', 'natural', 'marked'];
const isRunnable = ({ at, text }) =>
  !at.startsWith('docs/recipe-book') && requiredBy(text).every((id) => id === 'ignis' || INSTALLED.includes(id));

/** What ends by itself, and needs nothing but the program that stands in. @param {string[]} words */
function canRun([first, command, ...rest]) {
  const isServer = /^server\.m?js$/.test(rest.at(-1) ?? '');
  if (first === 'node') return isServer;
  return (command === 'run' && isServer && !rest.includes('4000')) || ['report', 'simulate', 'lift'].includes(command);
}

describe('what the documentation shows', function () {
  this.timeout(120_000);
  let folder;

  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-docs-'));
    fs.mkdirSync(path.join(folder, 'node_modules'));
    fs.symlinkSync(ROOT, path.join(folder, 'node_modules', 'ignis'), 'junction');
    for (const name of INSTALLED)
      fs.symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name), 'junction');
    fs.writeFileSync(path.join(folder, 'server.js'), SERVER);
    fs.writeFileSync(path.join(folder, 'server.mjs'), "import uri from 'uri-js';\nuri.parse('http://a/b');\n");
    fs.mkdirSync(path.join(folder, 'lib'));
    fs.writeFileSync(path.join(folder, 'lib', 'rank.js'), 'exports.rank = () => 1;\n');
    await run(process.execPath, [IGNIS, 'run', '--report', 'report.json', 'server.js'], { cwd: folder });
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  it('is found', () => {
    assert.ok(snippets.length >= 10 && lines.length >= 10, `${snippets.length} snippets, ${lines.length} lines`);
    assert.ok(lines.filter(({ words }) => canRun(words)).length >= 6);
  });

  it('is JavaScript where it says so', () => {
    for (const { at, text } of snippets) {
      const source = `(async () => {${text}\n})`;
      try {
        acorn.parse(source, { ecmaVersion: 'latest' });
      } catch (error) {
        assert.fail(`${at}: ${error.message}`);
      }
    }
  });

  it('is a command line that Ignis understands', () => {
    for (const { at, words } of lines.filter(({ words: [first] }) => first === 'ignis')) {
      const [, name, ...args] = words;
      assert.ok(name in COMMANDS, `${at}: ignis ${name}`);
      assert.doesNotThrow(() => readArguments(COMMANDS[name], args), `${at}: ${words.join(' ')}`);
    }
  });

  for (const { at, text } of snippets.filter(isRunnable)) {
    const isConfig = /^(\/\/.*\n)*module\.exports = /.test(text);
    it(`${at} runs`, async () => {
      const own = fs.mkdtempSync(path.join(folder, 'snippet-'));
      const body = isConfig
        ? "require('uri-js').parse('http://a/b');\n"
        : `${GIVEN}(async () => {\n${/\bconst ignis\b/.test(text) ? '' : "const ignis = require('ignis');\n"}${text}\nawait require('ignis').close();\n})();\n`;
      fs.writeFileSync(path.join(own, 'package.json'), '{}');
      fs.writeFileSync(path.join(own, 'program.js'), body);
      if (isConfig) fs.writeFileSync(path.join(own, 'ignis.config.js'), text);
      // What it throws, and a recipe that is wrong, end it with another code.
      await run(process.execPath, [...(isConfig ? ['-r', 'ignis/register'] : []), 'program.js'], { cwd: own });
    });
  }

  const shown = new Map(lines.filter((one) => canRun(one.words)).map((one) => [one.words.join(' '), one]));
  for (const { at, words } of shown.values()) {
    it(`${at} runs: ${words.join(' ')}`, async () => {
      const args = words[0] === 'node' ? words.slice(1) : [IGNIS, ...words.slice(1)];
      await run(process.execPath, args, { cwd: folder });
    });
  }
});
