'use strict';

const assert = require('node:assert/strict');
const { main, split } = require('../../bench/index.js');
const { compare, format } = require('../../bench/lib/harness.js');
const { bar, cut, paint, wrap } = require('../../bench/lib/screen.js');
const { median, percentile, spread } = require('../../bench/lib/statistics.js');
const { number, table } = require('../../bench/lib/table.js');

/** @param {number[]} values one a call, the last for ever */
const series =
  (...values) =>
  () =>
    values.length > 1 ? /** @type {number} */ (values.shift()) : values[0];

describe('bench: the command', () => {
  it('takes names, and gives what comes after them to the benchmarks as it is', () => {
    assert.deepEqual(split(['wiki', 'call']), { wanted: ['wiki', 'call'], options: [] });
    assert.deepEqual(split(['decide', '--only', 'burst', '--json']), { wanted: ['decide'], options: ['--only', 'burst', '--json'] });
  });

  it('refuses a name that it does not know, or that comes after an option', async () => {
    assert.equal(await main(['nothing']), 2);
    assert.equal(await main(['--json', 'marshal']), 2);
  });
});

describe('bench: compare', () => {
  it('checks every row before it measures one', async () => {
    /** @type {string[]} */
    const calls = [];
    const row = (/** @type {string} */ name) => ({
      name,
      setup: () => calls.push(`${name} setup`),
      check: () => calls.push(`${name} check`),
      run: () => calls.push(`${name} run`),
      teardown: () => calls.push(`${name} teardown`),
    });
    await compare({ title: 't', quiet: true, rounds: 1, warmup: 0, rows: [row('a'), row('b')] });
    assert.deepEqual(calls, ['a setup', 'a check', 'b setup', 'b check', 'a run', 'b run', 'b teardown', 'a teardown']);
  });

  it('lets the rows take turns, each round from another one on', async () => {
    let order = '';
    const row = (/** @type {string} */ name) => ({
      name,
      run: () => {
        order += name;
        return 1;
      },
    });
    await compare({ title: 't', quiet: true, rounds: 3, warmup: 0, rows: [row('a'), row('b'), row('c')] });
    assert.equal(order, 'abcbcacab');
  });

  it('a wrong answer ends it before anything is measured, and all that began is ended', async () => {
    /** @type {string[]} */
    const ended = [];
    let isMeasured = false;
    const run = () => {
      isMeasured = true;
      return 1;
    };
    await assert.rejects(
      compare({
        title: 't',
        quiet: true,
        rows: [
          { name: 'a', run, teardown: () => ended.push('a') },
          {
            name: 'b',
            run,
            check: () => {
              throw new Error('5 is not 4');
            },
            teardown: () => ended.push('b'),
          },
          { name: 'c', run, teardown: () => ended.push('c') },
        ],
      }),
      /5 is not 4/,
    );
    assert.deepEqual([ended, isMeasured], [['b', 'a'], false]);
  });

  it('the warm-up does not count; the ratio is the median of the ratios within a round', async () => {
    const result = await compare({
      title: 't',
      quiet: true,
      rounds: 3,
      warmup: 1,
      rows: [
        { name: 'base', run: series(999, 10, 20, 40) },
        { name: 'other', run: series(999, 20, 30, 80) },
      ],
    });
    const [base, other] = result.rows.map((row) => row.metrics.value);
    assert.deepEqual([base.values, base.median, base.ratio], [[10, 20, 40], 20, 1]);
    assert.deepEqual([other.values, other.ratio], [[20, 30, 80], 2]);
  });

  it('p99 is the slow end: the least where more is better, the most where less is', async () => {
    const rows = () => [{ name: 'a', run: series(1, 2, 3) }];
    const higher = await compare({ title: 't', quiet: true, rounds: 3, warmup: 0, better: 'higher', rows: rows() });
    const lower = await compare({ title: 't', quiet: true, rounds: 3, warmup: 0, better: 'lower', rows: rows() });
    assert.deepEqual(
      [higher, lower].map((result) => result.rows[0].metrics.value.p99),
      [1, 3],
    );
  });

  it('several numbers of one run become several tables', async () => {
    const result = await compare({
      title: 't',
      quiet: true,
      rounds: 2,
      warmup: 0,
      unit: 'ms',
      metrics: { rate: { unit: '1/s', better: 'higher' } },
      better: 'lower',
      rows: [
        { name: 'a', run: () => ({ rate: 10, wait: 2 }) },
        { name: 'b', run: async () => ({ rate: 20 }) },
      ],
    });
    assert.deepEqual(result.metrics, { rate: { unit: '1/s', better: 'higher' }, wait: { unit: 'ms', better: 'lower' } });
    assert.equal(result.rows[1].metrics.rate.ratio, 2);
    assert.ok(Number.isNaN(result.rows[1].metrics.wait.median));
    assert.match(format(result), /rate 1\/s \(higher is better\)[^]*wait ms \(lower is better\)/);
  });

  it('a row that cannot run stands in the table with its reason', async () => {
    let isRun = false;
    const result = await compare({
      title: 'T',
      quiet: true,
      rounds: 1,
      rows: [
        { name: 'a', run: () => 1 },
        {
          name: 'b',
          skip: 'no such file',
          run: () => {
            isRun = true;
            return 1;
          },
        },
      ],
    });
    assert.equal(isRun, false);
    assert.equal(result.rows[1].skipped, 'no such file');
    assert.match(format(result), /b +skipped[^]*b: skipped: no such file/);
  });

  it('names the machine and the date', async () => {
    const result = await compare({ title: 'T', quiet: true, rounds: 1, rows: [{ name: 'a', run: () => 1 }] });
    assert.equal(result.machine.node, process.version);
    assert.match(result.machine.date, /^\d{4}-\d\d-\d\d$/);
    assert.ok(format(result).includes(`Node ${process.version}`));
  });

  it('refuses a baseline that is no row, and two rows of one name', async () => {
    const a = { name: 'a', run: () => 1 };
    await assert.rejects(compare({ title: 't', quiet: true, rows: [a], baseline: 'z' }), /"z" is not a row: a/);
    await assert.rejects(compare({ title: 't', quiet: true, rows: [a, a] }), /two rows are called "a"/);
  });
});

describe('bench: figures', () => {
  it('percentiles are values of the sample; nothing has none', () => {
    assert.deepEqual(
      [50, 99, 100, 0].map((percent) => percentile([5, 1, 4, 2, 3], percent)),
      [3, 5, 5, 1],
    );
    assert.ok(Number.isNaN(percentile([], 50)) && Number.isNaN(median([])));
    assert.deepEqual([median([3, 1, 2]), median([4, 1, 2, 3])], [2, 2.5]);
    assert.equal(spread([10, 10, 10]), 0);
  });

  it('numbers have four digits, and a missing one shows as such', () => {
    assert.deepEqual([0, 1.23456, 12.3456, 123.456, 1234.5, 1234567, 0.0123456, NaN, undefined].map(number), [
      '0',
      '1.235',
      '12.35',
      '123.5',
      '1,235',
      '1,234,567',
      '0.01235',
      '-',
      '-',
    ]);
  });

  it('tables align words to the left and numbers to the right', () => {
    assert.equal(
      table(
        ['name', 'n'],
        [
          ['a', '1'],
          ['bcdef', '100'],
        ],
      ),
      'name     n\n-----  ---\na        1\nbcdef  100',
    );
  });
});

describe('bench: screen', () => {
  it('wraps at the width under a hanging indent', () => {
    assert.equal(wrap('aa bb cc dd', '> ', 7), '> aa bb\n  cc dd');
    assert.equal(wrap('abcdefghij k', '> ', 5), '> abcdefghij\n  k');
    assert.ok(
      wrap('word '.repeat(100).trim(), '     > ')
        .split('\n')
        .every((line) => line.length <= 100),
    );
  });

  it('colours only where there is a terminal', () => {
    assert.equal(paint('red', 'x', false), 'x');
    assert.equal(paint('red', 'x', true), '\u001b[31mx\u001b[0m');
  });

  it('a bar is never empty and never longer than its place', () => {
    assert.deepEqual(
      [bar(0, 12), bar(1000, 12), bar(1e6, 12), bar(10, 12)].map((text) => text.length),
      [1, 12, 12, 4],
    );
    assert.equal(cut('abcdef', 5), 'ab...');
  });
});

describe('what a hypervisor took', () => {
  const { Stolen } = require('../../bench/lib/stolen.js');
  /** @param {number[]} shares that were taken, look by look; each look is 1000 ticks after the one before */
  const taking = (...shares) => {
    const now = { stolen: 0, all: 0 };
    return new Stolen(() => {
      const share = shares.shift() ?? 0;
      now.stolen += share * 1000;
      now.all += 1000;
      return { ...now };
    });
  };

  it('has a disturbed run repeated, and its last answer counts', async () => {
    // Looks: before, after, before and after the quiet moment, before, after.
    const stolen = taking(0, 0.2, 0, 0, 0, 0.01);
    let runs = 0;
    assert.equal(await stolen.undisturbed(() => ++runs), 2);
    assert.match(String(stolen), /repeated for what a hypervisor took meanwhile: 1$/);
  });

  it('lets a run be that was not disturbed, or of which nothing is known', async () => {
    for (const stolen of [taking(0.9, 0.05), new Stolen(() => null)]) {
      let runs = 0;
      assert.equal(await stolen.undisturbed(() => ++runs), 1);
      assert.equal(String(stolen), '');
    }
  });

  it('says when a run counts though it was disturbed again and again', async () => {
    const stolen = taking(0, 0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2);
    let runs = 0;
    assert.equal(await stolen.undisturbed(() => ++runs), 3);
    assert.match(String(stolen), /: 2, 1 count though disturbed 3 times$/);
  });

  it('gives a repeated run the number of its round', async () => {
    /** @type {number[]} */
    const rounds = [];
    const rows = [{ name: 'a', run: (round) => rounds.push(round) }];
    const result = await compare({ title: 'x', rows, rounds: 2, warmup: 1, quiet: true, stolen: taking(0, 0.2) });
    assert.deepEqual(rounds, [-1, 0, 0, 1]);
    assert.match(result.disturbed, /: 1$/);
  });

  it('has no run repeated where each counts', async () => {
    let runs = 0;
    const rows = [{ name: 'a', run: () => ++runs }];
    const result = await compare({ title: 'x', rows, rounds: 2, warmup: 0, quiet: true, keepsAll: true, stolen: taking(0, 0.2, 0, 0.2) });
    assert.deepEqual([runs, result.disturbed], [2, '']);
  });
});
