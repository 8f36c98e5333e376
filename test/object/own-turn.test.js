'use strict';

// Calls that home and the module of a replica begin at the same time: which of them runs within the other.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Deferred } = require('../../lib/object/deferred');
const { isDue, mayServe } = require('../../lib/object/own-turn');
const { MESSAGE } = require('../../lib/object/tags');

const REGISTER = path.join(__dirname, '../../lib/register.js');

/** A timer of the module calls home once the first file is there, says so by the second, and is not done before home has answered. */
const MODULE = `
  const { existsSync, writeFileSync } = require('node:fs');
  let isWithin = false;
  exports.begin = (go, begun, back) => void setTimeout(function begin() {
    if (!existsSync(go)) return void setTimeout(begin, 1);
    isWithin = true;
    writeFileSync(begun, '');
    back();
    isWithin = false;
  }, 1);
  exports.look = () => console.log(isWithin);`;

/**
 * All in one turn of home's event loop, in which it has not called the module before.
 *
 * @param {string} call while the module waits for home
 */
const programOf = (call) => `
  const { EventEmitter } = require('node:events');
  const { existsSync, writeFileSync } = require('node:fs');
  const { begin, look } = require('./m.js');
  const socket = new EventEmitter().on('end', look);
  const [, , go, begun] = process.argv;
  begin(go, begun, () => console.log('back'));
  setImmediate(() => {
    writeFileSync(go, '');
    while (!existsSync(begun));
    ${call};
  });`;

describe('calls that both sides begin at the same time', () => {
  /** @param {boolean} isHome @param {number[]} waiting @param {number[]} [serving] */
  function makeSide(isHome, waiting, serving = []) {
    const sent = /** @type {any[]} */ ([]);
    const mail = /** @type {any} */ ({ send: (/** @type {any} */ message) => sent.push(message) });
    return {
      side: { isHome },
      waiting,
      serving,
      mail,
      sent,
      deferred: new Deferred(
        () => waiting.length === 0,
        () => {},
      ),
    };
  }

  it('are kept by a replica that has begun something, but not those within it', () => {
    assert.deepEqual(
      [
        [0, []],
        [0, [1]],
        [1, [1]],
      ].map(([within, waiting]) => mayServe(within, makeSide(false, waiting))),
      [true, false, true],
    );
    const { deferred, ...replica } = makeSide(false, [1]);
    deferred.putBack(1);
    assert.equal(mayServe(0, { ...replica, deferred }), true);
  });

  it('are served by home while it waits where they are within that; else the replica is told to go first, as code of the program is on the stack', () => {
    const home = makeSide(true, [1, 3], [2]);
    assert.deepEqual([isDue(3, home), isDue(1, home), isDue(0, home)], [true, false, false]);
    assert.deepEqual(home.sent, []);
    const first = makeSide(true, [1]);
    assert.equal(isDue(0, first), false);
    assert.deepEqual(first.sent, [[MESSAGE.FIRST]]);
  });

  it('are served by home where only Node and Ignis are on the stack, whatever the program has made of stacks', async () => {
    const { prepareStackTrace, stackTraceLimit } = Error;
    let looks = 0;
    const side = {
      get isHome() {
        looks++;
        return true;
      },
    };
    const home = { ...makeSide(true, [1]), side };
    Error.stackTraceLimit = 1;
    try {
      const socket = new EventEmitter().on('end', isDue.bind(null, 0, home));
      // As a stream of Node tells its end.
      process.nextTick(socket.emit.bind(socket, 'end'));
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(looks > 0);
      assert.deepEqual([Error.stackTraceLimit, Error.prepareStackTrace, home.sent], [1, prepareStackTrace, []]);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  });

  it("are not where a promise of the program calls it by itself: that is the program's turn, as behind an await", async () => {
    const home = makeSide(true, [1]);
    assert.equal(await Promise.resolve().then(isDue.bind(null, 0, home)), false);
    assert.deepEqual(home.sent, [[MESSAGE.FIRST]]);
  });

  describe('with a module in a', function () {
    this.timeout(60_000);
    /** @type {string} */
    let folder;
    before(() => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-own-turn-'));
      fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"own-turn"}');
      fs.writeFileSync(path.join(folder, 'm.js'), MODULE);
    });
    after(() => fs.rmSync(folder, { recursive: true }));

    /** @param {string} name @param {string} call @param {string} where @returns {string} what the program prints */
    function run(name, call, where) {
      const file = path.join(folder, `${name}-${where}.js`);
      fs.writeFileSync(file, programOf(call));
      const env = { ...process.env, IGNIS_FORCE: './m.js', IGNIS_WHERE: where };
      const args = ['-r', REGISTER, file, ...['go', 'begun'].map((word) => path.join(folder, `${name}-${where}.${word}`))];
      const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder, env, timeout: 50_000 });
      assert.deepEqual([status, stderr], [0, '']);
      return stdout;
    }

    for (const where of ['thread', 'process']) {
      it(`${where} run one after the other where the event loop of home has called it`, () => {
        assert.equal(run('bare', "process.nextTick(socket.emit.bind(socket, 'end'))", where), 'back\nfalse\n');
      });

      it(`${where} run one within the other where a promise or a tick of the program has called it`, () => {
        assert.equal(run('promise', 'Promise.resolve().then(look)', where), 'true\nback\n');
        assert.equal(run('tick', 'process.nextTick(look)', where), 'true\nback\n');
        assert.equal(run('thenable', 'Promise.resolve({ then: look })', where), 'true\nback\n');
      });

      it(`${where} run one within the other where the program has called it`, () => {
        assert.equal(run('own', 'look()', where), 'true\nback\n');
      });

      it(`${where} run one within the other also where the program calls it again`, () => {
        assert.equal(run('again', 'look(), look(); Promise.resolve().then(() => look())', where), 'true\ntrue\ntrue\nback\n');
      });
    }
  });
});
