'use strict';
// A home of its own, for tests of how replicas end with it. argv: where, what it does once its replica is up. Prints the pid of the
// replica.
const path = require('node:path');
const { openResident } = require('../../lib/spawn/resident');

const [where, does] = process.argv.slice(2);
const resident = openResident({ where: /** @type {any} */ (where), serve: path.join(__dirname, 'resident-echo.js') });
resident.line.post(['self']);
const [pid] = /** @type {any[]} */ (resident.line.receive());
console.log(pid);
if (does === 'spin') {
  resident.line.post(['spin']);
  setInterval(() => {}, 1000);
}
if (does === 'blocked') {
  resident.line.post(['spin']);
  resident.line.receive();
}
if (does === 'exit') {
  resident.line.post(['spin']);
  process.exit(0);
}
