'use strict';
// One part of the fault suite, as a process of its own: what is done to it must not reach who watches it. argv: its name and options, as
// JSON. Tells its parent how far it is, and what came out.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const [name, text] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-faults-'));
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
process.env.FAULTS_LOG = path.join(folder, 'runs.log');
process.env.FAULTS_HOME = String(process.pid);
fs.writeFileSync(process.env.FAULTS_LOG, '');

const tell = (/** @type {object} */ word) => void process.send?.(word);

async function main() {
  const { PARTS } = require('./parts');
  const options = { ...JSON.parse(text), log: process.env.FAULTS_LOG, onLook: (/** @type {object} */ figures) => tell({ figures }) };
  // Replicas that start do not keep their home alive.
  const alive = setInterval(() => {}, 1000);
  const result = await PARTS[name](options).finally(() => clearInterval(alive));
  tell({ result });
  process.disconnect();
}

void main();
