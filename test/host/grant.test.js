'use strict';

const assert = require('node:assert/strict');
const { isProved, proofOf } = require('../../lib/host/grant');

const DIGEST = 'd'.repeat(64);
const ROOT = '/store/bundles/one';

describe('a grant', () => {
  const grant = { root: ROOT, proof: proofOf('secret', DIGEST, ROOT) };

  it('is proved to who has the secret, of that bundle in that place', () => {
    assert.equal(isProved('secret', DIGEST, grant), true);
  });

  it('is not by another secret, for another bundle, or another place', () => {
    assert.equal(isProved('', DIGEST, grant), false);
    assert.equal(isProved('another', DIGEST, grant), false);
    assert.equal(isProved('secret', 'e'.repeat(64), grant), false);
    assert.equal(isProved('secret', DIGEST, { ...grant, root: '/etc' }), false);
    // What is signed cannot be cut in two at another place.
    assert.equal(isProved('secret', `${DIGEST}\0`, { root: ROOT.slice(1), proof: grant.proof }), false);
  });

  it('is not by what is no proof, whatever came over the wire', () => {
    const wrong = [undefined, null, 7, '', {}, [], { root: ROOT }, { proof: grant.proof }, { ...grant, root: 7 }];
    for (const proof of ['', 'x', grant.proof.slice(1), `${grant.proof}0`, grant.proof.toUpperCase(), 7, null, Buffer.from(grant.proof)])
      wrong.push({ ...grant, proof });
    for (const one of wrong) assert.equal(isProved('secret', DIGEST, one), false, JSON.stringify(one));
  });
});
