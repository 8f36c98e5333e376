'use strict';

// Holds lib/types.d.ts to the tables in lib, by compiling samples that are made from the tables.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { ERRORS } = require('../lib/errors.js');
const { PROGRAM_OPTIONS } = require('../lib/options.js');
const { tsOf, withRecipeTypes } = require('../docs/recipe-types.js');
const { FIELDS_OF, RECIPE_FIELDS } = require('../lib/recipe/fields.js');
const { PAYS_FIELDS, SHIPPED_FIELDS } = require('./recipe/shipped-fields.js');

const ROOT = path.join(__dirname, '..');
const TYPES = path.join(ROOT, 'lib', 'types');

/** The types of a module, to be imported with recipes. */
const LIBRARY = `declare class Parser { parse(text: string): number }
interface Library {
  size(text: string): number; load(name: string): Promise<string>; deep: { inner(x: number): number }; Parser: typeof Parser; name: string; list: string[]
}`;

let folder;
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-types-'));
});
after(() => {
  fs.rmSync(folder, { recursive: true });
});

/** What the compiler says about a program that imports our types; '' when it is content. */
function complaintsOf(source) {
  const file = path.join(folder, 'sample.ts');
  fs.writeFileSync(file, `import ignis = require(${JSON.stringify(TYPES)})\n${source}`);
  const args = [
    require.resolve('typescript/package.json').replace(/package\.json$/, 'bin/tsc'),
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'node20',
    '--types',
    'node',
    '--typeRoots',
    path.join(ROOT, 'node_modules', '@types'),
    '--ignoreConfig',
    file,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
  return stdout + stderr;
}

/** A declaration that compiles only if a type's keys are exactly these. */
function exactly(name, keys) {
  return `const _${name.replace(/\W/g, '_')}: Record<keyof Required<${name}>, true> = { ${[...keys].map((key) => `${key}: true`).join(', ')} }\n`;
}

const namesOf = (rows) => new Set(rows.map((row) => row.name));

describe('lib/types.d.ts', function () {
  this.timeout(60000);

  it('has the fields, options and codes of the tables, no more and no fewer', () => {
    const codes = `const _codes: Record<ignis.ErrorCode, true> = { ${Object.keys(ERRORS)
      .map((code) => `${code}: true`)
      .join(', ')} }\n`;
    assert.equal(
      complaintsOf(
        [
          exactly('ignis.Recipe', namesOf(FIELDS_OF.module)),
          exactly('ignis.ProgramRecipe', namesOf(FIELDS_OF.program)),
          exactly('ignis.FunctionRecipe', namesOf(FIELDS_OF.function)),
          exactly('ignis.EffectiveRecipe', new Set([...namesOf(FIELDS_OF.module), 'given'])),
          exactly('ignis.ShippedRecipe', SHIPPED_FIELDS),
          exactly('ignis.PaysRow', PAYS_FIELDS),
          exactly('ignis.Options', namesOf(PROGRAM_OPTIONS)),
          codes,
        ].join(''),
      ),
      '',
    );
  });

  it('would notice a field that is in the table only, and one that is in the types only', () => {
    const fields = namesOf(FIELDS_OF.module);
    assert.match(complaintsOf(exactly('ignis.Recipe', new Set([...fields, 'extra']))), /extra/);
    fields.delete('sched');
    assert.match(complaintsOf(exactly('ignis.Recipe', fields)), /sched/);
  });

  it('accepts what the documentation shows', () => {
    assert.equal(
      complaintsOf(`
      const plain: NodeJS.Require = ignis({ level: 1, hot: [/^uri/, 'natural'], modules: { 'uri-js': { call: 'await', pure: true, copies: [0, 4] } } })
      const uri = ignis()('uri-js', { call: 'await', sched: 'hash', key: ([link]) => link, functions: { parse: { pure: true } } })
      ignis.start({ tickMs: 50, report: 'report.json', recipe: { cold: './lib/' } })
      const sentence: string = ignis.report().decisions.map((decision) => decision.sentence).join() + ignis.boundaries()[0].child
      const longest: number | undefined = ignis.report().busiest?.boundaries[0].quantiles.at(-1)
      try { uri.parse('x') } catch (error) { if (error instanceof ignis.IgnisError && error.code === 'IGNIS_QUEUE_FULL') throw error }
      const done: Promise<void> = ignis.close()
      ignis.recipe('uri-js', { onFail: (error) => (error.code === 'IGNIS_REPLICA_LOST' ? (call: { name: string }) => call.name + error.calls?.length : error.stderr) })
      export { plain, sentence, longest, done }
    `),
      '',
    );
  });

  it('lets every `require` of a program have a recipe, and knows what is wrong in it', () => {
    assert.equal(
      complaintsOf(`
      const uri = require('uri-js', { call: 'await', pure: true, copies: [0, 4] })
      const away = require<typeof import('node:path'), { call: 'await' }>('node:path', { call: 'await' })
      const name: Promise<string> = away.basename('a/b')
      require.resolve('uri-js')
      // @ts-expect-error
      require('uri-js', { copys: 2 })
      // @ts-expect-error
      require<typeof import('node:path')>('node:path', { call: 'await' })
      void ignis
      export { uri, name }
    `),
      '',
    );
  });

  it('refuses a wrong field beside a right one, in every way to give a recipe to an import, and takes what is no literal', () => {
    const wrong = [
      "require('lib', { call: 'await', purr: true })",
      "ignis()('lib', { pure: true, purr: true })",
      "ignis.import('lib', { call: 'await', purr: true })",
      "require('lib', { pure: true, functions: { size: { pure: true, purr: true } } })",
      "ignis.import('lib', { functions: { size: { call: 'await', copies: 2 } } })",
      "require<typeof import('node:path'), { call: 'await' }>('node:path', { call: 'await', purr: true })",
    ];
    const right = `
      const said = { call: 'await', functions: { size: { pure: true, timeout: 10 } } } as const
      const anyhow: ignis.Recipe = { pure: true }
      void [require('lib', said), ignis()('lib', said), ignis.import('lib', said), require('lib', anyhow), ignis.import('lib', anyhow)]
      require('lib', { sched: (replicas, { args }) => replicas.length - args.length, functions: { size: { key: ([text]) => String(text), call: 'await' } } })
    `;
    assert.equal(complaintsOf(`${wrong.map((line) => `// @ts-expect-error\n${line}`).join('\n')}\n${right}`), '');
  });

  it('accepts what docs/imports.md shows', () => {
    const page = fs.readFileSync(path.join(ROOT, 'docs', 'imports.md'), 'utf8');
    const [, shown] = /^```ts\nimport ignis from 'ignis';.*\n([^]*?)^```/m.exec(page);
    assert.equal(complaintsOf(shown), '');
  });

  it('refuses what the tables refuse', () => {
    const complaints = complaintsOf(
      [
        "const a: ignis.Recipe = { shed: 'rr' }",
        "const b: ignis.Recipe = { sched: 'rrr' }",
        "const c: ignis.ProgramRecipe = { call: 'await' }",
        'const d: ignis.FunctionRecipe = { copies: 3 }',
      ].join('\n'),
    );
    assert.deepEqual([...new Set([...complaints.matchAll(/sample\.ts\((\d+),/g)].map((match) => Number(match[1])))], [2, 3, 4, 5]);
  });

  it('has the options and recipes that the tables say, in their words, with default, unit and variable', () => {
    const text = fs.readFileSync(`${TYPES}.d.ts`, 'utf8');
    assert.equal(text, withRecipeTypes(text), "'npm run docs' prints them");
    assert.match(text, / Default: 100 \(ms\)\. Variable: IGNIS_TICK_MS\. \*\/\n {4}tickMs\?: number;/);
    assert.match(text, / Default: 'process'\. Variable: IGNIS_WHERE\. \*\/\n {4}where\?: 'process' \| 'thread' \| 'host';/);
    assert.match(text, / Default: 'least'\. \*\/\n {4}sched\?: Sched;/);
    assert.match(text, / Default: true\. \*\/\n {4}hedge\?: /);
    assert.notEqual(withRecipeTypes(text.replace('  sched?: Sched;', '')), text.replace('  sched?: Sched;', ''));
    assert.throws(() => withRecipeTypes('export = ignis;'), /has lost the comments/);
  });

  it('makes types of plain words, and asks for one where a row has others', () => {
    const row = { name: 'x', scope: ['module'], check: () => true, sentence: 'X.' };
    assert.equal(tsOf({ ...row, type: 'true | false' }), 'boolean');
    assert.equal(tsOf({ ...row, type: "true, 'results' or false" }), "true | 'results' | false");
    assert.equal(tsOf({ ...row, type: 'number or Infinity' }), 'number');
    assert.equal(tsOf({ ...row, type: 'path' }) + tsOf({ ...row, type: 'port' }), 'stringnumber');
    assert.equal(tsOf({ ...row, type: 'n', ts: 'Copies' }), 'Copies');
    assert.throws(() => tsOf({ ...row, type: 'list of names' }), /'x' needs 'ts'/);
  });

  it("turns results into promises where an import says call: 'await', and leaves what gives promises, classes and data", () => {
    assert.equal(
      complaintsOf(`${LIBRARY}
      const whole = ignis()<Library, { call: 'await' }>('lib', { call: 'await' })
      const a: Promise<number> = whole.size('x')
      const b: Promise<string> = whole.load('x')
      const c: Promise<number> = whole.deep.inner(1)
      const d: Parser = new whole.Parser()
      const e: string = whole.name + whole.list[0]
      const one = ignis()<Library, { functions: { 'deep.inner': { call: 'await' } } }>('lib', { functions: { 'deep.inner': { call: 'await' } } })
      const f: number = one.size('x')
      const g: Promise<number> = one.deep.inner(1)
      const but = ignis()<Library, { call: 'await', functions: { size: { call: 'local' } } }>('lib', { call: 'await', functions: { size: { call: 'local' } } })
      const h: number = but.size('x')
      const i: Promise<number> = but.deep.inner(1)
      const plain = ignis()<Library>('lib', { hot: true })
      const j: number = plain.size('x')
      const callable: ignis.Distributed<((x: string) => number) & { twice(x: string): number }, { call: 'await' }> = null!
      const k: Promise<number> = callable('x')
      const l: Promise<number> = callable.twice('x')
      const any = ignis()('lib', { call: 'await' }).anything.at.all
      const imported: Promise<ignis.Distributed<Library, { call: 'await' }>> = ignis.import<Library, { call: 'await' }>('lib', { call: 'await' })
      const recipes = { call: 'await', copies: [0, 4] } as const
      const m: Promise<number> = (require('lib') as ignis.Distributed<Library, typeof recipes>).size('x')
      const held: ignis.EffectiveRecipe = ignis.recipe('lib', { copies: [2, 4] })['app.js -> lib']
      ignis.recipe(/^lib/, null)
      export { a, b, c, d, e, f, g, h, i, j, k, l, m, any, imported, held }
    `),
      '',
    );
  });

  it('leaves overloads and type parameters of what answers at once', () => {
    assert.equal(
      complaintsOf(`interface Forms { over(x: string): string; over(x: number): number; same<V>(x: V): V; size(x: string): number }
      const plain = ignis()<Forms>('lib', { pure: true, call: 'local' })
      const a: string = plain.over('x')
      const b: 'x' = plain.same('x' as const)
      const one = ignis()<Forms, { functions: { size: { call: 'await' } } }>('lib', { functions: { size: { call: 'await' } } })
      const c: string = one.over('x')
      const d: 'x' = one.same('x' as const)
      const e: Promise<number> = one.size('x')
      const anyhow: ignis.Recipe = { call: 'await', sched: (replicas, { path, args }) => (path === 'size' ? args.length : replicas.length - 1) }
      export const f = [ignis.import('lib', anyhow), ignis()('lib', anyhow).anything]
      export { a, b, c, d, e }
    `),
      '',
    );
  });

  it("refuses who says call: 'await' to the module's type alone, which would keep its results", () => {
    const complaints = complaintsOf(
      [
        LIBRARY,
        "ignis.import<Library>('lib', { call: 'await' })",
        "ignis()<Library>('lib', { call: 'await' })",
        "ignis()<Library>('lib', { functions: { size: { call: 'await' } } })",
      ].join('\n'),
    );
    const lines = LIBRARY.split('\n').length + 1;
    assert.deepEqual(
      [...new Set([...complaints.matchAll(/sample\.ts\((\d+),/g)].map((match) => Number(match[1]) - lines))],
      [1, 2, 3],
      complaints,
    );
  });

  it('refuses who forgets to wait', () => {
    const complaints = complaintsOf(
      [
        LIBRARY,
        "const whole = ignis()<Library, { call: 'await' }>('lib', { call: 'await' })",
        "const a: number = whole.size('x')",
        'const b: Promise<number> = whole.size(7)',
        'const c: number = whole.deep.inner(1)',
        "ignis()<Library, { call: 'later' }>('lib', { call: 'later' })",
        "ignis.recipe('lib', { level: 2 })",
        "ignis()('lib', { shed: 'rr' })",
      ].join('\n'),
    );
    const lines = LIBRARY.split('\n').length + 1;
    assert.deepEqual(
      [...new Set([...complaints.matchAll(/sample\.ts\((\d+),/g)].map((match) => Number(match[1]) - lines))],
      [2, 3, 4, 5, 6, 7],
      complaints,
    );
  });

  it('has a scope for every row of the table', () => {
    for (const row of RECIPE_FIELDS) assert.ok(row.scope.length > 0, row.name);
  });
});
