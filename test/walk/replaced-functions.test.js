'use strict';

// What a program's tests may do to functions of the engine while Ignis watches it, and decides.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register.js');

const PROGRAM = `
  const { subscribe } = require('node:diagnostics_channel');
  const hot = require('./hot.js');
  const natives = [];
  for (const holder of [Array, JSON, Math, Number])
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (typeof holder[name] !== 'function' || name === 'prototype') continue;
      natives.push([holder, name, holder[name]]);
      holder[name] = () => { throw new Error(name + ' was replaced'); };
    }
  let decisions = 0;
  subscribe('ignis:decision', () => (decisions += 1));
  const next = async () => {
    const all = await Promise.all([hot.work(20), hot.work(20)]);
    if (decisions === 0) return setImmediate(next);
    for (const [holder, name, native] of natives) holder[name] = native;
    console.log(JSON.stringify([...new Set(all)]));
  };
  next();`;
const HOT = 'exports.work = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); return ms; };';

describe('a program that has functions of the engine throw', function () {
  this.timeout(60_000);
  it('goes on, and is decided on', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-replaced-'));
    try {
      fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"replaced"}');
      fs.writeFileSync(path.join(folder, 'hot.js'), HOT);
      fs.writeFileSync(path.join(folder, 'program.js'), PROGRAM);
      const options = { cwd: folder, encoding: 'utf8', timeout: 50_000 };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', REGISTER, 'program.js'], options);
      assert.deepEqual([status, stdout, stderr], [0, '[20]\n', '']);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
