'use strict';
/*
 * Folders that whoever asks for one removes (`mkdtempDisposable`, since Node 24), made and removed by existing calls. In: the program's
 * `fs`. Out: the functions that it has for this.
 */
const path = require('node:path');
const { plain, plainPromises } = require('./forms');

/** @param {any} made a path @returns {[string, object]} what is removed, wherever the program is by then */
const all = (made) => [path.resolve(made), { recursive: true, force: true }];

/** @param {any} own the program's `fs` @param {(prefix: any) => boolean} isOurs */
function defineTemporary(own, isOurs) {
  const { mkdtempDisposableSync: now } = /** @type {any} */ (plain);
  const { mkdtempDisposable: later } = /** @type {any} */ (plainPromises);
  if (now === undefined) return;
  const { dispose, asyncDispose } = /** @type {any} */ (Symbol);
  own.mkdtempDisposableSync = function mkdtempDisposableSync(/** @type {any} */ prefix, /** @type {any} */ options) {
    if (!isOurs(prefix)) return now(prefix, options);
    const made = own.mkdtempSync(prefix, options);
    const removed = all(made);
    const remove = () => own.rmSync(...removed);
    return { path: made, remove, [dispose]: () => remove() };
  };
  own.promises.mkdtempDisposable = async function mkdtempDisposable(/** @type {any} */ prefix, /** @type {any} */ options) {
    if (!isOurs(prefix)) return later(prefix, options);
    const made = await own.promises.mkdtemp(prefix, options);
    const removed = all(made);
    const remove = async () => own.promises.rm(...removed);
    return { __proto__: null, path: made, remove, [asyncDispose]: () => remove() };
  };
}

exports.defineTemporary = defineTemporary;
