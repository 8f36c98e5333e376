'use strict';
/*
 * All hosts that recipes name. In: the nodes of a recipe, and a module to be served there. Out: the host with the least to do for its
 * weight, among those that answer, and the module as a bundle. If none answers, IGNIS_NO_HOST says why for each.
 */
const crypto = require('node:crypto');
const { makeBundle, ownKind } = require('./bundle');
const { ownConditions } = require('./conditions');
const { DirectoryLink } = require('./directory-link');
const { Host } = require('./host');
const { readIdentity } = require('./identity');
const { Offers, isFull, measuredWeight } = require('./offers');
const { missingLabel } = require('./survey');
const { ERRORS, IgnisError } = require('../errors');
const { JSON, Map, Math, Promise, Set, clearInterval, setInterval, setTimeout } = require('../engine');

/** @typedef {import('./host').Node} Node */
/** @typedef {import('./bundle').Bundle} Bundle */

const SESSION_BYTES = 16;

class Hosts {
  #options;
  #offers = new Offers(this);
  #onOutput;
  /** @type {Map<string, Host>} */
  #hosts = new Map();
  /** @type {Map<string, DirectoryLink>} by cluster */
  #directories = new Map();
  /** @type {Map<string, Promise<Bundle>>} by file and root: those being made */
  #making = new Map();
  /** @type {import('./identity').Identity | null} */
  #identity = null;
  #farewell = () => {
    for (const host of this.#hosts.values()) host.farewell();
  };

  /**
   * @param {{identity?: string, trust?: string, deployKey?: string, conditions?: readonly string[]}} options of the program: who home is;
   *   conditions: given if this is not its main thread
   * @param {(fd: 1 | 2, text: string) => void} [onOutput] gets what replicas print
   */
  constructor(options, onOutput = (fd, text) => void (fd === 1 ? process.stdout : process.stderr).write(text)) {
    this.#options = options;
    this.#onOutput = onOutput;
  }

  /** @returns {import('./identity').Identity} @throws {IgnisError} IGNIS_BAD_OPTION when home has none */
  get identity() {
    const { identity, trust, deployKey } = this.#options;
    if (identity === undefined)
      throw new IgnisError('IGNIS_BAD_OPTION', 'replicas on other hosts need the option identity, a folder that `ignis keys` makes');
    this.#identity ??= readIdentity({ identity, trust, deployKey }, true);
    return this.#identity;
  }

  /** @param {Node} node @returns {Host} the same for the same node */
  get(node) {
    const key = `${node.ip} ${node.port} ${node.name ?? ''}`;
    const known = this.#hosts.get(key);
    if (known !== undefined) {
      // The cluster may say other things about it by now.
      known.node = node;
      return known;
    }
    // Without an identity this throws, each time. Each host has a session of its own: two names may mean one daemon, and links of the same
    // session would replace each other, and end each other's replicas.
    const host = new Host(
      node,
      this.identity,
      crypto.randomBytes(SESSION_BYTES),
      this.#onOutput,
      this.#options.conditions ?? ownConditions(),
    );
    if (this.#hosts.size === 0) process.on('exit', this.#farewell);
    this.#hosts.set(key, host);
    return host;
  }

  /** @param {string} cluster @returns {DirectoryLink} the same for the same cluster */
  directory(cluster) {
    let directory = this.#directories.get(cluster);
    if (directory === undefined) {
      directory = new DirectoryLink({ cluster, home: this.identity.name });
      this.#directories.set(cluster, directory);
    }
    return directory;
  }

  /**
   * @template T
   * @param {readonly Node[]} nodes
   * @param {object} wanted
   * @param {Bundle | null} wanted.bundle it must work there
   * @param {string} [wanted.file] of the module in it
   * @param {Record<string, string>} [wanted.labels] the host must have them
   * @param {readonly string[]} [wanted.said] why other hosts cannot
   * @param {(host: Host) => Promise<T>} use
   * @param {(given: T) => void} [giveUp] for a host that gave it after another had
   * @returns {Promise<T>} what the first host gave that could
   * @throws {IgnisError} IGNIS_NO_HOST; its message says what each host said
   */
  async first(nodes, { bundle, file = '', labels = {}, said: before = [] }, use, giveUp = () => {}) {
    /** @type {string[]} */
    const said = [...before];
    const hosts = new Set(nodes.map((node) => this.get(node)));
    /** @type {Map<Host, Promise<unknown>>} each is asked once: a host that is stopped or cut off takes seconds to show it */
    const links = new Map();
    const linkTo = (/** @type {Host} */ host) => {
      const link = links.get(host) ?? host.link();
      links.set(host, link);
      link.catch(() => {});
      return link;
    };
    // Whether a failed one is back is found out on the side, by a call that does not need it.
    if (hosts.size > 1) for (const host of hosts) if (host.isDoubtful && !host.isFailing) void linkTo(host);
    // A host on which it could not be loaded is asked only if no other takes it: the reasons may be gone.
    const isMisfit = (/** @type {Host} */ { misfits }) => bundle !== null && misfits.has(file);
    const doubtOf = (/** @type {Host} */ host) =>
      Number(host.isFailing) + Number(host.isDoubtful) + Number(isMisfit(host)) + Number(host.node.isSilent === true);
    const order = (/** @type {Host} */ one, /** @type {Host} */ other) => doubtOf(one) - doubtOf(other) || compare(one, other);
    const note = (/** @type {Host} */ host, /** @type {any} */ error) => {
      // What all of them say is said once, in front.
      const message = error.message.replace(`${ERRORS.IGNIS_NO_HOST}: `, '');
      said.push(message.includes(host.title) ? message : `${host.title}: ${message}`);
    };
    /** @type {Uses<T>} */
    const uses = new Uses(use, giveUp, note);
    while (hosts.size > 0) {
      let host = [...hosts].reduce((best, other) => (order(other, best) < 0 ? other : best));
      // Count it from here on, so that replicas that start together are spread.
      host.starting += 1;
      try {
        const others = [...hosts].filter((other) => other !== host).sort(order);
        const patienceOf = (/** @type {Host} */ other) =>
          links.has(other) || other.isFailing ? 0 : other.node.isSilent ? SILENT_PATIENCE_MS : PATIENCE_MS;
        const sooner = await soonest([host, ...others], patienceOf, linkTo);
        host.starting -= 1;
        host = sooner;
        host.starting += 1;
        hosts.delete(host);
        await linkTo(host);
      } catch (error) {
        note(host, error);
        continue;
      } finally {
        host.starting -= 1;
      }
      const why = whyNot(host, bundle, labels);
      if (why !== '') said.push(`${host.title} ${why}`);
      else if (await uses.begin(host)) return uses.given;
    }
    if (await uses.any()) return uses.given;
    throw new IgnisError('IGNIS_NO_HOST', said.length === 0 ? 'its recipe names none (nodes, cluster)' : said.join('; '));
  }

  /** @param {import('./offers').Wanted} wanted @returns {import('./offers').Offered} what its hosts have, as far as known */
  offers(wanted) {
    return this.#offers.read(wanted);
  }

  /**
   * @param {string} file
   * @param {string} [root] of the program, if it matters there what the file's path is, relative to it
   * @param {Bundle} [before] an earlier bundle of it that failed because files had changed
   * @returns {Promise<Bundle>}
   */
  bundle(file, root, before) {
    const make = () => makeBundle(file, this.identity.deploy[0], undefined, root, before);
    if (before !== undefined) return make();
    // Replicas that start together share one: a package may have thousands of files to look at.
    const key = JSON.stringify([file, root]);
    const making = this.#making.get(key) ?? make().finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  /** @returns {Promise<void>} when all of them were told that home ends */
  async sayLast() {
    await Promise.all([...this.#hosts.values()].map((host) => host.sayLast()));
  }

  /** @returns {Promise<void>} */
  async close() {
    process.off('exit', this.#farewell);
    await Promise.all([...this.#hosts.values()].map((host) => host.close()));
    await Promise.all([...this.#directories.values()].map((directory) => directory.close()));
  }
}

/** After waiting this long for a host, the next is asked too, ms. */
const PATIENCE_MS = 1000;
/** After each further one, this long, ms: if none says anything, that should be known soon. */
const NEXT_PATIENCE_MS = 250;
/** How often it checks whether a host has fallen silent, ms. */
const LOOK_MS = 250;
/** The same for a host of a cluster not heard since home looks, ms: every host that ever ended without a word may still be listed. */
const SILENT_PATIENCE_MS = 100;

/**
 * A host that is stopped or cut off says nothing for seconds: that must keep nobody waiting while another one answers.
 *
 * @param {readonly Host[]} hosts the best first
 * @param {(host: Host) => number} patienceOf how long it is waited for before the next is asked too, ms
 * @param {(host: Host) => Promise<unknown>} linkTo
 * @returns {Promise<Host>} the first of them that answered, whatever it said
 */
async function soonest(hosts, patienceOf, linkTo) {
  /** @type {Promise<Host>[]} */
  const asked = [];
  for (const host of hosts) {
    const patienceMs = Math.min(patienceOf(host), asked.length === 0 ? Infinity : NEXT_PATIENCE_MS);
    const answered = () => host;
    asked.push(linkTo(host).then(answered, answered));
    const late = new Promise((/** @type {(none: null) => void} */ resolve) => void setTimeout(resolve, patienceMs, null).unref());
    const first = await Promise.race([...asked, late]);
    if (first !== null) return first;
  }
  return Promise.race(asked);
}

/**
 * Begins something on one host after another, until one has given a result. If one falls silent while it works, the next begins too, since
 * it takes some seconds to know that a host is gone.
 *
 * @template T
 */
class Uses {
  #use;
  #giveUp;
  #note;
  /** @type {Promise<void>[]} */
  #begun = [];
  /** @type {{value: T} | null} */
  #given = null;
  #won = () => {};
  /** @type {Promise<void>} */
  #win = new Promise((resolve) => {
    this.#won = () => resolve();
  });

  /**
   * @param {(host: Host) => Promise<T>} use
   * @param {(given: T) => void} giveUp for a second result
   * @param {(host: Host, error: any) => void} note told why one failed
   */
  constructor(use, giveUp, note) {
    this.#use = use;
    this.#giveUp = giveUp;
    this.#note = note;
  }

  /** @returns {T} the first result */
  get given() {
    return /** @type {{value: T}} */ (this.#given).value;
  }

  /** @param {Host} host @returns {Promise<boolean>} whether one has given a result; false: it failed, or has fallen silent */
  async begin(host) {
    const used = this.#run(host);
    this.#begun.push(used);
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    /** @type {Promise<void>} */
    const silent = new Promise((resolve) => {
      timer = setInterval(() => host.isDoubtful && resolve(), LOOK_MS).unref();
    });
    await Promise.race([used, this.#win, silent]);
    clearInterval(timer);
    return this.#given !== null;
  }

  /** @returns {Promise<boolean>} whether any of those begun has given a result */
  async any() {
    await Promise.race([Promise.all(this.#begun), this.#win]);
    return this.#given !== null;
  }

  /** @param {Host} host */
  async #run(host) {
    host.starting += 1;
    try {
      const value = await this.#use(host);
      if (this.#given !== null) return this.#giveUp(value);
      this.#given = { value };
      this.#won();
    } catch (error) {
      this.#note(host, error);
    } finally {
      host.starting -= 1;
    }
  }
}

/** Measured speeds of equal machines always differ: within this factor they count as equal. */
const ABOUT = 1.25;
const ROUNDING = 1e-9;

/**
 * A weight from a recipe or a cluster decides; without one, hosts with an idle core come first, and a faster one gets more.
 *
 * @param {Host} one @param {Host} other @returns {number} below 0 if `one` comes first
 */
function compare(one, other) {
  const fullOf = (/** @type {Host} */ { node, word, starting }) => Number(node.weight === undefined && isFull(word.facts, starting));
  const [own, its] = [one, other].map(({ node, word }) => node.weight ?? measuredWeight(word.facts));
  const isMeasured = one.node.weight === undefined || other.node.weight === undefined;
  const isSame = isMeasured && own < its * ABOUT && its < own * ABOUT;
  if (fullOf(one) !== fullOf(other)) return fullOf(one) - fullOf(other);
  if (isSame) return one.load - other.load;
  const [mine, theirs] = [(one.load + 1) / own, (other.load + 1) / its];
  // Differences by rounding do not count: the one named first comes first.
  return Math.abs(mine - theirs) < mine * ROUNDING ? 0 : mine - theirs;
}

/** Addons are built for an interface of Node, which most of its versions change. @param {any} facts of a machine @returns {string} */
const kindOf = ({ platform, arch, node, modules }) => `${platform} ${arch} with Node ${node}, interface ${modules}`;

/**
 * @param {Host} host linked
 * @param {Bundle | null} bundle
 * @param {Record<string, string>} labels
 * @returns {string} '' if it can take it
 */
function whyNot({ word: { facts }, isDraining }, bundle, labels) {
  if (isDraining) return 'is being stopped';
  const missing = missingLabel(facts.labels, labels);
  if (missing !== '') return `is not labelled ${missing}`;
  const own = ownKind();
  if (bundle?.isNative && (facts.platform !== own.platform || facts.arch !== own.arch || facts.modules !== own.modules))
    return `is ${kindOf(facts)}, where the native addons of this machine (${kindOf({ ...own, node: process.version })}) do not run`;
  return '';
}

exports.Hosts = Hosts;
