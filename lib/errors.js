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
    IGNIS_BAD_OPTION: 'an option or argument of Ignis is wrong',
    IGNIS_BAD_RECIPE: 'a recipe is wrong',
    IGNIS_UNMARSHALABLE: 'a value cannot be sent to or from a replica',
    IGNIS_STALE_REFERENCE: 'an object that lived in a replica is gone',
    IGNIS_START_FAILED: 'a replica could not be started',
    IGNIS_REPLICA_LOST: 'a replica ended before it answered a call',
    IGNIS_DATAGRAM_LOST: 'a call that was sent as a datagram did not arrive',
    IGNIS_REFUSED: 'a call cannot reach the replica that holds the state of its module',
    IGNIS_CALL_TIMEOUT: 'a call was not answered in time',
    IGNIS_QUEUE_FULL: 'too many calls are waiting for the replicas of a module',
    IGNIS_BAD_FRAME: 'a frame from the other side of a channel is not valid',
    IGNIS_FRAME_TOO_LARGE: 'a frame is larger than maxFrameBytes',
    IGNIS_VERSION_MISMATCH: 'the two sides of a channel speak different versions of the protocol',
    IGNIS_NO_HOST: 'no other host takes a replica',
    IGNIS_HOST_REFUSED: 'a host refused to serve',
    IGNIS_BAD_BUNDLE: 'code for another host is not acceptable',
    IGNIS_CLOSED: 'Ignis is not running, or is closing',
    IGNIS_ENGINE_DOWN: 'the engine of the cluster cannot be reached',
    IGNIS_ENGINE_REFUSED: 'the engine of the cluster refused a request',
    IGNIS_ENGINE_CONFLICT: 'a record of the cluster was changed by somebody else',
    IGNIS_LOG_GAP: 'a log of the cluster lacks entries that a follower needs',
    IGNIS_LEASE_LOST: 'a lease may be held by somebody else now',
    IGNIS_STALE_EPOCH: 'a request belongs to an epoch that has ended',
    IGNIS_NAME_TAKEN: 'another host of the cluster has this name',
    IGNIS_NOT_FOUND: 'not found',
    IGNIS_BUNDLED: 'Ignis does not work inside a bundle',
    IGNIS_NOT_NODE: 'Ignis needs Node 20.19, 22.12 or newer',
  }),
);

/** @type {Readonly<Record<string, string>>} code to what the reader of the error can do */
const REMEDIES = Object.freeze(
  Object.assign(Object.create(null), {
    IGNIS_BAD_OPTION: 'Correct the option; the message says where it was given. `ignis run --help` lists all options.',
    IGNIS_BAD_RECIPE: 'Correct the field; the message names its file and line. `ignis recipes` lists all fields.',
    IGNIS_UNMARSHALABLE: 'The path in the message (`args[1].socket`) names the value. Pass plain data there, or keep the function at home.',
    IGNIS_STALE_REFERENCE:
      "Its replica has ended; the message says how. Ask the module for a new object. If the whole module lived there (`call: 'block'`), load it again: `delete require.cache[file]`, then `require` (docs/objects.md).",
    IGNIS_START_FAILED:
      "The module keeps running at home; with `call: 'block'`, or if it is forced, its import fails. `cause` holds what the replica said. The usual reason is a native addon or a missing file.",
    IGNIS_REPLICA_LOST:
      '`error.ran` says whether the call may have run. Set `idempotent: true` for functions that may run twice, and Ignis runs their lost calls again.',
    IGNIS_DATAGRAM_LOST:
      "The call did not run, and will not. Datagrams get lost when a network or a replica is too busy. Without `comm: 'udp'` such calls go over the link, which loses none.",
    IGNIS_REFUSED:
      "The message says why. Let the function return promises or give it `call: 'await'`, pass plain data, or say that it needs no state (`pure: true`, `call: 'local'`).",
    IGNIS_CALL_TIMEOUT: 'Allow more time, or find out what the module waits for. The call may have run, and may still be running.',
    IGNIS_QUEUE_FULL: 'Allow more replicas (`copies`) or a longer queue (`qDepth`), or make fewer calls.',
    IGNIS_BAD_FRAME: 'Only that link ends. Check whether something else writes to the channel; if nothing does, report it as a bug.',
    IGNIS_FRAME_TOO_LARGE: 'Pass less data in one call, or raise `maxFrameBytes`.',
    IGNIS_VERSION_MISMATCH: 'Install the same version of Ignis on both sides.',
    IGNIS_NO_HOST:
      'The module keeps running at home, and Ignis tries again; if the module is forced to a host, its import fails. The message gives the reason for each host: check that its daemon runs, and that both sides have keys of the same authority.',
    IGNIS_HOST_REFUSED: 'The message says what its limits are. They are set when its daemon is started.',
    IGNIS_BAD_BUNDLE:
      'Give the daemon the deploy key of this home (`deploy.pub`). If a module is too large, keep its data elsewhere, or let it run at home.',
    IGNIS_CLOSED: 'Start Ignis before you ask it for anything, and make no calls after `close()`.',
    IGNIS_ENGINE_DOWN:
      'Calls go on. Check that the servers of `cluster` run and can be reached. `error.ran` says whether the request may have been carried out.',
    IGNIS_ENGINE_REFUSED:
      'Give this node the permissions listed in docs/hosts-engine.md, and check its user, password, key and certificate.',
    IGNIS_ENGINE_CONFLICT: 'Read the record again, and decide again. Ignis does so itself when it places replicas and renews leases.',
    IGNIS_LOG_GAP:
      'The replica has to start from a snapshot, or from nothing. If nobody trimmed the log, the engine lost acknowledged entries.',
    IGNIS_LEASE_LOST: 'Stop what the lease allowed, and ask for a new one.',
    IGNIS_STALE_EPOCH: 'The sender has been replaced in the meantime, and must read the placement again.',
    IGNIS_NAME_TAKEN: 'Give each host a name of its own, or stop the other host.',
    IGNIS_NOT_FOUND: 'Check the name in the message. Paths start at the working directory; `ignis ps` lists the running programs.',
    IGNIS_BUNDLED:
      'Tell the bundler to leave out `ignis` (`--external:ignis` of esbuild and tsup, `externals: { ignis: "commonjs ignis" }` of webpack, `external: [/^ignis/]` of Rollup, `-e ignis` of ncc), and the packages that recipes name. Install them all where the bundle runs.',
    IGNIS_NOT_NODE: 'Start the program with `node`. Other runtimes run it without Ignis.',
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

/** @param {string} detail what is wrong with what came from another process @returns {IgnisError} */
const badFrame = (detail) => new IgnisError('IGNIS_BAD_FRAME', detail);

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
      what: 'a variable that begins with `IGNIS_` is not an option',
      remedy: 'Correct its name, or remove it from the environment.',
    },
    IGNIS_NO_TARGET: {
      what: 'a recipe, or `force`, names a package, file, folder, built-in or function that does not exist, or that is never watched',
      remedy:
        'Correct the name; the warning gives the nearest one. If the name is right and what it means comes later, the recipe takes effect then.',
    },
    IGNIS_NOT_READ: {
      what: 'a file looks like a recipe file, but is not read',
      remedy: 'Move or rename it as the message says, or name it with `--recipe`.',
    },
    IGNIS_BAD_OPTION: {
      what: 'no replica of a module can be started in the way that its recipe, or an option, asks for',
      remedy: 'Install the package that the warning names, or correct the option or the field. Until then the module has no replicas.',
    },
    IGNIS_AT_HOME: {
      what: "`call: 'block'`, or `force`, has no effect on a module",
      remedy:
        'Import the module after Ignis has started, with this recipe at its first import, and without a query. For built-ins, leave it out.',
    },
    IGNIS_UNSEEN: {
      what: 'a recipe lets a module leave home, but Ignis does not see its calls: it exports a class, or an object of a class',
      remedy:
        'Name functions of the object in the recipe, or put the slow part behind a function in a file of your own, as the warning says.',
    },
    IGNIS_LATE: {
      what: 'modules were loaded before Ignis, so it does not watch them',
      remedy: 'Start the program with `-r ignis/register`, `--import ignis/register` or `ignis run`.',
    },
    IGNIS_TWICE: {
      what: 'two copies of Ignis are active in one process',
      remedy:
        'Start the program with the copy that the program itself requires (`npx ignis run` or `-r ignis/register`, in its folder), or remove one of the two.',
    },
    IGNIS_RECIPE_LEVEL: { what: 'the recipe file now has another `level`', remedy: 'Restart the program.' },
    IGNIS_BAD_RECIPE: {
      what: 'the recipe file was changed, and has a mistake',
      remedy: 'Correct it. Until then, what it said before stays in force.',
    },
    IGNIS_CLOSED: { what: 'Ignis was asked to start after it had been closed', remedy: 'Close it only when the program ends.' },
    IGNIS_NO_PORT: {
      what: 'the page or the metrics cannot be served on their port',
      remedy: 'Name another port, or 0 for any free port. The program goes on without the page or the metrics.',
    },
    IGNIS_MISMATCH: {
      what: 'a verified call gave a different answer in a replica; the module came home',
      remedy: 'The function is not `pure`: remove that from its recipe.',
    },
    IGNIS_ONEWAY: {
      what: 'a oneway call failed',
      remedy: 'The error is printed below the warning. Further failures of the function are only counted.',
    },
    IGNIS_THREW_LATE: {
      what: 'a function in a replica threw after it had called back',
      remedy: 'Nobody received the error, which is printed below the warning: correct the function.',
    },
    IGNIS_FAULT: {
      what: 'Ignis itself failed at something between calls: the program goes on, but decisions may come late or not at all',
      remedy: 'Report it, with what is printed below the warning. Each fault is reported once.',
    },
    IGNIS_FS: { what: 'something is wrong with the copies of a distributed `fs`', remedy: 'See docs/fs.md.' },
  }),
);

Object.defineProperty(IgnisError.prototype, 'name', { value: 'IgnisError', writable: true, configurable: true });

exports.ERRORS = ERRORS;
exports.REMEDIES = REMEDIES;
exports.WARNINGS = WARNINGS;
exports.IgnisError = IgnisError;
exports.badFrame = badFrame;
exports.detailOf = detailOf;
