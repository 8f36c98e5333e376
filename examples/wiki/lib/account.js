'use strict';

// Who may edit: accounts with a password hash, and signed sessions.
//
//   <folder>/accounts/alice.json    { name, salt, hash }  (scrypt)
//   <folder>/secret                 32 bytes that sign the sessions
//
// In: names, passwords, cookies. Out: a session to put into a cookie, or the name behind one.
// A session needs no store, so several processes may serve one folder. A password is never kept, nor logged; a wrong
// name takes as long to refuse as a wrong password.

const crypto = require('node:crypto');
const fs = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');

/** @type {(password: string, salt: Buffer, length: number) => Promise<Buffer>} */
const scrypt = promisify(crypto.scrypt);

const NAME = /^[a-z0-9][a-z0-9_-]{1,31}$/;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 200;
const SESSION_MS = 7 * 24 * 3600 * 1000;
const NOBODY = { name: '', salt: '00'.repeat(16), hash: '00'.repeat(32) };

class AccountError extends Error {}

class Accounts {
  #folder;
  #accounts;
  /** @type {Buffer} */
  #secret = Buffer.alloc(0);

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
    this.#accounts = path.join(folder, 'accounts');
  }

  /**
   * Makes the folder, and the secret when there is none.
   * @returns {Promise<void>}
   */
  async open() {
    await fs.mkdir(this.#accounts, { recursive: true });
    const file = path.join(this.#folder, 'secret');
    const draft = `${file}.${process.pid}`;
    await fs.writeFile(draft, crypto.randomBytes(32), { mode: 0o600 });
    await fs.link(draft, file).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await fs.unlink(draft);
    this.#secret = await fs.readFile(file);
  }

  /**
   * @param {string} name
   * @param {string} password
   * @returns {Promise<void>}
   * @throws {AccountError} when the name or the password does not serve, or the name is taken
   */
  async create(name, password) {
    if (!NAME.test(name)) throw new AccountError('A name has 2 to 32 small letters, digits, - or _.');
    if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD) {
      throw new AccountError(`A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
    }
    const salt = crypto.randomBytes(16);
    const hash = await scrypt(password, salt, 32);
    const record = { name, salt: salt.toString('hex'), hash: hash.toString('hex') };
    try {
      await fs.writeFile(path.join(this.#accounts, `${name}.json`), JSON.stringify(record), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (/** @type {any} */ (error).code === 'EEXIST') throw new AccountError('This name is taken.');
      throw error;
    }
  }

  /**
   * @param {string} name
   * @param {string} password
   * @returns {Promise<string | null>} a session, or null when name and password do not belong together
   */
  async signIn(name, password) {
    const account = await this.#find(name);
    const hash = await scrypt(password.slice(0, MAX_PASSWORD), Buffer.from(account.salt, 'hex'), 32);
    const isRight = crypto.timingSafeEqual(hash, Buffer.from(account.hash, 'hex'));
    if (!isRight || account === NOBODY) return null;
    const claim = `${account.name}.${Date.now() + SESSION_MS}`;
    return `${claim}.${this.#sign(claim)}`;
  }

  /**
   * @param {string | undefined} session
   * @returns {string | null} the name of the account; null when the session is not ours, or is over
   */
  whoIs(session) {
    const [name, until, signature] = (session ?? '').split('.');
    if (!name || !until || !signature || Number(until) < Date.now()) return null;
    return isSame(signature, this.#sign(`${name}.${until}`)) ? name : null;
  }

  /**
   * @param {string} session
   * @returns {string} goes into each form, and shows that a post came from a page of ours
   */
  formToken(session) {
    return this.#sign(`form.${session}`);
  }

  /**
   * @param {string} session
   * @param {string} token
   * @returns {boolean}
   */
  isFormToken(session, token) {
    return isSame(token, this.formToken(session));
  }

  /** @param {string} text */
  #sign(text) {
    return crypto.createHmac('sha256', this.#secret).update(text).digest('base64url');
  }

  /** @param {string} name */
  async #find(name) {
    if (!NAME.test(name)) return NOBODY;
    try {
      return JSON.parse(await fs.readFile(path.join(this.#accounts, `${name}.json`), 'utf8'));
    } catch (error) {
      if (/** @type {any} */ (error).code === 'ENOENT') return NOBODY;
      throw error;
    }
  }
}

/**
 * @param {string} a
 * @param {string} b
 */
function isSame(a, b) {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && crypto.timingSafeEqual(left, right);
}

exports.AccountError = AccountError;
exports.Accounts = Accounts;
exports.SESSION_MS = SESSION_MS;
