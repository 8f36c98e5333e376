'use strict';
/*
 * An application on disk whose module needs much of it: data beside it, a package with a package of its own inside, `exports`, a linked
 * workspace, a link to a file. In: a folder. Out: the file of the module.
 */
const fs = require('node:fs');
const path = require('node:path');

const MODULE = `'use strict';
const fs = require('node:fs');
const path = require('node:path');
const dep = require('dep');
const work = require('@app/work');
const { helper } = require('./lib/helper');
exports.look = async () => ({
  data: fs.readFileSync(path.join(__dirname, 'data', 'words.txt'), 'utf8'),
  linked: fs.readFileSync(path.join(__dirname, 'data', 'alias.txt'), 'utf8'),
  place: path.basename(__filename),
  sub: require('dep/sub'),
  resolved: path.relative(__dirname, require.resolve('dep/sub')),
  dep, work, helped: helper(2),
});
exports.pid = async () => process.pid;
exports.say = async (text) => { console.log(text); console.error(text); return null; };
exports.fib = async (n) => { const f = (k) => (k < 2 ? k : f(k - 1) + f(k - 2)); return f(n); };
exports.hang = async () => { for (;;) ; };
exports.wait = async (file) => { while (!fs.existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20)); return null; };
// Not the process of the tests, which would end without a word.
exports.die = async () => { if (globalThis.it !== undefined) throw new Error('it ran at home'); process.exit(7); };
exports.surroundings = async () => ({ env: Object.keys(process.env), send: typeof process.send, argv: process.argv.length, uid: process.getuid?.() });
exports.size = async (bytes) => bytes.byteLength;
exports.exists = async (file) => fs.existsSync(file);
`;

/** @param {string} folder @param {Record<string, string>} files */
function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}

/** @param {string} folder @returns {string} */
function makeApp(folder) {
  write(folder, {
    'package.json': JSON.stringify({ name: 'app', dependencies: { dep: '1', '@app/work': '1', absent: '1' } }),
    'hot.js': MODULE,
    'lib/helper.js': 'exports.helper = (n) => n * 21;',
    'data/words.txt': 'words',
    '.env': 'SECRET=1',
    'node_modules/dep/package.json': JSON.stringify({
      name: 'dep',
      dependencies: { inner: '1' },
      exports: { '.': './main.js', './sub': './lib/sub.js' },
    }),
    'node_modules/dep/main.js': "module.exports = 'dep with ' + require('inner');",
    'node_modules/dep/lib/sub.js': "module.exports = 'sub';",
    'node_modules/dep/node_modules/inner/package.json': JSON.stringify({ name: 'inner', main: 'in.js' }),
    'node_modules/dep/node_modules/inner/in.js': "module.exports = 'inner 2';",
    'node_modules/inner/package.json': JSON.stringify({ name: 'inner' }),
    'node_modules/inner/index.js': "module.exports = 'inner 1';",
    'packages/work/package.json': JSON.stringify({ name: '@app/work', dependencies: { inner: '1' } }),
    'packages/work/index.js': "module.exports = 'work with ' + require('inner');",
  });
  fs.mkdirSync(path.join(folder, 'node_modules', '@app'));
  fs.symlinkSync('../../packages/work', path.join(folder, 'node_modules', '@app', 'work'));
  fs.symlinkSync('words.txt', path.join(folder, 'data', 'alias.txt'));
  fs.symlinkSync('/etc/passwd', path.join(folder, 'data', 'outside.txt'));
  return path.join(folder, 'hot.js');
}

exports.makeApp = makeApp;
exports.write = write;
