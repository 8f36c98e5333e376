'use strict';
// The bare echo over mutual TLS 1.3: a length (u32) and as many bytes come, the same go back, one write for each. In (arguments): its
// folder of keys, the address. Out: its port, a line on stdout.
const fs = require('node:fs');
const path = require('node:path');
const tls = require('node:tls');
const { frames, writeFrame } = require('../call/frames');

const [keys, host] = process.argv.slice(2);
const [key, cert, ca] = ['key.pem', 'cert.pem', 'trust.pem'].map((file) => fs.readFileSync(path.join(keys, file)));
const server = tls.createServer(
  { key, cert, ca, minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: true, noDelay: true },
  (socket) => {
    socket.on('error', () => {});
    socket.on('end', () => process.exit(0));
    frames(socket, (bytes) => writeFrame(socket, bytes));
  },
);
server.listen(0, host, () => console.log(/** @type {import('node:net').AddressInfo} */ (server.address()).port));
