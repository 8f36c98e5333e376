/**
 * Every shape that a user of Ignis meets, and the records that its rooms hand to each other.
 * test/types.test.js holds recipe fields, options and error codes to the tables in lib/.
 */

export = ignis;

declare global {
  namespace NodeJS {
    // Every `require` of a program may be given a recipe. Told to the compiler by `import type {} from 'ignis'` in any file, or by `types: ['ignis']`.
    interface Require {
      <T = any, const R extends ignis.Recipe = ignis.AtOnce>(id: string, recipe: R & ignis.Known<R>): ignis.Distributed<T, R>;
      (id: string, recipe?: ignis.Recipe): any;
    }
  }
}

/**
 * As a program's first statement: `require = require('ignis')(recipe)`.
 * Starts Ignis (once) with the program-wide recipe and returns the `require` to use from then on.
 */
declare function ignis(recipe?: ignis.ProgramRecipe): ignis.Require;

declare namespace ignis {
  /**
   * Starts watching, once; a second start changes nothing but the recipe, if one is given. Nothing starts in replicas without `nested` and under `ignis check`: what else is asked of Ignis there
   * changes nothing, and is answered with nothing in it.
   */
  function start(options?: StartOptions): void;
  /** What is known of every boundary now, as in the report; none before Ignis is started. */
  function boundaries(): BoundaryReport[];
  /**
   * Why a module is where it is: a line for each boundary that is meant. `id` is that of a boundary ('app.js -> uri-js') or the name of a module.
   * Throws IGNIS_NOT_FOUND, naming the nearest, and IGNIS_CLOSED before Ignis is started.
   */
  function explain(id: string): string;
  /** The whole report, as `--report FILE` writes it at the end. Throws IGNIS_CLOSED before Ignis is started. */
  function report(): Report;
  /** The figures of now as Prometheus text, to mount at a route of your own. Throws IGNIS_CLOSED before Ignis is started. */
  function metrics(): string;
  /**
   * Changes the recipe of the modules that a target means, as under `modules`, while the program runs: the strongest layer of all, until another
   * call for the same target replaces it, or null takes it back. A wrong one changes nothing and throws IGNIS_BAD_RECIPE, and so does what cannot
   * change any more; IGNIS_CLOSED before Ignis is started. Gives what holds now, by the id of each boundary that is meant.
   */
  function recipe(target: Target, recipe: Recipe | null): Record<string, EffectiveRecipe>;
  /** Ends all replicas after their calls and watches no more. Idempotent. Ignis does not start again in this process: a later `start` is a warning. */
  function close(): Promise<void>;

  /** What `fs` may be in a recipe of fs: where files live. */
  const fs: { readonly LOCAL: 'local'; readonly EVENTUAL: 'eventual'; readonly STRONG: 'strong' };
  /** The class of every error that Ignis itself throws. */
  class IgnisError extends Error {
    readonly code: ErrorCode;
    /** On a lost call: whether it may have run. */
    readonly ran?: 'no' | 'maybe';
    /** On a lost call, and for `onFail` on a lost replica: how that ended, where it is known, and the last lines of its stderr. */
    readonly exitCode?: number | null;
    readonly signal?: string | null;
    readonly stderr?: readonly string[];
    /** What happened to the replica and would happen to home: it ran out of memory, or crashed below JavaScript. */
    readonly harm?: '' | 'memory' | 'crash';
    /** For `onFail` on a lost replica: the calls that were in it. */
    readonly calls?: readonly { name: string; module: string; ran: 'no' | 'maybe'; losses: number; harm: string }[];
    readonly cause?: unknown;
    /** On a wrong option or recipe: the first mistake's field, its value, the nearest valid name, and where it was given. */
    readonly field?: string;
    readonly value?: unknown;
    readonly nearest?: string;
    readonly where?: string;
    /** On a wrong option or recipe: all its mistakes. */
    readonly problems?: readonly Mistake[];
  }

  /** One mistake in a recipe or in options. */
  interface Mistake {
    /** Absent where the whole is no object. */
    readonly field?: string;
    readonly value: unknown;
    /** The valid name that is nearest; the field itself where only its value is wrong. */
    readonly nearest?: string;
    readonly where?: string;
    /** One line. */
    readonly message: string;
  }

  type ErrorCode =
    | 'IGNIS_BAD_OPTION'
    | 'IGNIS_BAD_RECIPE'
    | 'IGNIS_UNMARSHALABLE'
    | 'IGNIS_STALE_REFERENCE'
    | 'IGNIS_START_FAILED'
    | 'IGNIS_REPLICA_LOST'
    | 'IGNIS_DATAGRAM_LOST'
    | 'IGNIS_REFUSED'
    | 'IGNIS_CALL_TIMEOUT'
    | 'IGNIS_QUEUE_FULL'
    | 'IGNIS_BAD_FRAME'
    | 'IGNIS_FRAME_TOO_LARGE'
    | 'IGNIS_VERSION_MISMATCH'
    | 'IGNIS_CLOSED'
    | 'IGNIS_NOT_FOUND'
    | 'IGNIS_BUNDLED'
    | 'IGNIS_NOT_NODE'
    | 'IGNIS_ENGINE_DOWN'
    | 'IGNIS_ENGINE_REFUSED'
    | 'IGNIS_ENGINE_CONFLICT'
    | 'IGNIS_LOG_GAP'
    | 'IGNIS_LEASE_LOST'
    | 'IGNIS_STALE_EPOCH'
    | 'IGNIS_NAME_TAKEN'
    | 'IGNIS_NO_HOST'
    | 'IGNIS_HOST_REFUSED'
    | 'IGNIS_BAD_BUNDLE';

  /**
   * Node's `require`, with a recipe as second argument. Plain Node drops it.
   * TypeScript infers both types or none, so where the module's type is given and the recipe says `call: 'await'`, the recipe's is given too:
   * `require<typeof import('uri-js'), { call: 'await' }>('uri-js', { call: 'await' })`. Without it such a recipe is refused.
   */
  interface Require extends NodeJS.Require {}

  /**
   * A module `T` as an import with the recipe `R` gives it: where that says `call: 'await'`, of the module or under `functions`, a function whose
   * result is no promise gives one of it. Write `await f(x)`: while the module is at home, its functions still answer at once.
   * Classes stay as they are. Of an overloaded function that gives a promise now its last form is taken, and a generic one loses its type parameters.
   */
  type Distributed<T, R extends Recipe = {}> = [Calls<R>] extends [never] ? T : Part<T, R, ''>;

  /** A recipe that makes no promises of results. */
  type AtOnce = Omit<Recipe, 'call' | 'functions'> & {
    call?: 'block' | 'local';
    functions?: Readonly<Record<string, Omit<FunctionRecipe, 'call'> & { call?: 'local' }>>;
  };

  /** A recipe of these fields and no others: what `R` is inferred from would be allowed any field beside a right one. */
  type Known<R> = Recipe & { readonly [K in Exclude<keyof R, keyof Recipe>]: never };

  /** Every `call` that a recipe says, of the module and of its functions. */
  type Calls<R> =
    | (R extends { readonly call: infer C } ? Extract<C, 'await'> : never)
    | (R extends { readonly functions: infer F }
        ? { [K in keyof F]: F[K] extends { readonly call: infer C } ? Extract<C, 'await'> : never }[keyof F]
        : never);

  /** The `call` that holds for the function at a path. */
  type CallAt<R, P> = R extends { readonly functions: { readonly [K in P & string]: { readonly call: infer C } } }
    ? C
    : R extends { readonly call: infer C }
      ? C
      : undefined;

  /** What is at a path of the exports, and below it. */
  type Part<T, R, P extends string> = 0 extends 1 & T
    ? T
    : T extends abstract new (...args: any) => any
      ? T
      : T extends (...args: infer A) => infer V
        ? CallAt<R, P> extends 'await'
          ? ((...args: A) => Promised<V>) & Members<T, R, P>
          : [keyof T] extends [never]
            ? T
            : ((...args: A) => V) & Members<T, R, P>
        : T extends Whole
          ? T
          : Members<T, R, P>;

  type Members<T, R, P extends string> = { [K in keyof T]: K extends string ? Part<T[K], R, P extends '' ? K : `${P}.${K}`> : T[K] };
  type Promised<V> = [V] extends [PromiseLike<any>] ? V : Promise<Awaited<V>>;
  /** What is handed out as it is. */
  type Whole =
    | string
    | number
    | bigint
    | boolean
    | symbol
    | null
    | undefined
    | readonly any[]
    | Date
    | RegExp
    | Error
    | Promise<any>
    | ReadonlyMap<any, any>
    | ReadonlySet<any>
    | WeakMap<any, any>
    | WeakSet<any>
    | ArrayBuffer
    | ArrayBufferView;

  interface StartOptions extends Omit<Options, 'recipe'> {
    /** A recipe file, or the program-wide recipe itself. */
    recipe?: string | ProgramRecipe;
  }

  /** 'uri-js', 'node:crypto', './lib/links.js', './lib/', '@scope/*', '/^uri/' or a regular expression. */
  type Target = string | RegExp;
  /** A host whose daemon may be asked for replicas; `name` is the one that its certificate must have. */
  interface HostNode {
    /** Its address, or its name. */
    ip: string;
    /** Where its daemon listens (`ignis daemon --listen IP:PORT`). */
    port: number;
    /** That its certificate must have; without it any host of your authority is taken. */
    name?: string;
    /** How many replicas it gets beside others; without it, by its measured speed (1: as fast as this machine). */
    weight?: number;
  }

  /** Where a replica is: a process or a thread of this machine, or a process of another host. */
  type Place = 'process' | 'thread' | 'host';
  /** One place, or first on this machine and then on hosts; a list of one is that one. */
  type Where = Place | readonly [Place] | readonly ['process' | 'thread', 'host'];
  type Copies = number | boolean | readonly [least: number, most: number];
  /** One replica as a choice of replica sees it. */
  interface Candidate {
    /** As in reports. */
    readonly id: string;
    /** Calls sent to it that have no answer yet. */
    readonly pending: number;
  }
  /** The call that a replica is chosen for: the path of its function in the exports, and its arguments. */
  interface ChosenCall {
    readonly path: string;
    readonly args: readonly unknown[];
  }
  /** A function gives the place of the replica in the list; what is no place there is as 'least'. */
  type Sched = 'least' | 'rr' | 'hash' | 'weighted' | 'elu' | ((candidates: readonly Candidate[], call: ChosenCall) => number);

  // Printed by `npm run docs` from the tables in lib/options.js and lib/recipe/fields.js; change those.
  /** The program's options, as `ignis.start` takes them; docs/options.md. */
  interface Options {
    /** The recipe file to use instead of ignis.config.js, .cjs, .mjs or .json in the root of the program (docs/recipes.md). Variable: IGNIS_RECIPE. */
    recipe?: string;
    /** Which imports are watched. 0: only modules that `hot` names, or that have `hot: true` under `modules` (other recipes then have no effect, except those with `call: 'block'` and those of `fs`); 1: all imports by the program's own files; 2: also those by its packages; and so on. Overrides the recipe file. Variable: IGNIS_LEVEL. */
    level?: number;
    /** Hands out exports that a program cannot tell from the true ones, and the same ones to all its files: for test suites, mocks, and code that reads property descriptors. A call costs some 30 to 70 ns more, and counts for the file that imported the module first (docs/limits.md). Default: false. Variable: IGNIS_EXACT. */
    exact?: boolean;
    /** Writes a JSON report of all boundaries, decisions and replicas to this file, or into this pipe, when the program ends. `%p` in the name stands for the process id, so that each worker of node:cluster (`-r ignis/register` and the variable reach them too) writes its own. Variable: IGNIS_REPORT. */
    report?: string;
    /** Prints every decision as one JSON line on stderr. Default: false. Variable: IGNIS_EXPLAIN. */
    explain?: boolean;
    /** How often to print the hottest boundaries and the replicas, as one JSON line on stderr; 0: never. Default: 0 (ms). Variable: IGNIS_STATUS_MS. */
    statusMs?: number;
    /** Serves a web page that shows the program live, on this machine only. Its address, which contains a secret, is printed on stderr. 0, or no port on the command line, takes any free port. Variable: IGNIS_DASH. */
    dash?: number;
    /** Serves the figures as Prometheus text at http://127.0.0.1:PORT/metrics, on this machine only. 0 takes any free port; no port on the command line means 9464. Variable: IGNIS_METRICS. */
    metrics?: number;
    /** Lets `ignis ps`, `ignis top` and `ignis profile` find the program, from its first watched import on, through a socket in a folder that only its user can enter. True by default, except in threads and in processes that such a program has forked. Variable: IGNIS_MONITOR. */
    monitor?: boolean;
    /** Prints no warnings about options, recipes and imports; the report still has those about recipes. Whatever goes wrong later is printed all the same: a verified call that differs, a oneway call that fails, a port that is taken. Default: false. Variable: IGNIS_QUIET. */
    quiet?: boolean;
    /** How often the coordinator looks at all boundaries; a tenth as often while nothing happens. Default: 100 (ms). Variable: IGNIS_TICK_MS. */
    tickMs?: number;
    /** How far back a decision looks. Default: 1000 (ms). Variable: IGNIS_WINDOW_MS. */
    windowMs?: number;
    /** How long a replica must have been superfluous before it is ended. Default: 5000 (ms). Variable: IGNIS_RECLAIM_MS. */
    reclaimMs?: number;
    /** How many empty replicas are kept running as spares, so that a scale-out takes milliseconds. The first starts soon after the import of a module that may leave; a spare that was used is replaced some seconds later, when a processor is free. Default: 1 (replicas). Variable: IGNIS_SPARES. */
    spares?: number;
    /** How long a replica may take to start and load its module, or a spare to start. After that it is ended, and the start has failed. Default: 30000 (ms). Variable: IGNIS_START_MS. */
    startMs?: number;
    /** How long replicas may take to finish their calls when Ignis is closed. A replica that is merely no longer needed takes as long as its calls do. Default: 5000 (ms). Variable: IGNIS_CLOSE_MS. */
    closeMs?: number;
    /** How long a replica process may give no sign of life before it is killed and its calls run again or fail. A replica that computes counts as alive (Linux only). After half that time it gets no more calls. Time in which the program itself did not run does not count. 0: never. Default: 1000 (ms). Variable: IGNIS_HEARTBEAT_MS. */
    heartbeatMs?: number;
    /** The largest frame that is sent or accepted. Default: 268435456 (bytes). Variable: IGNIS_MAX_FRAME_BYTES. */
    maxFrameBytes?: number;
    /** Modules that live in one replica from their first import on, whatever recipes say; every use of them crosses, and waits. Packages, paths within packages (`lodash/fp`), folders, files and globs of files (`lib/*.js`), separated by commas; paths start at the working directory. Variable: IGNIS_FORCE. */
    force?: string;
    /** Where the replica of the forced modules (`force`) runs; `host`: on one of the hosts that `nodes` or `cluster` names. Default: 'process'. Variable: IGNIS_WHERE. */
    where?: 'process' | 'thread' | 'host';
    /** Hosts whose daemons run the modules forced with `where: 'host'`, and the replicas of modules whose recipes say `where: 'host'` without naming hosts: IP:PORT, or NAME=IP:PORT with the name that the certificate must have, separated by commas. Variable: IGNIS_NODES. */
    nodes?: string;
    /** Uses the hosts of a cluster instead of `nodes`. The value is the address of its engine: `nats://HOST:PORT,...` or `etcd://HOST:PORT,...`. Variable: IGNIS_CLUSTER. */
    cluster?: string;
    /** The folder with the key and the certificate by which other hosts know this home; `ignis keys` makes it. Variable: IGNIS_IDENTITY. */
    identity?: string;
    /** The file with the certificate of the authority that certifies hosts; by default trust.pem in the identity folder. Variable: IGNIS_TRUST. */
    trust?: string;
    /** The file with the key that signs code sent to hosts; by default deploy.key in the identity folder. Variable: IGNIS_DEPLOY_KEY. */
    deployKey?: string;
    /** How long a caller may be blocked, waiting for one answer of a module that lives in a replica; 0: for ever. Default: 300000 (ms). Variable: IGNIS_BLOCK_MS. */
    blockMs?: number;
  }

  /** What may be said of a single function, under `functions`; what is not said there is as for its module. */
  interface FunctionRecipe {
    /** The key of a call, for `sched: 'hash'` (by default all its arguments) and for `state: 'keyed'` (which requires it). */
    key?: (args: readonly any[]) => string;
    /** What happens to this function if it is synchronous: `await` or `local`, as for a module. */
    call?: 'await' | 'local';
    /** How plain data among the arguments is passed. `copy`: the function gets a copy, and changes that it makes stay in the copy. `restore` (the default, unless the function is `pure`): its changes are made in the caller's own objects when it answers, and results that are or contain an argument are the caller's own object. `ref`: the same; with `call: 'block'`, plain objects stay where they are, and each use of them crosses. */
    args?: 'copy' | 'restore' | 'ref';
    /** Whether calls keep the order in which they were made. `true`: each begins when the previous one has settled, wherever they run; `'results'`: they run at once, but settle in order. */
    order?: true | 'results' | false;
    /** Lets calls of this function leave that stand where `await` is allowed, as for a module; `false`: lets none of them leave. */
    lift?: boolean;
    /** The result depends on the arguments alone, and a call changes nothing else. Such calls may run anywhere, in a later turn of the event loop, and more than once. */
    pure?: boolean;
    /** A call may run twice, so a call that was lost with its replica is run again. `pure` implies this. */
    idempotent?: boolean;
    /** The callers of this function do not care about the outcome of a call, as for a module. */
    oneway?: boolean;
    /** How many ms a call may spend in a replica without an answer; then it fails with IGNIS_CALL_TIMEOUT. Time spent waiting for a replica, or for one to start, does not count, and calls at home have no limit. The replica keeps working on the call, unless `killMs` says otherwise, and the answer is dropped. With `call: 'block'`, the time limit for one answer, instead of the option `blockMs`. */
    timeout?: number;
    /** How many ms after its `timeout` a call may go on keeping its replica busy. If it has not ended by then, the replica is killed, which also ends endless computations, and another one takes its place. Its other calls run again, or fail, as after any loss. By default no replica is killed because of a call. */
    killMs?: number;
    /** How often a call that was lost with its replica is run again. By default 1 if the function is `idempotent` or `pure`; otherwise 0, and more is refused. A loss counts fully if the call was the oldest in its replica, but only a quarter if the replica was ended from outside (killed, or lost with its host). Calls that waited behind it run again in any case if this is 1 or more. After that many losses a call fails with IGNIS_REPLICA_LOST. */
    retry?: number;
    /** When a replica has not answered for this many ms (`true`: for 8 ms, and four times as long as its calls mostly take), the calls that wait there behind the one it works on are sent to another replica as well, if they are of synchronous functions and may run twice (`pure`, `idempotent`). The first answer counts, the other is dropped. Not with `sched: 'hash'` or a `sched` function of your own. */
    hedge?: true | false | number;
    /** Where small calls of a synchronous function run, that is, those with smaller arguments than any call that took long at home. `home`: at home, while such a call costs less than half of what sending it costs, and at most 0.05 ms; `away`: in replicas, like all others. Calls with `order`, `verify`, `key`, `timeout`, or a `sched` by key or of your own, calls of a module that always has a replica (`copies`), and calls that need the state of the module leave in any case. */
    small?: 'home' | 'away';
    /** Among calls that wait at home for a replica of the module, those with a higher priority go first, and among equals those that came first. Each second of waiting adds 1, so that none waits for ever. Not together with `order`. */
    priority?: number;
    /** The share of calls of `pure` functions that, besides running in a replica, also run at home for comparison. If the answers differ, the caller gets the one from home, and the module is brought home at once. Calls that answer by callback are not verified, and with `order` no calls are. */
    verify?: number;
  }

  /** A recipe at an import, or under `modules`; docs/recipes.md describes each field. */
  interface Recipe {
    /** Distributes this module as soon as that pays. Default: false. */
    hot?: boolean;
    /** Never distributes this module. Default: false. */
    cold?: boolean;
    /** How many replicas there may be: exactly `n`, a range, up to one per processor (`true`), or none (`false`). By default up to one per processor, but only one as long as nothing says that the module keeps no state. */
    copies?: Copies;
    /** Which replica takes a call. `least`: the one with the fewest calls that have not run yet; `rr`: each in turn; `hash`: always the same one for the same `key`; `weighted`: each in turn, but faster ones more often (by the measured time that a call keeps them busy); `elu`: the one whose event loop is least busy. A function is given `(replicas, { path, args })` and returns an index into `replicas`, which lists the replicas that take calls now, each with its `id` and the number of `pending` calls; if it returns anything else, the call goes as with `least`, and if it throws, the call fails with that error. Default: 'least'. */
    sched?: Sched;
    /** The key of a call, for `sched: 'hash'` (by default all its arguments) and for `state: 'keyed'` (which requires it). */
    key?: (args: readonly any[]) => string;
    /** How many calls may be pending in the replicas of a module. Beyond that calls run at home; a call that needs state held in a replica is refused with IGNIS_QUEUE_FULL. Default: Infinity. */
    qDepth?: number;
    /** Where a replica runs: in a process of its own, which is safe from crashes; in a thread, which is cheaper; or, with `host`, in a process on one of the hosts that `nodes` or `cluster` names. With `['process', 'host']` or `['thread', 'host']`, replicas start on this machine while it has a free core, and further ones on hosts if that brings more than it costs (docs/hosts.md). Default: 'process'. */
    where?: Where;
    /** Hosts whose daemons (`ignis daemon`) start the replicas of a module with `where: 'host'`. Each gets its share by its `weight` or, without one, by its measured speed (1: as fast as this machine; docs/hosts.md). `name` is the name that its certificate must have. */
    nodes?: readonly HostNode[];
    /** The address of the engine of a cluster, `nats://HOST:PORT,...` or `etcd://HOST:PORT,...`: replicas with `where: 'host'` start on the hosts whose daemons have joined it (docs/hosts-engine.md). For `fs`, at its import or under its name: `eventual` files keep their log there (docs/fs.md). */
    cluster?: string;
    /** Labels that a host must have (`ignis daemon --labels disk=fast`) to run the module with `where: 'host'`. */
    labels?: Readonly<Record<string, string>>;
    /** What happens to synchronous functions. `await`: they return a promise while the module is in replicas (at home they answer at once), so callers must write `await f(x)`, never `f(x).then()`. `local`: they stay at home. `block`: the whole module lives in one replica, and every use of it waits for the answer. By default Ignis does only what cannot change the program. */
    call?: 'await' | 'block' | 'local';
    /** What the module remembers between calls. `none`: nothing; `private`: something that each replica may have for itself; `keyed`: something for each `key` (all calls with one key go to one replica); `shared`: something that all calls share (only one replica). By default `shared` is assumed. */
    state?: 'none' | 'private' | 'keyed' | 'shared';
    /** How plain data among the arguments is passed. `copy`: the function gets a copy, and changes that it makes stay in the copy. `restore` (the default, unless the function is `pure`): its changes are made in the caller's own objects when it answers, and results that are or contain an argument are the caller's own object. `ref`: the same; with `call: 'block'`, plain objects stay where they are, and each use of them crosses. */
    args?: 'copy' | 'restore' | 'ref';
    /** Whether calls keep the order in which they were made. `true`: each begins when the previous one has settled, wherever they run; `'results'`: they run at once, but settle in order. Default: false. */
    order?: true | 'results' | false;
    /** Functions that set the module up (`use`, `setOptions`): their calls run at home, and again, in the same order, in each replica before it takes calls. If the program assigns a function of its own to such a name, or to a member of such an object, the module stays at home. Default: []. */
    setup?: readonly string[];
    /** Lets calls of synchronous functions (all, or those named by their path) leave without a change to the program: as its own files are loaded, Ignis puts an `await` before each such call that stands where `await` is allowed; all others stay at home. With `deep`, a synchronous function of a file also becomes async if the file shows that all its callers can wait. Only for modules without shared state (`pure`, `state: 'none'` or `'private'`). Default: false. */
    lift?: boolean | 'deep' | readonly string[];
    /** The result depends on the arguments alone, and a call changes nothing else. Such calls may run anywhere, in a later turn of the event loop, and more than once. Default: false. */
    pure?: boolean;
    /** A call may run twice, so a call that was lost with its replica is run again. `pure` implies this. Default: false. */
    idempotent?: boolean;
    /** Functions (all, or those named by their path) whose callers do not care about the outcome: a call returns `undefined` and runs afterwards, in a replica or at home, with the arguments as they were. Errors are counted and published, and Ignis warns once. Synchronous functions can then leave without `call` or `lift`. Default: false. */
    oneway?: boolean | readonly string[];
    /** How many ms a call may spend in a replica without an answer; then it fails with IGNIS_CALL_TIMEOUT. Time spent waiting for a replica, or for one to start, does not count, and calls at home have no limit. The replica keeps working on the call, unless `killMs` says otherwise, and the answer is dropped. With `call: 'block'`, the time limit for one answer, instead of the option `blockMs`. */
    timeout?: number;
    /** How many ms after its `timeout` a call may go on keeping its replica busy. If it has not ended by then, the replica is killed, which also ends endless computations, and another one takes its place. Its other calls run again, or fail, as after any loss. By default no replica is killed because of a call. */
    killMs?: number;
    /** How much memory a replica may take. A process that takes more than this, and more than one and a half times what it took when it was ready, is replaced: another one is started first; then the old one gets no more calls, and ends after those it has. For a thread it is the limit of its heap: beyond that the thread ends, and its calls with it. Not for modules whose state is kept in one place. */
    memoryMb?: number;
    /** The environment variables of the program that a replica of the module gets, besides those that Node itself needs (`PATH`, `HOME`, `TZ`, `NODE_OPTIONS`, ...); `[]` for none. By default all but the secrets of Ignis (`IGNIS_..._KEY`, `_TOKEN`, `_SECRET`). */
    env?: readonly string[];
    /** How often a call that was lost with its replica is run again. By default 1 if the function is `idempotent` or `pure`; otherwise 0, and more is refused. A loss counts fully if the call was the oldest in its replica, but only a quarter if the replica was ended from outside (killed, or lost with its host). Calls that waited behind it run again in any case if this is 1 or more. After that many losses a call fails with IGNIS_REPLICA_LOST. */
    retry?: number;
    /** When a replica has not answered for this many ms (`true`: for 8 ms, and four times as long as its calls mostly take), the calls that wait there behind the one it works on are sent to another replica as well, if they are of synchronous functions and may run twice (`pure`, `idempotent`). The first answer counts, the other is dropped. Not with `sched: 'hash'` or a `sched` function of your own. Default: true. */
    hedge?: true | false | number;
    /** Where small calls of a synchronous function run, that is, those with smaller arguments than any call that took long at home. `home`: at home, while such a call costs less than half of what sending it costs, and at most 0.05 ms; `away`: in replicas, like all others. Calls with `order`, `verify`, `key`, `timeout`, or a `sched` by key or of your own, calls of a module that always has a replica (`copies`), and calls that need the state of the module leave in any case. Default: 'home'. */
    small?: 'home' | 'away';
    /** Among calls that wait at home for a replica of the module, those with a higher priority go first, and among equals those that came first. Each second of waiting adds 1, so that none waits for ever. Not together with `order`. Default: 0. */
    priority?: number;
    /** How much the pressure of this module counts compared to others, when modules are ranked and when cores are shared among the modules that press: 2 for twice as much. Default: 1. */
    weight?: number;
    /** Modules of one group share their replicas: each replica holds all of them, they are scaled as one, and calls between them stay in the replica, so they share there what they share at home. A folder or glob under `modules` puts a subtree into one group. With `call: 'block'` they all live in one replica. `where`, `state`, `comm` and `codec` must be the same for all. */
    group?: string;
    /** Makes Ignis active in the replicas of the module, too: what the module itself imports is watched there, and replicated from there if a recipe allows it, as at home. Costs each replica memory and time to start, and processes while it replicates (docs/nested.md). Default: false. */
    nested?: boolean;
    /** The share of calls of `pure` functions that, besides running in a replica, also run at home for comparison. If the answers differ, the caller gets the one from home, and the module is brought home at once. Calls that answer by callback are not verified, and with `order` no calls are. Default: 0. */
    verify?: number;
    /** The channel to a replica. `auto`: an inherited socket pair to a process, a message port to a thread, TCP with TLS to another host. `pipe` and `node-ipc` (the package of that name) are for processes on this machine, `tcp` and `udp` for other hosts. With `udp`, calls of `oneway` functions travel as encrypted datagrams, best effort, and all others over TCP (docs/hosts.md). Default: 'auto'. */
    comm?: 'auto' | 'pipe' | 'node-ipc' | 'tcp' | 'udp';
    /** The codec that encodes values into frames; to use msgpack-lite, install that package. Default: 'msgpackr'. */
    codec?: 'msgpackr' | 'msgpack-lite';
    /** Loads the module into a replica before there is load, so that the first scale-out does not wait for it. Default: false. */
    preload?: boolean;
    /** Called when a replica of the module cannot be started or is lost; if lost, `error` has `exitCode`, `signal`, `stderr` (its last lines), `harm` and `calls`. The return value decides what happens to its calls: `rerun` runs them in another replica, `home` at home, `throw` makes them fail with IGNIS_REPLICA_LOST; a function is asked for each call. If it returns nothing, `pure`, `idempotent` and `retry` decide. A call that another replica also has (`hedge`) goes on there. Calls of a replica that crashed or ran out of memory never run at home. */
    onFail?: (error: IgnisError) => unknown;
    /** Called when the module is found to be saturated, whether or not Ignis can do something about it, with the share (0 to 1) that it takes of the event loop, or of the time of its replicas. */
    saturation?: (level: number) => void;
    /** Only for `fs`: where the files below `root` live. `local`: on this machine's disk, as usual. `eventual`: in `copies` folders, each kept by a process; all are changed in the same order, and any of them may be read. `strong`: in one folder with one owner, so that a reader sees what was written last. `copies` alone means `eventual`, with 3 copies if no number is given. */
    fs?: 'local' | 'eventual' | 'strong';
    /** Only for `fs`: the folder whose files are kept that way, relative to the working directory; by default that directory itself. `node_modules` and `.git` are always left to Node. */
    root?: string;
    /** Only for `fs`: the folders of the copies, perhaps on different disks. If there are more folders than `copies`, each file is in `copies` of them. By default the first is `root` itself, and the others are in `root/.ignis-fs`. */
    disks?: readonly string[];
    /** Only for `fs`: a write completes only when the data is on the disk, not just handed to the system. Default: false. */
    sync?: boolean;
    /** What differs for single functions, by their path in the exports: `parse`, `promises.readFile`; `default.parse` in the default export of an ES module; `''` for a module that is itself a function. If the module exports an object of a class, only functions named here can leave. */
    functions?: Readonly<Record<string, FunctionRecipe>>;
  }

  /** A recipe for the whole program: in code, or in a recipe file. */
  interface ProgramRecipe {
    /** Which imports are watched. 0: only modules that `hot` names, or that have `hot: true` under `modules` (other recipes then have no effect, except those with `call: 'block'` and those of `fs`); 1: all imports by the program's own files; 2: also those by its packages; and so on. Default: 1. */
    level?: number;
    /** Modules that are distributed as soon as that pays. */
    hot?: Target | readonly Target[];
    /** Modules that are never distributed; overrides `hot`. */
    cold?: Target | readonly Target[];
    /** Recipes for single modules, as if given at each of their imports. If two targets match, the more exact one wins; if they are equally exact, the later one. */
    modules?: Readonly<Record<string, Recipe>>;
    /** How many replicas there may be: exactly `n`, a range, up to one per processor (`true`), or none (`false`). By default up to one per processor, but only one as long as nothing says that the module keeps no state. */
    copies?: Copies;
    /** Which replica takes a call. `least`: the one with the fewest calls that have not run yet; `rr`: each in turn; `hash`: always the same one for the same `key`; `weighted`: each in turn, but faster ones more often (by the measured time that a call keeps them busy); `elu`: the one whose event loop is least busy. A function is given `(replicas, { path, args })` and returns an index into `replicas`, which lists the replicas that take calls now, each with its `id` and the number of `pending` calls; if it returns anything else, the call goes as with `least`, and if it throws, the call fails with that error. Default: 'least'. */
    sched?: Sched;
    /** How many calls may be pending in the replicas of a module. Beyond that calls run at home; a call that needs state held in a replica is refused with IGNIS_QUEUE_FULL. Default: Infinity. */
    qDepth?: number;
    /** Where a replica runs: in a process of its own, which is safe from crashes; in a thread, which is cheaper; or, with `host`, in a process on one of the hosts that `nodes` or `cluster` names. With `['process', 'host']` or `['thread', 'host']`, replicas start on this machine while it has a free core, and further ones on hosts if that brings more than it costs (docs/hosts.md). Default: 'process'. */
    where?: Where;
    /** Hosts whose daemons (`ignis daemon`) start the replicas of a module with `where: 'host'`. Each gets its share by its `weight` or, without one, by its measured speed (1: as fast as this machine; docs/hosts.md). `name` is the name that its certificate must have. */
    nodes?: readonly HostNode[];
    /** The address of the engine of a cluster, `nats://HOST:PORT,...` or `etcd://HOST:PORT,...`: replicas with `where: 'host'` start on the hosts whose daemons have joined it (docs/hosts-engine.md). For `fs`, at its import or under its name: `eventual` files keep their log there (docs/fs.md). */
    cluster?: string;
    /** Labels that a host must have (`ignis daemon --labels disk=fast`) to run the module with `where: 'host'`. */
    labels?: Readonly<Record<string, string>>;
    /** The channel to a replica. `auto`: an inherited socket pair to a process, a message port to a thread, TCP with TLS to another host. `pipe` and `node-ipc` (the package of that name) are for processes on this machine, `tcp` and `udp` for other hosts. With `udp`, calls of `oneway` functions travel as encrypted datagrams, best effort, and all others over TCP (docs/hosts.md). Default: 'auto'. */
    comm?: 'auto' | 'pipe' | 'node-ipc' | 'tcp' | 'udp';
    /** The codec that encodes values into frames; to use msgpack-lite, install that package. Default: 'msgpackr'. */
    codec?: 'msgpackr' | 'msgpack-lite';
    /** Loads the module into a replica before there is load, so that the first scale-out does not wait for it. Default: false. */
    preload?: boolean;
    /** Called when a replica of the module cannot be started or is lost; if lost, `error` has `exitCode`, `signal`, `stderr` (its last lines), `harm` and `calls`. The return value decides what happens to its calls: `rerun` runs them in another replica, `home` at home, `throw` makes them fail with IGNIS_REPLICA_LOST; a function is asked for each call. If it returns nothing, `pure`, `idempotent` and `retry` decide. A call that another replica also has (`hedge`) goes on there. Calls of a replica that crashed or ran out of memory never run at home. */
    onFail?: (error: IgnisError) => unknown;
    /** Called when the module is found to be saturated, whether or not Ignis can do something about it, with the share (0 to 1) that it takes of the event loop, or of the time of its replicas. */
    saturation?: (level: number) => void;
    /** Only for `fs`: where the files below `root` live. `local`: on this machine's disk, as usual. `eventual`: in `copies` folders, each kept by a process; all are changed in the same order, and any of them may be read. `strong`: in one folder with one owner, so that a reader sees what was written last. `copies` alone means `eventual`, with 3 copies if no number is given. */
    fs?: 'local' | 'eventual' | 'strong';
    /** Only for `fs`: the folder whose files are kept that way, relative to the working directory; by default that directory itself. `node_modules` and `.git` are always left to Node. */
    root?: string;
    /** Only for `fs`: the folders of the copies, perhaps on different disks. If there are more folders than `copies`, each file is in `copies` of them. By default the first is `root` itself, and the others are in `root/.ignis-fs`. */
    disks?: readonly string[];
    /** Only for `fs`: a write completes only when the data is on the disk, not just handed to the system. Default: false. */
    sync?: boolean;
  }

  /** Fields of a recipe that stay open where nobody gives them. */
  type NoDefault =
    | 'copies'
    | 'key'
    | 'nodes'
    | 'cluster'
    | 'labels'
    | 'call'
    | 'state'
    | 'args'
    | 'timeout'
    | 'killMs'
    | 'memoryMb'
    | 'env'
    | 'retry'
    | 'group'
    | 'onFail'
    | 'saturation'
    | 'fs'
    | 'root'
    | 'disks'
    | 'functions';
  // End of what is printed.

  /** A recipe that Ignis ships, in recipes/. It says what is so, and never gives the consent to distribute. */
  interface ShippedRecipe {
    /** What is imported: 'uri-js', 'csv-parse/sync', or a built-in as 'node:crypto'. */
    package: string;
    /** Versions that were examined, by their beginning: '2', '2.1', '2.1.1'; empty for a built-in. */
    versions: readonly string[];
    /** Files of the package that it holds for, from its folder, besides the one that `require` of its name loads: './dist/sync.cjs'. */
    files?: readonly string[];
    /** Why the recipe is right: what was read or measured. */
    evidence: string;
    /** Whether a replica may be a thread, or why not. */
    threads: true | string;
    /**
     * Source of a file of the program's own through which it can move, where what its exports give cannot be sent: every function of that file is pure.
     */
    ownFile?: string;
    /** What the functions under `setup` of the recipe change, and what of it a replica cannot have. */
    setup?: string;
    /** Arguments that a call changes. */
    mutates?: readonly { readonly function: string; readonly argument: number; readonly what: string }[];
    /** What the module remembers from one call to the next, a sentence each. */
    keeps?: readonly string[];
    /** What was measured, one row a function; empty where no call is worth sending. */
    pays: readonly PaysRow[];
    /** Only what is so (pure, state, setup, cold). */
    recipe: Recipe;
  }

  /** What a call of a function costs at home, and what home still pays when a process serves it (`npm run bench -- recipes`). */
  interface PaysRow {
    /** By its path in the exports; 'render (own file)' is one of `ownFile`. */
    readonly function: string;
    /** The largest input that was measured, in words: 'a page of 12 kB'. */
    readonly input: string;
    /** Of its arguments, as they are sent. */
    readonly bytes: number;
    /** Processor time of a call at home, milliseconds. */
    readonly ms: number;
    /** Home's processor time for the same call served by a process: marshalling and channel. */
    readonly homeMs: number;
    /** The smallest measured input for which `homeMs` is at most 0.8 of `ms`, in words; or 'always', 'never'. */
    readonly breakEven: string;
  }

  /** Who said a field of an effective recipe, and where. */
  interface Origin {
    readonly by: 'shipped' | 'program' | 'target' | 'import' | 'live';
    readonly where: string;
  }

  /** All layers merged and all defaults filled in: what holds for one import. Frozen. */
  interface EffectiveRecipe extends Required<Omit<Recipe, NoDefault>>, Pick<Recipe, Exclude<NoDefault, 'copies' | 'functions'>> {
    /** The range that is allowed, with everything considered; [0, 0] when there must be none. */
    readonly copies: readonly [least: number, most: number];
    /** Of each refined function the whole effective recipe, so `recipe.functions[path] ?? recipe` is what holds for it. */
    readonly functions: Readonly<Record<string, EffectiveRecipe>>;
    /** Field to origin, for the fields that somebody gave; of a function under `functions` also who named it. */
    readonly given: Readonly<Record<string, Origin>>;
  }

  /** What a module is called. */
  interface ModuleId {
    /** 'uri-js', 'node:crypto', './lib/links.js' (from the program's root) */
    readonly name: string;
    readonly kind: 'package' | 'builtin' | 'file';
    readonly filename: string | null;
    readonly packageName: string | null;
    readonly version: string | null;
    /** './sub/path' within a package, or '' */
    readonly inside: string;
    /** './sync', where a package gives that file out by such names, which are not its path. */
    readonly entries?: readonly string[];
  }

  type CallKind = 'unknown' | 'sync' | 'promise' | 'callback' | 'sync-callback' | 'constructor' | 'property';
  type Action = 'scale-out' | 'scale-in' | 'stay' | 'home';

  /** One decision of the coordinator. */
  interface Decision {
    /** Milliseconds since the epoch. */
    time: number;
    /** The replica that made it, where that was not the program itself. */
    home?: string;
    /** Name of the replica set: the module's, or that of its group. */
    module: string;
    /** Id of the boundary of it that pressed most; '' where none was used. */
    boundary: string;
    action: Action;
    /** Why, in one word, for programs. */
    reason: string;
    /** Replicas before and after. */
    from: number;
    to: number;
    /** Why, for people. */
    sentence: string;
    /** What it was made of. */
    figures: Record<string, number | string | boolean | null>;
  }

  interface FunctionReport {
    /** How it was seen to answer. */
    kind: CallKind;
    /** Since the start. */
    calls: number;
    /** Of these: calls that threw, rejected, or called back with an error. */
    failures: number;
    /** Time that the module itself kept the event loop, without that of watched modules inside, summed since the start. */
    exclusiveMs: number;
    /** The same with that of watched modules inside. */
    inclusiveMs: number;
    /** Calls whose promise or callback is open now. */
    pending: number;
    /** Half of the calls at home kept the event loop no longer; null: none was timed. */
    p50Ms: number | null;
    /** 99 % of the calls at home kept it no longer. */
    p99Ms: number | null;
    /** The longest call at home. */
    maxMs: number | null;
    /** Mean time to completion of promises and callbacks. */
    latencyMs: number | null;
    /** Rough mean of what a call is given; null: not measured. */
    argBytes: number | null;
    /** The same of what it gives. */
    resultBytes: number | null;
    /** Of a function whose callers do not want an answer (`oneway`); `lost`: calls that ended with a replica, or on their way to one. They are among the failures. */
    oneway: { lost: number } | null;
    /** Calls that stayed at home while others left, since their arguments were smaller than those of any call that was long (`small` of a recipe); below how many bytes, roughly. */
    stayed: { calls: number; belowBytes: number } | null;
    /** Calls that ran at home while there were replicas, since they could not leave: they were given a function, what they gave cannot be sent, their callers do not wait; and why the last of them could not. */
    kept: { calls: number; why: string } | null;
    /** Why most of its calls could not leave, as samples of them show it, whatever a recipe says: functions, or objects of classes, among what it is given, or gives; 'it is given a callback': they could, if it calls that back later; null: they show nothing of the kind. */
    whyBound: string | null;
  }

  /** One import edge. */
  interface BoundaryReport {
    /** 'server.js -> uri-js' */
    id: string;
    /** Of a boundary in a replica in which Ignis is active (`nested`): that replica ('./render.js #2'), a chain where one is in another, or './render.js, ended' for the sum over those that have ended. */
    home?: string;
    /** The importing file, from the program's root: './server.js'. */
    parent: string;
    /** What it imports: 'uri-js', 'node:crypto', './lib/links.js'. */
    child: string;
    /** Name of its replica set: the module's, or that of its group ('group analysis'). */
    set: string;
    /** Function path to kind. */
    kinds: Record<string, CallKind>;
    /** Since the start, at home and in replicas. */
    calls: number;
    /** In the last window (the option `windowMs`); 0: it was not used. */
    callsPerSecond: number;
    /** Of these: calls that threw, rejected, or called back with an error. */
    failures: number;
    /** Time that the module itself kept the event loop, without that of watched modules inside, summed since the start. */
    exclusiveMs: number;
    /** The same with that of watched modules inside. */
    inclusiveMs: number;
    /** Share of the last window that was spent in it, 0 to 1. */
    share: number;
    /** Calls whose promise or callback is open now. */
    pending: number;
    /** `exclusiveMs` by `calls`; null: none was timed. */
    meanMs: number | null;
    /** Half of the calls at home kept the event loop no longer; null: none was timed. */
    p50Ms: number | null;
    /** 99 % of the calls at home kept it no longer. */
    p99Ms: number | null;
    /** The longest call at home. */
    maxMs: number | null;
    /** Mean time from a call to its completion, where promises and callbacks are followed; else null. */
    latencyMs: number | null;
    /** Its rank among all boundaries, with the weight of its recipe; higher presses more. */
    pressure: number;
    /** Of its recipe: how much its pressure counts. */
    weight: number;
    /** File and line of its first call that kept the event loop for 20 ms or longer. */
    calledAt: string | null;
    /** `declined`: no recipe lets it go, or its replicas cannot be started. */
    state: 'home' | 'starting' | 'distributed' | 'declined';
    /** Those of its set that are ready. */
    replicas: number;
    /** Why it may not be distributed; null: it may. Of boundaries in replicas, and in reports of older versions, there is none. */
    whyDeclined?: string | null;
    /** What it is now, and what would help. */
    sentence: string;
    /** By their path in the exports; '' for a module that is a function. */
    functions?: Record<string, FunctionReport>;
  }

  /** One replica, living or ended. */
  interface ReplicaReport {
    id: string;
    /** The replica that started it, where that was not the program itself. */
    home?: string;
    module: string;
    /** 'process', 'thread', or 'host' and which one: 'host host1 (192.0.2.7:7100)'. */
    where: string;
    pid: number | null;
    /** How long it took from start to ready. */
    startedMs: number | null;
    state: string;
    calls: number;
    rssBytes: number | null;
    /** null while it lives */
    endedWhy: string | null;
    /** Of one that another replica started (`home`): calls sent and not answered, and how busy its event loop was when it reported last. */
    pending?: number | null;
    utilisation?: number | null;
    /** With `comm: 'udp'`, what became of calls sent as datagrams: `large` ones went over the link, and all do when `why` says that there can be none. */
    datagrams?: { sent: number; arrived: number; failed: number; lost: number; large: number; why: string };
    /** Of a replica in which whole modules live: what it holds of home, the oldest first. */
    lent?: { count: number; oldest: string[] };
  }

  /** The window in which modules kept loop and replicas busiest: what `ignis simulate` starts from. */
  interface Busiest {
    /** When it ended. */
    at: string;
    windowMs: number;
    /** Threads of libuv's pool. */
    poolThreads: number;
    /** `ownShare`: part of the window in which Ignis was at work of its own; `runDelay`: part of the time in which the loop was busy that it waited for a core. Reports of older versions have neither. */
    loop: { utilisation: number; ownShare?: number; runDelay?: number; delayMs: number | null };
    /** Those that took most time, at most 50. */
    boundaries: {
      id: string;
      /** The module that calls it. Reports of older versions have none. */
      parent?: string;
      child: string;
      /** At home and in replicas. */
      callsPerSecond: number;
      /** In a turn of the event loop, as a call sees it: where the loop is full, as many wait. Reports of older versions have none. */
      inTurn?: number;
      /** Of the window, at home; 0 to 1. */
      share: number;
      /** Time on the loop, a call. */
      meanMs: number;
      pending: number;
      /** Of arguments and results, rough mean of a call; and how many values they hold. */
      bytes: number;
      values: number;
      /** Mean time to completion of promises and callbacks. */
      latencyMs: number | null;
      /** Whether its calls waited for libuv's pool of threads. */
      isLater: boolean;
      /**
       * Lengths of its calls at home in ms: the shortest, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 99.5 and 99.9 %, the longest.
       * Of a module in replicas those from when it was last at home; empty when there are none.
       */
      quantiles: number[];
      /** Of a module that no recipe lets go: share and lengths with what its calls do in modules inside, which its replicas would run as well. None where that is no more. */
      withInside?: { share: number; quantiles: number[] };
    }[];
    replicas: {
      module: string;
      ready: number;
      callsPerSecond: number;
      /** Summed over its replicas. */
      busyMsPerSecond: number;
      /** Part of that time in which they waited for a core. Reports of older versions have none. */
      runDelay?: number;
      /** Calls in replicas or waiting for one. */
      waiting: number;
      /** The fewest of them at any look of the window, ten a second by default, at which there were replicas, where these were busy for most of that time; 0: not known. Reports of older versions have none. */
      leastWaiting?: number;
      /** Home's CPU for a remote call; null: not measured. */
      callMs: number | null;
      /** null: not measured. */
      startMs: number | null;
    }[];
    /** Modules whose replicas run on other hosts, or may, and what these had for them; absent when there are none. */
    hosted?: {
      module: string;
      /** Empty: none had answered. */
      hosts: {
        name: string;
        /** That its replicas could have, with those that they kept busy. */
        cores: number;
        /** 2: twice as fast as home. */
        speed: number;
        /** Of a question to its daemon. */
        roundTripMs: number;
        /** Among the others when a replica is placed. */
        weight: number;
      }[];
      /** Its replicas are on this machine first: how many were here and on hosts, for how many there was a core here, and room for more on hosts. */
      near?: { has: number; far: number; most: number; room: number };
    }[];
  }

  /** What numbers of replicas would bring to a module that pressed, by simulation (docs/prediction.md). */
  interface Prospect {
    module: string;
    /** When the window ended that it is foreseen from. */
    at: string;
    sentence: string;
    answers: { replicas: number; callsPerSecond: number; p50Ms: number; p99Ms: number; loopShare: number; replicaShare: number }[];
    /** What was measured and what is assumed, in sentences. */
    from: string[];
  }

  /** One boundary on a path. */
  interface PathStep {
    boundary: string;
    parent: string;
    child: string;
    /** Its path in the exports; '' for a module that is a function. */
    function: string;
    /** It led to the next step after it had returned, as a promise or callback does; which of several did is inferred from how often they are called. */
    isLater: boolean;
  }

  /** A chain of boundaries that calls come through, from samples; counts are of its last step. */
  interface PathReport {
    /** 'routes.js -> account.js login ~> node:crypto pbkdf2'; '~>' stands where the call came later. */
    path: string;
    /** From the outermost to the last; empty for the sum of all paths that found no place in the table. */
    steps: PathStep[];
    calls: number;
    /** Time of the last step on the event loop, without that of crossings inside. */
    exclusiveMs: number;
    /** From calls to their completion, summed; where promises and callbacks are followed. */
    latencyMs: number;
  }

  /** One moment of the last minutes. */
  interface Moment {
    /** Milliseconds since the epoch. */
    at: number;
    /** How busy the event loop was, 0 to 1. */
    loop: number;
    /** Of it, by modules that are watched. */
    known: number;
    /** Those that were ready. */
    replicas: number;
    /** Event loops that the hottest modules kept busy, at home and in replicas; by module. */
    heats: Record<string, number>;
  }

  /** What `--report FILE` writes. */
  interface Report {
    /** Version of this schema. */
    schema: 1;
    ignis: string;
    node: string;
    cpus: number;
    pid: number;
    program: string;
    startedAt: string;
    writtenAt: string;
    loop: { utilisation: number; delayMs: number | null };
    boundaries: BoundaryReport[];
    /** null: no call was seen, or the program ended before calls were measured. */
    busiest: Busiest | null;
    /** Of the three modules at most that pressed most in the busiest window. */
    prospects: Prospect[];
    /** Through which chains of boundaries calls come: the 20 dearest and the 20 most frequent at most, the dearest first. */
    paths: PathReport[];
    /** The last 1,000, oldest first; of replicas in which Ignis is active (`nested`) 500 more. */
    decisions: Decision[];
    /** Those that live, and of each module the last 1,000 that have ended; of modules that live in a replica the last 100 of all. */
    replicas: ReplicaReport[];
    /** The last five minutes before it was written, means of five seconds each, oldest first. Reports of older versions have none. */
    timeline?: Moment[];
    lift: LiftReport;
    /** What recipes say that has no effect: targets that mean nothing, fields that lack another one. */
    warnings: string[];
  }

  /** What is shown of a running program: `ignis top`, the page and the monitor socket get this. */
  interface Snapshot {
    /** Version of this schema. */
    schema: 1;
    /** Milliseconds since the epoch. */
    at: number;
    program: {
      /** Name of its file. */
      name: string;
      path: string;
      pid: number;
      ignis: string;
      node: string;
      cpus: number;
      uptimeMs: number;
      memory: { rssBytes: number; heapUsedBytes: number; heapTotalBytes: number; externalBytes: number };
      loop: { utilisation: number; delayMs: number | null };
    };
    /** The hottest first. */
    boundaries: WatchedBoundary[];
    /** Those that live, and the last ones that have ended. */
    replicas: WatchedReplica[];
    /** The latest 200, oldest first. */
    decisions: Omit<NumberedDecision, 'figures'>[];
    /** Of each module of which a recipe says something. */
    recipes: RecipeInForce[];
    /** The dearest first. */
    paths: PathReport[];
  }

  interface WatchedBoundary extends BoundaryReport {
    /** Event loops that it keeps busy: `share` at home and `away` in replicas. */
    heat: number;
    /** Its part of what the replicas of its module are busy, by calls; 1 is one event loop. */
    away: number;
  }

  interface WatchedReplica extends ReplicaReport {
    /** Calls sent and not answered; null: not known. */
    pending: number | null;
    /** How busy its event loop was when it reported last, 0 to 1; null: not known. */
    utilisation: number | null;
  }

  interface NumberedDecision extends Decision {
    /** From 1 on, in the order in which they were made. */
    number: number;
  }

  interface RecipeInForce {
    module: string;
    /** What was said, as text. */
    text: string;
    given: Record<string, Origin>;
  }

  /** All that is known of one boundary. */
  interface BoundaryDetail {
    at: number;
    boundary: WatchedBoundary;
    /** Those that took most time first. */
    functions: ({ path: string } & FunctionReport)[];
    /** How many calls took about so long at home since the start. */
    latencies: { ms: number; calls: number }[];
    replicas: WatchedReplica[];
    decisions: NumberedDecision[];
    /** The last decision on its module, also one that changed nothing. */
    latest: string | null;
    /** What replicas would bring. */
    prospect: string | null;
    recipe: RecipeInForce | null;
  }

  /** What whoever looks at a program asks it to do. */
  interface Wish {
    /** `home`: nothing of the module is distributed; `unpin` takes back what wishes said; `recipe` proposes one, with `apply` takes it up. */
    what: 'home' | 'unpin' | 'copies' | 'recipe' | 'profile';
    /** Its id. */
    boundary?: string | null;
    copies?: Copies;
    recipe?: Recipe;
    apply?: boolean;
    /** Of a profile; 5 by default, 120 at most. */
    seconds?: number;
    /** Id of the one that is profiled, or 'home'; without it the first of the boundary's, else home. */
    replica?: string;
  }

  /** What is asked of the simulation of a running program. */
  interface WhatIf {
    /** By default the most pressed one. */
    module?: string;
    /** Answers for 0 to so many replicas. */
    most?: number;
    /** So many times the load that was measured. */
    load?: number;
    /** Of the machine of home, not of other hosts; as it was by default. */
    cores?: number;
  }

  interface WhatIfAnswer {
    module: string;
    /** When the window ended that it is foreseen from. */
    at: string;
    load: number;
    /** Of the machine of home. */
    cores: number;
    /** Replicas that it had in that window. */
    ready: number;
    /** All that can be asked about. */
    modules: string[];
    answers: {
      replicas: number;
      /** The fewest that answer as many calls as any, within 5 %. */
      isSmallest: boolean;
      callsPerSecond: number;
      p50Ms: number;
      p99Ms: number;
      loopShare: number;
      replicaShare: number;
      /** More comes than can be answered. */
      isSaturated: boolean;
    }[];
    /** What was measured and what is assumed, in sentences. */
    from: string[];
  }

  /** A recipe that could be tried. */
  interface Proposal {
    boundary: string;
    module: string;
    /** null: there is none. */
    recipe: Recipe | null;
    /** To paste into ignis.config.js. */
    text: string;
    /** Why there is none. */
    why: string;
    /** What its user vouches for. */
    notes: string[];
  }

  /** What `lift` changed in the program's own files, as they were loaded. */
  interface LiftReport {
    /** Calls that were made to wait for a promise. */
    lifted: number;
    /** Calls of lifted functions that stay as they are. */
    refused: { file: string; line: number; column: number; call: string; reason: string }[];
    /** How many of both in each file that has some. */
    files: { file: string; lifted: number; refused: number }[];
  }
}

declare namespace ignis {
  /** `import(id)` with a recipe. */
  function importWithRecipe<T = any, const R extends Recipe = AtOnce>(id: string, recipe?: R & Known<R>): Promise<Distributed<T, R>>;
  function importWithRecipe(id: string, recipe?: Recipe): Promise<any>;
  export { importWithRecipe as import };
}
