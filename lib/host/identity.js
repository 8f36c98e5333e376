'use strict';
/*
 * Who a node is, whom it trusts, and which key signs code. In: the paths of files. Out: what TLS and signatures need of them, read once.
 * Errors name files, never their contents.
 */
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { IgnisError } = require('../errors');
// A program may replace its clock.
const { Date } = require('../engine');

/**
 * @typedef {object} Identity
 * @property {string} name common name of its certificate
 * @property {string} key PEM
 * @property {string} cert PEM
 * @property {string} ca PEM: who certifies peers
 * @property {import('node:crypto').KeyObject[]} deploy home's private key; for a daemon, the public keys that it accepts, of one home or
 *   several
 */

/** @param {string} file @param {string} what */
function read(file, what) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    // Key files are readable only for their owner, and were often made by another user.
    const advice =
      code === 'EACCES' ? `give it, and its folder, to the user of this process (uid ${process.getuid?.()})` : '`ignis keys` makes it';
    throw new IgnisError('IGNIS_BAD_OPTION', `${what} cannot be read from ${file} (${code}); ${advice}`, { path: file });
  }
}

/** @template T @param {string} file @param {string} what @param {() => T} parse @returns {T} */
function parsed(file, what, parse) {
  try {
    return parse();
  } catch {
    throw new IgnisError('IGNIS_BAD_OPTION', `${file} is not ${what}`, { path: file });
  }
}

/**
 * @param {string} text PEM, several in a row: while one replaces another, both are trusted
 * @returns {crypto.X509Certificate[]} at least one
 */
function certificatesOf(text) {
  const found = text.match(/-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^]+?-----END \1-----/g) ?? [text];
  return found.map((one) => new crypto.X509Certificate(one));
}

/** @param {crypto.X509Certificate} cert @returns {string} */
function nameOf(cert) {
  return /^CN=(.+)$/m.exec(cert.subject)?.[1] ?? '';
}

/**
 * @param {object} given
 * @param {string} given.identity a folder with key.pem and cert.pem
 * @param {string} [given.trust] file of those who certify peers; by default trust.pem in that folder
 * @param {string} [given.deployKey] file; by default, in that folder, deploy.key of a home or deploy.pub of a host
 * @param {boolean} isHome
 * @returns {Identity}
 * @throws {IgnisError} IGNIS_BAD_OPTION when a file is missing, is something else, belongs to another key, has expired, or is not valid yet
 */
function readIdentity({ identity, trust, deployKey }, isHome) {
  const [keyFile, certFile] = [path.join(identity, 'key.pem'), path.join(identity, 'cert.pem')];
  const trustFile = trust ?? path.join(identity, 'trust.pem');
  const deployFile = deployKey ?? path.join(identity, isHome ? 'deploy.key' : 'deploy.pub');
  if (deployKey === undefined) checkRole(identity, isHome);
  const [key, cert, ca] = [read(keyFile, 'the key'), read(certFile, 'the certificate'), read(trustFile, 'whom to trust')];
  const deployText = read(deployFile, 'the deploy key');
  const own = checkPair(identity, { key, cert });
  const authorities = parsed(trustFile, 'a certificate in PEM', () => certificatesOf(ca));
  const why = whyNotNow(own);
  if (why !== '') throw new IgnisError('IGNIS_BAD_OPTION', `${certFile} ${why}`);
  const whyNone = authorities.map(whyNotNow);
  if (!whyNone.includes(''))
    throw new IgnisError('IGNIS_BAD_OPTION', `${trustFile} ${whyNone[0]}, and nobody whom it certifies is accepted`);
  const deploy = parsed(deployFile, `an Ed25519 ${isHome ? 'private' : 'public'} key in PEM`, () => {
    const made = isHome ? [crypto.createPrivateKey(deployText)] : publicKeysOf(deployText);
    if (made.some(({ asymmetricKeyType }) => asymmetricKeyType !== 'ed25519')) throw new Error('another kind');
    return made;
  });
  return { name: nameOf(own), key, cert, ca, deploy };
}

/**
 * @param {string} folder that contains them
 * @param {{key: string, cert: string}} pair both PEM
 * @returns {crypto.X509Certificate}
 * @throws {IgnisError} IGNIS_BAD_OPTION when they are something else, or do not belong together
 */
function checkPair(folder, { key, cert }) {
  const [keyFile, certFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const own = parsed(certFile, 'a certificate in PEM', () => new crypto.X509Certificate(cert));
  const privateKey = parsed(keyFile, 'a private key in PEM', () => crypto.createPrivateKey(key));
  if (!own.checkPrivateKey(privateKey)) throw new IgnisError('IGNIS_BAD_OPTION', `${keyFile} is not the key of ${certFile}`);
  return own;
}

/**
 * @param {string} folder that `ignis keys` made
 * @param {boolean} isHome
 * @throws {IgnisError} IGNIS_BAD_OPTION when it has what only the other kind of node has
 */
function checkRole(folder, isHome) {
  const [own, other] = isHome ? ['deploy.key', 'deploy.pub'] : ['deploy.pub', 'deploy.key'];
  if (fs.existsSync(path.join(folder, own)) || !fs.existsSync(path.join(folder, other))) return;
  const [was, is] = isHome ? ['a host', 'a home'] : ['a home', 'a host'];
  const names = 'the first of the names given to `ignis keys` is the home';
  throw new IgnisError('IGNIS_BAD_OPTION', `${folder} was made for ${was}, not for ${is}; ${names}`, { path: folder });
}

/** This machine's time: if it is wrong, valid certificates do not count as valid. */
const clockText = () => `the clock of this machine says ${new Date().toUTCString()}`;

/** @param {crypto.X509Certificate} cert @returns {string} '' while it is valid, by the clock of this machine */
function whyNotNow({ validFrom, validTo }) {
  // The system's time, which TLS uses: a program may have replaced `Date.now`.
  const now = new Date().getTime();
  if (Date.parse(validTo) < now) return `has expired (${validTo})`;
  return Date.parse(validFrom) > now ? `is good from ${validFrom} on, and ${clockText()}` : '';
}

/**
 * It may have expired while its node runs, or the clock was set. In TLS 1.3 a handshake is over for home before the other side has refused
 * it, so home would see an end without a reason.
 *
 * @param {Partial<Identity>} identity
 * @param {'home' | 'host'} role
 * @returns {string} '' while it is valid, and if there is none
 */
function whyNotGood({ cert }, role) {
  const why = cert === undefined ? '' : whyNotNow(new crypto.X509Certificate(cert));
  if (why === '') return '';
  const advice = why.startsWith('has expired') ? `; renew it, and restart the ${role === 'home' ? 'program' : 'daemon'}` : '';
  return `the certificate of this ${role} ${why}${advice}`;
}

/** @param {unknown} code why a certificate was not accepted @returns {string} what to check, if its time was the reason */
const clockFor = (code) => (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID' ? ` (${clockText()})` : '');

/**
 * @param {string} text public keys in PEM, one after another; a private key is refused: a daemon must not have it
 * @returns {crypto.KeyObject[]} at least one
 */
function publicKeysOf(text) {
  if (text.includes('PRIVATE')) throw new Error('private');
  const keys = text.split(/(?=-----BEGIN )/).filter((part) => part.trim() !== '');
  if (keys.length === 0) throw new Error('none');
  return keys.map((key) => crypto.createPublicKey(key));
}

exports.certificatesOf = certificatesOf;
exports.checkPair = checkPair;
exports.clockFor = clockFor;
exports.publicKeysOf = publicKeysOf;
exports.readIdentity = readIdentity;
exports.nameOf = nameOf;
exports.parsed = parsed;
exports.whyNotGood = whyNotGood;
exports.whyNotNow = whyNotNow;
