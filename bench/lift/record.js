'use strict';

// Preloaded behind Ignis: when the process ends it leaves what was lifted in it, for bench/lift.js to add up.
// In: LIFT_RECORD, a folder. Out: one file a process there. It changes nothing else; a replica leaves nothing.

const fs = require('node:fs');
const path = require('node:path');
const { threadId } = require('node:worker_threads');
const ignis = require('../../lib/index.js');
const { appRootOf } = require('../../lib/import/module-id.js');

const folder = process.env.LIFT_RECORD;

if (folder !== undefined && ignis.program() !== null) {
  // Tests replace what they find; all this was there before them.
  const { mkdirSync, writeFileSync } = { ...fs };
  const root = appRootOf(path.resolve(process.argv[1] ?? 'repl'));
  const { argv, pid } = process;
  process.once('exit', () => {
    const { lift, replicas } = ignis.report();
    const at = (/** @type {{file: string}} */ one) => ({ ...one, file: path.resolve(root, one.file) });
    const record = {
      argv,
      files: lift.files.map(at),
      refused: lift.refused.map(at),
      replicas: replicas.map(({ module, calls }) => ({ module, calls })),
    };
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${pid}-${threadId}.json`), JSON.stringify(record));
  });
}
