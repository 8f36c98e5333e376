'use strict';

// `timeout` of a recipe, from the wrapper of a function to what its caller gets.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const { Distributed } = require('../helpers/distributed');
const { until } = require('../helpers/until');
const { Residents } = require('../../lib/spawn/residents');
const { SLOT } = require('../../lib/profile/meter');

/** What tells that the replica is done with what it was to do before. */
const LONG = { sleep: { timeout: 10000 }, release: { timeout: 10000 } };
/** An answer that is given when `release` is called: never in time, however late home looks at it. */
const LATE = Infinity;
const FILE = path.join(__dirname, '../fixtures/fields/slow.js');

for (const where of /** @type {const} */ (['thread', 'process'])) {
  describe(`a function with a timeout, in a ${where}`, function () {
    this.timeout(20000);
    /** @type {Distributed} */
    let on;

    /** @param {object} [recipe] */
    const open = async (recipe) => {
      on = new Distributed(FILE, { hot: true, state: 'none', copies: [0, 1], timeout: 50, ...recipe }, where);
      // Nothing is known of a function before its first call, which runs at home.
      await on.lib.sleep(1);
      await on.lib.release();
      await on.lib.change(1, {});
      for (const name of ['tell', 'changeAndTell']) await new Promise((resolve) => on.lib[name](1, {}, resolve));
      await on.set.resize(1);
      return on.lib;
    };
    const meterOf = (name) => on.boundaries[0].points.get(name).meter;

    afterEach(() => on.close());

    it('rejects, counts as failed, and is no longer pending', async () => {
      const lib = await open();
      const before = meterOf('sleep').slots[SLOT.failures];
      await assert.rejects(lib.sleep(LATE, 'x'), { code: 'IGNIS_CALL_TIMEOUT', ran: 'maybe', message: /'sleep' of .*slow\.js .* 50 ms/ });
      assert.equal(meterOf('sleep').slots[SLOT.failures], before + 1);
      assert.equal(meterOf('sleep').slots[SLOT.pending], 0);
      assert.deepEqual(on.failures, [], 'onFail is for replicas');
    });

    it('may have another one for a single function', async () => {
      const lib = await open({ functions: { sleep: { timeout: 10000 } } });
      assert.equal(await lib.sleep(150, 'x'), 'x');
      await assert.rejects(lib.change(LATE, {}), { code: 'IGNIS_CALL_TIMEOUT' });
    });

    it('calls back once, with the error, and not with what comes later', async () => {
      const lib = await open({ functions: LONG });
      const told = [];
      lib.tell(LATE, 'late', (error, value) => told.push([error?.code, value]));
      await until(() => told.length > 0, 'the error');
      await lib.release();
      assert.deepEqual(told, [['IGNIS_CALL_TIMEOUT', undefined]]);
    });

    it('leaves what the call was given as it is', async () => {
      const lib = await open({ functions: LONG });
      const [one, two] = [{}, {}];
      await assert.rejects(lib.change(LATE, one), { code: 'IGNIS_CALL_TIMEOUT' });
      await new Promise((resolve) => lib.changeAndTell(LATE, two, resolve));
      await lib.release();
      assert.deepEqual([one, two], [{}, {}]);
    });

    it('lets the next call begin that waits in order, and drops what comes late there, too', async () => {
      const lib = await open({ order: true, functions: LONG });
      const told = [];
      lib.tell(LATE, 'late', (error) => told.push(error?.code));
      const next = lib.sleep(1, 'next');
      assert.equal(await next, 'next');
      await lib.release();
      assert.deepEqual(told, ['IGNIS_CALL_TIMEOUT']);
    });

    it("is the time for one answer where the module lives in its replica (call: 'block')", async () => {
      const residents = new Residents({ startMs: 30_000, blockMs: 30_000, maxFrameBytes: 1 << 28 });
      const how = { where, group: 'slow', isFresh: false };
      try {
        const lib = residents.require({ name: 'slow', filename: FILE }, { ...how, timeoutMs: 1500 });
        assert.equal(lib.spin(1, 'x'), 'x');
        assert.throws(() => lib.spin(10_000), {
          code: 'IGNIS_CALL_TIMEOUT',
          message: /: slow \(in a replica; .*\bblockMs\) gave no answer within 1500 ms/,
        });
      } finally {
        await residents.close();
      }
      await open();
    });

    it('is not limited at home', async () => {
      const lib = await open();
      await on.set.resize(0);
      assert.equal(await lib.sleep(120, 'home'), 'home');
    });
  });
}

describe('a program whose call ran into its timeout', function () {
  this.timeout(30000);
  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-timeout-')));
    fs.writeFileSync(
      path.join(folder, 'busy.js'),
      "const fs = require('node:fs'); exports.busy = (file) => { while (!fs.existsSync(file)); }; exports.pid = () => process.pid;",
    );
    fs.writeFileSync(
      path.join(folder, 'app.js'),
      `const ignis = require(${JSON.stringify(path.join(__dirname, '../..'))});
      ignis.start({ quiet: true, recipe: { modules: { './busy.js': { call: 'await', state: 'none', copies: 1, functions: { busy: { timeout: 100 } } } } } });
      const { busy, pid } = require('./busy.js');
      (async () => {
        await busy(__filename);
        while ((await pid()) === process.pid) await new Promise(setImmediate);
        console.log(await busy('go-on').catch((error) => error.code));
        // Nothing but the call keeps the program.
        setTimeout(() => require('node:fs').writeFileSync('go-on', ''), 300).unref();
        console.log((await pid()) !== process.pid);
        await ignis.close();
      })();`,
    );
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  it('lives while the next one waits until the replica is done with it', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['app.js'], { cwd: folder, timeout: 25000 });
    assert.equal(stdout, 'IGNIS_CALL_TIMEOUT\ntrue\n');
  });
});
