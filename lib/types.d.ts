/**
 * Every shape that a user of Ignis meets, and the records that its rooms hand to each other.
 * test/types.test.js holds recipe fields, options and error codes to the tables in lib/.
 */

export = ignis;

/**
 * As a program's first statement: `require = require('ignis')(recipe)`.
 * Starts Ignis (once) with the program-wide recipe and returns the `require` to use from then on.
 */
declare function ignis(recipe?: ignis.ProgramRecipe): ignis.Require;

declare namespace ignis {
  /** Starts watching, once; a second start changes nothing but the recipe, if one is given. */
  function start(options?: StartOptions): void;
  /** What is known of every boundary now, as in the report. */
  function boundaries(): BoundaryReport[];
  /**
   * Why a module is where it is: a line for each boundary that is meant. `id` is that of a boundary ('app.js -> uri-js') or the name of a module.
   * Throws IGNIS_NOT_FOUND, naming the nearest, and IGNIS_CLOSED before Ignis is started.
   */
  function explain(id: string): string;
  /** The whole report, as `--report FILE` writes it at the end. */
  function report(): Report;
  /** Ends all replicas after their calls and watches no more. Idempotent. */
  function close(): Promise<void>;
  /** The class of every error that Ignis itself throws. */
  class IgnisError extends Error {
    readonly code: ErrorCode;
    /** On a lost call: whether it may have run. */
    readonly ran?: 'no' | 'maybe';
    readonly cause?: unknown;
    /** On a wrong option or recipe: the field, its value, the nearest valid name, and where it was given. */
    readonly field?: string;
    readonly value?: unknown;
    readonly nearest?: string;
    readonly where?: string;
  }

  type ErrorCode =
    | 'IGNIS_BAD_OPTION'
    | 'IGNIS_BAD_RECIPE'
    | 'IGNIS_UNMARSHALABLE'
    | 'IGNIS_STALE_REFERENCE'
    | 'IGNIS_START_FAILED'
    | 'IGNIS_REPLICA_LOST'
    | 'IGNIS_REFUSED'
    | 'IGNIS_CALL_TIMEOUT'
    | 'IGNIS_QUEUE_FULL'
    | 'IGNIS_BAD_FRAME'
    | 'IGNIS_FRAME_TOO_LARGE'
    | 'IGNIS_VERSION_MISMATCH'
    | 'IGNIS_CLOSED'
    | 'IGNIS_NOT_FOUND';

  /** Node's `require`, with a recipe as second argument. Plain Node drops it. */
  interface Require extends NodeJS.Require {
    (id: string, recipe?: Recipe): any;
  }

  /** The program's options; docs/options.md describes each. */
  interface Options {
    recipe?: string;
    level?: number;
    report?: string;
    explain?: boolean;
    statusMs?: number;
    quiet?: boolean;
    tickMs?: number;
    windowMs?: number;
    reclaimMs?: number;
    spares?: number;
    startMs?: number;
    closeMs?: number;
    maxFrameBytes?: number;
    force?: string;
    where?: 'process' | 'thread';
    blockMs?: number;
  }

  interface StartOptions extends Omit<Options, 'recipe'> {
    /** A recipe file, or the program-wide recipe itself. */
    recipe?: string | ProgramRecipe;
  }

  /** 'uri-js', 'node:crypto', './lib/links.js', './lib/', '@scope/*', '/^uri/' or a regular expression. */
  type Target = string | RegExp;
  type Copies = number | boolean | readonly [least: number, most: number];
  /** One replica as a choice of replica sees it. */
  interface Candidate {
    readonly id: string;
    readonly pending: number;
  }
  type Sched = 'least' | 'rr' | 'hash' | ((candidates: readonly Candidate[], args: readonly unknown[]) => number);

  /** What may be said of a single function, under `functions`. */
  interface FunctionRecipe {
    call?: 'await' | 'local';
    key?: (args: readonly any[]) => string;
    args?: 'copy' | 'restore' | 'ref';
    pure?: boolean;
    idempotent?: boolean;
    order?: boolean | 'results';
    verify?: number;
  }

  /** A recipe at an import, or under `modules`; docs/recipes.md describes each field. */
  interface Recipe extends Omit<FunctionRecipe, 'call'> {
    call?: 'await' | 'block' | 'local';
    hot?: boolean;
    cold?: boolean;
    copies?: Copies;
    sched?: Sched;
    qDepth?: number;
    where?: 'process' | 'thread';
    state?: 'none' | 'private' | 'keyed' | 'shared';
    setup?: readonly string[];
    comm?: 'pipe' | 'node-ipc';
    codec?: 'msgpackr' | 'msgpack-lite';
    preload?: boolean;
    onFail?: (error: Error) => void;
    saturation?: (level: number) => void;
    functions?: Readonly<Record<string, FunctionRecipe>>;
  }

  /** A recipe for the whole program: in code, or in ignis.config.js or .json. */
  interface ProgramRecipe extends Pick<
    Recipe,
    'copies' | 'sched' | 'qDepth' | 'where' | 'comm' | 'codec' | 'preload' | 'onFail' | 'saturation'
  > {
    level?: number;
    hot?: Target | readonly Target[];
    cold?: Target | readonly Target[];
    modules?: Readonly<Record<string, Recipe>>;
  }

  /** A recipe that Ignis ships, in recipes/. */
  interface ShippedRecipe {
    /** The package, or a built-in as 'node:crypto'. */
    package: string;
    /** Versions that were examined, by their beginning: '2', '2.1', '2.1.1'; empty for a built-in. */
    versions: readonly string[];
    /** Why the recipe is right: what was read or measured. */
    evidence: string;
    /** Only what is so (pure, state, cold): a shipped recipe never gives the consent to distribute. */
    recipe: Recipe;
  }

  /** Who said a field of an effective recipe, and where. */
  interface Origin {
    readonly by: 'shipped' | 'program' | 'target' | 'import';
    readonly where: string;
  }

  /** All layers merged and all defaults filled in: what holds for one import. Frozen. */
  interface EffectiveRecipe
    extends
      Required<Omit<Recipe, 'args' | 'copies' | 'call' | 'state' | 'key' | 'onFail' | 'saturation' | 'functions'>>,
      Pick<Recipe, 'args' | 'call' | 'state' | 'key' | 'onFail' | 'saturation'> {
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
  }

  type CallKind = 'unknown' | 'sync' | 'promise' | 'callback' | 'sync-callback' | 'constructor' | 'property';
  type Action = 'scale-out' | 'scale-in' | 'stay' | 'home';

  /** One decision of the coordinator. */
  interface Decision {
    /** Milliseconds since the epoch. */
    time: number;
    module: string;
    boundary: string;
    action: Action;
    /** Why, in one word, for programs. */
    reason: string;
    /** Replicas before and after. */
    from: number;
    to: number;
    sentence: string;
    figures: Record<string, number | string | boolean | null>;
  }

  interface FunctionReport {
    kind: CallKind;
    calls: number;
    failures: number;
    exclusiveMs: number;
    inclusiveMs: number;
    pending: number;
    p50Ms: number | null;
    p99Ms: number | null;
    maxMs: number | null;
    /** Mean time to completion of promises and callbacks. */
    latencyMs: number | null;
    argBytes: number | null;
    resultBytes: number | null;
  }

  /** One import edge. */
  interface BoundaryReport {
    id: string;
    parent: string;
    child: string;
    /** Function path to kind. */
    kinds: Record<string, CallKind>;
    calls: number;
    callsPerSecond: number;
    failures: number;
    exclusiveMs: number;
    inclusiveMs: number;
    /** Share of the last window that was spent in it, 0 to 1. */
    share: number;
    pending: number;
    meanMs: number | null;
    p50Ms: number | null;
    p99Ms: number | null;
    maxMs: number | null;
    latencyMs: number | null;
    /** Its rank among all boundaries; higher presses more. */
    pressure: number;
    /** File and line of its first call that kept the event loop for 20 ms or longer. */
    calledAt: string | null;
    state: 'home' | 'starting' | 'distributed' | 'declined';
    replicas: number;
    /** What it is now, and what would help. */
    sentence: string;
    functions?: Record<string, FunctionReport>;
  }

  /** One replica, living or ended. */
  interface ReplicaReport {
    id: string;
    module: string;
    where: 'process' | 'thread';
    pid: number | null;
    /** How long it took from start to ready. */
    startedMs: number | null;
    state: string;
    calls: number;
    rssBytes: number | null;
    /** null while it lives */
    endedWhy: string | null;
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
    loop: { utilisation: number; delayMs: number | null };
    /** Those that took most time, at most 50. */
    boundaries: {
      id: string;
      child: string;
      /** At home and in replicas. */
      callsPerSecond: number;
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
    }[];
    replicas: {
      module: string;
      ready: number;
      callsPerSecond: number;
      /** Summed over its replicas. */
      busyMsPerSecond: number;
      /** Calls in replicas or waiting for one. */
      waiting: number;
      /** Home's CPU for a remote call; null: not measured. */
      callMs: number | null;
      /** null: not measured. */
      startMs: number | null;
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
    /** null: no call was seen. */
    busiest: Busiest | null;
    /** Of the three modules at most that pressed most in the busiest window. */
    prospects: Prospect[];
    decisions: Decision[];
    replicas: ReplicaReport[];
  }
}
