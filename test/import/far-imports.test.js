'use strict';

// What packages import among themselves: most of the files of a large program, of which nothing is watched.

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = require.resolve('../../lib/register');

const FILES = {
  'node_modules/near/package.json': '{"name":"near","version":"1.0.0"}',
  'node_modules/near/index.js': "require('./part'); require('far'); require('path'); require('node:url'); exports.near = () => 1;",
  'node_modules/near/part.js': "require('far/part'); require('os');",
  'node_modules/far/package.json': '{"name":"far","version":"1.0.0"}',
  'node_modules/far/index.js': 'exports.far = () => 2;',
  'node_modules/far/part.js': "exports.part = require('./index');",
  'count.js': `
    const Module = require('module');
    const { _resolveFilename } = Module;
    global.resolved = [];
    Module._resolveFilename = function (request, parent) {
      if (/node_modules/.test(parent?.filename)) resolved.push(request);
      return Reflect.apply(_resolveFilename, this, arguments);
    };
    let limit = Error.stackTraceLimit;
    global.stacks = 0;
    Object.defineProperty(Error, 'stackTraceLimit', { get: () => limit, set(value) { limit = value; if (value > 10) stacks += 1; }, configurable: true });`,
  'app.js': `
    require('./count');
    const { near } = require('near');
    near();
    const watched = process.env.OURS && require(process.env.OURS).boundaries().map(({ id }) => id);
    console.log(JSON.stringify({ resolved, stacks, watched }));`,
};

describe('what packages import among themselves', () => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-far-'));
  before(() => {
    for (const [file, text] of Object.entries(FILES)) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      fs.writeFileSync(path.join(folder, file), text);
    }
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {string[]} args @param {Record<string, string>} [env] */
  const run = (args, env) =>
    JSON.parse(execFileSync(process.execPath, [...args, 'app.js'], { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' }));
  const ours = { OURS: path.dirname(REGISTER) };

  it('is looked for as often as without Ignis, and no stack is taken for it', () => {
    const plain = run([]);
    assert.ok(plain.resolved.includes('far/part') && plain.resolved.includes('./part'));
    const watching = run(['-r', REGISTER], ours);
    assert.deepEqual(watching.resolved, plain.resolved);
    assert.equal(watching.stacks, plain.stacks);
    assert.ok(watching.watched.includes('app.js -> near'));
  });

  it('is watched all the same where a recipe calls it hot, or gives a level that reaches it', () => {
    fs.writeFileSync(path.join(folder, 'ignis.config.json'), JSON.stringify({ hot: ['far'] }));
    try {
      assert.ok(run(['-r', REGISTER], ours).watched.includes('near -> far'));
    } finally {
      fs.rmSync(path.join(folder, 'ignis.config.json'));
    }
    assert.ok(run(['-r', REGISTER], { ...ours, IGNIS_LEVEL: '2' }).watched.includes('near -> far'));
  });
});
