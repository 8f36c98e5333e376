'use strict';

// Every error that Ignis itself throws: one class, one table from code to sentence.
// In: a code, what went wrong in particular, and fields the catcher may want. Out: an IgnisError.
// Errors of the user's own modules never become an IgnisError: they cross as they are.
// docs/errors.md is printed from these tables, and a test holds both to each other.

// The program may put another in the place of this while we run.
const { Object } = globalThis;

/** @type {Readonly<Record<string, string>>} code to what happened; the detail follows after a colon */
const ERRORS = Object.freeze(
  Object.assign(Object.create(null), {
    IGNIS_BAD_OPTION: 'an option of Ignis is wrong',
    IGNIS_BAD_RECIPE: 'a recipe is wrong',
    IGNIS_UNMARSHALABLE: 'a value cannot be sent to or from a replica',
    IGNIS_STALE_REFERENCE: 'an object that lived in a replica is gone',
    IGNIS_START_FAILED: 'a replica could not be started',
    IGNIS_REPLICA_LOST: 'a replica ended before it answered a call',
    IGNIS_DATAGRAM_LOST: 'a call that was sent as a datagram did not arrive',
    IGNIS_REFUSED: 'a call cannot go where the state of its module is',
    IGNIS_CALL_TIMEOUT: 'a call was not answered in time',
    IGNIS_QUEUE_FULL: 'too many calls are waiting for the replicas of a module',
    IGNIS_BAD_FRAME: 'a frame from the other side of a channel is not valid',
    IGNIS_FRAME_TOO_LARGE: 'a frame is larger than maxFrameBytes',
    IGNIS_VERSION_MISMATCH: 'the two sides of a channel speak different versions of the protocol',
    IGNIS_NO_HOST: 'no other host takes a replica',
    IGNIS_HOST_REFUSED: 'a host refused to serve',
    IGNIS_BAD_BUNDLE: 'code for another host is not what it must be',
    IGNIS_CLOSED: 'Ignis is not running, or is closing',
    IGNIS_ENGINE_DOWN: 'the engine of the cluster cannot be reached',
    IGNIS_ENGINE_REFUSED: 'the engine of the cluster refused a request',
    IGNIS_ENGINE_CONFLICT: 'a record of the cluster was changed by somebody else',
    IGNIS_LOG_GAP: 'a log of the cluster does not hold what a follower needs',
    IGNIS_LEASE_LOST: 'a lease may be held by somebody else now',
    IGNIS_STALE_EPOCH: 'a request is of an epoch that is over',
    IGNIS_NAME_TAKEN: 'another host of the cluster has this name',
    IGNIS_NOT_FOUND: 'what was named does not exist',
    IGNIS_BUNDLED: 'Ignis does not work from within a bundle',
    IGNIS_NOT_NODE: 'Ignis needs Node 20.19, 22.12 or newer',
  }),
);

/** @type {Readonly<Record<string, string>>} code to what the reader of the error can do */
const REMEDIES = Object.freeze(
  Object.assign(Object.create(null), {
    IGNIS_BAD_OPTION: 'Correct the option where the message says that it was given; `ignis run --help` lists them all.',
    IGNIS_BAD_RECIPE: 'Correct the field at the file and line in the message; `ignis recipes` lists the fields.',
    IGNIS_UNMARSHALABLE: 'The path in the message (`args[1].socket`) names the value. Pass plain data there, or keep the function at home.',
    IGNIS_STALE_REFERENCE:
      "Its replica has ended; the message says how. Ask the module for a new object. A module that lived there itself (`call: 'block'`) has to be loaded anew, by `require` after `delete require.cache[file]` (docs/objects.md).",
    IGNIS_START_FAILED:
      "The module goes on at home; with `call: 'block'`, or forced, its import fails. `cause` holds what the replica said; a native addon or a missing file is the usual reason.",
    IGNIS_REPLICA_LOST:
      '`error.ran` says if the call may have run. Set `idempotent: true` for functions that may run again, and Ignis re-runs them by itself.',
    IGNIS_DATAGRAM_LOST:
      "It has not run, and will not. Datagrams are lost where a network or a replica is too busy; without `comm: 'udp'` such calls go over the link, which loses none.",
    IGNIS_REFUSED:
      "The message says what stood in the way. Let the function return promises or give it `call: 'await'`, pass plain data, or say that it needs no state (`pure: true`, `call: 'local'`).",
    IGNIS_CALL_TIMEOUT: 'Allow more time, or find out what the module waits for. The call may have run, and may still be running.',
    IGNIS_QUEUE_FULL: 'Allow more replicas (`copies`), allow a longer queue (`qDepth`), or send less.',
    IGNIS_BAD_FRAME: 'Only that link ends. Look for something else that writes to the channel, then report it as a bug.',
    IGNIS_FRAME_TOO_LARGE: 'Pass less data in one call, or raise `maxFrameBytes`.',
    IGNIS_VERSION_MISMATCH: 'Install the same version of Ignis on both sides.',
    IGNIS_NO_HOST:
      'The module goes on at home, and it is tried again; where it is forced to a host its import fails. The message says of each host why: look whether its daemon runs, and whether both were given keys of one authority.',
    IGNIS_HOST_REFUSED: 'The message says what its limits are; they are set where its daemon is started.',
    IGNIS_BAD_BUNDLE:
      'Give the daemon the deploy key of this home (`deploy.pub`). Of a module that is too large, keep data elsewhere, or serve it at home.',
    IGNIS_CLOSED: 'Ask nothing of it before it is started, and make no calls after `close()`.',
    IGNIS_ENGINE_DOWN:
      'Calls go on. Look whether the servers of `cluster` run and can be reached; `error.ran` says if the request may have been carried out.',
    IGNIS_ENGINE_REFUSED: 'Give this node the permissions of docs/hosts-engine.md, and look at user, password, key and certificate.',
    IGNIS_ENGINE_CONFLICT: 'Read the record again and decide anew; Ignis does so by itself where it places and renews.',
    IGNIS_LOG_GAP: 'The replica has to begin from a snapshot, or anew. If nobody trimmed the log, the engine lost acknowledged entries.',
    IGNIS_LEASE_LOST: 'Stop what the lease allowed, and ask for it anew.',
    IGNIS_STALE_EPOCH: 'Whoever sent it was replaced meanwhile, and must read the placement again.',
    IGNIS_NAME_TAKEN: 'Give each host a name of its own, or end the other one.',
    IGNIS_NOT_FOUND: 'Check the name in the message. A path is read from the working directory; `ignis ps` lists the programs that run.',
    IGNIS_BUNDLED:
      'Tell the bundler to leave `ignis` out (`--external:ignis` of esbuild and tsup, `externals: { ignis: "commonjs ignis" }` of webpack, `external: [/^ignis/]` of Rollup, `-e ignis` of ncc), and what recipes name as well; install them where the bundle runs.',
    IGNIS_NOT_NODE: 'Start the program with `node`; other runtimes run it without Ignis.',
  }),
);

/**
 * @typedef {object} IgnisErrorFields
 * @property {unknown} [cause] what led to it
 * @property {'no' | 'maybe'} [ran] on a lost call: whether it may have run
 */

class IgnisError extends Error {
  /**
   * @param {string} code a code of the table ERRORS
   * @param {string} detail what exactly happened, to which module or replica; goes into the message after the sentence of the code
   * @param {IgnisErrorFields & Record<string, unknown>} [fields] `cause`, `ran`, and any further own properties of the error
   */
  constructor(code, detail, fields = {}) {
    const sentence = ERRORS[code];
    if (sentence === undefined) throw new TypeError(`no such error code: ${code}`);
    const { cause, ...rest } = fields;
    super(`${sentence}: ${detail}`, 'cause' in fields ? { cause } : undefined);
    Object.assign(this, rest);
    /** @type {string} */
    this.code = code;
  }
}

/**
 * @param {any} error
 * @returns {string} what exactly happened: the message of an IgnisError without the sentence of its code, so that it can be made again
 *   elsewhere; of another one all of it
 */
function detailOf(error) {
  const message = String(error?.message ?? error);
  const sentence = error instanceof IgnisError ? `${ERRORS[error.code]}: ` : '';
  return message.startsWith(sentence) ? message.slice(sentence.length) : message;
}

/**
 * What Ignis warns of, by Node's `process.emitWarning` with the type IgnisWarning.
 *
 * @type {Readonly<Record<string, {what: string, remedy: string}>>}
 */
const WARNINGS = Object.freeze(
  Object.assign(Object.create(null), {
    IGNIS_NO_OPTION: {
      what: 'a variable that begins with `IGNIS_` sets no option',
      remedy: 'Correct its name, or take it out of the environment.',
    },
    IGNIS_NO_TARGET: {
      what: 'a recipe, or `force`, names a package, file, folder, built-in or function that is not there, or that is never watched',
      remedy: 'Correct the name: the nearest one is told. What is not there yet, and comes later, counts all the same.',
    },
    IGNIS_NOT_READ: {
      what: 'a file looks like a recipe file, and is not read',
      remedy: 'Move or rename it as the message says, or name it with `--recipe`.',
    },
    IGNIS_BAD_OPTION: {
      what: 'no replica of a module can be started as its recipe, or an option, says',
      remedy:
        'Install the package that is named, or correct the option or the field. The program goes on without replicas of the module until then.',
    },
    IGNIS_AT_HOME: {
      what: "`call: 'block'`, or `force`, of a module that stays at home",
      remedy: 'Import it after Ignis is started, with this recipe at its first import, and without a query; of built-ins, leave it out.',
    },
    IGNIS_UNSEEN: {
      what: 'a recipe lets a module go whose calls are not seen: it exports a class, or an object of one',
      remedy:
        'Name functions of the object in the recipe, or put what is slow behind a function in a file of your own, as the message says.',
    },
    IGNIS_LATE: {
      what: 'modules were loaded before Ignis, so they are not watched',
      remedy: 'Start the program with `-r ignis/register`, `--import ignis/register` or `ignis run`.',
    },
    IGNIS_TWICE: {
      what: 'two copies of Ignis are active in one process',
      remedy:
        'Start the program with the copy that it requires itself (`npx ignis run`, `-r ignis/register` in its folder), or leave one of the two out.',
    },
    IGNIS_RECIPE_LEVEL: { what: 'the recipe file has another `level` now', remedy: 'Start the program anew.' },
    IGNIS_BAD_RECIPE: { what: 'the recipe file has changed, and is wrong', remedy: 'Correct it: until then holds what it said before.' },
    IGNIS_CLOSED: { what: 'Ignis was closed, and is asked to start', remedy: 'Close it only when the program ends.' },
    IGNIS_NO_PORT: {
      what: 'the page or the metrics cannot be served on their port',
      remedy: 'Name another port, or 0 for any that is free. The program goes on without.',
    },
    IGNIS_MISMATCH: {
      what: 'a verified call answered differently in a replica; the module came home',
      remedy: 'The function is not `pure`: take that out of its recipe.',
    },
    IGNIS_ONEWAY: {
      what: 'a oneway call failed',
      remedy: 'The error stands below the warning. Further ones of the function are only counted.',
    },
    IGNIS_THREW_LATE: {
      what: 'a function threw in a replica after it had called back',
      remedy: 'Nobody was given the error, which stands below the warning: mend the function.',
    },
    IGNIS_FAULT: {
      what: 'work of Ignis between the calls failed: the program goes on, and may be decided on late or not at all',
      remedy: 'Report it, with what stands below the warning. Each fault is told once.',
    },
    IGNIS_FS: { what: 'something is wrong with the copies of a distributed `fs`', remedy: 'See docs/fs.md.' },
  }),
);

Object.defineProperty(IgnisError.prototype, 'name', { value: 'IgnisError', writable: true, configurable: true });

exports.ERRORS = ERRORS;
exports.REMEDIES = REMEDIES;
exports.WARNINGS = WARNINGS;
exports.IgnisError = IgnisError;
exports.detailOf = detailOf;
