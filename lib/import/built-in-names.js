'use strict';
/*
 * Names of built-ins that ES modules import, which are live: `module.syncBuiltinESMExports()` gives them the values that the built-in's own
 * exports have got since (a test that put its own in the place of `crypto.randomUUID`). In: what was handed out for a built-in. Out: the
 * same handed out anew when the program has called that. It stays for as long as the process, as the modules do that were handed something.
 */
const Module = require('node:module');
const { imitate } = require('../wrap/imitate');

/** @type {(() => void)[]} */
const followers = [];

let isPatched = false;

/**
 * @param {import('./es-edges').Given} given of an edge to a built-in
 * @param {any} namespace
 * @param {any[]} handed for its names; who put another value there gets that as it is
 * @param {import('./es-edges').Fill} fill
 */
function followNames({ names }, namespace, handed, fill) {
  const first = names.map((name) => namespace[name]);
  followers.push(() => fill(names.map((name, i) => (namespace[name] === first[i] ? handed[i] : namespace[name]))));
}

/**
 * Before the program runs, and once: this name is one of a built-in, too, and to make it known makes all others known that the program has
 * put in place, which is the program's to say.
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
