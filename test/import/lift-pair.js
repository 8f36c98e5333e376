'use strict';

// Runs a source as it is and lifted, with calls that really take a while, so that the two can be compared.
// In: the text of a CommonJS file that exports `run`, and the module 'x' that it requires. Out: what `run` settled with, and what it told
// `log`.

const vm = require('node:vm');
const { liftSource } = require('../../lib/import/lift');
const { lifted } = require('../../lib/wrap/lifted');

/** What lifts all functions of 'x' and nothing else. */
const ofX = (functions) => (specifier) => (specifier === 'x' ? functions : null);

/** @param {string} source @param {'script' | 'module'} [sourceType] @param {any} [functions] */
function lift(source, sourceType = 'script', functions = true, more = {}) {
  return liftSource({ source, filename: '/app/file.js', sourceType, liftedOf: ofX(functions), helperSpecifier: 'helper', ...more });
}

/** What a call gave that was waited for; a promise in it is the caller's. */
class Given {
  constructor(value) {
    this.value = value;
  }
}

/** The calls begin at once, and answer after the event loop has turned. */
const slow = (call) =>
  call === undefined
    ? undefined
    : async (...args) => {
        const given = new Given(call(...args));
        await new Promise(setImmediate);
        return given;
      };

let latest;
const slowly = {
  call: (...given) => slow(lifted.call(...given)),
  method: (...given) => slow(lifted.method(...given)),
  isAway: (result) => (latest = result) !== undefined,
  away: () => latest,
  here: () => undefined,
  value: (awaited) => lifted.value(awaited instanceof Given ? awaited.value : awaited),
  answer: lifted.answer,
  express: lifted.express,
  event: lifted.event,
};

/** @param {string} code @param {() => any} makeX @param {Record<string, unknown>} names */
async function run(code, makeX, names) {
  const told = [];
  const log = (...values) => void told.push(values);
  const module = { exports: {} };
  const x = makeX(log);
  const require = (name) => {
    if (name === 'x') return x;
    throw new Error(`no module ${name}`);
  };
  const more = { log, ...names };
  const body = vm.compileFunction(code, ['exports', 'require', 'module', ...Object.keys(more)], { filename: '/app/file.js' });
  const outcome = {};
  try {
    body.call(module.exports, module.exports, require, module, ...Object.values(more));
    outcome.value = await module.exports.run();
  } catch (error) {
    outcome.error = `${error?.name}: ${error?.message ?? error}`;
  }
  return { ...outcome, told };
}

/** @param {string} source @param {(log: Function) => any} makeX @returns {Promise<{plain: any, lifted: any, outcome: any}>} */
async function both(source, makeX, functions = true) {
  const outcome = lift(source, 'script', functions);
  const plain = await run(source, makeX, {});
  if (outcome === null) return { plain, lifted: plain, outcome };
  return { plain, lifted: await run(outcome.code, makeX, { [outcome.helper]: slowly }), outcome };
}

exports.both = both;
exports.lift = lift;
