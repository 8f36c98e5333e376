'use strict';

/** @param {number} count */
const items = (count) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    name: `service ${id}`,
    ports: [80 + id, 443],
    env: { HOST: '0.0.0.0', 'a key': 'yes', note: 'two\nlines: "quoted"' },
    ratio: id / 3,
    enabled: id % 2 === 0,
    none: null,
  }));
const COUNTS = [2, 20, 200];
/** @param {any} module @param {number} count @returns {string} */
const text = (module, count) => `# services\n${module.dump(items(count))}`;
/** @param {string} input @param {(module: any) => any[]} args */
const size = (input, args) => ({ input, args });
const shared = { a: 1 };

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    load: [
      size('an anchor and its alias', () => ['a: &x { b: 1 }\nc: *x\nd: 2001-12-14\ne: 0x1F\n', { filename: 'some.yaml' }]),
      ...COUNTS.map((count) => size(`${count} services of 160 bytes`, (module) => [text(module, count)])),
    ],
    loadAll: COUNTS.map((count) =>
      size(`two documents of ${count} services`, (module) => [`${text(module, count)}---\n${text(module, count)}`]),
    ),
    dump: [
      size('an object twice, sorted', () => [
        { b: shared, a: shared, list: [shared] },
        { sortKeys: true, indent: 4, flowLevel: 2 },
      ]),
      ...COUNTS.map((count) => size(`${count} services of 160 bytes`, () => [items(count)])),
    ],
  },
  wrong: [
    { function: 'load', args: () => ['a: : b'] },
    { function: 'load', args: () => [''] },
    { function: 'dump', args: () => [{ pattern: /x/ }] },
  ],
};
