'use strict';
/*
 * How the address of a host is written. In: an address or a name, and a port. Out: both as one text, in which it is plain where the port begins: one of IPv6 has colons of its own and stands in brackets (RFC 3986, 3.2.2), as options take it.
 */

/** @param {string} ip @param {number} port @returns {string} */
const addressText = (ip, port) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

exports.addressText = addressText;
