'use strict';
/*
 * Who a server of an engine must be, over TLS. The client of NATS (3.3.1) tells Node no name of a server that the cluster names by its
 * address, and Node takes it for `localhost` then (`onConnectSecure` in node's lib/_tls_wrap.js), which a certificate for that address is
 * not for. In: the servers of a cluster. Out: the check that Node's TLS asks, by which a server of NATS without a name may be any of those
 * that are named by address; and what both engines ask of one that has a name.
 */
const { X509Certificate } = require('node:crypto');
const net = require('node:net');
const tls = require('node:tls');

/** What Node asks for where nobody has told it a name. */
const UNNAMED = 'localhost';

/** @param {string} server HOST:PORT, an address of IPv6 in brackets @returns {string} */
const hostOf = (server) => server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

/**
 * Node's own check; but Node 22.23 finds no address of IPv6 in any certificate (it makes ASCII of the name first, which gives '' for one),
 * so its X509Certificate is asked for it.
 *
 * @param {string} hostname @param {tls.PeerCertificate} cert @returns {Error | undefined} what is wrong
 */
function checkServer(hostname, cert) {
  const failure = tls.checkServerIdentity(hostname, cert);
  if (failure === undefined || !net.isIPv6(hostname)) return failure;
  return new X509Certificate(cert.raw).checkIP(hostname) === undefined ? failure : undefined;
}

/**
 * @param {readonly string[]} servers
 * @returns {(hostname: string, cert: tls.PeerCertificate) => Error | undefined} what is wrong with a certificate
 */
function identityOf(servers) {
  const addresses = servers.map(hostOf).filter((host) => net.isIP(host) !== 0);
  return (hostname, cert) => {
    const failure = checkServer(hostname, cert);
    if (failure === undefined || hostname !== UNNAMED || addresses.length === 0) return failure;
    const failures = addresses.map((address) => checkServer(address, cert));
    return failures.includes(undefined) ? undefined : failures[0];
  };
}

exports.checkServer = checkServer;
exports.identityOf = identityOf;
