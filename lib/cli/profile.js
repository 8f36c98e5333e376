'use strict';

// ignis profile: a CPU profile of a running program, or of one of its replicas, for Chrome's tools and the like. The program goes on
// meanwhile, slowed down by the sampling.

const fs = require('node:fs');
const path = require('node:path');
const { Watching, findProgram } = require('../view/monitor-client.js');
const { awaited } = require('./awaited.js');
const { guarded } = require('./guarded.js');
const { Progress } = require('./progress.js');
const { checkWritable } = require('./writable.js');
const { misused } = require('./misuse.js');

const ANSWER_MS = 30_000;

exports.usage = 'profile [options] [pid|name]';
exports.summary = 'Takes a CPU profile of a running program, or of one of its replicas.';
exports.options = Object.freeze([
  {
    name: 'replica',
    type: 'string',
    check: (/** @type {any} */ value) => (typeof value === 'string' && value !== '') || 'the number of a replica, as `ignis top` shows it',
    sentence: 'The number of the replica to profile; by default, the program itself is profiled.',
  },
  {
    name: 'seconds',
    type: 'number',
    default: 5,
    unit: 's',
    check: (/** @type {any} */ value) => (typeof value === 'number' && value > 0 && value <= 120) || 'more than 0, at most 120',
    sentence: 'How long to profile.',
  },
  {
    name: 'out',
    type: 'file',
    check: (/** @type {any} */ value) => (typeof value === 'string' && value.endsWith('.cpuprofile')) || 'a file that ends in .cpuprofile',
    sentence: 'The file to write; by default ignis-PID.cpuprofile in the working directory.',
  },
]);

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length > 1) throw misused('name at most one program', exports.usage);
  const entry = findProgram(rest[0]);
  const seconds = Number(given.seconds);
  const replica = given.replica === undefined ? 'home' : String(given.replica);
  const suffix = replica === 'home' ? '' : `-replica-${replica.replace(/[^\w-]+/g, '_')}`;
  const file = path.resolve(String(given.out ?? `ignis-${entry.pid}${suffix}.cpuprofile`));
  checkWritable(file);
  const launch = guarded(io, async () => {
    const link = await awaited(io, entry, Watching.open(entry.place));
    const progress = new Progress(process.stderr);
    try {
      progress.say(`profiling ${entry.name || entry.pid} for ${seconds} s`);
      const wish = { what: 'profile', seconds, replica };
      const { of, profile } = await link.ask('act', { wish }, seconds * 1000 + ANSWER_MS);
      progress.end();
      fs.writeFileSync(file, JSON.stringify(profile));
      io.out(`${of}: ${profile.samples.length} samples in ${seconds} s, in ${file}\n`);
    } finally {
      progress.end();
      link.close();
    }
  });
  return { code: 0, launch };
};
