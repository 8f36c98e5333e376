'use strict';

// Errors that nobody caught in a replica, and that cannot be sent home.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const path = require('node:path');
const { promisify } = require('node:util');

const CONTRACT = path.join(__dirname, '..', 'contract', 'places');
const FIXTURE = path.join(__dirname, '..', 'fixtures', 'contract', 'intrinsics.js');
const PROGRAM = `
const { open } = require(${JSON.stringify(CONTRACT)});
const place = open('process');
const m = place.require(${JSON.stringify(FIXTURE)});
const seen = [];
const note = (error) => {
  if (seen.push(error.code) < 2) return;
  console.log(JSON.stringify([seen, m.isArray([])]));
  place.close();
};
process.on('uncaughtException', note).on('unhandledRejection', note);
const body = "const error = Object.assign(new Error('x'), { shared: new SharedArrayBuffer(8) });";
m.construct(Function, body + 'setImmediate(() => { throw error; }); void Promise.reject(error);')();
`;

describe('an error that nobody caught and that cannot be sent', () => {
  it('is told by why, and ends nothing', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', PROGRAM]);
    assert.deepEqual(JSON.parse(stdout), [['IGNIS_UNMARSHALABLE', 'IGNIS_UNMARSHALABLE'], true]);
  });
});
