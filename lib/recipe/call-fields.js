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
      'Functions (all, or those named by their path) whose callers do not want to know what becomes of a call: it returns `undefined`, and runs after that, in a replica or at home, with the arguments as they were. What it throws is counted, published and warned of once; synchronous functions can leave without `call` or `lift`.',
  },
  {
    name: 'oneway',
    scope: ['function'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence: 'The callers of this function do not want to know what becomes of a call, as for a module.',
  },
  {
    name: 'timeout',
    scope: ['module', 'function'],
    type: 'number',
    unit: 'ms',
    check: wholeNumber(1, 86400000),
    sentence:
      "How many ms a call may be in a replica without an answer; then it fails with IGNIS_CALL_TIMEOUT. The time it waits for a replica, or for one to start, does not count, and at home nothing is limited. The replica goes on with it, unless `killMs` says otherwise; its answer is dropped. With `call: 'block'` the time for one answer, instead of the option `blockMs`.",
  },
  {
    name: 'killMs',
    scope: ['module', 'function'],
    type: 'number',
    unit: 'ms',
    check: wholeNumber(0, 86400000),
    sentence:
      'How many ms after its `timeout` a call may still keep its replica; when it has not ended then, the replica is killed, which also ends what computes for ever, and another one takes its place. Other calls in it are run again, or fail, as for any loss. Without it no replica is killed for a call.',
  },
  {
    name: 'memoryMb',
    scope: ['module'],
    type: 'number',
    unit: 'MB',
    check: wholeNumber(16, 1048576),
    sentence:
      'How much memory a replica may take. A process that takes more, and half as much again as when it was ready, is replaced: another one is started first, then it gets no more calls and ends after those it has. For a thread it is the limit of its heap: beyond that it ends, and its calls with it. Not for a state that is kept in one place.',
  },
  {
    name: 'env',
    scope: ['module'],
    type: 'list of names of environment variables',
    ts: 'readonly string[]',
    check: variables,
    sentence:
      'The only environment variables of the program that a replica of the module gets, besides those that Node itself needs (`PATH`, `HOME`, `TZ`, `NODE_OPTIONS`, ...); `[]` for none. Without it all but the secrets of Ignis (`IGNIS_..._KEY`, `_TOKEN`, `_SECRET`).',
  },
  {
    name: 'retry',
    scope: ['module', 'function'],
    type: 'number',
    check: wholeNumber(0, 100),
    sentence:
      'How often a call that was lost with its replica is run again: 1 without it where the function is `idempotent` or `pure`, else 0, and more than 0 is refused. A loss counts where the call was the oldest in its replica, and a quarter where that was ended from outside (killed, or lost with its host); calls that were behind it, with 1 or more, run again in any case. Beyond that they fail with IGNIS_REPLICA_LOST.',
  },
  {
    name: 'hedge',
    scope: ['module', 'function'],
    type: 'true, false or number',
    unit: 'ms',
    default: true,
    check: hedge,
    sentence:
      "When a replica has not answered for so many ms (`true`: 8 ms, and four times as long as its calls mostly take), calls of synchronous functions that wait there behind the one it works on, and may run twice (`pure`, `idempotent`), are sent to another replica, too: the first answer counts, the other is dropped. Not with `sched: 'hash'` or a function of your own.",
  },
  {
    name: 'small',
    scope: ['module', 'function'],
    type: "'home' or 'away'",
    default: 'home',
    check: oneOf(['home', 'away']),
    sentence:
      'Where calls of a synchronous function run that are given less than any call that was long at home: `home`, while such calls cost less than half of what it costs to send one, and at most 0.05 ms; `away`, in replicas like all others. Calls with `order`, `verify`, `key`, a `sched` by key or of your own, or `timeout`, those of a module with at least one replica (`copies`), and those that need the state of the module leave in any case.',
  },
  {
    name: 'priority',
    scope: ['module', 'function'],
    type: 'number',
    default: 0,
    check: wholeNumber(-100, 100),
    sentence:
      'Of the calls that wait at home for a replica of the module, those with a higher priority go first, of equals those that came first. Each second of waiting counts for 1, so that none waits for ever. Not beside `order`.',
  },
  {
    name: 'weight',
    scope: ['module'],
    type: 'number',
    default: 1,
    check: weight,
    sentence:
      'How much the pressure of the module counts among others, when modules are ranked and when the cores of the machine are shared among those that press: 2 for twice as much.',
  },
  {
    name: 'group',
    scope: ['module'],
    type: 'string',
    ts: 'string',
    check: name,
    sentence:
      "Modules of one group share their replicas: each holds all of them, they are scaled as one, and calls between them stay there, so that what they share they share there, too. A folder or glob under `modules` puts a subtree into one group. With `call: 'block'` they live in one replica. `where`, `state`, `comm` and `codec` must be the same for all.",
  },
  {
    name: 'nested',
    scope: ['module'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence:
      'Ignis is active in the replicas of the module, too: what the module itself imports is watched there, and replicated from there where a recipe lets it, as at home. Costs each replica time to start and memory, and processes while it replicates (docs/nested.md).',
  },
]);

exports.CALL_FIELDS = CALL_FIELDS;
