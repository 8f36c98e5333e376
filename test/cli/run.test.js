'use strict';

const assert = require('node:assert/strict');
const { spawn: start, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('./call.js');

const BIN = path.join(__dirname, '..', '..', 'bin', 'ignis.js');

let folder;
before(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-run-')));
});
after(() => {
  fs.rmSync(folder, { recursive: true });
});

const write = (name, text) => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
};
const run = (args, env) => spawn(['run', ...args], { cwd: folder, env });

describe('ignis run', function () {
  this.timeout(30000);

  it('gives the program its own name and arguments, and makes it the main module', () => {
    const file = write('show.js', 'console.log(JSON.stringify([process.argv.slice(1), require.main === module, __filename]))');
    const { code, out, err } = run(['--level', '0', 'show.js', '--level', '7', '-x', '--']);
    assert.deepEqual([code, err], [0, '']);
    assert.deepEqual(JSON.parse(out), [[file, '--level', '7', '-x', '--'], true, file]);
  });

  it('runs a program that is an ES module, or named without its extension', () => {
    write('module.mjs', 'import { basename } from "node:path"; console.log(basename(process.argv[1]))');
    assert.equal(run(['module.mjs']).out, 'module.mjs\n');
    write('plain.js', 'console.log("plain")');
    assert.equal(run(['plain']).out, 'plain\n');
  });

  it('shows a program under the name that it was given, as Node does, be it a link or without an extension', () => {
    write('named.js', 'console.log(process.argv[1])');
    fs.symlinkSync('named.js', path.join(folder, 'link'));
    for (const name of ['link', 'named', './named.js']) assert.equal(run([name]).out, `${path.join(folder, name)}\n`);
  });

  it('runs what the script of a shell starts that pnpm puts in place of a link', () => {
    const app = path.join(folder, 'pnpm');
    const tool = path.join(app, 'node_modules/tool');
    fs.mkdirSync(path.join(tool, 'bin'), { recursive: true });
    fs.mkdirSync(path.join(app, 'hoisted/beside'), { recursive: true });
    fs.mkdirSync(path.join(app, 'node_modules/.bin'));
    fs.writeFileSync(path.join(tool, 'package.json'), '{ "name": "tool" }');
    fs.writeFileSync(
      path.join(tool, 'bin/tool.js'),
      "console.log(JSON.stringify([process.argv.slice(1), require('beside'), require.main === module]))",
    );
    fs.writeFileSync(path.join(app, 'hoisted/beside/index.js'), "module.exports = 'beside'");
    const script = (start) => `#!/bin/sh
basedir=$(dirname "$(echo "$0" | sed -e 's,\\\\,/,g')")

if [ -z "$NODE_PATH" ]; then
  export NODE_PATH="${app}/hoisted"
else
  export NODE_PATH="${app}/hoisted:$NODE_PATH"
fi
if [ -x "$basedir/node" ]; then
  exec "$basedir/node"  "$basedir/../tool/bin/tool.js" "$@"
else
  ${start}
fi
`;
    const named = path.join(app, 'node_modules/.bin/tool');
    fs.writeFileSync(named, script('exec node  "$basedir/../tool/bin/tool.js" "$@"'), { mode: 0o755 });
    const plain = spawnSync(named, ['a', '--b'], { encoding: 'utf8' }).stdout;
    assert.deepEqual(JSON.parse(plain), [[path.join(tool, 'bin/tool.js'), 'a', '--b'], 'beside', true]);
    for (const env of [{}, { NODE_PATH: path.join(app, 'elsewhere') }])
      assert.equal(run(['pnpm/node_modules/.bin/tool', 'a', '--b'], env).out, plain);
    const start = 'node "$basedir/../tool/bin/tool.js" "$@"';
    for (const more of [`exec ${start.replace(' ', ' --expose-gc ')}`, `export COLOURS=1\n  exec ${start}`, `cd /\n  exec ${start}`]) {
      fs.writeFileSync(named, script(more));
      const { code, err } = run(['pnpm/node_modules/.bin/tool']);
      assert.equal(code, 2, more);
      assert.match(
        err,
        /node_modules\/\.bin\/tool is a shell script, which node cannot run: name the program that it starts, or .*NODE_OPTIONS='--require ignis\/register'/,
      );
    }
  });

  it('loads no parser of options, nor other commands, for a program alone', () => {
    const file = write(
      'loaded.js',
      "console.log(Object.keys(require('node:module')._cache).filter((file) => /yargs|cli.top/.test(file)).length)",
    );
    assert.equal(run([file]).out, '0\n');
    assert.notEqual(run(['--level', '1', file]).out, '0\n');
  });

  it('ends when the program ends, with its exit code', () => {
    write('exit.js', 'process.exitCode = 3');
    assert.equal(run(['exit.js']).code, 3);
  });

  it('leaves what the program throws to Node', () => {
    write('throw.js', 'throw new RangeError("mine")');
    const { code, err } = run(['throw.js']);
    assert.equal(code, 1);
    assert.match(err, /RangeError: mine\n {4}at .*throw\.js:1/);
    assert.doesNotMatch(err, /^ignis:/m);
  });

  it('lets the program catch what nobody caught', () => {
    write('caught.js', 'process.on("uncaughtException", (error) => { console.log("caught", error.message) }); throw new Error("mine")');
    assert.deepEqual(run(['caught.js']), { code: 0, out: 'caught mine\n', err: '' });
  });

  it('writes the report that ignis report prints', () => {
    write('uses.js', 'require("node:zlib").deflateSync("x")');
    assert.equal(run(['--report', 'report.json', 'uses.js']).code, 0);
    const { code, out } = spawn(['report', 'report.json'], { cwd: folder });
    assert.equal(code, 0);
    assert.match(out, /uses\.js -> node:zlib +1 /);
  });

  it('writes the report where the program was started, wherever it has gone since', () => {
    write('moves.js', 'require("node:zlib").deflateSync("x"); process.chdir(require("node:os").tmpdir())');
    assert.equal(run(['--report', 'moved.json', 'moves.js']).code, 0);
    assert.equal(JSON.parse(fs.readFileSync(path.join(folder, 'moved.json'), 'utf8')).boundaries.length, 1);
  });

  it('says at the end that the report cannot be written, and changes nothing else', () => {
    write('three.js', 'process.exitCode = 3');
    for (const [end, code] of [
      ['three.js', 3],
      [write('killed.js', 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)'), null],
    ]) {
      const ended = run(['--report', 'three.js/taken.json', end]);
      assert.deepEqual([ended.code, ended.out], [code, '']);
      assert.match(ended.err, /^ignis: the report \S*taken\.json cannot be written: [^\n]*\n$/);
    }
  });

  // What listens to signals only to do something before the end sends the signal again when it finds itself alone, as `signal-exit` does.
  const ENDS = {
    'nobody listens': '',
    'a listener sends it again':
      'process.on("SIGTERM", function last() { if (process.listenerCount("SIGTERM") > 1) return; process.removeListener("SIGTERM", last); process.kill(process.pid, "SIGTERM"); });',
    'a listener lets the program end': 'process.on("SIGTERM", () => { zlib.deflateSync("y"); setTimeout(() => process.exit(), 1); });',
  };
  for (const [title, listen] of Object.entries(ENDS)) {
    it(`writes the report when a signal ends the program, and ${title}`, async () => {
      write(
        'signal.js',
        `const zlib = require("node:zlib"); zlib.deflateSync("x"); setInterval(() => {}, 1000); ${listen} console.log("ready")`,
      );
      const program = start(process.execPath, [BIN, 'run', '--report', 'signal.json', 'signal.js'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(program.stdout, 'data');
      const exit = once(program, 'exit');
      program.kill('SIGTERM');
      const isLet = title.includes('lets');
      assert.deepEqual(await exit, isLet ? [0, null] : [null, 'SIGTERM']);
      const { boundaries } = JSON.parse(fs.readFileSync(path.join(folder, 'signal.json'), 'utf8'));
      assert.deepEqual(
        boundaries.map(({ child, calls }) => [child, calls]),
        [['node:zlib', isLet ? 2 : 1]],
      );
      fs.rmSync(path.join(folder, 'signal.json'));
    });
  }

  describe('of the command of an installed package', () => {
    const packages = {
      tool: {
        'package.json': '{ "name": "tool", "version": "1.0.0", "bin": "bin/tool.js", "main": "lib/work.js" }',
        'bin/tool.js': 'require("../lib/work.js").work()',
        'lib/work.js': 'const dep = require("dep"); exports.work = () => console.log(dep.twice(21))',
        'node_modules/dep/package.json': '{ "name": "dep", "version": "1.0.0" }',
        'node_modules/dep/index.js': 'const far = require("far"); exports.twice = (n) => far.times(n, 2)',
      },
      'es-tool': {
        'package.json': '{ "name": "es-tool", "version": "1.0.0", "type": "module" }',
        'bin.js': 'import { work } from "./work.js"; work()',
        'work.js': 'import { times } from "far"; export const work = () => console.log(times(6, 7))',
      },
      far: {
        'package.json': '{ "name": "far", "version": "1.0.0" }',
        'index.js': 'const { deflateSync } = require("node:zlib"); exports.times = (a, b) => { deflateSync("x"); return a * b; }',
      },
    };
    before(() => {
      for (const [name, files] of Object.entries(packages))
        for (const [file, text] of Object.entries(files)) {
          const place = path.join(folder, 'node_modules', name, file);
          fs.mkdirSync(path.dirname(place), { recursive: true });
          fs.writeFileSync(place, text);
        }
      fs.mkdirSync(path.join(folder, 'node_modules', '.bin'));
      fs.symlinkSync('../tool/bin/tool.js', path.join(folder, 'node_modules', '.bin', 'tool'));
    });

    const seen = (args) => {
      const { code, out, err } = run(['--report', 'tool.json', ...args]);
      assert.deepEqual([code, out, err], [0, '42\n', '']);
      const { boundaries } = JSON.parse(fs.readFileSync(path.join(folder, 'tool.json'), 'utf8'));
      return boundaries.map(({ id, calls }) => `${id} ${calls}`).sort();
    };

    it('watches the imports of that package, as of a program that lies anywhere else', () => {
      assert.deepEqual(seen(['node_modules/.bin/tool']), ['bin/tool.js -> lib/work.js 1', 'lib/work.js -> dep 1']);
      assert.deepEqual(seen(['--level', '2', 'node_modules/tool/bin/tool.js']), [
        'bin/tool.js -> lib/work.js 1',
        'dep -> far 1',
        'lib/work.js -> dep 1',
      ]);
    });

    it('does so where it is an ES module', () => {
      assert.deepEqual(seen(['node_modules/es-tool/bin.js']), ['bin.js -> work.js 1', 'work.js -> far 1']);
    });

    it('lifts calls in its files, and says which', () => {
      write('lift.json', '{ "modules": { "far": { "lift": true } } }');
      fs.writeFileSync(
        path.join(folder, 'node_modules', 'es-tool', 'lifted.js'),
        'import { times } from "far"; const work = async () => times(2, 3); work().then(console.log);',
      );
      const { code, out } = spawn(['lift', '--dry-run', '--json', '--recipe', 'lift.json', 'node_modules/es-tool/lifted.js'], {
        cwd: folder,
      });
      assert.equal(code, 0);
      assert.deepEqual(
        JSON.parse(out).lifted.map(({ file }) => file),
        ['lifted.js'],
      );
    });

    it('takes the recipe file beside the package.json of who installed it', () => {
      const files = ['package.json', 'ignis.config.json'].map((name) => path.join(folder, name));
      try {
        write('package.json', '{ "name": "user" }');
        write('ignis.config.json', '{ "cold": ["dep"] }');
        assert.deepEqual(seen(['node_modules/.bin/tool']), ['tool/bin/tool.js -> tool 1']);
        write('ignis.config.json', '{ "cold": [');
        const { code, err } = run(['node_modules/.bin/tool']);
        assert.equal(code, 2);
        assert.match(err, /ignis\.config\.json.* \(IGNIS_BAD_RECIPE\)/);
      } finally {
        for (const file of files) fs.rmSync(file);
      }
    });
  });

  it('names the line of a wrong recipe at an import', () => {
    write('wrong.js', '\nrequire("node:zlib", { shed: "rr" })');
    const { code, err } = run(['wrong.js']);
    assert.equal(code, 1);
    assert.match(err, /'shed'.*wrong\.js:2.*'sched'/);
  });

  for (const [title, args, why] of [
    ['no program', [], /name the program to run; usage/],
    [
      'a program that an option takes',
      ['--report', 'app.js'],
      /name the program to run: app\.js was taken as the value of --report; usage/,
    ],
    ['a program that is not there', ['nowhere.js'], /nowhere\.js \(IGNIS_NOT_FOUND\)/],
    [
      'a command',
      ['node', 'show.js'],
      /the program node \(node is a command: start it as NODE_OPTIONS='--require ignis\/register' node \.\.\. /,
    ],
    ['a wrong option', ['--tick-ms', '1', 'show.js'], /'tick-ms' is 1.*\(IGNIS_BAD_OPTION\)/],
    ['a folder without a program', ['.'], /a program in the folder \.: an index\.js, .* \(IGNIS_NOT_FOUND\)/],
    ['a recipe file that is not there', ['--recipe', 'nowhere.json', 'show.js'], /nowhere\.json \(IGNIS_NOT_FOUND\)/],
  ]) {
    it(`is misused with ${title}, and runs nothing`, () => {
      const { code, out, err } = run(args);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, /^ignis: /);
      assert.match(err, why);
    });
  }

  it('warns of what is forced and is not there, unless it is to be quiet, and says it in the report', () => {
    write('plain.js', 'console.log("plain")');
    const { code, out, err } = run(['--force', 'plane.js', '--report', 'forced.json', 'plain.js']);
    assert.deepEqual([code, out], [0, 'plain\n']);
    assert.match(
      err,
      /IgnisWarning: force names 'plane\.js', but there is no such package, file or folder; the nearest is '[^']*plain\.js'/,
    );
    assert.match(JSON.parse(fs.readFileSync(path.join(folder, 'forced.json'), 'utf8')).warnings[0], /^force names 'plane\.js'/);
    assert.equal(run(['--quiet', '--force', 'plane.js', 'plain.js']).err, '');
  });

  it('names a wrong variable', () => {
    assert.match(run(['show.js'], { IGNIS_TICK_MS: 'soon' }).err, /IGNIS_TICK_MS/);
  });

  it('does not start with a wrong recipe file', () => {
    const recipe = write('wrong.json', '{ "modules": { "uri-js": { "shed": "rr" } } }');
    const { code, out, err } = run(['--recipe', recipe, 'show.js']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /'shed'.*wrong\.json.*'sched'.*\(IGNIS_BAD_RECIPE\)/);
  });
});
