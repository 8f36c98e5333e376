'use strict';

const assert = require('node:assert/strict');
const { readArguments, toFlag } = require('../../lib/cli/arguments.js');
const daemon = require('../../lib/cli/daemon.js');
const run = require('../../lib/cli/run.js');

const read = (...args) => {
  const { given, rest } = readArguments(run, args);
  return [given, rest];
};

describe('the arguments of ignis run', () => {
  it('end where the program begins', () => {
    assert.deepEqual(read('server.js', '--level', '7', '-x', '--', '--help'), [{}, ['server.js', '--level', '7', '-x', '--', '--help']]);
    assert.deepEqual(read('server.js', '-e', '--inspect'), [{}, ['server.js', '-e', '--inspect']]);
    assert.deepEqual(read('--', '-e'), [{}, ['-e']]);
    assert.deepEqual(read('--explain', 'server.js', '--explain'), [{ explain: true }, ['server.js', '--explain']]);
  });

  it('know which options take a value', () => {
    assert.deepEqual(read('--level', '2', 'server.js', '3'), [{ level: 2 }, ['server.js', '3']]);
    assert.deepEqual(read('--level=2', 'server.js'), [{ level: 2 }, ['server.js']]);
    assert.deepEqual(read('--report', 'r.json', '--tick-ms', '50', 'server.js'), [{ report: 'r.json', tickMs: 50 }, ['server.js']]);
  });

  it('know which options may stand without their value, and take it where it is a number', () => {
    assert.deepEqual(read('--metrics', 'server.js', '3'), [{ metrics: 9464 }, ['server.js', '3']]);
    assert.deepEqual(read('--metrics', '4000', 'server.js'), [{ metrics: 4000 }, ['server.js']]);
    assert.deepEqual(read('--metrics=4000', 'server.js'), [{ metrics: 4000 }, ['server.js']]);
    assert.deepEqual(read('--metrics', '--explain', 'server.js'), [{ metrics: 9464, explain: true }, ['server.js']]);
  });

  it('may be ended by --, also before a program that begins with a dash', () => {
    assert.deepEqual(read('--explain', '--', '-odd.js', '-a'), [{ explain: true }, ['-odd.js', '-a']]);
  });

  it("keep numbers among the program's arguments as they were written", () => {
    assert.deepEqual(read('server.js', '007', '1e3', ''), [{}, ['server.js', '007', '1e3', '']]);
  });

  it('take no for an answer', () => {
    assert.deepEqual(read('--no-explain', 'server.js'), [{ explain: false }, ['server.js']]);
    for (const word of ['1', 'true', 'yes']) assert.deepEqual(read(`--explain=${word}`, 'server.js'), [{ explain: true }, ['server.js']]);
    for (const word of ['0', 'false', 'no']) assert.deepEqual(read(`--explain=${word}`, 'server.js'), [{ explain: false }, ['server.js']]);
    for (const word of ['maybe', ''])
      assert.throws(() => read(`--explain=${word}`), { code: 'IGNIS_BAD_OPTION', message: /must be true or false/ });
    assert.deepEqual(read('--', '--explain=maybe'), [{}, ['--explain=maybe']]);
  });

  it('take the last of two', () => {
    assert.deepEqual(read('--level', '1', '--level', '3', 'server.js'), [{ level: 3 }, ['server.js']]);
  });

  it('leave out what is not given, so that the environment counts', () => {
    assert.deepEqual(read('server.js'), [{}, ['server.js']]);
  });

  for (const [args, why] of [
    [['--level', 'high', 'server.js'], /'level' is 'high'.*the command line.*whole number/],
    [['--level'], /: option 'level' needs a value$/],
    [['--report', '', 'server.js'], /'report'/],
    [['--constructor=1', 'server.js'], /no option is called 'constructor' \(its value is '1'\).*the command line/],
    [['--toString', 'server.js'], /no option is called 'toString'/],
    [['--__proto__=1', 'server.js'], /no option is called '__proto__'/],
    [['--_=other.js', 'server.js'], /no option is called '_'/],
    [['--$0=other.js', 'server.js'], /no option is called '\$0'/],
    [['--tick-ms', 'soon', 'server.js'], /option 'tick-ms' is 'soon'/],
    [['--tickMs', '5', 'server.js'], /no option is called 'tickMs'.*did you mean 'tick-ms'/],
    [['--tickMs=5', 'server.js'], /no option is called 'tickMs'.*did you mean 'tick-ms'/],
    [['--tick', '5', 'server.js'], /no option is called 'tick' \(given on the command line\); did you mean 'tick-ms'\?/],
    [['--verbose', 'server.js'], /no option is called 'verbose' \(given on the command line\); '--help' lists them/],
    [['--tik-ms', '5', 'server.js'], /no option is called 'tik-ms'.*did you mean 'tick-ms'/],
    [['--levl', '5', 'server.js'], /'levl'.*'level'/],
    [['-e', '1'], /'-e' is an option of Node, as in 'node -r ignis\/register -e \.\.\.'/],
    [['--eval=1'], /'--eval' is an option of Node/],
    [['--explain', '--inspect', 'server.js'], /'--inspect' is an option of Node, as in 'node -r ignis\/register --inspect/],
    [['-r', './other.js', 'server.js'], /'-r' is an option of Node/],
    [['--max-old-space-size=100', 'server.js'], /'--max-old-space-size' is an option of Node/],
  ]) {
    it(`refuse ${args.join(' ')}`, () => {
      assert.throws(() => readArguments(run, args), { code: 'IGNIS_BAD_OPTION', message: why });
    });
  }

  it('are named so that each name that is suggested is taken', () => {
    for (const { name } of run.options) {
      const wrong = `${name}x`;
      assert.throws(
        () => readArguments(run, [`--${wrong}`]),
        ({ field, nearest }) => {
          assert.deepEqual([field, nearest], [wrong, toFlag(name)]);
          return true;
        },
      );
    }
    for (const { name, type, default: value } of run.options) {
      if (type === 'number' && value !== undefined) assert.deepEqual(read(`--${toFlag(name)}`, String(value)), [{ [name]: value }, []]);
    }
  });

  it('are flags with dashes', () => {
    assert.equal(toFlag('maxFrameBytes'), 'max-frame-bytes');
    assert.equal(toFlag('level'), 'level');
  });
});

describe('the arguments of ignis daemon', () => {
  it('are as its table has them where they are not given, and no variable may say them', () => {
    const { listen, memory, quiet, identity } = readArguments(daemon, ['--memory', '64']).given;
    assert.deepEqual([listen, memory, quiet, identity], ['127.0.0.1:7100', 64, false, undefined]);
    assert.deepEqual(readArguments(daemon, ['--help']).given, {});
  });
});
