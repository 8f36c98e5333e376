'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { introduction, mistakeIn } = require('../../bench/lib/options.js');

const BENCH = path.join(__dirname, '..', '..', 'bench');

/** @type {import('../../bench/lib/options.js').Options} */
const OPTIONS = { json: { type: 'boolean' }, rounds: { type: 'string', default: '3' } };

describe('bench: options', () => {
  it('says in one sentence what is wrong', () => {
    assert.equal(mistakeIn(OPTIONS, []), null);
    assert.equal(mistakeIn(OPTIONS, ['--json', '--rounds', '2']), null);
    assert.equal(mistakeIn(OPTIONS, ['--rounds=2']), null);
    assert.equal(mistakeIn(OPTIONS, ['--round=2']), 'there is no option --round; there are --json, --rounds VALUE');
    assert.equal(mistakeIn(OPTIONS, ['--toString']), 'there is no option --toString; there are --json, --rounds VALUE');
    assert.equal(mistakeIn(OPTIONS, ['2']), '"2" is no option; there are --json, --rounds VALUE');
    assert.equal(mistakeIn(OPTIONS, ['--rounds']), '--rounds lacks its value');
    assert.equal(mistakeIn(OPTIONS, ['--json=1']), '--json takes no value');
    assert.equal(mistakeIn({}, ['--json']), 'there is no option --json; it takes none');
  });

  it('gives help and ends well, or names the mistake and ends with 2', () => {
    const run = (/** @type {string[]} */ ...args) =>
      spawnSync(process.execPath, [path.join(BENCH, 'fs.js'), ...args], { encoding: 'utf8' });
    const help = run('--json', '--help');
    assert.deepEqual([help.status, help.stdout, help.stderr], [0, `${introduction(path.join(BENCH, 'fs.js'))}\n`, '']);
    const wrong = run('--foo');
    assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /^bench\/fs: there is no option --foo; there are --json, [^\n]*\n$/);
  });

  it('are read by all benchmarks in the same manner', () => {
    const files = fs.readdirSync(BENCH).filter((file) => file.endsWith('.js') && file !== 'index.js');
    for (const file of files) {
      const text = fs.readFileSync(path.join(BENCH, file), 'utf8');
      assert.match(text, /valuesOf\(\s*__filename,/, file);
      assert.doesNotMatch(text, /parseArgs\(/, file);
    }
  });
});
