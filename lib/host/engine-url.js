'use strict';
/*
 * Reads where an engine is from one line: `embedded`, `nats://user:secret@a:4222,b:4222?replicas=3`,
 * `etcd://a:2379?ca=FILE&cert=FILE&key=FILE`. In: that text. Out: its parts, checked. Several servers are separated by commas, which the
 * URL class does not allow. Messages name servers, and never what comes before the @.
 */
const fs = require('node:fs');
const { IgnisError } = require('../errors.js');
const { nearest } = require('../option-table.js');

/**
 * @typedef {object} EngineAddress
 * @property {'embedded' | 'nats' | 'etcd'} kind
 * @property {string[]} servers 'host:port'
 * @property {string} [user] with a password; alone it is a token
 * @property {string} [password]
 * @property {number} [replicas] how many servers hold each record and entry (NATS)
 * @property {{ca?: string, cert?: string, key?: string}} [tls] PEM texts, read from the named files
 * @property {string} [nkey] the seed, read from the named file (NATS)
 */

const PORTS = { nats: 4222, etcd: 2379 };
const FILES = ['ca', 'cert', 'key', 'nkey'];
const NAMES = ['replicas', ...FILES];
const FORMS = "'embedded', 'nats://HOST:PORT,...' or 'etcd://HOST:PORT,...'";

/** @param {string} detail @param {object} [fields] @returns {IgnisError} */
function wrong(detail, fields) {
  return new IgnisError('IGNIS_BAD_OPTION', detail, { field: 'cluster', ...fields });
}

/** @param {string} name @param {string} file */
function readPem(name, file) {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new IgnisError('IGNIS_NOT_FOUND', `the file that '${name}' of the cluster names cannot be read: ${file}`, { cause });
  }
}

/** @param {string} text user or password */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('what stands before the @ of the cluster is not valid: write a % there as %25');
  }
}

/**
 * @param {string} text one server
 * @param {number} port if none is named
 */
function serverOf(text, port) {
  const match = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text);
  if (match === null || Number(match[2] ?? port) > 65535) throw wrong(`the cluster names a server that is not HOST:PORT: '${text}'`);
  return `${match[1]}:${match[2] ?? port}`;
}

/**
 * @param {URLSearchParams} query
 * @param {(name: string, file: string) => string} read
 * @returns {Partial<EngineAddress>}
 */
function settingsOf(query, read) {
  /** @type {any} */
  const tls = {};
  /** @type {Partial<EngineAddress>} */
  const settings = {};
  for (const [name, value] of query) {
    if (!NAMES.includes(name)) throw wrong(`the cluster has no setting '${name}'; did you mean '${nearest(name, NAMES)}'?`);
    if (name === 'replicas') {
      if (!/^[1-5]$/.test(value)) throw wrong(`'replicas' of the cluster is a number from 1 to 5, not '${value}'`);
      settings.replicas = Number(value);
    } else if (name === 'nkey') settings.nkey = read(name, value);
    else tls[name] = read(name, value);
  }
  if ((tls.cert === undefined) !== (tls.key === undefined))
    throw wrong("'cert' and 'key' of the cluster go together: give a certificate, and its key");
  if (Object.keys(tls).length > 0) settings.tls = tls;
  return settings;
}

/**
 * @param {string} text
 * @param {(name: string, file: string) => string} [read] reads a file that it names
 * @returns {EngineAddress}
 * @throws {IgnisError} IGNIS_BAD_OPTION when it has none of the forms; IGNIS_NOT_FOUND when a file that it names cannot be read
 */
function readEngineUrl(text, read = readPem) {
  if (text === 'embedded') return { kind: 'embedded', servers: [] };
  const match = typeof text === 'string' ? /^(nats|etcd):\/\/(?:([^@/?]*)@)?([^/?@]+)\/?(?:\?(.*))?$/.exec(text) : null;
  if (match === null) throw wrong(`the cluster must be ${FORMS}`);
  const kind = /** @type {'nats' | 'etcd'} */ (match[1]);
  // All after the first colon is the password, as for the URL class.
  const [user, ...parts] = (match[2] ?? '').split(':').map(decoded);
  const password = parts.length === 0 ? undefined : parts.join(':');
  const address = {
    kind,
    servers: match[3].split(',').map((server) => serverOf(server, PORTS[kind])),
    ...(user !== '' && { user }),
    ...(password !== undefined && { password }),
    ...settingsOf(new URLSearchParams(match[4] ?? ''), read),
  };
  if (kind === 'etcd' && (address.nkey !== undefined || address.replicas !== undefined))
    throw wrong("'nkey' and 'replicas' are settings of NATS");
  return address;
}

/**
 * For tables of options and fields: a cluster of several hosts must have a server. Reads no file.
 *
 * @param {any} value
 * @returns {true | string}
 */
function isClusterUrl(value) {
  const right = 'nats://HOST:PORT,... or etcd://HOST:PORT,..., see docs/hosts-engine.md';
  // The refusal below also says what would be right, and may mention the embedded one.
  if (typeof value !== 'string' || !/^(?:nats|etcd):\/\//.test(value)) return right;
  try {
    return readEngineUrl(value, () => '').kind !== 'embedded' || right;
  } catch (error) {
    return `${right} (${/** @type {Error} */ (error).message.replace(/^[^:]*: /, '')})`;
  }
}

exports.isClusterUrl = isClusterUrl;
exports.readEngineUrl = readEngineUrl;
