'use strict';
/*
 * The code that a host keeps: files by their hash, each sent once and shared by all bundles, and bundles as trees of them. In: chunks of
 * files that a signed manifest names. Out: the folder of a bundle that is whole. A file counts only once its hash is found right; a tree is
 * put together aside and then renamed, so that none is ever seen half done, and looked at again before it is given to a replica: others may
 * have taken away or changed what lies on the disk. It is bounded: what is of no home that is there makes room for what comes.
 *
 *     STORE/files/<sha256>     STORE/partial/<sha256>     STORE/bundles/<digest>/...
 */
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { IgnisError } = require('../errors');
const { STORE_FOLDERS } = require('./closure');
const { JSON, Map, Math, Set } = require('../engine');
const { makeFolder } = require('./folder');
const { inLanes } = require('./lanes');
const { AT_ONCE, bytesBelow, hashOf, isRight, layOf, linkTo, makeReadable, sizeOf } = require('./tree');

const { promises: fsp } = fs;

const FULL = ['ENOSPC', 'EDQUOT'];

/** @typedef {import('./manifest').Manifest} Manifest */
/** @typedef {{hash: string, have: number}} Missing have: bytes of it that are here */

/** @param {unknown} error of a disk, or the refusal that it became @returns {boolean} whether there is no room on it */
function isOfFullDisk(error) {
  const { code, cause } = /** @type {any} */ (error);
  return FULL.includes(code) || FULL.includes(cause?.code);
}

/** @param {unknown} error @returns {IgnisError} */
function asRefusal(error) {
  if (error instanceof IgnisError) return error;
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  const why = isOfFullDisk(error) ? 'its disk is full' : `its store of code cannot be written (${code ?? error})`;
  return new IgnisError('IGNIS_HOST_REFUSED', why, { cause: error });
}

class Store {
  #folder;
  #maxBytes;
  /** @type {Map<string, Promise<unknown>>} what is being done with a file, or with a bundle */
  #busy = new Map();
  /** @type {Map<string, number>} digest -> how many homes have offered it */
  #used = new Map();
  /** @type {Map<string, Set<string>>} digest -> hashes: bundles that homes have offered */
  #wanted = new Map();
  /** @type {Map<string, string>} digest -> how its tree lay on the disk when all of it was found right */
  #whole = new Map();

  /** @param {string} folder of its own @param {number} maxBytes for files and trees together */
  constructor(folder, maxBytes) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#makeFolders();
  }

  #makeFolders() {
    for (const part of STORE_FOLDERS) makeFolder(path.join(this.#folder, part), 0o755);
  }

  /** @param {string} digest @returns {string} */
  rootOf(digest) {
    return path.join(this.#folder, 'bundles', digest);
  }

  /**
   * @param {string} digest
   * @param {Manifest} manifest that was checked
   * @returns {Promise<Missing[]>} files that must be sent
   * @throws {IgnisError} IGNIS_HOST_REFUSED when there is no room for it
   */
  async expect(digest, manifest) {
    const sizes = new Map(manifest.files.map(([, hash, bytes]) => [hash, bytes]));
    this.#wanted.set(digest, new Set(sizes.keys()));
    if (fs.existsSync(this.rootOf(digest))) return [];
    /** @type {Missing[]} */
    const missing = [];
    let bytes = manifest.files.reduce((sum, [, , size]) => sum + size, 0);
    await inLanes([...sizes], AT_ONCE, async ([hash, size]) => {
      if ((await sizeOf(this.#file(hash))) === size) return;
      const have = Math.max(0, await sizeOf(this.#partial(hash)));
      missing.push({ hash, have });
      bytes += size - have;
    });
    await this.#alone('room', () => this.#makeRoom(bytes));
    return missing;
  }

  /**
   * @param {string} digest of the bundle that it belongs to
   * @param {string} hash
   * @param {number} size of the whole file, as its manifest says
   * @param {number} offset
   * @param {Uint8Array} bytes
   * @returns {Promise<number>} how many bytes of it are here; where that is not what was expected, it is to be sent from there
   * @throws {IgnisError} IGNIS_BAD_BUNDLE when the file is not what its hash says; IGNIS_HOST_REFUSED when the disk is full
   */
  add(digest, hash, size, offset, bytes) {
    return this.#alone(hash, () => this.#withRoom(digest, () => this.#add(digest, hash, size, offset, bytes)));
  }

  /**
   * @param {string} digest
   * @param {string} hash
   * @param {number} size
   * @param {number} offset
   * @param {Uint8Array} bytes
   * @returns {Promise<number>}
   */
  async #add(digest, hash, size, offset, bytes) {
    if (!this.#wanted.get(digest)?.has(hash)) throw new IgnisError('IGNIS_BAD_BUNDLE', `nobody asked for the file ${hash}`);
    if ((await sizeOf(this.#file(hash))) === size) return size;
    const partial = this.#partial(hash);
    const have = Math.max(0, await sizeOf(partial));
    if (offset !== have) return have;
    if (have + bytes.byteLength > size) {
      await fsp.rm(partial, { force: true });
      throw new IgnisError('IGNIS_BAD_BUNDLE', `the file ${hash} is longer than its manifest says`);
    }
    await fsp.appendFile(partial, bytes, { mode: 0o644 });
    if (have + bytes.byteLength < size) return have + bytes.byteLength;
    // What came in one piece need not be read again.
    await this.#complete(hash, partial, have === 0 ? bytes : await fsp.readFile(partial));
    return size;
  }

  /**
   * @param {string} digest
   * @param {Manifest} manifest
   * @param {() => boolean} [isInUse] whether a replica that runs has it, asked when that counts, since one may have it by then: what that
   *   one has written to its files stays
   * @returns {Promise<string>} the folder in which all is as at home
   * @throws {IgnisError} IGNIS_BAD_BUNDLE when a file is missing or not what its hash says; IGNIS_HOST_REFUSED when the disk is full
   */
  build(digest, manifest, isInUse = () => false) {
    return this.#alone(digest, () => this.#withRoom(digest, () => this.#build(digest, manifest, isInUse)));
  }

  /** @param {string} digest @param {Manifest} manifest @param {() => boolean} isInUse @returns {Promise<string>} */
  async #build(digest, manifest, isInUse) {
    const root = this.rootOf(digest);
    if (fs.existsSync(root)) {
      await fsp.utimes(root, new Date(), new Date());
      await this.#mend(digest, manifest, isInUse);
      return root;
    }
    const aside = `${path.join(this.#folder, 'partial', digest)}.tree`;
    await fsp.rm(aside, { recursive: true, force: true });
    try {
      for (const folder of new Set(manifest.files.map(([place]) => path.dirname(place)))) await makeReadable(path.join(aside, folder));
      await inLanes(manifest.files, AT_ONCE, ([place, hash, , isProgram]) => this.#lay(path.join(aside, place), hash, isProgram));
      for (const [place, target] of manifest.links) await linkTo(aside, place, target);
      for (const place of manifest.folders ?? []) await makeReadable(path.join(aside, place));
      await fsp.rename(aside, root);
    } catch (error) {
      await fsp.rm(aside, { recursive: true, force: true });
      throw error;
    }
    this.#whole.set(digest, await layOf(root, manifest));
    return root;
  }

  /**
   * What is no longer there, or no longer what its hash says, is laid anew.
   *
   * @param {string} digest whose tree is there
   * @param {Manifest} manifest
   * @param {() => boolean} isInUse
   * @throws {IgnisError} as build does; then there is no tree any more
   */
  async #mend(digest, manifest, isInUse) {
    const root = this.rootOf(digest);
    if (this.#whole.get(digest) === (await layOf(root, manifest))) return;
    try {
      await inLanes(manifest.files, AT_ONCE, async ([name, hash, , isProgram]) => {
        const place = path.join(root, name);
        const isThere = async () => isInUse() && (await sizeOf(place)) !== -1;
        if ((await isThere()) || (!isInUse() && ((await isRight(place, hash)) || (await isThere())))) return;
        await fsp.rm(place, { recursive: true, force: true });
        await makeReadable(path.dirname(place));
        await this.#lay(place, hash, isProgram);
      });
      for (const place of manifest.folders ?? []) await makeReadable(path.join(root, place));
      for (const [place, target] of manifest.links) {
        if ((await sizeOf(path.join(root, place))) === -1) await linkTo(root, place, target);
      }
    } catch (error) {
      // Nobody asks for the files of a tree that is there.
      await this.#discard(root);
      throw error;
    }
    if (!isInUse()) this.#whole.set(digest, await layOf(root, manifest));
  }

  /** @param {string} digest @param {1 | -1} change a home that offered it came or went */
  use(digest, change) {
    const homes = (this.#used.get(digest) ?? 0) + change;
    if (homes > 0) return void this.#used.set(digest, homes);
    this.#used.delete(digest);
    // What lies on the disk stays for whoever offers it next, and says then what is in it; to remember that of all that were ever offered
    // would fill the memory long before the disk.
    this.#wanted.delete(digest);
  }

  /** @param {string} hash */
  #file(hash) {
    return path.join(this.#folder, 'files', hash);
  }

  /** @param {string} hash */
  #partial(hash) {
    return path.join(this.#folder, 'partial', hash);
  }

  /** @param {string} hash @param {string} partial @param {Uint8Array} content of it */
  async #complete(hash, partial, content) {
    if (hashOf(content) !== hash) {
      await fsp.rm(partial, { force: true });
      throw new IgnisError('IGNIS_BAD_BUNDLE', `what came is not the file ${hash}`);
    }
    await fsp.rename(partial, this.#file(hash));
  }

  /** @param {string} place in a folder that is there @param {string} hash @param {boolean} [isProgram] it may be executed */
  async #lay(place, hash, isProgram = false) {
    const content = await fsp.readFile(this.#file(hash)).catch(() => null);
    if (content === null) throw new IgnisError('IGNIS_BAD_BUNDLE', `the file ${hash} was not sent`);
    if (hashOf(content) !== hash) {
      await fsp.rm(this.#file(hash), { force: true });
      throw new IgnisError('IGNIS_BAD_BUNDLE', `the file ${hash} was changed in the store`);
    }
    await fsp.writeFile(place, content, { flag: 'wx' }).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
      // Names that differ in case, or in how an accent is written, are one on some systems.
      throw new IgnisError(
        'IGNIS_HOST_REFUSED',
        `its disk takes the name ${JSON.stringify(path.basename(place))} for that of another file beside it`,
      );
    });
    await fsp.chmod(place, isProgram ? 0o755 : 0o644);
  }

  /** @param {number} bytes that are to come @throws {IgnisError} IGNIS_HOST_REFUSED */
  async #makeRoom(bytes) {
    const limit = this.#maxBytes;
    // Who cleans caches may have taken all of it away.
    this.#makeFolders();
    let held = await bytesBelow(this.#folder);
    if (held + bytes <= limit) return;
    await this.#clear();
    held = await bytesBelow(this.#folder);
    if (held + bytes > limit)
      throw new IgnisError(
        'IGNIS_HOST_REFUSED',
        `its store of code is full: ${held} bytes of ${limit} are used, and ${bytes} more are needed (--store-bytes)`,
      );
  }

  /**
   * A disk may hold less than the store may: then what nobody uses makes room on it.
   *
   * @template T
   * @param {string} digest that it is for
   * @param {() => Promise<T>} work that begins anew where it fails
   * @returns {Promise<T>}
   */
  async #withRoom(digest, work) {
    try {
      return await work();
    } catch (error) {
      if (!isOfFullDisk(error)) throw error;
      await this.#alone('room', () => this.#clear(digest));
      return work();
    }
  }

  /** Nothing stays that is of no home which is there. @param {string} [kept] digest of a bundle that is still to come */
  async #clear(kept) {
    for (const digest of await fsp.readdir(path.join(this.#folder, 'bundles')))
      if (this.#isIdle(digest)) await this.#discard(this.rootOf(digest));
    // Also those of which a home had sent a part when it went.
    for (const digest of this.#wanted.keys()) if (digest !== kept && this.#isIdle(digest)) this.#wanted.delete(digest);
    for (const part of ['files', 'partial'])
      for (const name of await fsp.readdir(path.join(this.#folder, part)))
        if (!this.#isWanted(name)) await this.#discard(path.join(this.#folder, part, name));
  }

  /**
   * Gone in the turn in which it was found to be of no use, so that a home that offers it meanwhile never finds a part of it.
   *
   * @param {string} place
   */
  async #discard(place) {
    const trash = path.join(this.#folder, 'partial', `${crypto.randomUUID()}.gone`);
    this.#whole.delete(path.basename(place));
    try {
      fs.renameSync(place, trash);
    } catch (error) {
      // Somebody else may have taken it away since: whoever cleans caches, or a bundle that could not be mended.
      if (fs.existsSync(place)) throw error;
    }
    await fsp.rm(trash, { recursive: true, force: true });
  }

  /** @param {string} digest */
  #isIdle(digest) {
    return !this.#used.has(digest) && !this.#busy.has(digest);
  }

  /** @param {string} name of a file, or of a tree that is put together */
  #isWanted(name) {
    if (this.#busy.has(name.replace(/\.tree$/, ''))) return true;
    for (const hashes of this.#wanted.values()) if (hashes.has(name)) return true;
    return false;
  }

  /** One thing at a time with each name. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
  async #alone(name, work) {
    const before = this.#busy.get(name);
    const mine = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    this.#busy.set(name, mine);
    try {
      return await mine;
    } catch (error) {
      throw asRefusal(error);
    } finally {
      if (this.#busy.get(name) === mine) this.#busy.delete(name);
    }
  }
}

exports.Store = Store;
exports.isOfFullDisk = isOfFullDisk;
