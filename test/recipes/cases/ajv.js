'use strict';

/** @param {number} count */
const rows = (count) =>
  Array.from({ length: count }, (_, i) => ({ id: i % 20 === 0 ? 'wrong' : i, name: 'a name', tags: ['a', 'b', `c${i}`] }));

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  ownFile: { errorsOf: [1, 100, 1000].map((count) => ({ input: `${count} records`, args: () => [rows(count)] })) },
};
