'use strict';

const assert = require('node:assert/strict');
const { freedBy } = require('../../lib/view/freed.js');

/** @param {string} parent @param {string} child @param {number} share @param {number} [all] with modules inside */
const edge = (parent, child, share, all) => ({
  id: `${parent} -> ${child}`,
  parent,
  child,
  share,
  ...(all !== undefined && { withInside: { share: all, quantiles: [] } }),
});
const freed = (boundaries, ...bound) => Object.fromEntries(freedBy(/** @type {any} */ (boundaries), (module) => bound.includes(module)));

const BLOG = [edge('app', 'render', 0.05, 0.9), edge('render', 'marked', 0.4), edge('render', 'sanitize', 0.45)];

describe('what a module would free', () => {
  it('is with modules inside where none of those would free nearly as much alone', () => {
    assert.deepEqual(freed(BLOG), { render: 0.9, marked: 0.4, sanitize: 0.45 });
  });

  it('is its own part where one inside does as well, with nothing else', () => {
    const report = [edge('app', 'report', 0.05, 0.9), edge('report', 'pdf', 0.85)];
    assert.deepEqual(freed(report), { report: 0.05, pdf: 0.85 });
    assert.deepEqual(freed(report, 'pdf'), { report: 0.9, pdf: 0.85 }, 'which could not leave');
  });

  it('is that of the innermost that takes all along, of several that do', () => {
    const all = [edge('main', 'app', 0.01, 0.92), ...BLOG];
    assert.deepEqual(freed(all), { app: 0.01, render: 0.9, marked: 0.4, sanitize: 0.45 });
    assert.deepEqual(freed(all, 'render'), { app: 0.92, render: 0.05, marked: 0.4, sanitize: 0.45 });
  });

  it('is of all files that import it, and ends in circles', () => {
    const twice = [
      edge('a', 'render', 0.1, 0.4),
      edge('b', 'render', 0.1, 0.3),
      edge('render', 'marked', 0.25),
      edge('render', 'pug', 0.25),
    ];
    assert.deepEqual(freed(twice), { render: 0.7, marked: 0.25, pug: 0.25 });
    const circle = [edge('app', 'a', 0.2, 0.6), edge('a', 'b', 0.2, 0.4), edge('b', 'a', 0.1, 0.3)];
    assert.deepEqual(Object.keys(freed(circle)).sort(), ['a', 'b']);
  });

  it('is what it takes by itself in reports that know no more', () => {
    assert.deepEqual(freed(BLOG.map(({ id, child, share }) => ({ id, child, share }))), { render: 0.05, marked: 0.4, sanitize: 0.45 });
    assert.deepEqual(freed([]), {});
  });
});
