'use strict';
/*
 * Keeps names of built-ins live in ES modules that import them: after a program has replaced one (a test its `crypto.randomUUID`),
 * `module.syncBuiltinESMExports()` gives importers the new value. In: what was handed out for a built-in. Out: the same, handed out anew
 * when the program calls that function. It lasts as long as the process, as do the modules that were handed something.
 */
const Module = require('node:module');
const { imitate } = require('../wrap/imitate');

/** @type {(() => void)[]} */
const followers = [];

let isPatched = false;

/**
 * @param {import('./es-edges').Given} given of an edge to a built-in
 * @param {any} namespace
 * @param {any[]} handed for its names; a value that the program has replaced goes out as it is
 * @param {import('./es-edges').Fill} fill
 */
function followNames({ names }, namespace, handed, fill) {
  const first = names.map((name) => namespace[name]);
  followers.push(() => fill(names.map((name, i) => (namespace[name] === first[i] ? handed[i] : namespace[name]))));
}

/**
 * Call it once, before the program runs. The patched name itself must be made known to ES modules, and that would also make known all else
 * that the program has replaced, which is the program's decision.
 */
function watchNames() {
  if (isPatched) return;
  isPatched = true;
  const sync = Module.syncBuiltinESMExports;
  Module.syncBuiltinESMExports = imitate(
    /** @this {any} */ function () {
      const answer = Reflect.apply(sync, this, arguments);
      for (const follow of followers) follow();
      return answer;
    },
    sync,
  );
  sync();
}

exports.followNames = followNames;
exports.watchNames = watchNames;
