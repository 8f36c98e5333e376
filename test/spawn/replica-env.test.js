'use strict';

const assert = require('node:assert/strict');
const { replicaEnv } = require('../../lib/spawn/replica-env');

const optionsOf = (text) => replicaEnv({ NODE_OPTIONS: text }).NODE_OPTIONS;

describe('spawn/replica-env', () => {
  for (const [text, left] of [
    ['--inspect', ''],
    ['--inspect-brk', ''],
    ['--inspect=127.0.0.1:9230 --no-warnings', '--no-warnings'],
    ['--no-warnings --inspect-wait --max-old-space-size=100', '--no-warnings --max-old-space-size=100'],
    ['--inspect-port 9230 --no-warnings', '--no-warnings'],
    ['--inspect_port=0  --no-warnings', '--no-warnings'],
    ['--debug-port 9230', ''],
    ['--inspect-publish-uid=http --require "/a folder/\\"b\\".js"', '--require "/a folder/\\"b\\".js"'],
    ['"--inspect" --conditions=x', '--conditions=x'],
    ['-r  "./my --inspect.js"', '-r  "./my --inspect.js"'],
    ['--cpu-prof --cpu-prof-name=home.cpuprofile --heap-prof-name home.heapprofile', '--cpu-prof'],
    ['--cpu-prof-dir=profiles --report-on-signal --report-filename "my report.json"', '--cpu-prof-dir=profiles --report-on-signal'],
    ['--trace-events-enabled --trace-warnings --trace-event-categories v8 --trace_event_file_pattern=${pid}.log', '--trace-warnings'],
    ['', ''],
  ]) {
    it(`leaves of NODE_OPTIONS what is neither for home's debugger nor names its files: ${text || 'nothing'}`, () => {
      assert.equal(optionsOf(text), left);
    });
  }
});
