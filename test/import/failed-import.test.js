'use strict';

const assert = require('node:assert/strict');
const { REGISTER, runNode, writeProgram } = require('./es-program');

const THROWS = "require('./before.cjs');\nconsole.log('loads');\nthrow new RangeError('of its text');";

const MAIN = `process.on('unhandledRejection', (error) => console.log('unhandled', error.message));
const seen = [];
const load = () => import('./throws.cjs').catch((error) => void seen.push(error));
load().then(() => new Promise((done) => setImmediate(done))).then(load).then(() => {
  console.log(seen.map(String), seen[0] === seen[1]);
  Promise.reject(new Error('its own'));
});`;

describe('a CommonJS file that throws while it is imported', () => {
  for (const main of ['main.cjs', 'main.mjs'])
    it(`is the matter of who imports it, and reported to nobody else (${main})`, async () => {
      const folder = writeProgram({ [main]: MAIN, 'throws.cjs': THROWS, 'before.cjs': 'Promise.resolve(1).then(() => {})' });
      const plain = await runNode(folder, [main]);
      assert.equal(plain.out, "loads\n[ 'RangeError: of its text', 'RangeError: of its text' ] true\nunhandled its own\n");
      for (const way of ['--require', '--import']) assert.deepEqual(await runNode(folder, [way, REGISTER, main]), plain);
    });

  it('throws the same to every file that imports it, then and later', async () => {
    const folder = writeProgram({
      'main.mjs': `process.on('unhandledRejection', (error) => console.log('unhandled', error.message));
const first = await Promise.all(['one', 'two', 'three'].map((name) => import(\`./\${name}.mjs\`)));
await new Promise((done) => setImmediate(done));
const all = [...first, await import('./four.mjs')];
await import('node:fs');
console.log(all.map(({ seen }) => String(seen)), new Set(all.map(({ seen }) => seen)).size);`,
      ...Object.fromEntries(
        ['one', 'two', 'three', 'four'].map((name) => [
          `${name}.mjs`,
          "export const seen = await import('./its name.cjs').then(({ default: its, part }) => [its, part], (error) => error);",
        ]),
      ),
      'its name.cjs': `exports.part = 1;\n${THROWS}`,
      'before.cjs': '',
    });
    const plain = await runNode(folder, ['main.mjs']);
    assert.match(plain.out, /^loads\n(\[|\s+'RangeError: of its text',?){5}\s+\] 1\n$/);
    assert.deepEqual(await runNode(folder, ['--import', REGISTER, 'main.mjs']), plain);
  });

  for (const where of ['thread', 'process'])
    it(`is loaded anew by \`require\`, and no more by \`import\`, also where it is forced to a ${where}`, async () => {
      const files = {
        'main.mjs': `import { createRequire } from 'node:module';
const seen = [];
const note = (error) => void seen.push(error);
note((await import('./one.mjs')).seen);
for (let i = 0; i < 2; i++) try { createRequire(import.meta.url)('./throws.cjs'); } catch (error) { note(error); }
note((await import('./two.mjs')).seen);
await import('./throws.cjs').catch(note);
console.log(seen.map(String), seen.map((error) => seen.indexOf(error)).join());`,
        'one.mjs': "export const seen = await import('./throws.cjs').catch((error) => error);",
        'two.mjs': "export const seen = await import('./throws.cjs').catch((error) => error);",
        'throws.cjs': THROWS,
        'before.cjs': '',
      };
      const folder = writeProgram(files);
      const plain = await runNode(folder, ['main.mjs']);
      assert.match(plain.out, /^(loads\n){3}\[[^]*\] 0,1,2,0,0\n$/);
      const env = { IGNIS_FORCE: './throws.cjs', IGNIS_WHERE: where };
      assert.deepEqual(await runNode(folder, ['--import', REGISTER, 'main.mjs'], env), plain);
    });

  it('ends a program that does not look after it, with the line that threw', async () => {
    const folder = writeProgram({ 'main.mjs': "import './throws.cjs'", 'throws.cjs': THROWS, 'before.cjs': '' });
    const [plain, watched] = [await runNode(folder, ['main.mjs']), await runNode(folder, ['--import', REGISTER, 'main.mjs'])];
    const shown = ({ code, out, err }) => ({ code, out, err: err.split('\n').slice(0, 5) });
    assert.match(plain.err, /throws\.cjs:3\nthrow new RangeError/);
    assert.deepEqual(shown(watched), shown(plain));
  });
});
