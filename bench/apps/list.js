'use strict';

// The applications of other people that run under Ignis as they are. Each is one package of the registry, of one version, with what it
// needs; nothing of theirs is kept here.

/**
 * @typedef {object} App
 * @property {string} name of its package
 * @property {string} version
 * @property {string} what it is
 * @property {string} main the file that its command runs, below `node_modules`
 * @property {Record<string, string>} [overrides] versions of what it needs, where it asks for a tag that not every copy of the registry has
 * @property {string} ready a path that is answered with 200 once it serves
 * @property {Record<string, string>} [readyHeaders]
 * @property {(place: {folder: string, port: number}) => {args: string[], env?: Record<string, string>}} layOut writes its configuration
 *   into an empty folder of its own, which is its working directory; what follows its name on the command line
 * @property {(url: string) => Promise<void>} check throws unless it does its job; called once, before load
 * @property {{path: string, headers?: Record<string, string>}[]} requests of the load, in turn; each is answered with 200
 */

/** @type {App[]} */
const APPS = ['verdaccio', 'node-red', 'json-server', 'turborepo-remote-cache', 'mountebank'].map((name) => require(`./${name}.js`).APP);

exports.APPS = APPS;
