'use strict';

// What recipes of fs come to where they name a cluster: only what all their layers together tell.

const assert = require('node:assert/strict');
const { Files } = require('../../lib/fs/files');
const { settingsOf } = require('../../lib/fs/modes');
const { checkRecipe } = require('../../lib/recipe/fields');
const { mergeLayers } = require('../../lib/recipe/merge');

const CLUSTER = 'nats://someone:hidden@192.0.2.7:4222';
const ROOT = '/no/such/root';

/** @param {...[by: string, recipe: object]} layers */
const merged = (...layers) =>
  mergeLayers(
    layers.map(([by, recipe]) => ({ by, where: `${by}.js`, recipe: checkRecipe(by === 'program' ? 'program' : 'module', recipe) })),
    4,
    true,
  );
const settings = (...layers) => settingsOf(merged(['import', { root: ROOT }], ...layers));
const mistakeOf = (work) => {
  try {
    work();
  } catch (error) {
    assert.equal(error.code, 'IGNIS_BAD_RECIPE');
    assert.doesNotMatch(`${error.message} ${JSON.stringify(error)}`, /hidden|someone/);
    return error.message;
  }
  return assert.fail('it was not refused');
};

describe('recipes of fs with a cluster', () => {
  it('have the log of eventual files there, whoever says so of fs', () => {
    assert.equal(settings(['import', { copies: 3, cluster: CLUSTER }]).cluster, CLUSTER);
    assert.equal(settings(['target', { cluster: CLUSTER }], ['import', { fs: 'eventual' }]).cluster, CLUSTER);
  });

  it('have it in files where nobody names one, or only for the hosts of the whole program', () => {
    assert.equal('cluster' in settings(['import', { copies: 3 }]), false);
    assert.equal('cluster' in settings(['program', { cluster: CLUSTER }], ['import', { copies: 3 }]), false);
    assert.equal('cluster' in settings(['program', { cluster: CLUSTER }], ['import', { fs: 'strong' }]), false);
  });

  it('are refused with strong and local, in one layer or in two, and the url is not shown', () => {
    const said =
      /'cluster' of fs \(given in target\.js\) is where the log of an eventual file system is, and fs: '(strong|local)' has none/;
    for (const mode of ['strong', 'local']) {
      assert.match(
        mistakeOf(() => settings(['target', { cluster: CLUSTER }], ['import', { fs: mode }])),
        said,
      );
      assert.match(
        mistakeOf(() => settings(['import', { cluster: CLUSTER, fs: mode }])),
        /'cluster' is 'nats:\/\/\*\*\*@192\.0\.2\.7:4222' and 'fs' is '(strong|local)'.*only fs: 'eventual' has a log, which can be in a cluster/,
      );
    }
  });

  it('are refused where two imports name the same root, and different clusters', () => {
    const files = new Files();
    files.of(merged(['import', { copies: 3, root: ROOT, cluster: CLUSTER }]));
    const other = () => files.of(merged(['import', { copies: 3, root: ROOT }]));
    assert.match(mistakeOf(other), /with 3 folders and its log in a cluster, and fs: 'eventual' with 3 folders$/);
  });
});
