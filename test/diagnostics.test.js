'use strict';

const assert = require('node:assert/strict');
const diagnostics = require('node:diagnostics_channel');
const { publish, subscribe } = require('../lib/diagnostics.js');

describe('diagnostics', () => {
  it('hands a record to whoever listens on the channel of that name', () => {
    const heard = [];
    const listener = (record, name) => heard.push([name, record]);
    const record = { module: 'uri-js' };
    diagnostics.subscribe('ignis:decision', listener);
    publish('ignis:decision', record);
    diagnostics.unsubscribe('ignis:decision', listener);
    publish('ignis:decision', record);
    assert.deepEqual(heard, [['ignis:decision', record]]);
    assert.equal(heard[0][1], record);
  });

  it('ends a subscription once', () => {
    const heard = [];
    const end = subscribe('ignis:warning', (record) => heard.push(record));
    publish('ignis:warning', { message: 'a' });
    end();
    end();
    publish('ignis:warning', { message: 'b' });
    assert.deepEqual(heard, [{ message: 'a' }]);
    assert.equal(diagnostics.hasSubscribers('ignis:warning'), false);
  });

  it('knows no other names', () => {
    assert.throws(() => publish('ignis:else', {}), TypeError);
  });
});
