'use strict';

// What a module keeps outside of itself by Node's own means: a database, and what a browser has for that.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { check } = require('../../lib/check/check');

const STORE = `const { DatabaseSync } = require('node:sqlite');
  const file = __dirname + '/rows.db';
  const db = new DatabaseSync(file);
  db.exec('create table if not exists rows (n)');
  const insert = db.prepare('insert into rows values (?)');
  const { sessionStorage } = globalThis;
  exports.add = (n) => (insert.run(n), n * 2);
  exports.run = (n) => (db.exec('insert into rows values (' + n + ')'), n + 1);
  exports.open = (n) => {
    const own = new DatabaseSync(file);
    own.exec('insert into rows values (-1)');
    own.close();
    return n;
  };
  exports.seldom = (n) => {
    if (n > 1000) insert.run(n);
    return n;
  };
  exports.plain = (n) => n + 3;
  exports.rows = () => db.prepare('select count(*) as n from rows').get().n;
  if (sessionStorage !== undefined) {
    exports.note = (n) => (sessionStorage.setItem('n', n), n);
    exports.write = (n) => ((globalThis.sessionStorage.last = n), n);
  }`;

const RUN = `const store = require('./store');
  for (let n = 0; n < 5; n++) for (const name of Object.keys(store)) if (name !== 'rows') store[name](n);
  console.log(store.rows());`;

const REASONS = {
  add: /uses sqlite\.StatementSync\.run/,
  run: /uses sqlite\.DatabaseSync\.exec/,
  open: /uses sqlite\.DatabaseSync(?!\.)/,
  seldom: /names sqlite\.StatementSync/,
  note: /uses Storage\.setItem/,
  write: /uses sessionStorage/,
};

describe('ignis check of a module that has a database', function () {
  this.timeout(120_000);

  it('calls no function of it pure that uses that, and writes nothing into it a second time', async function () {
    if (!isBuiltin('node:sqlite')) return this.skip();
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-stores-')));
    try {
      for (const [name, text] of Object.entries({ 'package.json': '{}', 'store.js': STORE, 'run.js': RUN }))
        fs.writeFileSync(path.join(folder, name), text);
      const command = [process.execPath, '--no-warnings', 'run.js'];
      const { modules } = await check({ command, cwd: folder, output: 'ignore', limitMs: 30_000 });
      const [{ verdicts }] = modules;
      const found = Object.fromEntries(
        verdicts.map(({ fn, verdict, reasons }) => [
          fn,
          { verdict, why: reasons.map(({ why, detail }) => `${why}: ${detail}`).join('; ') },
        ]),
      );
      assert.equal(found.plain.verdict, 'pure');
      for (const [fn, why] of Object.entries(REASONS)) {
        if (found[fn] === undefined && (fn === 'note' || fn === 'write')) continue;
        assert.notEqual(found[fn].verdict, 'pure', fn);
        assert.match(found[fn].why, why);
      }
      const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(path.join(folder, 'rows.db'));
      assert.equal(db.prepare('select count(*) as n from rows').get().n, 15);
      db.close();
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
