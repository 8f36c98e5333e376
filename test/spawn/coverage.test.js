'use strict';

// Programs whose coverage is measured, with replicas that are processes.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const LIB = path.join(__dirname, '../../lib');
const MODULE = `
exports.who = () => process.pid;
exports.spin = () => { for (;;); };
process.on('exit', () => console.log('an exit listener of the module'));
`;
/** Waits until a replica answers, and then: */
const PROGRAM = `
const ignis = require(${JSON.stringify(LIB)});
const work = require('./work', { where: 'process', ...RECIPE });
(async () => {
  let pid = 0;
  while ((pid = await work.who()) === process.pid) await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(pid);
  END
})();
`;

describe('a program whose coverage is measured', function () {
  this.timeout(60_000);
  /** @type {string} */
  let folder;

  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-coverage-')));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"covered"}');
    fs.writeFileSync(path.join(folder, 'work.js'), MODULE);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /**
   * @param {string} end of the program
   * @param {object} [recipe]
   * @returns {{replica: number, said: string[], covered: number[]}} pids of the processes that ran the module and wrote their coverage
   */
  function run(end, recipe = { call: 'await', pure: true, copies: 1 }) {
    const coverage = path.join(folder, 'coverage');
    fs.rmSync(coverage, { recursive: true, force: true });
    fs.writeFileSync(path.join(folder, 'program.js'), PROGRAM.replace('END', end).replace('RECIPE', JSON.stringify(recipe)));
    const env = { ...process.env, NODE_V8_COVERAGE: coverage };
    const args = ['-r', path.join(LIB, 'register.js'), 'program.js'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 55_000, env });
    assert.equal(stderr, '');
    const [replica, ...said] = stdout.trim().split('\n');
    const files = fs.readdirSync(coverage).filter((name) => fs.readFileSync(path.join(coverage, name), 'utf8').includes('/work.js"'));
    return { replica: Number(replica), said, covered: files.map((name) => Number(name.split('-')[1])) };
  }

  for (const [how, end] of Object.entries({ 'the program ends': 'process.exit();', 'Ignis is closed': 'await ignis.close();' }))
    it(`has that of a replica when ${how}, and home alone hears its end`, () => {
      const { replica, said, covered } = run(end);
      assert.ok(covered.includes(replica), `${replica} of ${covered.join(', ')}`);
      assert.deepEqual(said, ['an exit listener of the module']);
    });

  for (const [how, end] of Object.entries({ 'the program ends': 'process.exit();', 'Ignis is closed': 'await ignis.close();' }))
    it(`has that of a replica in which the module lives when ${how}`, () => {
      const { replica, covered } = run(end, { call: 'block' });
      assert.ok(covered.includes(replica), `${replica} of ${covered.join(', ')}`);
    });

  it('ends though a replica computes for ever, whose coverage is lost', () => {
    const { replica, said, covered } = run('work.spin(); setImmediate(() => setImmediate(() => process.exit()));');
    assert.ok(!covered.includes(replica));
    assert.deepEqual(said, ['an exit listener of the module']);
  });
});
