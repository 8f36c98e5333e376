'use strict';

const assert = require('node:assert/strict');
const Module = require('node:module');
const { subscribe } = require('../../lib/diagnostics');
const { Shown } = require('../../lib/view/shown');

const MONITOR = require.resolve('../../lib/view/monitor');

describe('view/shown', () => {
  it('leaves the program alone, and says so, when what offers it cannot be loaded any more', () => {
    const kept = require.cache[MONITOR];
    const load = Module._extensions['.js'];
    const warnings = [];
    const end = subscribe('ignis:warning', ({ message }) => warnings.push(message));
    const running = { options: { monitor: true }, report: () => ({}), ownReport: () => ({}), boundaries: () => [] };
    const shown = new Shown(running, { identity: { program: 'app.js' }, rooms: () => ({}), window: {}, whatIf: () => ({}), say: () => {} });
    delete require.cache[MONITOR];
    Module._extensions['.js'] = function (module, filename) {
      if (filename === MONITOR) throw new Error('EMFILE: too many open files');
      return Reflect.apply(load, this, [module, filename]);
    };
    try {
      shown.offer();
    } finally {
      Module._extensions['.js'] = load;
      if (kept !== undefined) require.cache[MONITOR] = kept;
      shown.close();
      end();
    }
    assert.deepEqual(warnings, ["this program cannot be watched by 'ignis top': EMFILE: too many open files"]);
  });
});
