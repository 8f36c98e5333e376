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
 *
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
      "Which imports are watched. 0: only modules that `hot` names, or that have `hot: true` under `modules` (other recipes then have no effect, except those with `call: 'block'` and those of `fs`); 1: all imports by the program's own files; 2: also those by its packages; and so on.",
  },
  {
    name: 'hot',
    scope: ['program'],
    type: 'target or list of targets',
    ts: 'Target | readonly Target[]',
    check: targets,
    paper: 'HOT',
    sentence: 'Modules that are distributed as soon as that pays.',
  },
  {
    name: 'cold',
    scope: ['program'],
    type: 'target or list of targets',
    ts: 'Target | readonly Target[]',
    check: targets,
    paper: 'COLD',
    sentence: 'Modules that are never distributed; overrides `hot`.',
  },
  {
    name: 'modules',
    scope: ['program'],
    type: '{ target: recipe }',
    ts: 'Readonly<Record<string, Recipe>>',
    check: below,
    sentence:
      'Recipes for single modules, as if given at each of their imports. If two targets match, the more exact one wins; if they are equally exact, the later one.',
  },
  {
    name: 'hot',
    scope: ['module'],
    type: 'true | false',
    default: false,
    check: fact,
    paper: 'HOT',
    sentence: 'Distributes this module as soon as that pays.',
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
      'How many replicas there may be: exactly `n`, a range, up to one per processor (`true`), or none (`false`). By default up to one per processor, but only one as long as nothing says that the module keeps no state.',
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
      'Which replica takes a call. `least`: the one with the fewest calls that have not run yet; `rr`: each in turn; `hash`: always the same one for the same `key`; `weighted`: each in turn, but faster ones more often (by the measured time that a call keeps them busy); `elu`: the one whose event loop is least busy. A function is given `(replicas, { path, args })` and returns an index into `replicas`, which lists the replicas that take calls now, each with its `id` and the number of `pending` calls; if it returns anything else, the call goes as with `least`, and if it throws, the call fails with that error.',
  },
  {
    name: 'key',
    scope: ['module', 'function'],
    type: '(args) => string',
    ts: '(args: readonly any[]) => string',
    check: hook,
    sentence: "The key of a call, for `sched: 'hash'` (by default all its arguments) and for `state: 'keyed'` (which requires it).",
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
      'How many calls may be pending in the replicas of a module. Beyond that calls run at home; a call that needs state held in a replica is refused with IGNIS_QUEUE_FULL.',
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
      "Where a replica runs: in a process of its own, which is safe from crashes; in a thread, which is cheaper; or, with `host`, in a process on one of the hosts that `nodes` or `cluster` names. With `['process', 'host']` or `['thread', 'host']`, replicas start on this machine while it has a free core, and further ones on hosts if that brings more than it costs (docs/hosts.md).",
  },
  {
    name: 'nodes',
    scope: ['program', 'module'],
    type: 'list of { ip, port, name?, weight? }',
    ts: 'readonly HostNode[]',
    check: nodes,
    paper: 'NODES',
    sentence:
      "Hosts whose daemons (`ignis daemon`) start the replicas of a module with `where: 'host'`. Each gets its share by its `weight` or, without one, by its measured speed (1: as fast as this machine; docs/hosts.md). `name` is the name that its certificate must have.",
  },
  {
    name: 'cluster',
    scope: ['program', 'module'],
    type: 'string',
    ts: 'string',
    check: isClusterUrl,
    sentence:
      "The address of the engine of a cluster, `nats://HOST:PORT,...` or `etcd://HOST:PORT,...`: replicas with `where: 'host'` start on the hosts whose daemons have joined it (docs/hosts-engine.md). For `fs`, at its import or under its name: `eventual` files keep their log there (docs/fs.md).",
  },
  {
    name: 'labels',
    scope: ['program', 'module'],
    type: 'object of name and value',
    ts: 'Readonly<Record<string, string>>',
    check: areLabels,
    sentence: "Labels that a host must have (`ignis daemon --labels disk=fast`) to run the module with `where: 'host'`.",
  },
  {
    name: 'call',
    scope: ['module'],
    type: "'await', 'block' or 'local'",
    check: oneOf(['await', 'block', 'local']),
    sentence:
      'What happens to synchronous functions. `await`: they return a promise while the module is in replicas (at home they answer at once), so callers must write `await f(x)`, never `f(x).then()`. `local`: they stay at home. `block`: the whole module lives in one replica, and every use of it waits for the answer. By default Ignis does only what cannot change the program.',
  },
  {
    name: 'call',
    scope: ['function'],
    type: "'await' or 'local'",
    check: oneOf(['await', 'local']),
    sentence: 'What happens to this function if it is synchronous: `await` or `local`, as for a module.',
  },
  {
    name: 'state',
    scope: ['module'],
    type: "'none', 'private', 'keyed' or 'shared'",
    check: oneOf(['none', 'private', 'keyed', 'shared']),
    sentence:
      'What the module remembers between calls. `none`: nothing; `private`: something that each replica may have for itself; `keyed`: something for each `key` (all calls with one key go to one replica); `shared`: something that all calls share (only one replica). By default `shared` is assumed.',
  },
  {
    name: 'args',
    scope: ['module', 'function'],
    type: "'copy', 'restore' or 'ref'",
    check: oneOf(['copy', 'restore', 'ref']),
    sentence:
      "How plain data among the arguments is passed. `copy`: the function gets a copy, and changes that it makes stay in the copy. `restore` (the default, unless the function is `pure`): its changes are made in the caller's own objects when it answers, and results that are or contain an argument are the caller's own object. `ref`: the same; with `call: 'block'`, plain objects stay where they are, and each use of them crosses.",
  },
  {
    name: 'order',
    scope: ['module', 'function'],
    type: "true, 'results' or false",
    default: false,
    check: order,
    paper: 'ORDER',
    sentence:
      "Whether calls keep the order in which they were made. `true`: each begins when the previous one has settled, wherever they run; `'results'`: they run at once, but settle in order.",
  },
  {
    name: 'setup',
    scope: ['module'],
    type: 'list of function names',
    ts: 'readonly string[]',
    default: Object.freeze([]),
    check: names,
    sentence:
      'Functions that set the module up (`use`, `setOptions`): their calls run at home, and again, in the same order, in each replica before it takes calls. If the program assigns a function of its own to such a name, or to a member of such an object, the module stays at home.',
  },
  {
    name: 'lift',
    scope: ['module'],
    type: "true, 'deep', false or list of function names",
    ts: "boolean | 'deep' | readonly string[]",
    default: false,
    check: lift,
    sentence:
      "Lets calls of synchronous functions (all, or those named by their path) leave without a change to the program: as its own files are loaded, Ignis puts an `await` before each such call that stands where `await` is allowed; all others stay at home. With `deep`, a synchronous function of a file also becomes async if the file shows that all its callers can wait. Only for modules without shared state (`pure`, `state: 'none'` or `'private'`).",
  },
  {
    name: 'lift',
    scope: ['function'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence: 'Lets calls of this function leave that stand where `await` is allowed, as for a module; `false`: lets none of them leave.',
  },
  {
    name: 'pure',
    scope: ['module', 'function'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence:
      'The result depends on the arguments alone, and a call changes nothing else. Such calls may run anywhere, in a later turn of the event loop, and more than once.',
  },
  {
    name: 'idempotent',
    scope: ['module', 'function'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence: 'A call may run twice, so a call that was lost with its replica is run again. `pure` implies this.',
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
      'The share of calls of `pure` functions that, besides running in a replica, also run at home for comparison. If the answers differ, the caller gets the one from home, and the module is brought home at once. Calls that answer by callback are not verified, and with `order` no calls are.',
  },
  {
    name: 'comm',
    scope: ['program', 'module'],
    type: "'auto', 'pipe', 'node-ipc', 'tcp' or 'udp'",
    default: 'auto',
    check: oneOf(['auto', 'pipe', 'node-ipc', 'tcp', 'udp']),
    paper: 'COMM',
    sentence:
      'The channel to a replica. `auto`: an inherited socket pair to a process, a message port to a thread, TCP with TLS to another host. `pipe` and `node-ipc` (the package of that name) are for processes on this machine, `tcp` and `udp` for other hosts. With `udp`, calls of `oneway` functions travel as encrypted datagrams, best effort, and all others over TCP (docs/hosts.md).',
  },
  {
    name: 'codec',
    scope: ['program', 'module'],
    type: "'msgpackr' or 'msgpack-lite'",
    default: 'msgpackr',
    check: oneOf(['msgpackr', 'msgpack-lite']),
    sentence: 'The codec that encodes values into frames; to use msgpack-lite, install that package.',
  },
  {
    name: 'preload',
    scope: ['program', 'module'],
    type: 'true | false',
    default: false,
    check: fact,
    paper: 'PRELOAD',
    sentence: 'Loads the module into a replica before there is load, so that the first scale-out does not wait for it.',
  },
  {
    name: 'onFail',
    scope: ['program', 'module'],
    type: "(error) => 'rerun', 'home', 'throw', (call) => one of these, or nothing",
    ts: '(error: IgnisError) => unknown',
    check: hook,
    paper: 'ON_FAIL',
    sentence:
      'Called when a replica of the module cannot be started or is lost; if lost, `error` has `exitCode`, `signal`, `stderr` (its last lines), `harm` and `calls`. The return value decides what happens to its calls: `rerun` runs them in another replica, `home` at home, `throw` makes them fail with IGNIS_REPLICA_LOST; a function is asked for each call. If it returns nothing, `pure`, `idempotent` and `retry` decide. A call that another replica also has (`hedge`) goes on there. Calls of a replica that crashed or ran out of memory never run at home.',
  },
  {
    name: 'saturation',
    scope: ['program', 'module'],
    type: '(level) => void',
    ts: '(level: number) => void',
    check: hook,
    paper: 'SATURATION',
    sentence:
      'Called when the module is found to be saturated, whether or not Ignis can do something about it, with the share (0 to 1) that it takes of the event loop, or of the time of its replicas.',
  },
  ...FILE_FIELDS,
  {
    name: 'functions',
    scope: ['module'],
    type: '{ name: recipe }',
    ts: 'Readonly<Record<string, FunctionRecipe>>',
    check: below,
    sentence:
      "What differs for single functions, by their path in the exports: `parse`, `promises.readFile`; `default.parse` in the default export of an ES module; `''` for a module that is itself a function. If the module exports an object of a class, only functions named here can leave.",
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
