'use strict';

const assert = require('node:assert/strict');
const { boundaryRecords } = require('../../lib/view/boundary-records');
const { boundaryReports } = require('../../lib/view/snapshot');
const { explain } = require('../../lib/view/explanation');

/** The reports of two modules, the second of which presses half as much. @param {number} weight of that */
function reportsWith(weight) {
  const boundaries = ['first', 'second'].map((name) => ({
    id: `app.js -> ${name}`,
    parent: { name: 'app.js' },
    child: { name },
    calledAt: null,
    recipe: { weight: name === 'second' ? weight : 1 },
  }));
  const readings = boundaries.map(({ id }, i) => ({ boundary: id, callsPerSecond: 1, share: 0.4 / (i + 1) }));
  return boundaryReports(
    boundaryRecords({
      boundaries,
      window: { tick() {}, readings: () => readings, totals: () => null },
      pressureOf: ({ share }) => share,
      consentOf: () => ({ allowed: true }),
      permissionOf: () => ({ allowed: true }),
      setOf: () => undefined,
    }),
  );
}

describe('the weight of a module', () => {
  const known = { latestOf: () => null, prospects: [], residents: [] };

  it('multiplies its pressure in the report, and its place there', () => {
    assert.deepEqual(
      reportsWith(1).map(({ child, pressure }) => [child, pressure]),
      [
        ['first', 0.4],
        ['second', 0.2],
      ],
    );
    assert.deepEqual(
      reportsWith(3).map(({ child, weight }) => [child, weight]),
      [
        ['second', 3],
        ['first', 1],
      ],
    );
  });

  it('stands in the explanation where it is not 1', () => {
    assert.match(explain('second', reportsWith(3), known), /\. Its pressure counts 3 times as much as that of others \(weight\)/);
    assert.doesNotMatch(explain('first', reportsWith(3), known), /weight/);
  });
});
