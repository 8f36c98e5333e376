'use strict';
/*
 * Checks over TLS who a server of an engine is. If the cluster names a server by its address, the client of NATS (3.3.1) gives Node no
 * server name, and Node then assumes `localhost` (`onConnectSecure` in node's lib/_tls_wrap.js), which a certificate for that address does
 * not cover. In: the servers of a cluster. Out: the check for Node's TLS, with which a NATS server without a name may be any of those named
 * by address; and the check of both engines for a server with a name.
 */
const { X509Certificate } = require('node:crypto');
const net = require('node:net');
const tls = require('node:tls');

/** The name that Node assumes if it gets none. */
const UNNAMED = 'localhost';

/** @param {string} server HOST:PORT, an IPv6 address in brackets @returns {string} */
const hostOf = (server) => server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

/**
 * Node's own check. But Node 22.23 finds no IPv6 address in any certificate (it first turns the name into ASCII, which gives ''), so its
 * X509Certificate is asked about those.
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
