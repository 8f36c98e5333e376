'use strict';
/*
 * All hosts that recipes name. In: the nodes of a recipe, and a module that is to be served there. Out: the host that has the least to do
 * for its weight, of those that answer, and the module as a bundle. Where none answers, IGNIS_NO_HOST says of each why.
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
  /** @type {Map<string, Promise<Bundle>>} by file and root, those that are being made */
  #making = new Map();
  /** @type {import('./identity').Identity | null} */
  #identity = null;
  #farewell = () => {
    for (const host of this.#hosts.values()) host.farewell();
  };

  /**
   * @param {{identity?: string, trust?: string, deployKey?: string, conditions?: readonly string[]}} options of the program: who home is;
   *   conditions: its own, where this is not its main thread
   * @param {(fd: 1 | 2, text: string) => void} [onOutput] what replicas print
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
      // What a cluster says of it may be another thing by now.
      known.node = node;
      return known;
    }
    // Without an identity this throws, each time that somebody asks.
    // A session of its own: what is named in two ways may be one daemon, where the links of one session take each other's place, and end
    // each other's replicas.
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
   * @param {Bundle | null} wanted.bundle that must work there
   * @param {string} [wanted.file] of the module that is in it
   * @param {Record<string, string>} [wanted.labels] that the host must have
   * @param {readonly string[]} [wanted.said] why other hosts cannot
   * @param {(host: Host) => Promise<T>} use
   * @param {(given: T) => void} [giveUp] of a host that gave it after another one had
   * @returns {Promise<T>} what the first host gave that could
   * @throws {IgnisError} IGNIS_NO_HOST; what the hosts said, in its message
   */
  async first(nodes, { bundle, file = '', labels = {}, said: before = [] }, use, giveUp = () => {}) {
    /** @type {string[]} */
    const said = [...before];
    const hosts = new Set(nodes.map((node) => this.get(node)));
    /** @type {Map<Host, Promise<unknown>>} each is asked once: a host that was stopped, or cut off, takes seconds to say nothing */
    const links = new Map();
    const linkTo = (/** @type {Host} */ host) => {
      const link = links.get(host) ?? host.link();
      links.set(host, link);
      link.catch(() => {});
      return link;
    };
    // Whether one that failed is there again is found out beside, by whoever does not need it.
    if (hosts.size > 1) for (const host of hosts) if (host.isDoubtful && !host.isFailing) void linkTo(host);
    // One on which it could not be loaded is asked when no other one takes it: that may have had reasons which are gone.
    const isMisfit = (/** @type {Host} */ { misfits }) => bundle !== null && misfits.has(file);
    const doubtOf = (/** @type {Host} */ host) =>
      Number(host.isFailing) + Number(host.isDoubtful) + Number(isMisfit(host)) + Number(host.node.isSilent === true);
    const order = (/** @type {Host} */ one, /** @type {Host} */ other) => doubtOf(one) - doubtOf(other) || compare(one, other);
    const note = (/** @type {Host} */ host, /** @type {any} */ error) => {
      // What all of them say is said once, before them.
      const message = error.message.replace(`${ERRORS.IGNIS_NO_HOST}: `, '');
      said.push(message.includes(host.title) ? message : `${host.title}: ${message}`);
    };
    /** @type {Uses<T>} */
    const uses = new Uses(use, giveUp, note);
    while (hosts.size > 0) {
      let host = [...hosts].reduce((best, other) => (order(other, best) < 0 ? other : best));
      // Counted from here on, so that replicas that start together spread.
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

  /** @param {import('./offers').Wanted} wanted @returns {import('./offers').Offered} what its hosts have, as far as it is known now */
  offers(wanted) {
    return this.#offers.read(wanted);
  }

  /**
   * @param {string} file
   * @param {string} [root] of the program, where it matters there how a file is called from it
   * @param {Bundle} [before] one of the same that did not get through, as files of it have changed
   * @returns {Promise<Bundle>}
   */
  bundle(file, root, before) {
    const make = () => makeBundle(file, this.identity.deploy[0], undefined, root, before);
    if (before !== undefined) return make();
    // Replicas that start together have one: a package may have thousands of files to look at.
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

/** One that has not answered for so long is waited for beside the next, ms. */
const PATIENCE_MS = 1000;
/** And each after it only for so long before the next is asked, too: where all say nothing, that is to be known soon. */
const NEXT_PATIENCE_MS = 250;
/** So often is looked whether a host says nothing any more, ms. */
const LOOK_MS = 250;
/** And one of a cluster that was not heard since home looks: each host that ever ended without a word may stand there yet. */
const SILENT_PATIENCE_MS = 100;

/**
 * A host that was stopped, or cut off, says nothing for seconds: it keeps nobody waiting while another one answers.
 *
 * @param {readonly Host[]} hosts the best first
 * @param {(host: Host) => number} patienceOf how long it is waited for before the next is asked, too, ms
 * @param {(host: Host) => Promise<unknown>} linkTo
 * @returns {Promise<Host>} the first of them that has answered, whatever that was
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
 * What is begun on one host after another, until one has given something. One that says nothing any more while it works is waited for
 * beside the next, as that it is gone is known only some seconds later.
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
   * @param {(given: T) => void} giveUp of a second one
   * @param {(host: Host, error: any) => void} note why one failed
   */
  constructor(use, giveUp, note) {
    this.#use = use;
    this.#giveUp = giveUp;
    this.#note = note;
  }

  /** @returns {T} what the first one gave */
  get given() {
    return /** @type {{value: T}} */ (this.#given).value;
  }

  /** @param {Host} host @returns {Promise<boolean>} whether one has given something; false: it failed, or says nothing any more */
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

  /** @returns {Promise<boolean>} whether one of those that were begun has given something */
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

/** Measured speeds of equal machines are never equal: within this factor they are. */
const ABOUT = 1.25;
const ROUNDING = 1e-9;

/**
 * A weight that a recipe or a cluster gives says all; without one, hosts with an idle core come first, and a faster one gets more.
 * @param {Host} one @param {Host} other @returns {number} below 0 when one comes first
 */
function compare(one, other) {
  const fullOf = (/** @type {Host} */ { node, word, starting }) => Number(node.weight === undefined && isFull(word.facts, starting));
  const [own, its] = [one, other].map(({ node, word }) => node.weight ?? measuredWeight(word.facts));
  const isMeasured = one.node.weight === undefined || other.node.weight === undefined;
  const isSame = isMeasured && own < its * ABOUT && its < own * ABOUT;
  if (fullOf(one) !== fullOf(other)) return fullOf(one) - fullOf(other);
  if (isSame) return one.load - other.load;
  const [mine, theirs] = [(one.load + 1) / own, (other.load + 1) / its];
  // What differs by rounding alone is equal: the one named first comes first.
  return Math.abs(mine - theirs) < mine * ROUNDING ? 0 : mine - theirs;
}

/** Addons are built for an interface of Node, which most of its versions change. @param {any} facts of a machine @returns {string} */
const kindOf = ({ platform, arch, node, modules }) => `${platform} ${arch} with Node ${node}, interface ${modules}`;

/**
 * @param {Host} host that is linked
 * @param {Bundle | null} bundle
 * @param {Record<string, string>} labels
 * @returns {string} '' when it can take it
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
