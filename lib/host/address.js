'use strict';
/*
 * Addresses of hosts. In: an address or a name, and a port. Out: both as one text, in which it is plain where the port begins: one of IPv6
 * has colons of its own and stands in brackets (RFC 3986, 3.2.2), as options take it. And of a socket that failed: where it came from.
 */

/** @param {string} ip @param {number} port @returns {string} */
const addressText = (ip, port) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

/**
 * @param {import('node:tls').TLSSocket} socket whose handshake failed: its own address is gone by then, and the socket below
 *   (node:_tls_wrap, Node 20 to 24) remembers one that was asked for before
 * @returns {string}
 */
function addressOf(socket) {
  return socket.remoteAddress ?? /** @type {any} */ (socket)._parent?.remoteAddress ?? '';
}

exports.addressOf = addressOf;
exports.addressText = addressText;
