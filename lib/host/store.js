'use strict';
/*
 * The code that a host keeps: files by hash, each sent once and shared by all bundles, and bundles as trees of them. In: chunks of files
 * that a signed manifest names. Out: the folder of a bundle that is whole. A file counts only once its hash is verified. A tree is put
 * together elsewhere and then renamed, so that nobody sees one half done; it is checked again before a replica gets it, since others may
 * have removed or changed things on the disk. Its size is bounded: what belongs to no present home makes room.
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
const { digestOf } = require('./manifest');
const { bytesBelow, isRight, layOf, linkTo, makeReadable, sizeOf } = require('./tree');

const { promises: fsp } = fs;

const FULL = ['ENOSPC', 'EDQUOT'];

/** @typedef {import('./manifest').Manifest} Manifest */
/** @typedef {{hash: string, have: number}} Missing have: bytes of it that are here */

/** @param {unknown} error of a disk, or the refusal made of it @returns {boolean} whether the disk is full */
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
  /** @type {Map<string, Promise<unknown>>} what is being done with a file or a bundle */
  #busy = new Map();
  /** @type {Map<string, number>} digest -> how many homes have offered it */
  #used = new Map();
  /** @type {Map<string, Set<string>>} digest -> hashes: bundles that homes have offered */
  #wanted = new Map();
  /** @type {Map<string, string>} digest -> the state of its tree on disk when everything was verified */
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
    await inLanes([...sizes], async ([hash, size]) => {
      if ((await sizeOf(this.#file(hash))) === size) return;
      const have = Math.max(0, await sizeOf(this.#partial(hash)));
      missing.push({ hash, have });
      bytes += size - have;
    });
    await this.#alone('room', () => this.#makeRoom(bytes));
    return missing;
  }

  /**
   * @param {string} digest of its bundle
   * @param {string} hash
   * @param {number} size of the whole file, as its manifest says
   * @param {number} offset
   * @param {Uint8Array} bytes
   * @returns {Promise<number>} how many bytes of it are here; if that is unexpected, continue from there
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
   * @param {() => boolean} [isInUse] whether a running replica has it; asked when that matters, since one may have it by then: then what
   *   that one has written to its files stays
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
      await inLanes(manifest.files, ([place, hash, , isProgram]) => this.#lay(path.join(aside, place), hash, isProgram));
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
   * Anything missing, or different from its hash, is put there anew.
   *
   * @param {string} digest its tree is there
   * @param {Manifest} manifest
   * @param {() => boolean} isInUse
   * @throws {IgnisError} as build does; then there is no tree any more
   */
  async #mend(digest, manifest, isInUse) {
    const root = this.rootOf(digest);
    if (this.#whole.get(digest) === (await layOf(root, manifest))) return;
    try {
      await inLanes(manifest.files, async ([name, hash, , isProgram]) => {
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
      // Nobody asks for the files of an existing tree.
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
    // What is on the disk stays for whoever offers it next and says then what is in it; remembering that for all that were ever offered
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
    if (digestOf(content) !== hash) {
      await fsp.rm(partial, { force: true });
      throw new IgnisError('IGNIS_BAD_BUNDLE', `what came is not the file ${hash}`);
    }
    await fsp.rename(partial, this.#file(hash));
  }

  /** @param {string} place in an existing folder @param {string} hash @param {boolean} [isProgram] it may be executed */
  async #lay(place, hash, isProgram = false) {
    const content = await fsp.readFile(this.#file(hash)).catch(() => null);
    if (content === null) throw new IgnisError('IGNIS_BAD_BUNDLE', `the file ${hash} was not sent`);
    if (digestOf(content) !== hash) {
      await fsp.rm(this.#file(hash), { force: true });
      throw new IgnisError('IGNIS_BAD_BUNDLE', `the file ${hash} was changed in the store`);
    }
    await fsp.writeFile(place, content, { flag: 'wx' }).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
      // On some systems, names that differ only in case, or in how an accent is written, are the same.
      throw new IgnisError(
        'IGNIS_HOST_REFUSED',
        `its disk cannot tell the name ${JSON.stringify(path.basename(place))} from that of another file beside it`,
      );
    });
    await fsp.chmod(place, isProgram ? 0o755 : 0o644);
  }

  /** @param {number} bytes still to come @throws {IgnisError} IGNIS_HOST_REFUSED */
  async #makeRoom(bytes) {
    const limit = this.#maxBytes;
    // Somebody who cleans caches may have removed all of it.
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
   * A disk may hold less than the store may: then what nobody uses makes room.
   *
   * @template T
   * @param {string} digest what it is for
   * @param {() => Promise<T>} work begins anew after a failure
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

  /** Removes all that belongs to no present home. @param {string} [kept] digest of a bundle that is still to come */
  async #clear(kept) {
    for (const digest of await fsp.readdir(path.join(this.#folder, 'bundles')))
      if (this.#isIdle(digest)) await this.#discard(this.rootOf(digest));
    // Including those that a home had sent in part when it went.
    for (const digest of this.#wanted.keys()) if (digest !== kept && this.#isIdle(digest)) this.#wanted.delete(digest);
    for (const part of ['files', 'partial'])
      for (const name of await fsp.readdir(path.join(this.#folder, part)))
        if (!this.#isWanted(name)) await this.#discard(path.join(this.#folder, part, name));
  }

  /**
   * Gone in the same turn in which it was found useless, so that a home that offers it meanwhile never finds a part of it.
   *
   * @param {string} place
   */
  async #discard(place) {
    const trash = path.join(this.#folder, 'partial', `${crypto.randomUUID()}.gone`);
    this.#whole.delete(path.basename(place));
    try {
      fs.renameSync(place, trash);
    } catch (error) {
      // Somebody else may have removed it since: a cleaner of caches, or a bundle that could not be mended.
      if (fs.existsSync(place)) throw error;
    }
    await fsp.rm(trash, { recursive: true, force: true });
  }

  /** @param {string} digest */
  #isIdle(digest) {
    return !this.#used.has(digest) && !this.#busy.has(digest);
  }

  /** @param {string} name of a file, or of a tree being put together */
  #isWanted(name) {
    if (this.#busy.has(name.replace(/\.tree$/, ''))) return true;
    for (const hashes of this.#wanted.values()) if (hashes.has(name)) return true;
    return false;
  }

  /** One thing at a time for each name. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
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
