'use strict';

// Which process a home is, and what becomes of what one had on a host that can say nothing any more.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const path = require('node:path');
const { once } = require('node:events');
const { spawn } = require('node:child_process');
const { Host } = require('../../lib/host/host');
const { readIdentity } = require('../../lib/host/identity');
const { aboutProcess, tellOfDead, unheardBeside } = require('../../lib/host/own-process');
const { TestHosts } = require('../helpers/hosts');

const LIB = path.join(__dirname, '../../lib/host');

/**
 * @param {string} code
 * @returns {Promise<{child: import('node:child_process').ChildProcess, told: any}>} a process that has told something, and lives on
 */
async function started(code) {
  const child = spawn(process.execPath, ['-e', `${code}; setInterval(() => {}, 1e6)`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, told: JSON.parse(line) };
}

describe('the process of a home', function () {
  this.timeout(60000);
  before(function () {
    // Elsewhere no home has a mark, and its lease ends what it had.
    if (process.platform !== 'linux') this.skip();
  });

  it('is asked about by a host where it is one of this machine, with its certificate, and not heard', () => {
    const mark = { machine: 'a', pid: 1, since: '1' };
    const one = { id: 'one', fingerprint: 'f', mark, isLinked: true };
    const others = [
      { ...one, id: 'silent', isLinked: false },
      { ...one, id: 'heard' },
      { ...one, id: 'elsewhere', isLinked: false, mark: { ...mark, machine: 'b' } },
      { ...one, id: 'somebody', isLinked: false, fingerprint: 'g' },
      { ...one, id: 'older', isLinked: false, mark: null },
    ];
    const idsBeside = (/** @type {any} */ session) => unheardBeside(session, [one, ...others]).map(({ id }) => id);
    assert.deepEqual(idsBeside(one), ['silent']);
    assert.deepEqual(idsBeside({ ...one, mark: null }), []);
  });

  it('is not said to be dead while it lives, whoever asks', async () => {
    const { mark } = aboutProcess();
    const link = /** @type {any} */ ({ ask: () => assert.fail('it was said') });
    for (const others of [[{ session: 'a', ...mark }], [], undefined, 'none']) assert.deepEqual(await tellOfDead(link, others), {});
  });

  describe('at a host', () => {
    /** @type {TestHosts} */
    let hosts;
    before(async () => {
      hosts = await TestHosts.make();
    });
    after(() => hosts.close());

    /** @param {any} node @param {Buffer} [session] */
    const homeAt = (node, session = crypto.randomBytes(16)) => new Host(node, readIdentity(hosts.home, true), session, () => {});
    const guest = { onExit: () => {}, isResident: false };

    it('leaves its places to the next program of its machine, where it was killed', async () => {
      const { node, daemon, log } = await hosts.daemon('host1', { maxReplicas: 1 });
      const { child } = await started(`
        const { Hosts } = require('${LIB}/hosts');
        require('${LIB}/../spawn/launch-host')
          .launchHost({ hosts: new Hosts(${JSON.stringify(hosts.home)}), nodes: [${JSON.stringify(node)}], codec: 'msgpackr' })
          .then(({ pid }) => console.log(pid))`);
      const home = homeAt(node);
      await assert.rejects(home.start(guest), { code: 'IGNIS_HOST_REFUSED', message: /it runs 1 replica, and may run 1/ });
      await home.close();
      child.kill('SIGKILL');
      await once(child, 'exit');
      const next = homeAt(node);
      const { stream } = await next.start(guest);
      stream.on('error', () => {});
      assert.deepEqual(
        [daemon.replicas, log.filter((line) => /^replica/.test(line) && /ended/.test(line))],
        [1, ['replica 1 of home ended: its home was killed']],
      );
      await next.close();
    });

    it('has what it had while its host hears it, whatever is said of it', async () => {
      const { node, daemon } = await hosts.daemon('host2');
      const session = crypto.randomBytes(16);
      const [one, other] = [homeAt(node, session), homeAt(node)];
      const { stream } = await one.start(guest);
      stream.on('error', () => {});
      await (await other.link()).ask('dead', { sessions: [session.toString('hex')] });
      assert.equal(daemon.replicas, 1);
      await Promise.all([one.close(), other.close()]);
    });
  });
});
