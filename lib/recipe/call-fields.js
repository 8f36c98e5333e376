'use strict';

// Rows of the table of fields: how single calls are treated, and how a module relates to others. In: nothing. Out: rows for fields.js.
// Which fields exclude each other is in contradictions.js.

const { fact, oneOf, wholeNumber } = require('../option-table.js');
const { hedge, name, oneway, variables, weight } = require('./checks.js');
const { Object } = require('../engine');

/** @typedef {import('./fields.js').FieldRow} FieldRow */

/** @type {readonly FieldRow[]} */
const CALL_FIELDS = Object.freeze([
  {
    name: 'oneway',
    scope: ['module'],
    type: 'true, false or list of function names',
    ts: 'boolean | readonly string[]',
    default: false,
    check: oneway,
    sentence:
      'Functions (all, or those named by their path) whose callers do not care about the outcome: a call returns `undefined` and runs afterwards, in a replica or at home, with the arguments as they were. Errors are counted and published, and Ignis warns once. Synchronous functions can then leave without `call` or `lift`.',
  },
  {
    name: 'oneway',
    scope: ['function'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence: 'The callers of this function do not care about the outcome of a call, as for a module.',
  },
  {
    name: 'timeout',
    scope: ['module', 'function'],
    type: 'number',
    unit: 'ms',
    check: wholeNumber(1, 86400000),
    sentence:
      "How many ms a call may spend in a replica without an answer; then it fails with IGNIS_CALL_TIMEOUT. Time spent waiting for a replica, or for one to start, does not count, and calls at home have no limit. The replica keeps working on the call, unless `killMs` says otherwise, and the answer is dropped. With `call: 'block'`, the time limit for one answer, instead of the option `blockMs`.",
  },
  {
    name: 'killMs',
    scope: ['module', 'function'],
    type: 'number',
    unit: 'ms',
    check: wholeNumber(0, 86400000),
    sentence:
      'How many ms after its `timeout` a call may go on keeping its replica busy. If it has not ended by then, the replica is killed, which also ends endless computations, and another one takes its place. Its other calls run again, or fail, as after any loss. By default no replica is killed because of a call.',
  },
  {
    name: 'memoryMb',
    scope: ['module'],
    type: 'number',
    unit: 'MB',
    check: wholeNumber(16, 1048576),
    sentence:
      'How much memory a replica may take. A process that takes more than this, and more than one and a half times what it took when it was ready, is replaced: another one is started first; then the old one gets no more calls, and ends after those it has. For a thread it is the limit of its heap: beyond that the thread ends, and its calls with it. Not for modules whose state is kept in one place.',
  },
  {
    name: 'env',
    scope: ['module'],
    type: 'list of names of environment variables',
    ts: 'readonly string[]',
    check: variables,
    sentence:
      'The environment variables of the program that a replica of the module gets, besides those that Node itself needs (`PATH`, `HOME`, `TZ`, `NODE_OPTIONS`, ...); `[]` for none. By default all but the secrets of Ignis (`IGNIS_..._KEY`, `_TOKEN`, `_SECRET`).',
  },
  {
    name: 'retry',
    scope: ['module', 'function'],
    type: 'number',
    check: wholeNumber(0, 100),
    sentence:
      'How often a call that was lost with its replica is run again. By default 1 if the function is `idempotent` or `pure`; otherwise 0, and more is refused. A loss counts fully if the call was the oldest in its replica, but only a quarter if the replica was ended from outside (killed, or lost with its host). Calls that waited behind it run again in any case if this is 1 or more. After that many losses a call fails with IGNIS_REPLICA_LOST.',
  },
  {
    name: 'hedge',
    scope: ['module', 'function'],
    type: 'true, false or number',
    unit: 'ms',
    default: true,
    check: hedge,
    sentence:
      "When a replica has not answered for this many ms (`true`: for 8 ms, and four times as long as its calls mostly take), the calls that wait there behind the one it works on are sent to another replica as well, if they are of synchronous functions and may run twice (`pure`, `idempotent`). The first answer counts, the other is dropped. Not with `sched: 'hash'` or a `sched` function of your own.",
  },
  {
    name: 'small',
    scope: ['module', 'function'],
    type: "'home' or 'away'",
    default: 'home',
    check: oneOf(['home', 'away']),
    sentence:
      'Where small calls of a synchronous function run, that is, those with smaller arguments than any call that took long at home. `home`: at home, while such a call costs less than half of what sending it costs, and at most 0.05 ms; `away`: in replicas, like all others. Calls with `order`, `verify`, `key`, `timeout`, or a `sched` by key or of your own, calls of a module that always has a replica (`copies`), and calls that need the state of the module leave in any case.',
  },
  {
    name: 'priority',
    scope: ['module', 'function'],
    type: 'number',
    default: 0,
    check: wholeNumber(-100, 100),
    sentence:
      'Among calls that wait at home for a replica of the module, those with a higher priority go first, and among equals those that came first. Each second of waiting adds 1, so that none waits for ever. Not together with `order`.',
  },
  {
    name: 'weight',
    scope: ['module'],
    type: 'number',
    default: 1,
    check: weight,
    sentence:
      'How much the pressure of this module counts compared to others, when modules are ranked and when cores are shared among the modules that press: 2 for twice as much.',
  },
  {
    name: 'group',
    scope: ['module'],
    type: 'string',
    ts: 'string',
    check: name,
    sentence:
      "Modules of one group share their replicas: each replica holds all of them, they are scaled as one, and calls between them stay in the replica, so they share there what they share at home. A folder or glob under `modules` puts a subtree into one group. With `call: 'block'` they all live in one replica. `where`, `state`, `comm` and `codec` must be the same for all.",
  },
  {
    name: 'nested',
    scope: ['module'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence:
      'Makes Ignis active in the replicas of the module, too: what the module itself imports is watched there, and replicated from there if a recipe allows it, as at home. Costs each replica memory and time to start, and processes while it replicates (docs/nested.md).',
  },
]);

exports.CALL_FIELDS = CALL_FIELDS;
