'use strict';

// Whole programs under -r ignis/register, with files of their own: what they print is what they print without Ignis.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const REGISTER = path.join(__dirname, '../../lib/register.js');

/** @param {Record<string, string>} files @param {string[]} [flags] @returns {string} what app.js printed */
function run(files, flags = ['-r', REGISTER]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-program-'));
  try {
    for (const [name, text] of Object.entries({ 'package.json': '{"name": "app"}', ...files }))
      fs.writeFileSync(path.join(folder, name), text);
    const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, 'app.js'], { cwd: folder, encoding: 'utf8', timeout: 30000 });
    assert.equal(status, 0, stderr);
    return stdout;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const COUNTER = `
  let count = 0;
  exports.add = (n) => (count += n * exports.options.step);
  exports.options = { step: 1 };
  exports.who = () => process.pid;
  exports.version = () => VERSION;
`;

describe('a program with a module that keeps state', function () {
  this.timeout(60000);

  it('computes what it computes without Ignis, with the state in a replica', () => {
    const files = {
      'counter.js': `const VERSION = 1;${COUNTER}`,
      'app.js': `
        const counter = require('./counter', { call: 'await', state: 'shared', order: true, copies: 1, where: 'thread' });
        (async () => {
          const sums = [counter.add(1), counter.add(2)];
          counter.options.step = 10;
          sums.push(counter.add(3));
          delete require.cache[require.resolve('./counter')];
          const fresh = require('./counter', { call: 'await', state: 'shared', copies: 1, where: 'thread' });
          sums.push(await fresh.add(5), await fresh.add(5));
          console.log(JSON.stringify(await Promise.all(sums)));
        })();
      `,
    };
    assert.equal(run(files, []), '[1,3,33,5,10]\n');
    assert.equal(run(files), '[1,3,33,5,10]\n');
  });

  it('runs no call of a module that was loaded anew in a replica of the old one', () => {
    const files = {
      'counter.js': `const VERSION = 1;${COUNTER}`,
      'next.js': `const VERSION = 2;${COUNTER}`,
      'app.js': `
        const fs = require('fs');
        const recipe = { call: 'await', state: 'none', copies: 1 };
        const away = async (lib) => { while ((await lib.who()) === process.pid) await new Promise((r) => setTimeout(r, 5)); };
        (async () => {
          const one = require('./counter', recipe);
          if (process.execArgv.length > 0) await away(one);
          const old = [one.version(), one.version()];
          fs.copyFileSync('next.js', 'counter.js');
          delete require.cache[require.resolve('./counter')];
          const two = require('./counter', recipe);
          const first = await two.version();
          if (process.execArgv.length > 0) await away(two);
          console.log(JSON.stringify([await Promise.all(old), first, await two.version(), await one.version()]));
        })();
      `,
    };
    assert.equal(run(files, []), '[[1,1],2,2,1]\n');
    assert.equal(run(files), '[[1,1],2,2,1]\n');
  });

  it('says in its report why the module stays at home', () => {
    const text = run({
      'counter.js': 'let sum = 0; exports.add = (n) => { for (let i = 0; i < 20000; i++) sum += n; return sum; };',
      'app.js': `
        const counter = require('./counter', { call: 'await', hot: true });
        counter.add(1);
        const { boundaries } = require(${JSON.stringify(path.join(__dirname, '../../lib/index.js'))});
        const end = performance.now() + 10000;
        const timer = setInterval(() => {
          for (let i = 0; i < 1000; i++) counter.add(1);
          const { sentence } = boundaries().find((one) => one.child.includes('counter'));
          // The first windows of a busy machine may hold little.
          if (!sentence.includes('at home;') && performance.now() < end) return;
          clearInterval(timer);
          console.log(sentence);
        }, 1);
      `,
    });
    assert.match(text, /at home; 'add' was called at home, so a replica would lack what it remembers/);
  });
});
