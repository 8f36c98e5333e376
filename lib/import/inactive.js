'use strict';
/*
 * Answers for Ignis where it is inactive on purpose: in replicas without `nested`, and under `ignis check`. In: what a program asks of
 * Ignis. Out: empty answers of the usual shape, and modules as a plain import gives them, so that the same program runs there, too. It
 * watches and keeps nothing.
 */
const { performance } = require('../engine');
const { identityOf } = require('../view/identity');
const { buildReport } = require('../view/snapshot');
const { compile } = require('./recipe-require');

class Inactive {
  /**
   * @param {string} id
   * @param {unknown} _recipe has no effect
   * @param {string} parentFile absolute
   * @returns {Promise<any>} the namespace of the module
   */
  import(id, _recipe, parentFile) {
    // As the file itself would import it: only Node knows what a name means there.
    return compile({ exports: {} }, 'return import(id)', parentFile, { id })();
  }

  /** @param {string} id */
  explain(id) {
    return `${id}: not watched, since Ignis is not active here, in a replica or under ignis check`;
  }

  /** @returns {Record<string, import('../types').EffectiveRecipe>} empty: no recipe has an effect here */
  setLive() {
    return {};
  }

  /** @returns {import('../types').Report} */
  report() {
    const identity = identityOf(Math.round(performance.timeOrigin));
    const program = { ...identity, writtenAt: Date.now(), loop: { utilisation: 0, delayMs: null } };
    return buildReport({ program, boundaries: [], decisions: [], replicas: [] });
  }

  metrics() {
    return '';
  }
}

exports.Inactive = Inactive;
