'use strict';
/*
 * What a replica of a module that is also at home may do to its process. In: how to tell home. Out: a `process` whose warnings are home's,
 * and that refuses a directory or file mask of its own, which would make this replica differ from the others. In a thread, Node itself
 * refuses these.
 */

const { repeat } = require('../boot/inherited');
const { Object, Reflect, enterFolder } = require('../engine');
const { checkWarning } = require('../session/warning');

/** @param {string} name */
function refuse(name) {
  const error = new Error(`process.${name}() is not supported in a replica`);
  // The code that Node uses in a thread.
  throw Object.assign(error, { code: 'ERR_WORKER_UNSUPPORTED_OPERATION' });
}

/** @typedef {[message: string, type: string, code: string, detail: string]} Warning */

/** @param {any[]} args of process.emitWarning @returns {Warning} */
function warningOf([warning, type, code]) {
  const options = typeof type === 'object' && type !== null ? type : { type, code };
  const from = warning instanceof Error ? { type: warning.name, ...warning } : options;
  const texts = [warning?.message ?? warning, from.type ?? 'Warning', from.code ?? '', from.detail ?? ''];
  return /** @type {Warning} */ (texts.map((text) => (typeof text === 'string' ? text : '')));
}

/**
 * @param {(warning: Warning) => void} tell
 * @returns {(directory: string, made?: string) => void} tells it that home is there now, and has made those calls
 */
function bindPlain(tell) {
  const { umask } = process;
  process.emitWarning = /** @type {any} */ (
    (/** @type {any[]} */ ...args) => {
      checkWarning(args);
      tell(warningOf(args));
    }
  );
  process.chdir = () => refuse('chdir');
  process.umask = /** @type {any} */ (
    (/** @type {any} */ mask) => (mask === undefined ? Reflect.apply(umask, process, []) : refuse('umask'))
  );
  return (directory, made) => {
    if (made !== undefined) return repeat(made);
    if (directory !== '') enterFolder(directory);
  };
}

exports.bindPlain = bindPlain;
