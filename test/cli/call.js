'use strict';

// Runs the command line: in this process with its output caught, or as users do in one of its own.

const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { main } = require('../../lib/cli/main.js');

const BIN = path.join(__dirname, '..', '..', 'bin', 'ignis.js');

exports.BIN = BIN;

exports.call = function call(argv, env = {}) {
  const caught = { out: '', err: '' };
  const { code, launch } = main(argv, {
    out: (text) => {
      caught.out += text;
    },
    err: (text) => {
      caught.err += text;
    },
    env,
  });
  return { code, launch, ...caught };
};

exports.spawn = function spawn(argv, { env = {}, cwd } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...argv], {
    encoding: 'utf8',
    cwd,
    env: { ...process.env, ...env },
    timeout: 20000,
  });
  return { code: status, out: stdout, err: stderr };
};
