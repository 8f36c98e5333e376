'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { mayImport } = require('../../lib/import/dynamic-import');

const REGISTER = path.join(__dirname, '../../lib/register.js');

describe('import/dynamic-import', () => {
  it('sees what may import while it runs, also beside types', () => {
    for (const source of [
      "import('./a.mjs')",
      'const load = () => import (name);',
      "/** @type {import('./a').B} */ const b = await import('./a');",
      "/** @type {import('./a').B} */\nconst b = import('./a');",
      "class A {\n  * load() { yield import('./a'); }\n}",
      "const list = ['src/**/*.js', '/** @x'].map((name) =>\n  import(name));",
      '`\n * ${await import("./a")}\n`',
      "@Part({ load: () => import('./a') })\nclass A {}",
      "// import('./a') of a comment that is no doc comment",
    ])
      assert.equal(mayImport(source), true, source);
  });

  it('takes types in doc comments for nothing', () => {
    for (const source of [
      '',
      'const important = 1;',
      "/** @type {import('./a').B} */\nlet b;",
      "/** @param {A} a @param {import('./a').B} b */",
      "/** What it is. @returns {Promise<import('./a').B | import('./c').D>} */",
      "/**\n * @typedef {import('./a').B} B\n * text @param {{a: import('./a').B}} b\r\n */",
      "const c = /** @type {import('./a').B} */ (b);",
    ])
      assert.equal(mayImport(source), false, source);
  });

  it('takes no longer for much of what is nearly a comment', () => {
    const source = `import(a);${'/** @a '.repeat(60_000)}\n${' * @b {'.repeat(20_000)}\n${'/** @c {import("d")} '.repeat(20_000)}`;
    const begun = process.cpuUsage();
    assert.equal(mayImport(source), true);
    for (const end of ['\r', '\u2028']) assert.equal(mayImport(`/*${`${end} * words`.repeat(60_000)}*/ import(a);`), true);
    assert.ok(process.cpuUsage(begun).user < 5_000_000);
  });

  it('has a program with types wait for no thread, and one that imports watched as ever', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-types-'));
    try {
      fs.writeFileSync(path.join(folder, 'a.mjs'), 'export const a = () => 5;');
      fs.writeFileSync(path.join(folder, 'types.js'), "/** @type {import('./a.mjs')} */\nlet a;\nconsole.log(a);");
      const tell = path.join(folder, 'tell.js');
      fs.writeFileSync(
        tell,
        "const m = require('module'), f = m.register; m.register = (...a) => (console.log('a thread'), f.apply(m, a));",
      );
      fs.writeFileSync(path.join(folder, 'imports.js'), "import('./a.mjs').then(({ a }) => console.log(a()));");
      const report = path.join(folder, 'report.json');
      const run = (/** @type {string} */ name) => {
        const env = { ...process.env, IGNIS_REPORT: report };
        const { stdout, stderr } = spawnSync(process.execPath, ['-r', tell, '-r', REGISTER, name], { cwd: folder, encoding: 'utf8', env });
        return { said: stdout.trim(), stderr, seen: fs.readFileSync(report, 'utf8') };
      };
      const types = run('types.js');
      assert.equal(types.said, 'undefined', types.stderr);
      const imports = run('imports.js');
      assert.match(imports.said, /^(?:a thread\n)?5$/, imports.stderr);
      assert.match(imports.seen, /a\.mjs/);
      assert.doesNotMatch(types.seen, /a\.mjs/);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
