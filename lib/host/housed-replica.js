'use strict';
/*
 * One replica on a host, as its daemon sees it: a child process that ends TLS itself, so that no byte of its calls passes through the
 * daemon, except on a resumed link to resident modules; those bytes are sealed. In: its limits (memory, user), who its home is, sockets
 * whose opening bytes were read. Out: its ticket and certificate for that home, what it prints, and its end with a sentence. It never gets
 * the key of the host.
 *      starting --ready--> running --kill(), exit--> ended
 */
const crypto = require('node:crypto');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { flagsOf } = require('./conditions');
const { proofOf } = require('./grant');
const { makeOwnCertificate } = require('./keys');
const { TICKET_BYTES } = require('./opening');
const { isStopped } = require('./processes');
const { REPLICA_FLAGS } = require('../boot/started-by-home');
const { Math, Promise, Set, clearTimeout, setTimeout } = require('../engine');
const { IgnisError } = require('../errors');
const { LastLines, wrote } = require('../session/last-lines');

/** Variables of the daemon that a replica has too; no others. */
const PASSED = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SystemRoot'];
/** How long a child may take until it accepts links, unless another time is given, ms. */
const START_MS = 30_000;
const NOT_STARTED = 'could not be started: ';
/** How long, after its exit, its last output may take to arrive, ms. */
const DRAIN_MS = 100;
/** If it is found stopped this often in a row, it is lost. */
const MOST_STOPPED = 3;

/**
 * @typedef {{code: number | null, signal: string | null, written: string}} End how a process ended that nobody here has ended, and what it
 *   last wrote on stderr: home judges its calls by it
 */

/**
 * @typedef {object} Housing
 * @property {number} id
 * @property {string} agentFile what the child runs
 * @property {number} memoryMb
 * @property {{uid: number, gid: number} | null} user
 * @property {string | null} nodeEnv NODE_ENV of home
 * @property {readonly string[]} [conditions] with which home finds the files of packages, besides Node's own
 * @property {string} ca PEM
 * @property {string} homeFingerprint SHA-256 of home's certificate
 * @property {number} leaseMs how long it may be without its home
 * @property {number} maxBlockBytes
 * @property {number} [startMs] limit for its start; 30,000
 * @property {(digest: string) => string} rootOf folder of a bundle that is whole
 * @property {(fd: 1 | 2, text: string) => void} onOutput
 * @property {(why: string, end: End | null) => void} onExit called once; null: there was no process, or it was ended from here
 * @property {() => string} whyFull '' while one more replica may start
 * @property {(tell: (ms: number) => void) => void} whenSure tells when home has certainly not given it up, and how long that holds
 */

/** @param {string | null} nodeEnv */
function environment(nodeEnv) {
  /** @type {Record<string, string>} */
  const env = { HOME: os.tmpdir() };
  for (const name of PASSED) if (process.env[name] !== undefined) env[name] = String(process.env[name]);
  if (nodeEnv !== null) env.NODE_ENV = nodeEnv;
  return env;
}

/**
 * Node names its own program when the folder is missing, and says nothing about limits.
 *
 * @param {NodeJS.ErrnoException} error
 * @param {string} cwd
 * @returns {string}
 */
function whyNotSpawned({ code, message }, cwd) {
  if (code === 'EAGAIN') return `${message}: no more processes and threads are allowed there (TasksMax, pids.max, ulimit -u)`;
  return code === 'ENOENT' && !fs.existsSync(cwd) ? `the folder for temporary files is not there: ${cwd}` : message;
}

/**
 * @returns {string} an unguessable path for a local socket; if the system has sockets that are no files, and so leave none behind, of this
 *   kind
 */
function localPath() {
  const name = `ignis-${crypto.randomBytes(12).toString('hex')}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(os.tmpdir(), name);
}

/**
 * Passes everything from one socket to another, and back, until either ends. It is TLS of others: nothing can be read here.
 *
 * @param {net.Socket} socket
 * @param {string} place
 */
function lead(socket, place) {
  const onward = net.connect(place);
  for (const [from, to] of [
    [socket, onward],
    [onward, socket],
  ]) {
    from.on('error', () => {}).on('close', () => to.destroy());
    from.pipe(to);
  }
}

class HousedReplica {
  #housing;
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  #why = '';
  /** how often it was found stopped */
  #stopped = 0;
  /** the end of what it wrote on stderr */
  #written = new LastLines();

  /** what a home shows in the opening bytes to be led here */
  ticket = crypto.randomBytes(TICKET_BYTES);
  /** For resident modules: where a home that comes again is led, since the main thread accepts no sockets while it computes. */
  #sideDoor = localPath();
  #isLivedIn = false;
  /** Known only to this daemon and the replica: signs what it may load. */
  #secret = crypto.randomBytes(32).toString('hex');

  /** bundles that it may load @type {Set<string>} */
  digests = new Set();
  /** those of them that it may have loaded already @type {Set<string>} */
  granted = new Set();

  /** replicas that it has started itself */
  inside = 0;

  /** PEM */
  cert = '';
  hasEnded = false;

  /** @param {Housing} housing */
  constructor(housing) {
    this.#housing = housing;
  }

  get id() {
    return this.#housing.id;
  }
  get pid() {
    return this.#child?.pid ?? 0;
  }

  /** @returns {Promise<void>} when it accepts links; one that cannot be started has ended @throws {IgnisError} IGNIS_START_FAILED */
  async start() {
    try {
      await this.#start();
    } catch (error) {
      this.#child?.kill('SIGKILL');
      this.#end(NOT_STARTED + /** @type {Error} */ (error).message);
    }
    if (this.hasEnded) throw new IgnisError('IGNIS_START_FAILED', this.#why.replace(NOT_STARTED, ''));
  }

  async #start() {
    const {
      agentFile,
      memoryMb,
      user,
      nodeEnv,
      conditions = [],
      ca,
      homeFingerprint,
      leaseMs,
      maxBlockBytes,
      startMs = START_MS,
    } = this.#housing;
    const { key, cert } = await makeOwnCertificate('ignis replica');
    this.cert = cert;
    if (this.hasEnded) return;
    const flags = [...REPLICA_FLAGS, `--max-old-space-size=${memoryMb}`, ...flagsOf(conditions)];
    const cwd = os.tmpdir();
    const child = spawn(process.execPath, [...flags, agentFile], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: environment(nodeEnv),
      cwd,
      ...user,
    });
    if (child.pid === undefined) {
      // Do not try to kill it: if descriptors have run out, Node (20; no longer 26) sends the signal to its own process group, or to
      // whatever process that stray number names.
      const error = await new Promise((resolve) => child.once('error', resolve));
      throw new Error(whyNotSpawned(error, cwd));
    }
    this.#child = child;
    const ready = new Promise((resolve) => {
      child.on('message', (told) => this.#hear(told, () => resolve(null)));
      child.once('error', (error) => resolve(this.#end(NOT_STARTED + error.message)));
      const over = (/** @type {number | null} */ code, /** @type {NodeJS.Signals | null} */ signal) => resolve(this.#ended(code, signal));
      child.once('close', over);
      // Its own children may hold its streams open for ever.
      child.once('exit', (code, signal) => setTimeout(over, DRAIN_MS, code, signal));
    });
    this.#forward(child.stdout, 1);
    this.#forward(child.stderr, 2);
    // A secret goes through the channel: arguments and environment are visible to others. A failure shows as an exit.
    const secret = this.#secret;
    child.send(
      { kind: 'begin', key, cert, ca, homeFingerprint, leaseMs, maxBlockBytes, sideDoor: this.#sideDoor, secret, daemon: process.pid },
      () => {},
    );
    const timer = setTimeout(() => this.kill(`did not start within ${startMs} ms`), startMs).unref();
    await ready;
    clearTimeout(timer);
  }

  /**
   * @param {string} digest of a bundle that is whole
   * @returns {import('./grant').Grant} for home, which shows it to the replica
   */
  grant(digest) {
    const root = this.#housing.rootOf(digest);
    this.granted.add(digest);
    return { root, proof: proofOf(this.#secret, digest, root) };
  }

  /** @param {import('node:net').Socket} socket of a home that showed its ticket @param {boolean} isResident for resident modules */
  link(socket, isResident) {
    if (!this.#child?.connected) return void socket.destroy();
    if (isResident && this.#isLivedIn) return lead(socket, this.#sideDoor);
    this.#isLivedIn ||= isResident;
    // Otherwise Node would count it as one of the daemon's server, and wait for its end.
    /** @type {any} */ (socket).server = null;
    // Until the child confirms that it has the socket, this process has it too: it must not read what is meant for the child.
    /** @type {any} */ (socket)._handle?.readStop();
    socket.on('error', () => {});
    this.#child.send({ kind: 'link', isResident }, socket, { keepOpen: false }, () => {});
  }

  /** @param {boolean} isOn whether its output is read; if not, a replica that prints much waits */
  listen(isOn) {
    for (const stream of [this.#child?.stdout, this.#child?.stderr]) isOn ? stream?.resume() : stream?.pause();
  }

  /** Its home, which may wait for it, sees a healthy host: so its daemon looks now and then. */
  look() {
    this.#stopped = isStopped(this.pid) ? this.#stopped + 1 : 0;
    if (this.#stopped >= MOST_STOPPED) this.kill('it was stopped, and gave no sign of life');
  }

  /** @param {string} why */
  kill(why) {
    if (this.hasEnded) return;
    this.#why ||= why;
    if (this.#child === null) this.#end(why);
    else this.#child.kill('SIGKILL');
  }

  /** @param {any} told @param {() => void} isReady */
  #hear({ kind }, isReady) {
    if (kind === 'ready') isReady();
    else if (kind === 'doubt') this.#housing.whenSure((ms) => this.#child?.send({ kind: 'sure', ms }, () => {}));
    else if (kind === 'leave') this.inside = Math.max(0, this.inside - 1);
    else if (kind === 'take') {
      const why = this.#housing.whyFull();
      if (why === '') this.inside += 1;
      this.#child?.send({ kind: 'taken', why }, () => {});
    }
  }

  /** @param {import('node:stream').Readable | null} stream @param {1 | 2} fd */
  #forward(stream, fd) {
    stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      // A child of it wrote this; nobody owns it now.
      if (this.hasEnded) return;
      if (fd === 2) this.#written.add(text);
      this.#housing.onOutput(fd, text);
    });
    stream?.on('error', () => {});
  }

  /** @param {number | null} code @param {NodeJS.Signals | null} signal */
  #ended(code, signal) {
    // If it had ended by itself meanwhile, its own end counts.
    if (this.#why !== '' && signal === 'SIGKILL') return this.#end(this.#why);
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    const { lines, text } = this.#written;
    this.#end(how + wrote(lines), { code, signal, written: text });
  }

  /** @param {string} why @param {End | null} [end] */
  #end(why, end = null) {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.#why = why;
    // Whoever still holds them is read, but does not keep this daemon alive.
    for (const stream of [this.#child?.stdout, this.#child?.stderr]) /** @type {net.Socket | undefined} */ (stream)?.unref();
    this.listen(true);
    if (path.dirname(this.#sideDoor) === os.tmpdir()) fs.rm(this.#sideDoor, { force: true }, () => {});
    this.#housing.onExit(why, end);
  }
}

exports.HousedReplica = HousedReplica;
