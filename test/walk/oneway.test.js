'use strict';

// Programs that make oneway calls: nothing is lost when they end, and nobody is kept.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Family } = require('../helpers/family');

const APP = path.join(__dirname, '../fixtures/oneway/app.js');
// A machine with idle cores, whatever else this one does.
const IDLE_CORES = path.join(__dirname, '../fixtures/paper/watch.js');

describe('a program that makes oneway calls', function () {
  this.timeout(120_000);
  let folder;
  let file;
  /** @type {Family} */
  let family;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-oneway-'));
    file = path.join(folder, 'lines');
  });
  afterEach(() => {
    family.end();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** @param {string} how @param {string} where @param {number} code @param {number} count of lines */
  async function ends(how, where, code, count) {
    family = new Family(['-r', IDLE_CORES, APP, how, where, file]);
    assert.deepEqual(await family.ended, { code, signal: null }, family.err);
    await family.gone();
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n').map(Number);
    assert.deepEqual(
      // What waits for a replica that is closed runs at home, while those in the replica run there.
      how === 'close' ? lines.sort((a, b) => a - b) : lines,
      Array.from({ length: count }, (_, n) => n),
    );
    assert.equal(family.err.match(/IGNIS_ONEWAY/g)?.length ?? 0, how === 'exit' ? 0 : 1, family.err);
  }

  it('has run them all when it ends by itself, at home', () => ends('home', 'process', 0, 20));
  it('has run them all when it ends itself, at home', () => ends('exit', 'process', 7, 20));
  for (const where of ['process', 'thread']) {
    it(`has run them all when it ends by itself, with a ${where}`, () => ends('replica', where, 0, 40));
    it(`has run them all when it closes Ignis, with a ${where}`, () => ends('close', where, 0, 40));
  }

  it('gets a replica for a synchronous function that nobody awaits, when that keeps its event loop', async () => {
    await ends('load', 'process', 0, 40);
    assert.deepEqual(JSON.parse(family.out.split('\n')[0]), { kind: 'sync', lost: 0, calls: true });
  });
});
