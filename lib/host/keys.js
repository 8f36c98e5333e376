'use strict';
/*
 * Makes what hosts recognize each other by: a private authority, an identity (key and certificate) for each name, and the key that signs
 * code. In: a folder and names; the first is the home. Out: files, readable only by their owner. It never overwrites a key, so that names
 * can be added later; even a further home, whose code the named hosts then accept beside that of the first. It tells nothing but paths.
 *     DIR/authority/key.pem cert.pem     stays with whoever makes keys
 *     DIR/NAME/key.pem cert.pem trust.pem, and deploy.key (home) or deploy.pub (hosts)
 */
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { IgnisError } = require('../errors');
const { makeFolder } = require('./folder');
const { certificatesOf, checkPair, parsed, publicKeysOf, whyNotNow } = require('./identity');

const { webcrypto } = crypto;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86400000;
const AUTHORITY = 'authority';
const AUTHORITY_DAYS = 3650;
/**
 * For a certificate that is known by itself: its times say nothing, and clocks of two machines may differ by more than any margin. The last
 * time is the one that RFC 5280, 4.1.2.5 gives for "never ends".
 */
const ALWAYS = Object.freeze({ notBefore: new Date(0), notAfter: new Date('9999-12-31T23:59:59Z'), signingAlgorithm: ALGORITHM });
/** A clock that is slow by this much still accepts a new certificate, ms. */
const SKEW_MS = 3600000;
/** What a certificate is for (RFC 5280, 4.2.1.12). */
const USAGE = Object.freeze({ home: '1.3.6.1.5.5.7.3.2', host: '1.3.6.1.5.5.7.3.1' });
/** Names for nodes: they are used in certificates and as names of folders. */
const NODE_NAME = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/i;

/** @typedef {{key: string, cert: string}} Pair both PEM */

/** Loaded here: only making certificates needs it, and it adds to the global `Reflect`. */
function x509() {
  require('reflect-metadata');
  return require('@peculiar/x509');
}

/** @returns {Promise<any>} a key pair of webcrypto */
const generate = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** @param {any} keys @param {any} cert @returns {Pair} */
const pairOf = (keys, cert) => ({
  key: String(crypto.KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })),
  cert: `${cert.toString('pem')}\n`,
});

/** @param {number} days */
function validity(days) {
  const now = Date.now();
  return { notBefore: new Date(now - SKEW_MS), notAfter: new Date(now + days * DAY_MS), signingAlgorithm: ALGORITHM };
}

const serial = () => `0${crypto.randomBytes(15).toString('hex')}1`;

/** @param {number} [days] @returns {Promise<Pair>} a certificate that only certifies others */
async function makeAuthority(days = AUTHORITY_DAYS) {
  const { X509CertificateGenerator, BasicConstraintsExtension, KeyUsagesExtension, KeyUsageFlags } = x509();
  const keys = await generate();
  const cert = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: 'CN=ignis authority',
    ...validity(days),
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return pairOf(keys, cert);
}

/**
 * @param {string} name
 * @param {Pair} authority
 * @param {object} [given]
 * @param {boolean} [given.isHome] a home begins links, a host accepts them
 * @param {number} [given.days] 825; below 0: expired
 * @param {number} [given.inDays] 0; above 0: not valid yet
 * @returns {Promise<Pair>} valid no longer than the authority
 */
async function makeIdentity(name, authority, { isHome = false, days = 825, inDays = 0 } = {}) {
  const lib = x509();
  const keys = await generate();
  const signer = new lib.X509Certificate(authority.cert);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    crypto.createPrivateKey(authority.key).export({ type: 'pkcs8', format: 'der' }),
    ALGORITHM,
    false,
    ['sign'],
  );
  const { notBefore, notAfter: wanted, signingAlgorithm } = validity(days);
  // Nobody accepts it for longer than its authority.
  const notAfter = wanted < signer.notAfter ? wanted : signer.notAfter;
  const cert = await lib.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: `CN=${name}`,
    issuer: signer.subject,
    notBefore: notAfter < notBefore ? new Date(notAfter.getTime() - DAY_MS) : new Date(notBefore.getTime() + inDays * DAY_MS),
    notAfter,
    signingAlgorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new lib.BasicConstraintsExtension(false, undefined, true),
      new lib.KeyUsagesExtension(lib.KeyUsageFlags.digitalSignature, true),
      new lib.ExtendedKeyUsageExtension([isHome ? lib.ExtendedKeyUsage.clientAuth : lib.ExtendedKeyUsage.serverAuth], true),
      new lib.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
    ],
  });
  return pairOf(keys, cert);
}

/**
 * @param {string} name
 * @returns {Promise<Pair>} a certificate for one replica; home gets it over its link to the daemon, and accepts it whatever its clock says
 */
async function makeOwnCertificate(name) {
  const lib = x509();
  const keys = await generate();
  const cert = await lib.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: `CN=${name}`,
    ...ALWAYS,
    keys,
    extensions: [new lib.ExtendedKeyUsageExtension([lib.ExtendedKeyUsage.serverAuth], true)],
  });
  return pairOf(keys, cert);
}

/** @param {string} file @param {string} text */
function writeSecret(file, text) {
  fs.writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
}

/** @param {string} folder @param {() => Promise<Pair>} make @returns {Promise<Pair>} the existing one, or a new one */
async function keep(folder, make) {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const there = [key, cert].filter((file) => fs.existsSync(file));
  if (there.length === 1)
    throw new IgnisError('IGNIS_BAD_OPTION', `${there[0]} exists without the other half of its pair; remove it, and make both again`);
  if (there.length === 2) return { key: fs.readFileSync(key, 'utf8'), cert: fs.readFileSync(cert, 'utf8') };
  makeFolder(folder, 0o700);
  const pair = await make();
  writeSecret(key, pair.key);
  writeSecret(cert, pair.cert);
  return pair;
}

const ANEW = 'restore that one, or make the keys of all nodes again in another folder';

/**
 * A new authority would certify the missing ones, and these and the existing ones would not accept each other.
 *
 * @param {string} folder
 * @param {readonly string[]} identities
 * @throws {IgnisError} IGNIS_BAD_OPTION when it must be made, and identities exist
 */
function checkFirst(folder, identities) {
  const there = identities.find((one) => fs.existsSync(path.join(one, 'cert.pem')));
  if (there === undefined || ['key.pem', 'cert.pem'].some((name) => fs.existsSync(path.join(folder, name)))) return;
  throw new IgnisError('IGNIS_BAD_OPTION', `${there} was certified by an authority that is no longer in ${folder}; ${ANEW}`);
}

/**
 * @param {string} folder
 * @param {crypto.X509Certificate} own
 * @param {string} ca PEM
 * @throws {IgnisError} IGNIS_BAD_OPTION when another authority certified it, or it trusts another one
 */
function checkTrust(folder, own, ca) {
  const authority = new crypto.X509Certificate(ca);
  if (!own.verify(authority.publicKey))
    throw new IgnisError('IGNIS_BAD_OPTION', `${folder} was certified by another authority than the one of this folder; ${ANEW}`);
  const file = path.join(folder, 'trust.pem');
  if (!fs.existsSync(file)) return writeSecret(file, ca);
  const trusted = parsed(file, 'a certificate in PEM', () => certificatesOf(fs.readFileSync(file, 'utf8')));
  if (!trusted.some(({ fingerprint256 }) => fingerprint256 === authority.fingerprint256))
    throw new IgnisError('IGNIS_BAD_OPTION', `${file} has another authority than the one of this folder; ${ANEW}`);
}

/**
 * @param {string} folder
 * @param {Pair} pair
 * @param {'home' | 'host'} role
 * @returns {crypto.X509Certificate}
 * @throws {IgnisError} IGNIS_BAD_OPTION: it was made for the other role, and nobody would accept it in this one
 */
function checkIdentity(folder, pair, role) {
  const own = checkPair(folder, pair);
  if (own.keyUsage?.includes(USAGE[role])) return own;
  const [was, is] = role === 'home' ? ['a host', 'a home'] : ['a home', 'a host'];
  throw new IgnisError(
    'IGNIS_BAD_OPTION',
    `${folder} was made for ${was}, and cannot be ${is}; remove its key.pem and cert.pem, or give ${is} another name`,
  );
}

/**
 * @param {string} file of a host, with the keys whose code it accepts
 * @param {string} pub PEM
 * @returns {boolean} whether it had only others
 */
function takeCodeOf(file, pub) {
  if (!fs.existsSync(file)) {
    writeSecret(file, pub);
    return false;
  }
  const text = fs.readFileSync(file, 'utf8');
  const keys = parsed(file, 'an Ed25519 public key in PEM', () => publicKeysOf(text));
  const own = crypto.createPublicKey(pub);
  if (keys.some((key) => key.equals(own))) return false;
  fs.appendFileSync(file, text.endsWith('\n') ? pub : `\n${pub}`);
  return true;
}

/**
 * @param {string} folder
 * @param {readonly string[]} names of nodes; the first is the home
 * @param {object} [given]
 * @param {number} [given.days] how long an identity is valid; 825
 * @param {(folder: string) => void} [given.onFurther] told of each host that accepted only code of other homes, and now accepts that of
 *   this one too
 * @returns {Promise<string[]>} the folders of the identities, in the order of the names
 * @throws {IgnisError} IGNIS_BAD_OPTION when a name is no valid one, or existing files are not what they must be
 */
async function makeKeys(folder, names, { days, onFurther = () => {} } = {}) {
  if (names.length < 2) throw new IgnisError('IGNIS_BAD_OPTION', 'name the home and at least one host');
  for (const [i, name] of names.entries()) {
    if (!NODE_NAME.test(name) || name === AUTHORITY || names.indexOf(name) !== i)
      throw new IgnisError('IGNIS_BAD_OPTION', `'${name}' cannot be the name of a node: letters, digits, dots and dashes, each name once`);
  }
  const authorityFolder = path.join(folder, AUTHORITY);
  const folders = names.map((name) => path.join(folder, name));
  checkFirst(authorityFolder, folders);
  const authority = await keep(authorityFolder, () => makeAuthority());
  const why = whyNotNow(checkPair(authorityFolder, authority));
  if (why !== '')
    throw new IgnisError(
      'IGNIS_BAD_OPTION',
      `${path.join(authorityFolder, 'cert.pem')} ${why}: nobody whom it certifies is accepted; make the keys of all nodes again in another folder`,
    );
  for (const [i, name] of names.entries()) {
    const pair = await keep(folders[i], () => makeIdentity(name, authority, { isHome: i === 0, days }));
    checkTrust(folders[i], checkIdentity(folders[i], pair, i === 0 ? 'home' : 'host'), authority.cert);
  }
  const deploy = path.join(folders[0], 'deploy.key');
  if (!fs.existsSync(deploy))
    writeSecret(deploy, String(crypto.generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })));
  const signer = parsed(deploy, 'an Ed25519 private key in PEM', () => crypto.createPrivateKey(fs.readFileSync(deploy)));
  const pub = String(crypto.createPublicKey(/** @type {any} */ (signer)).export({ type: 'spki', format: 'pem' }));
  for (const one of folders.slice(1)) if (takeCodeOf(path.join(one, 'deploy.pub'), pub)) onFurther(one);
  return folders;
}

exports.makeKeys = makeKeys;
exports.makeAuthority = makeAuthority;
exports.makeIdentity = makeIdentity;
exports.makeOwnCertificate = makeOwnCertificate;
exports.NODE_NAME = NODE_NAME;
