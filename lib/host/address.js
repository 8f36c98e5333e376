'use strict';
/*
 * Addresses of hosts. In: an address or name, and a port. Out: both as one text in which it is clear where the port begins: an IPv6 address
 * has colons of its own, so it gets brackets (RFC 3986, 3.2.2), as options accept it. Also: where a failed socket came from.
 */

/** @param {string} ip @param {number} port @returns {string} */
const addressText = (ip, port) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

/**
 * @param {import('node:tls').TLSSocket} socket its handshake failed: its own address is gone by then; the socket below (node:_tls_wrap,
 *   Node 20 to 24) remembers one that was read before
 * @returns {string}
 */
function addressOf(socket) {
  return socket.remoteAddress ?? /** @type {any} */ (socket)._parent?.remoteAddress ?? '';
}

exports.addressOf = addressOf;
exports.addressText = addressText;
