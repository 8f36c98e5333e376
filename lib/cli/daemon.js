'use strict';

// ignis daemon: offers this host to homes that prove who they are. Runs until SIGTERM or Ctrl-C, then waits for replicas that still have
// calls; a second signal ends them. Prints on stdout where it listens, and on stderr who came and went. Never a key.

const { execFileSync } = require('node:child_process');
const os = require('node:os');
const path = require('node:path');
const { usableCores } = require('../cores');
const { IgnisError } = require('../errors.js');
const { oneOf, wholeNumber } = require('../option-table.js');
const { addressText } = require('../host/address.js');
const { isClusterUrl } = require('../host/engine-url.js');
const { Machine } = require('../profile/machine.js');
const { Seat } = require('../host/join.js');
const { LABEL_FORM, readLabels } = require('../host/survey.js');
const { Daemon } = require('../host/daemon.js');
const { NODE_NAME, makeOwnCertificate } = require('../host/keys.js');
const { readIdentity } = require('../host/identity.js');
const { makeCodec } = require('../wire/codec.js');
const { checkReach, holdStore } = require('./store-folder.js');
const { misused } = require('./misuse.js');

/** The file that a replica on this host runs. */
const AGENT = path.join(__dirname, '..', 'spawn', 'host-agent.js');
const MB = 1024 * 1024;
/** The user of the replicas if root runs the daemon. */
const NOBODY = 'nobody';

/** @param {any} value @returns {true | string} */
const address = (value) => (typeof value === 'string' && parse(value) !== null) || 'ADDRESS:PORT (127.0.0.1:7100, [::1]:7100)';

/** @param {any} value @returns {true | string} */
const place = (value) => (typeof value === 'string' && value !== '' && !value.includes('\0')) || 'a path';

/** @param {string} text @returns {{host: string, port: number} | null} */
function parse(text) {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(text);
  return found === null || Number(found[3]) > 65535 ? null : { host: found[1] ?? found[2], port: Number(found[3]) };
}

/** @param {any} value @returns {true | string} */
const homes = (value) =>
  (typeof value === 'string' && value.split(',').every((name) => NODE_NAME.test(name.trim()))) || 'names, separated by commas';

exports.usage = 'daemon [options]';
exports.summary = 'Offers this host to programs on other machines: runs replicas for those whose certificate allows it.';
exports.options = Object.freeze([
  {
    name: 'listen',
    type: 'string',
    default: '127.0.0.1:7100',
    check: address,
    sentence: 'The address to listen on; port 0 takes any free port.',
  },
  {
    name: 'identity',
    type: 'path',
    check: place,
    env: 'IGNIS_IDENTITY',
    sentence: 'The folder with the key and the certificate of this host; `ignis keys` makes it. Required, even on loopback.',
  },
  {
    name: 'trust',
    type: 'path',
    check: place,
    sentence: 'The file with the certificate of the authority that certifies homes; by default trust.pem in the identity folder.',
  },
  {
    name: 'deployKey',
    type: 'path',
    check: place,
    sentence:
      'The file with the public key that code must be signed with, or with several such keys, one after the other; by default deploy.pub in the identity folder.',
  },
  {
    name: 'homes',
    type: 'string',
    default: 'home',
    check: homes,
    sentence: 'The names of the homes that may use this host, separated by commas.',
  },
  {
    name: 'maxReplicas',
    type: 'number',
    default: usableCores(),
    unit: 'replicas',
    check: wholeNumber(1, 1000),
    sentence: 'How many replicas it runs at most, including those that replicas start themselves; by default one per processor.',
  },
  {
    name: 'memory',
    type: 'number',
    default: 1024,
    unit: 'MB',
    check: wholeNumber(32, 1e6),
    sentence: 'How much memory one replica may have.',
  },
  {
    name: 'user',
    type: 'string',
    check: place,
    sentence: 'The user that replicas run as if the daemon runs as root; by default nobody.',
  },
  { name: 'store', type: 'path', check: place, sentence: 'The folder for code; by default ignis-host in the cache folder of the user.' },
  {
    name: 'storeBytes',
    type: 'number',
    default: 1024 * MB,
    unit: 'bytes',
    check: wholeNumber(0, 1e13),
    sentence: 'How much code it keeps at most.',
  },
  {
    name: 'leaseMs',
    type: 'number',
    default: 20000,
    unit: 'ms',
    check: wholeNumber(0, 3600000),
    sentence: 'How long replicas wait for a home whose link was lost.',
  },
  {
    name: 'drainMs',
    type: 'number',
    default: 10000,
    unit: 'ms',
    check: wholeNumber(0, 3600000),
    sentence: 'How long it waits for the last calls when it is stopped.',
  },
  {
    name: 'cluster',
    type: 'string',
    check: isClusterUrl,
    env: 'IGNIS_CLUSTER',
    sentence:
      'The cluster to join, nats://HOST:PORT,... or etcd://HOST:PORT,...; without one, homes have to name this host in their recipes.',
  },
  {
    name: 'advertise',
    type: 'string',
    check: address,
    sentence: 'The address at which homes of the cluster reach it, if that is not the one it listens on.',
  },
  {
    name: 'labels',
    type: 'string',
    check: (value) => readLabels(value) !== null || `NAME=VALUE, separated by commas, each name once (disk=fast,zone=b): ${LABEL_FORM}`,
    sentence: 'Labels that recipes can ask for: NAME=VALUE, separated by commas.',
  },
  { name: 'quiet', type: 'true | false', default: false, check: oneOf([true, false]), sentence: 'Does not print who came and went.' },
]);

/** @returns {string | null} the name of this process's user; null: it has only a number, as in some containers */
function ownName() {
  try {
    return os.userInfo().username;
  } catch {
    return null;
  }
}

/**
 * @param {string | undefined} name
 * @returns {{uid: number, gid: number} | null} null: as the daemon itself
 * @throws {IgnisError} IGNIS_BAD_OPTION
 */
function userFor(name) {
  if (process.getuid?.() !== 0) {
    if (name === undefined || name === ownName()) return null;
    throw new IgnisError('IGNIS_BAD_OPTION', `only a daemon that runs as root can run replicas as '${name}'`);
  }
  const wanted = name ?? NOBODY;
  try {
    const [uid, gid] = ['-u', '-g'].map((which) =>
      Number(execFileSync('id', [which, '--', wanted], { stdio: ['ignore', 'pipe', 'ignore'] })),
    );
    return { uid, gid };
  } catch {
    throw new IgnisError('IGNIS_BAD_OPTION', `there is no user '${wanted}'; name the user that replicas run as with --user`);
  }
}

/** @param {Record<string, any>} given @returns {string} */
function storeOf({ store }) {
  return path.resolve(store ?? defaultStore());
}

/** @returns {string} @throws {IgnisError} IGNIS_BAD_OPTION when its user has no home folder */
function defaultStore() {
  if (process.getuid?.() === 0) return '/var/cache/ignis-host';
  try {
    return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'ignis-host');
  } catch {
    throw new IgnisError('IGNIS_BAD_OPTION', 'the user of this daemon has no home folder: name a folder for code with --store');
  }
}

/** @param {Record<string, any>} given @param {(text: string) => void} err @returns {(text: string) => void} */
function logOf({ quiet }, err) {
  return quiet === true ? () => {} : (text) => err(`ignis daemon: ${text}\n`);
}

/**
 * @param {Record<string, any>} given
 * @param {import('./main.js').Io} io
 * @returns {{cluster: string, at: {host: string, port: number}} | null} null: it joins none
 * @throws {IgnisError} IGNIS_BAD_OPTION when homes could not know where it is
 */
function clusterOf(given, { env }) {
  const cluster = given.cluster ?? env.IGNIS_CLUSTER;
  if (!cluster) return null;
  const verdict = isClusterUrl(cluster);
  if (verdict !== true) throw new IgnisError('IGNIS_BAD_OPTION', `the cluster must be ${verdict}`);
  const at = /** @type {{host: string, port: number}} */ (parse(String(given.advertise ?? given.listen)));
  if (at.host !== '0.0.0.0' && !/^[0:]+$/.test(at.host)) return { cluster: String(cluster), at };
  throw new IgnisError('IGNIS_BAD_OPTION', `homes cannot reach a host at ${at.host}: give an address that they can reach with --advertise`);
}

/**
 * @param {{cluster: string, at: {host: string, port: number}}} joined
 * @param {Daemon} daemon
 * @param {{port: number, log: (text: string) => void}} how port: where homes reach it
 * @returns {Seat}
 */
function takeSeat({ cluster, at }, daemon, { port, log }) {
  const about = () => ({
    ip: at.host,
    port,
    fingerprint: daemon.fingerprint,
    isDraining: daemon.isDraining,
    facts: daemon.facts,
  });
  return new Seat({ cluster, name: daemon.name, about, log });
}

/** @param {Record<string, any>} given @param {import('./main.js').Io} io */
function makeDaemon(given, { err, env }) {
  const identity = given.identity ?? env.IGNIS_IDENTITY;
  if (!identity)
    throw new IgnisError(
      'IGNIS_BAD_OPTION',
      'a daemon needs --identity, a folder that `ignis keys` makes: it runs code only for those who prove who they are',
    );
  const machine = new Machine();
  // The first look only starts the count.
  machine.readFree();
  return new Daemon({
    identity: readIdentity({ identity: String(identity), trust: given.trust, deployKey: given.deployKey }, false),
    homes: given.homes.split(',').map((/** @type {string} */ name) => name.trim()),
    agentFile: AGENT,
    store: storeOf(given),
    storeBytes: given.storeBytes,
    maxReplicas: given.maxReplicas,
    memoryMb: given.memory,
    labels: (given.labels !== undefined && readLabels(given.labels)) || {},
    freeCores: () => machine.readFree(),
    leaseMs: given.leaseMs,
    user: userFor(given.user),
    attempts: 20,
    maxBlockBytes: 256 * MB,
    log: logOf(given, err),
  });
}

/**
 * Loads what the first link and the first replica need before anybody knows where the daemon is: it says nothing while it loads, and a host
 * that is silent for 3 s, as when files come slowly, counts as gone.
 */
async function load() {
  makeCodec('msgpackr');
  await makeOwnCertificate('nobody');
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length > 0) throw misused(`unexpected argument '${rest[0]}'`, exports.usage);
  const joined = clusterOf(given, io);
  const daemon = makeDaemon(given, io);
  /** @type {Seat | null} */
  let seat = null;
  const { host, port } = /** @type {{host: string, port: number}} */ (parse(String(given.listen)));
  const launch = async () => {
    await load();
    let isStopping = false;
    const stop = () => {
      if (isStopping) return void daemon.close();
      isStopping = true;
      const { replicas: left } = daemon;
      const [what, them] = left === 1 ? ['1 replica has', 'it'] : [`${left} replicas have`, 'them'];
      io.err(left === 0 ? 'ignis daemon: stops\n' : `ignis daemon: stops when ${what} ended; once more ends ${them}\n`);
      void daemon.drain(Number(given.drainMs)).then(leave);
      void seat?.tell();
    };
    const leave = async () => {
      ['SIGTERM', 'SIGINT'].forEach((signal) => process.off(signal, stop));
      // What its client has under way would keep this process for some more seconds.
      if ((await seat?.close()) === false) process.exit();
    };
    const lose = (/** @type {number} */ owner) => {
      io.err(`ignis daemon: process ${owner} has taken over the store, since this process stood still and was taken for dead\n`);
      if (!isStopping) stop();
    };
    ['SIGTERM', 'SIGINT'].forEach((signal) => process.on(signal, stop));
    try {
      const taken = await daemon.listen(host, port);
      // Its name was looked up meanwhile, which may take seconds.
      if (isStopping) return void (await daemon.close());
      const [store, user] = [storeOf(given), /** @type {string | undefined} */ (given.user)];
      process.once('exit', holdStore(store, lose));
      checkReach(userFor(user), user ?? NOBODY, [AGENT, path.join(store, 'bundles')]);
      io.out(`ignis daemon listens on ${addressText(host, taken)}\n`);
      if (joined === null) return;
      seat = takeSeat(joined, daemon, { port: given.advertise === undefined ? taken : joined.at.port, log: logOf(given, io.err) });
    } catch (error) {
      const { code, message } = /** @type {any} */ (error);
      io.err(`ignis: ${message} (${code})\n`);
      process.exitCode = 2;
      await leave();
      await daemon.close();
    }
  };
  return { code: 0, launch };
};
