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
    /** The recipe file, instead of ignis.config.js, .cjs, .mjs or .json in the root of the program (docs/recipes.md). Variable: IGNIS_RECIPE. */
    recipe?: string;
    /** Whose imports are watched: 0 only what `hot` names, or `hot: true` under `modules` (of other recipes only those with `call: 'block'`, and of `fs`, have an effect then), 1 those of the program's own files, 2 also those of its packages, and so on; wins over the recipe file. Variable: IGNIS_LEVEL. */
    level?: number;
    /** Hands out exports that a program cannot tell from the true ones, the same to all its files: for test suites, mocks, and whoever reads descriptors; a call costs some 30 to 70 ns more, and counts for the file that imported the module first (docs/limits.md). Default: false. Variable: IGNIS_EXACT. */
    exact?: boolean;
    /** Writes a JSON report of all boundaries, decisions and replicas to this file, or into this pipe, when the program ends; `%p` in its name stands for the id of the process, so that workers of node:cluster, which `-r ignis/register` and the variable reach, write one each. Variable: IGNIS_REPORT. */
    report?: string;
    /** Prints every decision as one JSON line on stderr. Default: false. Variable: IGNIS_EXPLAIN. */
    explain?: boolean;
    /** Prints the hottest boundaries and the replicas as one JSON line on stderr this often; 0 never. Default: 0 (ms). Variable: IGNIS_STATUS_MS. */
    statusMs?: number;
    /** Serves a web page that shows the program live, on this machine alone; its address, with a secret in it, is printed on stderr; 0, or no port on the command line: any port that is free. Variable: IGNIS_DASH. */
    dash?: number;
    /** Serves the figures as Prometheus text at http://127.0.0.1:PORT/metrics, on this machine alone; 0: any port that is free; 9464 on the command line when none is given. Variable: IGNIS_METRICS. */
    metrics?: number;
    /** Lets `ignis ps`, `ignis top` and `ignis profile` find the program: from its first watched import on, by a socket in a folder that only its user can enter. Without it, true, except in threads and in processes that such a program has forked. Variable: IGNIS_MONITOR. */
    monitor?: boolean;
    /** Prints no warnings of options, recipes and imports; the report has those of recipes. What goes wrong later is told all the same: a verified call that differs, a oneway call that fails, a port that is taken. Default: false. Variable: IGNIS_QUIET. */
    quiet?: boolean;
    /** How often the coordinator looks at all boundaries; a tenth as often while nothing goes on. Default: 100 (ms). Variable: IGNIS_TICK_MS. */
    tickMs?: number;
    /** The length of time that a decision looks back on. Default: 1000 (ms). Variable: IGNIS_WINDOW_MS. */
    windowMs?: number;
    /** How long a replica must have been superfluous before it ends. Default: 5000 (ms). Variable: IGNIS_RECLAIM_MS. */
    reclaimMs?: number;
    /** How many replicas wait started but empty, so that a scale-out takes milliseconds; the first starts soon after the import of a module that may leave, one that was taken is replaced some seconds later, when a processor is free. Default: 1 (replicas). Variable: IGNIS_SPARES. */
    spares?: number;
    /** How long a replica may take to start and load its module, and a spare until it is up; then it is ended, and its start has failed. Default: 30000 (ms). Variable: IGNIS_START_MS. */
    startMs?: number;
    /** How long replicas may take to finish their calls when Ignis is closed; one that is not wanted any more takes as long as its calls do. Default: 5000 (ms). Variable: IGNIS_CLOSE_MS. */
    closeMs?: number;
    /** How long a replica that is a process may give no sign of life before it is killed and its calls are run again or fail; one that computes lives (Linux only). Half that time, and it gets no more calls. Time in which the program itself did not run does not count; 0: never. Default: 1000 (ms). Variable: IGNIS_HEARTBEAT_MS. */
    heartbeatMs?: number;
    /** The largest frame that is sent or accepted. Default: 268435456 (bytes). Variable: IGNIS_MAX_FRAME_BYTES. */
    maxFrameBytes?: number;
    /** Modules that live in one replica from their first import on, whatever recipes say: packages, names within them (`lodash/fp`), folders, files, globs of files (`lib/*.js`), separated by commas; paths begin at the working directory; every use of them crosses, and waits. Variable: IGNIS_FORCE. */
    force?: string;
    /** Where the replica is that has what is forced (`force`); with `host` on one of those that `nodes` or `cluster` names. Default: 'process'. Variable: IGNIS_WHERE. */
    where?: 'process' | 'thread' | 'host';
    /** Hosts whose daemons take what is forced with `where: 'host'`, and the replicas of modules whose recipes say `where: 'host'` and name none: IP:PORT, or NAME=IP:PORT with the name that the certificate must have, separated by commas. Variable: IGNIS_NODES. */
    nodes?: string;
    /** The hosts of a cluster in the place of `nodes`: where its engine is, `nats://HOST:PORT,...` or `etcd://HOST:PORT,...`. Variable: IGNIS_CLUSTER. */
    cluster?: string;
    /** The folder with the key and the certificate that this home shows to other hosts; `ignis keys` makes it. Variable: IGNIS_IDENTITY. */
    identity?: string;
    /** The file with the certificate of those who certify hosts; without it trust.pem in the identity. Variable: IGNIS_TRUST. */
    trust?: string;
    /** The file with the key that signs the code that is sent to hosts; without it deploy.key in the identity. Variable: IGNIS_DEPLOY_KEY. */
    deployKey?: string;
    /** How long a caller may wait, blocked, for one answer of a module that lives in a replica; 0: for ever. Default: 300000 (ms). Variable: IGNIS_BLOCK_MS. */
    blockMs?: number;
  }

  /** What may be said of a single function, under `functions`; what is not said there is as for its module. */
  interface FunctionRecipe {
    /** What `sched: 'hash'` goes by, without it all arguments; and what `state: 'keyed'` goes by, which needs it. */
    key?: (args: readonly any[]) => string;
    /** What becomes of this function, if it is synchronous: `await` or `local`, as for a module. */
    call?: 'await' | 'local';
    /** What becomes of plain data among the arguments: with `copy` the callee gets a copy, and what it does to that stays there; with `restore` (the default, unless the function is `pure`) what it changed is changed in the caller's own objects when it answers, and results that are or contain an argument are the caller's own object; `ref` is the same, and with `call: 'block'` plain objects stay where they are, and each use of them crosses. */
    args?: 'copy' | 'restore' | 'ref';
    /** Whether calls keep the order they were made in: `true`, each begins when the one before has settled, wherever they run; `'results'`, they run at once, and settle in their order. */
    order?: true | 'results' | false;
    /** Lets calls of this function that stand where `await` may stand leave, as for a module; `false`: none of them. */
    lift?: boolean;
    /** The result depends on the arguments alone and nothing else changes; such calls may run anywhere, in a later turn of the event loop, and again. */
    pure?: boolean;
    /** A call may run twice, so one that was lost with its replica is re-run; `pure` includes it. */
    idempotent?: boolean;
    /** The callers of this function do not want to know what becomes of a call, as for a module. */
    oneway?: boolean;
    /** How many ms a call may be in a replica without an answer; then it fails with IGNIS_CALL_TIMEOUT. The time it waits for a replica, or for one to start, does not count, and at home nothing is limited. The replica goes on with it, unless `killMs` says otherwise; its answer is dropped. With `call: 'block'` the time for one answer, instead of the option `blockMs`. */
    timeout?: number;
    /** How many ms after its `timeout` a call may still keep its replica; when it has not ended then, the replica is killed, which also ends what computes for ever, and another one takes its place. Other calls in it are run again, or fail, as for any loss. Without it no replica is killed for a call. */
    killMs?: number;
    /** How often a call that was lost with its replica is run again: 1 without it where the function is `idempotent` or `pure`, else 0, and more than 0 is refused. A loss counts where the call was the oldest in its replica, and a quarter where that was ended from outside (killed, or lost with its host); calls that were behind it, with 1 or more, run again in any case. Beyond that they fail with IGNIS_REPLICA_LOST. */
    retry?: number;
    /** When a replica has not answered for so many ms (`true`: 8 ms, and four times as long as its calls mostly take), calls of synchronous functions that wait there behind the one it works on, and may run twice (`pure`, `idempotent`), are sent to another replica, too: the first answer counts, the other is dropped. Not with `sched: 'hash'` or a function of your own. */
    hedge?: true | false | number;
    /** Where calls of a synchronous function run that are given less than any call that was long at home: `home`, while such calls cost less than half of what it costs to send one, and at most 0.05 ms; `away`, in replicas like all others. Calls with `order`, `verify`, `key`, a `sched` by key or of your own, or `timeout`, those of a module with at least one replica (`copies`), and those that need the state of the module leave in any case. */
    small?: 'home' | 'away';
    /** Of the calls that wait at home for a replica of the module, those with a higher priority go first, of equals those that came first. Each second of waiting counts for 1, so that none waits for ever. Not beside `order`. */
    priority?: number;
    /** Of the calls of `pure` functions that go to replicas, this share also runs at home; when the answers differ, the caller gets that of home, and the module is brought home at once. Calls that answer by callback are not verified, and with `order` none are. */
    verify?: number;
  }

  /** A recipe at an import, or under `modules`; docs/recipes.md describes each field. */
  interface Recipe {
    /** Distributes this module as soon as it pays. Default: false. */
    hot?: boolean;
    /** Never distributes this module. Default: false. */
    cold?: boolean;
    /** How many replicas there may be: exactly `n`, a range, up to as many as processors (`true`), none (`false`); without it as many as processors, and one while nobody said that the module keeps no state. */
    copies?: Copies;
    /** Which replica takes a call: the one with the fewest that have not run yet, each in turn, the same for the same `key`, each in turn but faster ones more often (by the time that a call is measured to keep them), the one whose event loop is least busy, or the one whose place in the list `(replicas, { path, args })` the function gives, each with its `id` and how many are `pending` (those are listed that take calls now, and with an answer that is none of their places the call goes as with `least`); a call for which that throws fails with what it threw. Default: 'least'. */
    sched?: Sched;
    /** What `sched: 'hash'` goes by, without it all arguments; and what `state: 'keyed'` goes by, which needs it. */
    key?: (args: readonly any[]) => string;
    /** How many calls may be pending in the replicas of a module; beyond that the module serves at home, and a call whose state is in a replica is refused with IGNIS_QUEUE_FULL. Default: Infinity. */
    qDepth?: number;
    /** What a replica is: a process of its own is safe from crashes, a thread is cheaper; with `host` it is a process on one of the hosts that `nodes` or `cluster` names. `['process', 'host']` and `['thread', 'host']`: on this machine while it has a free core, further ones on hosts where that brings more than it costs (docs/hosts.md). Default: 'process'. */
    where?: Where;
    /** Hosts whose daemons (`ignis daemon`) start the replicas of a module with `where: 'host'`, each according to its `weight` or, without one, its measured speed (1: as fast as this machine; docs/hosts.md); `name` is the one that its certificate must have. */
    nodes?: readonly HostNode[];
    /** Where the engine of a cluster is, `nats://HOST:PORT,...` or `etcd://HOST:PORT,...`: replicas with `where: 'host'` start on the hosts whose daemons have joined it (docs/hosts-engine.md). Of `fs`, at its import or under its name: `eventual` files have their log there (docs/fs.md). */
    cluster?: string;
    /** Labels that a host must have been given (`ignis daemon --labels disk=fast`) to serve the module with `where: 'host'`. */
    labels?: Readonly<Record<string, string>>;
    /** What becomes of synchronous functions: `await` lets them return a promise while the module is in replicas (at home they answer at once), so callers write `await f(x)`, and never `f(x).then()`; `local` keeps them at home; `block` has the whole module live in one replica, and every use of it waits for its answer. Without it, what cannot change the program. */
    call?: 'await' | 'block' | 'local';
    /** What the module remembers between calls: nothing, something that each replica may have for itself, something for each `key` (its calls go to one replica), or something for all (one replica). Without it the module is taken for `shared`. */
    state?: 'none' | 'private' | 'keyed' | 'shared';
    /** What becomes of plain data among the arguments: with `copy` the callee gets a copy, and what it does to that stays there; with `restore` (the default, unless the function is `pure`) what it changed is changed in the caller's own objects when it answers, and results that are or contain an argument are the caller's own object; `ref` is the same, and with `call: 'block'` plain objects stay where they are, and each use of them crosses. */
    args?: 'copy' | 'restore' | 'ref';
    /** Whether calls keep the order they were made in: `true`, each begins when the one before has settled, wherever they run; `'results'`, they run at once, and settle in their order. Default: false. */
    order?: true | 'results' | false;
    /** Functions that set the module up (`use`, `setOptions`): their calls run at home, and again in each replica, in their order, before it takes calls. A function that the program writes under such a name, or into an object of that name, keeps the module at home. Default: []. */
    setup?: readonly string[];
    /** Lets calls of synchronous functions (all, or those named by their path) leave without a change of the program: in its own files, calls that stand where `await` may stand are awaited from then on; all others stay at home. With `deep` also a synchronous function of a file becomes async, where the file shows that all who call it can wait. For modules that keep no state in common (`pure`, `state: 'none'` or `'private'`). Default: false. */
    lift?: boolean | 'deep' | readonly string[];
    /** The result depends on the arguments alone and nothing else changes; such calls may run anywhere, in a later turn of the event loop, and again. Default: false. */
    pure?: boolean;
    /** A call may run twice, so one that was lost with its replica is re-run; `pure` includes it. Default: false. */
    idempotent?: boolean;
    /** Functions (all, or those named by their path) whose callers do not want to know what becomes of a call: it returns `undefined`, and runs after that, in a replica or at home, with the arguments as they were. What it throws is counted, published and warned of once; synchronous functions can leave without `call` or `lift`. Default: false. */
    oneway?: boolean | readonly string[];
    /** How many ms a call may be in a replica without an answer; then it fails with IGNIS_CALL_TIMEOUT. The time it waits for a replica, or for one to start, does not count, and at home nothing is limited. The replica goes on with it, unless `killMs` says otherwise; its answer is dropped. With `call: 'block'` the time for one answer, instead of the option `blockMs`. */
    timeout?: number;
    /** How many ms after its `timeout` a call may still keep its replica; when it has not ended then, the replica is killed, which also ends what computes for ever, and another one takes its place. Other calls in it are run again, or fail, as for any loss. Without it no replica is killed for a call. */
    killMs?: number;
    /** How much memory a replica may take. A process that takes more, and half as much again as when it was ready, is replaced: another one is started first, then it gets no more calls and ends after those it has. For a thread it is the limit of its heap: beyond that it ends, and its calls with it. Not for a state that is kept in one place. */
    memoryMb?: number;
    /** The only environment variables of the program that a replica of the module gets, besides those that Node itself needs (`PATH`, `HOME`, `TZ`, `NODE_OPTIONS`, ...); `[]` for none. Without it all but the secrets of Ignis (`IGNIS_..._KEY`, `_TOKEN`, `_SECRET`). */
    env?: readonly string[];
    /** How often a call that was lost with its replica is run again: 1 without it where the function is `idempotent` or `pure`, else 0, and more than 0 is refused. A loss counts where the call was the oldest in its replica, and a quarter where that was ended from outside (killed, or lost with its host); calls that were behind it, with 1 or more, run again in any case. Beyond that they fail with IGNIS_REPLICA_LOST. */
    retry?: number;
    /** When a replica has not answered for so many ms (`true`: 8 ms, and four times as long as its calls mostly take), calls of synchronous functions that wait there behind the one it works on, and may run twice (`pure`, `idempotent`), are sent to another replica, too: the first answer counts, the other is dropped. Not with `sched: 'hash'` or a function of your own. Default: true. */
    hedge?: true | false | number;
    /** Where calls of a synchronous function run that are given less than any call that was long at home: `home`, while such calls cost less than half of what it costs to send one, and at most 0.05 ms; `away`, in replicas like all others. Calls with `order`, `verify`, `key`, a `sched` by key or of your own, or `timeout`, those of a module with at least one replica (`copies`), and those that need the state of the module leave in any case. Default: 'home'. */
    small?: 'home' | 'away';
    /** Of the calls that wait at home for a replica of the module, those with a higher priority go first, of equals those that came first. Each second of waiting counts for 1, so that none waits for ever. Not beside `order`. Default: 0. */
    priority?: number;
    /** How much the pressure of the module counts among others, when modules are ranked and when the cores of the machine are shared among those that press: 2 for twice as much. Default: 1. */
    weight?: number;
    /** Modules of one group share their replicas: each holds all of them, they are scaled as one, and calls between them stay there, so that what they share they share there, too. A folder or glob under `modules` puts a subtree into one group. With `call: 'block'` they live in one replica. `where`, `state`, `comm` and `codec` must be the same for all. */
    group?: string;
    /** Ignis is active in the replicas of the module, too: what the module itself imports is watched there, and replicated from there where a recipe lets it, as at home. Costs each replica time to start and memory, and processes while it replicates (docs/nested.md). Default: false. */
    nested?: boolean;
    /** Of the calls of `pure` functions that go to replicas, this share also runs at home; when the answers differ, the caller gets that of home, and the module is brought home at once. Calls that answer by callback are not verified, and with `order` none are. Default: 0. */
    verify?: number;
    /** The channel to a replica. `auto`: an inherited socket pair to a process, a message port to a thread, TCP with TLS to another host. `pipe` and `node-ipc` (the package of that name) are for processes of this machine, `tcp` and `udp` for other hosts: with `udp` calls of `oneway` functions are sealed datagrams, best effort, and all others go over TCP (docs/hosts.md). Default: 'auto'. */
    comm?: 'auto' | 'pipe' | 'node-ipc' | 'tcp' | 'udp';
    /** What encodes values into frames; the package msgpack-lite must be installed to be chosen. Default: 'msgpackr'. */
    codec?: 'msgpackr' | 'msgpack-lite';
    /** Loads the module into a replica before there is load, so that the first scale-out need not wait for it. Default: false. */
    preload?: boolean;
    /** Called when a replica of the module cannot be started, or is lost; then `error` has `exitCode`, `signal`, `stderr` (its last lines), `harm` and `calls`. Its answer says what becomes of the calls that were in it: `rerun` in another replica, `home`, `throw` IGNIS_REPLICA_LOST; a function is asked for each of them. What another replica has, too (`hedge`), goes on there. Without an answer as `pure`, `idempotent` and `retry` say. What was in a replica that crashed or ran out of memory never runs at home. */
    onFail?: (error: IgnisError) => unknown;
    /** Called when the module is found saturated, whether or not that can be helped, with the share that it takes: of the event loop, or of the time of its replicas; 0 to 1. */
    saturation?: (level: number) => void;
    /** Only for `fs`: where the files below `root` live. `local`, on this machine's disk, as ever; `eventual`, in `copies` folders that a process each keeps, all changed in one order, and any of them read; `strong`, in one folder with one owner, so that whoever reads sees what was written last. `copies` alone means `eventual`, with 3 copies where no number is given. */
    fs?: 'local' | 'eventual' | 'strong';
    /** Only for `fs`: the folder whose files are kept so, from the working directory; without it that directory itself. `node_modules` and `.git` are always Node's. */
    root?: string;
    /** Only for `fs`: the folders of the copies, on different disks perhaps; with more of them than `copies` each file is in so many of them. Without it the first is `root` itself, and the others lie in `root/.ignis-fs`. */
    disks?: readonly string[];
    /** Only for `fs`: what was written is on the disk, and not only with the system, before the program goes on. Default: false. */
    sync?: boolean;
    /** What differs for single functions, by their path in the exports (`parse`, `promises.readFile`; of the default export of an ES module `default.parse`; of a module that is a function itself that is `''`). Of an object of a class only functions that are named here may leave. */
    functions?: Readonly<Record<string, FunctionRecipe>>;
  }

  /** A recipe for the whole program: in code, or in a recipe file. */
  interface ProgramRecipe {
    /** Whose imports are watched: 0 only what `hot` names, or `hot: true` under `modules` (of other recipes only those with `call: 'block'`, and of `fs`, have an effect then), 1 those of the program's own files, 2 also those of its packages, and so on. Default: 1. */
    level?: number;
    /** Modules that are distributed as soon as it pays. */
    hot?: Target | readonly Target[];
    /** Modules that are never distributed; wins over `hot`. */
    cold?: Target | readonly Target[];
    /** Recipes for single modules, as if given at every import of them; of two targets the more exact one wins, of equals the later. */
    modules?: Readonly<Record<string, Recipe>>;
    /** How many replicas there may be: exactly `n`, a range, up to as many as processors (`true`), none (`false`); without it as many as processors, and one while nobody said that the module keeps no state. */
    copies?: Copies;
    /** Which replica takes a call: the one with the fewest that have not run yet, each in turn, the same for the same `key`, each in turn but faster ones more often (by the time that a call is measured to keep them), the one whose event loop is least busy, or the one whose place in the list `(replicas, { path, args })` the function gives, each with its `id` and how many are `pending` (those are listed that take calls now, and with an answer that is none of their places the call goes as with `least`); a call for which that throws fails with what it threw. Default: 'least'. */
    sched?: Sched;
    /** How many calls may be pending in the replicas of a module; beyond that the module serves at home, and a call whose state is in a replica is refused with IGNIS_QUEUE_FULL. Default: Infinity. */
    qDepth?: number;
    /** What a replica is: a process of its own is safe from crashes, a thread is cheaper; with `host` it is a process on one of the hosts that `nodes` or `cluster` names. `['process', 'host']` and `['thread', 'host']`: on this machine while it has a free core, further ones on hosts where that brings more than it costs (docs/hosts.md). Default: 'process'. */
    where?: Where;
    /** Hosts whose daemons (`ignis daemon`) start the replicas of a module with `where: 'host'`, each according to its `weight` or, without one, its measured speed (1: as fast as this machine; docs/hosts.md); `name` is the one that its certificate must have. */
    nodes?: readonly HostNode[];
    /** Where the engine of a cluster is, `nats://HOST:PORT,...` or `etcd://HOST:PORT,...`: replicas with `where: 'host'` start on the hosts whose daemons have joined it (docs/hosts-engine.md). Of `fs`, at its import or under its name: `eventual` files have their log there (docs/fs.md). */
    cluster?: string;
    /** Labels that a host must have been given (`ignis daemon --labels disk=fast`) to serve the module with `where: 'host'`. */
    labels?: Readonly<Record<string, string>>;
    /** The channel to a replica. `auto`: an inherited socket pair to a process, a message port to a thread, TCP with TLS to another host. `pipe` and `node-ipc` (the package of that name) are for processes of this machine, `tcp` and `udp` for other hosts: with `udp` calls of `oneway` functions are sealed datagrams, best effort, and all others go over TCP (docs/hosts.md). Default: 'auto'. */
    comm?: 'auto' | 'pipe' | 'node-ipc' | 'tcp' | 'udp';
    /** What encodes values into frames; the package msgpack-lite must be installed to be chosen. Default: 'msgpackr'. */
    codec?: 'msgpackr' | 'msgpack-lite';
    /** Loads the module into a replica before there is load, so that the first scale-out need not wait for it. Default: false. */
    preload?: boolean;
    /** Called when a replica of the module cannot be started, or is lost; then `error` has `exitCode`, `signal`, `stderr` (its last lines), `harm` and `calls`. Its answer says what becomes of the calls that were in it: `rerun` in another replica, `home`, `throw` IGNIS_REPLICA_LOST; a function is asked for each of them. What another replica has, too (`hedge`), goes on there. Without an answer as `pure`, `idempotent` and `retry` say. What was in a replica that crashed or ran out of memory never runs at home. */
    onFail?: (error: IgnisError) => unknown;
    /** Called when the module is found saturated, whether or not that can be helped, with the share that it takes: of the event loop, or of the time of its replicas; 0 to 1. */
    saturation?: (level: number) => void;
    /** Only for `fs`: where the files below `root` live. `local`, on this machine's disk, as ever; `eventual`, in `copies` folders that a process each keeps, all changed in one order, and any of them read; `strong`, in one folder with one owner, so that whoever reads sees what was written last. `copies` alone means `eventual`, with 3 copies where no number is given. */
    fs?: 'local' | 'eventual' | 'strong';
    /** Only for `fs`: the folder whose files are kept so, from the working directory; without it that directory itself. `node_modules` and `.git` are always Node's. */
    root?: string;
    /** Only for `fs`: the folders of the copies, on different disks perhaps; with more of them than `copies` each file is in so many of them. Without it the first is `root` itself, and the others lie in `root/.ignis-fs`. */
    disks?: readonly string[];
    /** Only for `fs`: what was written is on the disk, and not only with the system, before the program goes on. Default: false. */
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
    /** Field to origin, for the fields that somebody gave. */
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
