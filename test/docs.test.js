'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { PAGES } = require('../docs/generate.js');
const { ERRORS, WARNINGS } = require('../lib/errors.js');
const { PROGRAM_OPTIONS } = require('../lib/options.js');
const { SENTENCES } = require('../lib/rank/explain.js');
const { RECIPE_FIELDS } = require('../lib/recipe/fields.js');

const ROOT = path.join(__dirname, '..');
const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...fs.readdirSync(path.join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** @param {string} page @returns {string[]} under which names its headings are linked to, as GitHub makes them */
function headingsOf(page) {
  const text = read(page).replace(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('docs', () => {
  for (const [name, page] of Object.entries(PAGES)) {
    it(`${name} is what 'npm run docs' prints`, () => {
      assert.equal(read(`docs/${name}`), page());
    });
  }

  it('describe every error, option and field', () => {
    for (const code of Object.keys(ERRORS)) assert.ok(read('docs/errors.md').includes(`| \`${code}\` |`), code);
    for (const { name } of PROGRAM_OPTIONS) assert.ok(read('docs/options.md').includes(`| \`${name}\` |`), name);
    for (const { name } of RECIPE_FIELDS) assert.ok(read('docs/recipes.md').includes(`| \`${name}\` |`), name);
  });

  it('describe every code that Ignis warns with, and no other', () => {
    const files = fs.readdirSync(path.join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    const given = new Set();
    for (const file of files)
      for (const [, code] of read(`lib/${file}`).matchAll(/(?:emitWarning|#warn)\([^]{0,400}?'(IGNIS_[A-Z_]+)'/g)) given.add(code);
    assert.deepEqual([...given].sort(), Object.keys(WARNINGS).sort());
    for (const code of given) assert.ok(read('docs/errors.md').split('## Warnings')[1].includes(`| \`${code}\` |`), code);
  });

  it('give the unit of every field and option that has one', () => {
    for (const { name, type, unit } of RECIPE_FIELDS) {
      const rows = read('docs/recipes.md')
        .split('\n')
        .filter((line) => line.startsWith(`| \`${name}\` |`));
      if (unit !== undefined)
        assert.ok(
          rows.some((row) => row.includes(`| ${type} (${unit}) |`)),
          name,
        );
    }
    for (const { name, type, unit } of PROGRAM_OPTIONS)
      if (unit !== undefined) assert.ok(read('docs/options.md').includes(`| \`${name}\` | ${type}, ${unit} |`), name);
  });

  it('say what every reason of a decision means, and of no other', () => {
    const [, table] = read('docs/decisions.md').split('## Reasons');
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) => [...row.split('|')[1].matchAll(/`([a-z-]+)`/g)].map(([, name]) => name));
    assert.deepEqual(named.sort(), Object.keys(SENTENCES).sort());
  });

  it('give a reason for every dependency, and for no other', () => {
    const { dependencies, devDependencies } = require('../package.json');
    const text = read('docs/dependencies.md');
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) assert.ok(text.includes(`**${name}**`), `${name} is missing`);
    const [atRunTime] = text.split('## Optional');
    const named = [...atRunTime.matchAll(/^\*\*([^*]+)\*\*/gm)].map((match) => match[1]);
    assert.deepEqual(named.sort(), Object.keys(dependencies).sort());
  });

  it('of an example tell only what can be done in its folder', () => {
    const folders = fs
      .readdirSync(path.join(ROOT, 'examples'))
      .filter((name) => fs.existsSync(path.join(ROOT, 'examples', name, 'README.md')));
    assert.ok(folders.length > 1);
    for (const name of folders) {
      const text = read(`examples/${name}/README.md`);
      const hasLock = fs.existsSync(path.join(ROOT, 'examples', name, 'package-lock.json'));
      if (!hasLock) assert.doesNotMatch(text, /npm ci/, `${name}: npm ci needs a package-lock.json`);
      const { dependencies } = JSON.parse(read(`examples/${name}/package.json`));
      const start = text.indexOf('node -r ignis/register');
      if (start >= 0 && dependencies.ignis === undefined)
        assert.match(text.slice(0, start), /npm install .*--install-links \.\.\/\.\./, `${name}: Ignis is not installed there`);
    }
  });

  it('have links that lead to files, and to headings in them', () => {
    for (const page of pages) {
      for (const [, target, heading] of read(page).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)) {
        const file = target === '' ? page : path.posix.join(path.posix.dirname(page), target);
        assert.ok(fs.existsSync(path.join(ROOT, file)), `${page}: ${target}`);
        if (heading !== '') assert.ok(headingsOf(file).includes(heading), `${page}: ${target}#${heading}`);
      }
    }
  });
});
