'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');
const { until } = require('../helpers/until');

const FILE = path.join(__dirname, '../fixtures/bound/work.js');

describe('a module that may be distributed', function () {
  this.timeout(30000);

  it('stays so when one of several first starts fails while others are under way, and not when none is', async () => {
    const on = new Distributed(FILE, { call: 'await', pure: true, copies: 2 });
    const { spares } = on.fleet;
    const { launch } = spares;
    let goOn = () => {};
    const others = new Promise((resolve) => (goOn = resolve));
    let launches = 0;
    spares.launch = async (settings) => {
      launches += 1;
      if (launches === 1) throw new Error('no room');
      await others;
      if (launches === 2) throw new Error('nor there');
      return launch(settings);
    };
    try {
      const first = on.set.resize(2);
      await until(() => on.set.failure !== '' && launches === 2, 'one to fail and another to begin');
      assert.deepEqual([on.set.isFailing, on.set.ready, on.set.starting], [true, 0, 1]);
      assert.ok(on.permission.allowed);
      goOn();
      await first;
      assert.deepEqual([on.set.isFailing, on.set.ready, on.set.starting], [true, 0, 0]);
      assert.match(on.permission.why, /^its replicas cannot be started: /);
      await until(() => on.set.ready === 2, 'both, once the pause is over');
      assert.ok(on.permission.allowed);
    } finally {
      goOn();
      await on.close();
    }
  });
});
