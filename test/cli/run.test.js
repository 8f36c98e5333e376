'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('./call.js');

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

  it('names the line of a wrong recipe at an import', () => {
    write('wrong.js', '\nrequire("node:zlib", { shed: "rr" })');
    const { code, err } = run(['wrong.js']);
    assert.equal(code, 1);
    assert.match(err, /'shed'.*wrong\.js:2.*'sched'/);
  });

  for (const [title, args, why] of [
    ['no program', [], /no program is named/],
    ['a program that is not there', ['nowhere.js'], /nowhere\.js \(IGNIS_NOT_FOUND\)/],
    ['a wrong option', ['--tick-ms', '1', 'show.js'], /'tickMs' is 1.*\(IGNIS_BAD_OPTION\)/],
    ['a recipe file that is not there', ['--recipe', 'nowhere.json', 'show.js'], /nowhere\.json \(IGNIS_NOT_FOUND\)/],
  ]) {
    it(`is misused with ${title}, and runs nothing`, () => {
      const { code, out, err } = run(args);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, /^ignis: /);
      assert.match(err, why);
    });
  }

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
