'use strict';

// The fields of a recipe: one table. The check of a recipe, the defaults, the types of recipes in lib/types.d.ts, docs/recipes.md, and the
// output of `ignis recipes` all come from it. In: a recipe as somebody wrote it, its scope, and where it was written. Out: a frozen copy
// with only the given fields (merge.js fills in the defaults), or IGNIS_BAD_RECIPE. A field may be listed here only if it has an effect.

const { isClusterUrl } = require('../host/engine-url.js');
const { areLabels } = require('../host/survey.js');
const { checkWhere, readWhere } = require('../spawn/where.js');
const { fact, oneOf, wholeNumber } = require('../option-table.js');
const { CALL_FIELDS } = require('./call-fields.js');
const { FILE_FIELDS } = require('./file-fields.js');
const { makeCheckRecipe } = require('./check-recipe.js');
const { below, copies, depth, hook, lift, names, nodes, order, sched, share, targets } = require('./checks.js');
const { Object } = require('../engine');

/** @typedef {import('../option-table.js').OptionRow} OptionRow */
/** @typedef {'program' | 'module' | 'function'} Scope program-wide; at an import or under `modules`; under `functions` */
/**
 * `ts` is the type in TypeScript; a row needs it only if `type` is more than quoted words, `true`, `false`, `number` and `Infinity`. `read`
 * gives the meaning of a correct value, if it can be written in several ways.
 * @typedef {OptionRow & { scope: readonly Scope[], paper?: string, ts?: string, read?: (value: any) => unknown }} FieldRow
 */

/** @type {readonly FieldRow[]} */
const RECIPE_FIELDS = Object.freeze([
  {
    name: 'level',
    scope: ['program'],
    type: '0, 1, 2, ...',
    ts: 'number',
    default: 1,
    check: wholeNumber(0, 9),
    paper: 'LEVEL',
    sentence:
      "Whose imports are watched: 0 only what `hot` names, or `hot: true` under `modules` (of other recipes only those with `call: 'block'`, and of `fs`, have an effect then), 1 those of the program's own files, 2 also those of its packages, and so on.",
  },
  {
    name: 'hot',
    scope: ['program'],
    type: 'target or list of targets',
    ts: 'Target | readonly Target[]',
    check: targets,
    paper: 'HOT',
    sentence: 'Modules that are distributed as soon as it pays.',
  },
  {
    name: 'cold',
    scope: ['program'],
    type: 'target or list of targets',
    ts: 'Target | readonly Target[]',
    check: targets,
    paper: 'COLD',
    sentence: 'Modules that are never distributed; wins over `hot`.',
  },
  {
    name: 'modules',
    scope: ['program'],
    type: '{ target: recipe }',
    ts: 'Readonly<Record<string, Recipe>>',
    check: below,
    sentence:
      'Recipes for single modules, as if given at every import of them; of two targets the more exact one wins, of equals the later.',
  },
  {
    name: 'hot',
    scope: ['module'],
    type: 'true | false',
    default: false,
    check: fact,
    paper: 'HOT',
    sentence: 'Distributes this module as soon as it pays.',
  },
  {
    name: 'cold',
    scope: ['module'],
    type: 'true | false',
    default: false,
    check: fact,
    paper: 'COLD',
    sentence: 'Never distributes this module.',
  },
  {
    name: 'copies',
    scope: ['program', 'module'],
    type: 'n, [least, most], true or false',
    ts: 'Copies',
    unit: 'replicas',
    check: copies,
    paper: 'COPIES',
    sentence:
      'How many replicas there may be: exactly `n`, a range, up to as many as processors (`true`), none (`false`); without it as many as processors, and one while nobody said that the module keeps no state.',
  },
  {
    name: 'sched',
    scope: ['program', 'module'],
    type: "'least', 'rr', 'hash', 'weighted', 'elu' or function",
    ts: 'Sched',
    default: 'least',
    check: sched,
    paper: 'SCHED',
    sentence:
      'Which replica takes a call: the one with the fewest that have not run yet, each in turn, the same for the same `key`, each in turn but faster ones more often (by the time that a call is measured to keep them), the one whose event loop is least busy, or the one whose place in the list `(replicas, { path, args })` the function gives, each with its `id` and how many are `pending` (those are listed that take calls now, and with an answer that is none of their places the call goes as with `least`); a call for which that throws fails with what it threw.',
  },
  {
    name: 'key',
    scope: ['module', 'function'],
    type: '(args) => string',
    ts: '(args: readonly any[]) => string',
    check: hook,
    sentence: "What `sched: 'hash'` goes by, without it all arguments; and what `state: 'keyed'` goes by, which needs it.",
  },
  {
    name: 'qDepth',
    scope: ['program', 'module'],
    type: 'number or Infinity',
    unit: 'calls',
    default: Infinity,
    check: depth,
    paper: 'Q_DEPTH',
    sentence:
      'How many calls may be pending in the replicas of a module; beyond that the module serves at home, and a call whose state is in a replica is refused with IGNIS_QUEUE_FULL.',
  },
  {
    name: 'where',
    scope: ['program', 'module'],
    type: "'process', 'thread', 'host', or a list of one of the first two and 'host'",
    ts: 'Where',
    default: 'process',
    check: checkWhere,
    read: readWhere,
    sentence:
      "What a replica is: a process of its own is safe from crashes, a thread is cheaper; with `host` it is a process on one of the hosts that `nodes` or `cluster` names. `['process', 'host']` and `['thread', 'host']`: on this machine while it has a free core, further ones on hosts where that brings more than it costs (docs/hosts.md).",
  },
  {
    name: 'nodes',
    scope: ['program', 'module'],
    type: 'list of { ip, port, name?, weight? }',
    ts: 'readonly HostNode[]',
    check: nodes,
    paper: 'NODES',
    sentence:
      "Hosts whose daemons (`ignis daemon`) start the replicas of a module with `where: 'host'`, each according to its `weight` or, without one, its measured speed (1: as fast as this machine; docs/hosts.md); `name` is the one that its certificate must have.",
  },
  {
    name: 'cluster',
    scope: ['program', 'module'],
    type: 'string',
    ts: 'string',
    check: isClusterUrl,
    sentence:
      "Where the engine of a cluster is, `nats://HOST:PORT,...` or `etcd://HOST:PORT,...`: replicas with `where: 'host'` start on the hosts whose daemons have joined it (docs/hosts-engine.md). Of `fs`, at its import or under its name: `eventual` files have their log there (docs/fs.md).",
  },
  {
    name: 'labels',
    scope: ['program', 'module'],
    type: 'object of name and value',
    ts: 'Readonly<Record<string, string>>',
    check: areLabels,
    sentence: "Labels that a host must have been given (`ignis daemon --labels disk=fast`) to serve the module with `where: 'host'`.",
  },
  {
    name: 'call',
    scope: ['module'],
    type: "'await', 'block' or 'local'",
    check: oneOf(['await', 'block', 'local']),
    sentence:
      'What becomes of synchronous functions: `await` lets them return a promise while the module is in replicas (at home they answer at once), so callers write `await f(x)`, and never `f(x).then()`; `local` keeps them at home; `block` has the whole module live in one replica, and every use of it waits for its answer. Without it, what cannot change the program.',
  },
  {
    name: 'call',
    scope: ['function'],
    type: "'await' or 'local'",
    check: oneOf(['await', 'local']),
    sentence: 'What becomes of this function, if it is synchronous: `await` or `local`, as for a module.',
  },
  {
    name: 'state',
    scope: ['module'],
    type: "'none', 'private', 'keyed' or 'shared'",
    check: oneOf(['none', 'private', 'keyed', 'shared']),
    sentence:
      'What the module remembers between calls: nothing, something that each replica may have for itself, something for each `key` (its calls go to one replica), or something for all (one replica). Without it the module is taken for `shared`.',
  },
  {
    name: 'args',
    scope: ['module', 'function'],
    type: "'copy', 'restore' or 'ref'",
    check: oneOf(['copy', 'restore', 'ref']),
    sentence:
      "What becomes of plain data among the arguments: with `copy` the callee gets a copy, and what it does to that stays there; with `restore` (the default, unless the function is `pure`) what it changed is changed in the caller's own objects when it answers, and results that are or contain an argument are the caller's own object; `ref` is the same, and with `call: 'block'` plain objects stay where they are, and each use of them crosses.",
  },
  {
    name: 'order',
    scope: ['module', 'function'],
    type: "true, 'results' or false",
    default: false,
    check: order,
    paper: 'ORDER',
    sentence:
      "Whether calls keep the order they were made in: `true`, each begins when the one before has settled, wherever they run; `'results'`, they run at once, and settle in their order.",
  },
  {
    name: 'setup',
    scope: ['module'],
    type: 'list of function names',
    ts: 'readonly string[]',
    default: Object.freeze([]),
    check: names,
    sentence:
      'Functions that set the module up (`use`, `setOptions`): their calls run at home, and again in each replica, in their order, before it takes calls. A function that the program writes under such a name, or into an object of that name, keeps the module at home.',
  },
  {
    name: 'lift',
    scope: ['module'],
    type: "true, 'deep', false or list of function names",
    ts: "boolean | 'deep' | readonly string[]",
    default: false,
    check: lift,
    sentence:
      "Lets calls of synchronous functions (all, or those named by their path) leave without a change of the program: in its own files, calls that stand where `await` may stand are awaited from then on; all others stay at home. With `deep` also a synchronous function of a file becomes async, where the file shows that all who call it can wait. For modules that keep no state in common (`pure`, `state: 'none'` or `'private'`).",
  },
  {
    name: 'lift',
    scope: ['function'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence: 'Lets calls of this function that stand where `await` may stand leave, as for a module; `false`: none of them.',
  },
  {
    name: 'pure',
    scope: ['module', 'function'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence:
      'The result depends on the arguments alone and nothing else changes; such calls may run anywhere, in a later turn of the event loop, and again.',
  },
  {
    name: 'idempotent',
    scope: ['module', 'function'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence: 'A call may run twice, so one that was lost with its replica is re-run; `pure` includes it.',
  },
  ...CALL_FIELDS,
  {
    name: 'verify',
    scope: ['module', 'function'],
    type: 'number from 0 to 1',
    ts: 'number',
    default: 0,
    check: share,
    sentence:
      'Of the calls of `pure` functions that go to replicas, this share also runs at home; when the answers differ, the caller gets that of home, and the module is brought home at once. Calls that answer by callback are not verified, and with `order` none are.',
  },
  {
    name: 'comm',
    scope: ['program', 'module'],
    type: "'auto', 'pipe', 'node-ipc', 'tcp' or 'udp'",
    default: 'auto',
    check: oneOf(['auto', 'pipe', 'node-ipc', 'tcp', 'udp']),
    paper: 'COMM',
    sentence:
      'The channel to a replica. `auto`: an inherited socket pair to a process, a message port to a thread, TCP with TLS to another host. `pipe` and `node-ipc` (the package of that name) are for processes of this machine, `tcp` and `udp` for other hosts: with `udp` calls of `oneway` functions are sealed datagrams, best effort, and all others go over TCP (docs/hosts.md).',
  },
  {
    name: 'codec',
    scope: ['program', 'module'],
    type: "'msgpackr' or 'msgpack-lite'",
    default: 'msgpackr',
    check: oneOf(['msgpackr', 'msgpack-lite']),
    sentence: 'What encodes values into frames; the package msgpack-lite must be installed to be chosen.',
  },
  {
    name: 'preload',
    scope: ['program', 'module'],
    type: 'true | false',
    default: false,
    check: fact,
    paper: 'PRELOAD',
    sentence: 'Loads the module into a replica before there is load, so that the first scale-out need not wait for it.',
  },
  {
    name: 'onFail',
    scope: ['program', 'module'],
    type: "(error) => 'rerun', 'home', 'throw', (call) => one of these, or nothing",
    ts: '(error: IgnisError) => unknown',
    check: hook,
    paper: 'ON_FAIL',
    sentence:
      'Called when a replica of the module cannot be started, or is lost; then `error` has `exitCode`, `signal`, `stderr` (its last lines), `harm` and `calls`. Its answer says what becomes of the calls that were in it: `rerun` in another replica, `home`, `throw` IGNIS_REPLICA_LOST; a function is asked for each of them. What another replica has, too (`hedge`), goes on there. Without an answer as `pure`, `idempotent` and `retry` say. What was in a replica that crashed or ran out of memory never runs at home.',
  },
  {
    name: 'saturation',
    scope: ['program', 'module'],
    type: '(level) => void',
    ts: '(level: number) => void',
    check: hook,
    paper: 'SATURATION',
    sentence:
      'Called when the module is found saturated, whether or not that can be helped, with the share that it takes: of the event loop, or of the time of its replicas; 0 to 1.',
  },
  ...FILE_FIELDS,
  {
    name: 'functions',
    scope: ['module'],
    type: '{ name: recipe }',
    ts: 'Readonly<Record<string, FunctionRecipe>>',
    check: below,
    sentence:
      "What differs for single functions, by their path in the exports (`parse`, `promises.readFile`; of the default export of an ES module `default.parse`; of a module that is a function itself that is `''`). Of an object of a class only functions that are named here may leave.",
  },
]);

/** @param {Scope} scope */
const ofScope = (scope) => Object.freeze(RECIPE_FIELDS.filter((row) => row.scope.includes(scope)));

/** @type {Readonly<Record<Scope, readonly FieldRow[]>>} */
const FIELDS_OF = Object.freeze({ program: ofScope('program'), module: ofScope('module'), function: ofScope('function') });

/** @type {Readonly<Record<Scope, string>>} */
const PLACE_OF = Object.freeze({ program: 'program-wide', module: 'at an import or under `modules`', function: 'under `functions`' });

/**
 * Checks one recipe and all recipes below it.
 * @param {Scope} scope
 * @param {unknown} recipe undefined counts as empty
 * @param {string} [where] where it was given: 'lib/links.js:3', 'ignis.config.js'
 * @returns {Readonly<Record<string, any>>} a frozen copy with the given fields only, all that is below it frozen too
 * @throws {IgnisError} IGNIS_BAD_RECIPE with all mistakes: of each the field, its value, the nearest valid name, and where it was given
 */
const checkRecipe = makeCheckRecipe(FIELDS_OF, PLACE_OF);

exports.RECIPE_FIELDS = RECIPE_FIELDS;
exports.FIELDS_OF = FIELDS_OF;
exports.PLACE_OF = PLACE_OF;
exports.checkRecipe = checkRecipe;
