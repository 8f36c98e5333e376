'use strict';
/*
 * Finds modules that import each other in a circle. In: an import, and what the sources say (es-ahead.js). Out: whether it leads back to
 * the importing file. Results are kept, so that each module is looked at once, no matter how many import it: R. Tarjan, "Depth-first search
 * and linear graph algorithms", SIAM Journal on Computing 1 (1972).
 */
const { isBuiltin } = require('node:module');
const { pathToFileURL } = require('node:url');
const { fileOf } = require('./es-ahead');
const { isApplicationFile, packageOf } = require('./module-id');
const { Map } = require('../engine');

/** @typedef {import('./es-ahead').Next} Next */
/** @typedef {import('./es-ahead').Steps} Steps */
/** @typedef {Map<string, object>} Circles by address: its circle; modules that lead to each other have the same one */

/**
 * @typedef {object} Visit
 * @property {string} at
 * @property {string[]} leadsTo
 * @property {number} begun how many visits began before it
 * @property {number} least the smallest `begun` that it leads back to
 * @property {boolean} isOpen true: its circle is not known yet
 */

const QUERY = /[?#].*$/s;

class EsCircles {
  #ahead;
  /** By the package of the importing file; '' for the program. @type {Map<string, Circles>} */
  #known = new Map();

  /** @param {import('./es-ahead').Ahead} ahead */
  constructor(ahead) {
    this.#ahead = ahead;
  }

  /**
   * In a circle a module is asked for its exports before it has run, and only live names can wait for them.
   * @param {import('./es-wrapper').Edge} edge
   * @param {Next} next the next load hook
   * @returns {Steps} gives a boolean
   */
  *has({ url, parentFile }, next) {
    // Circles through several packages are too rare to read all files of these packages.
    const within = isApplicationFile(parentFile) ? '' : (packageOf(parentFile)?.root ?? '');
    let circles = this.#known.get(within);
    if (circles === undefined) this.#known.set(within, (circles = new Map()));
    // With a query it is the same file, and imports the same.
    const from = url.replace(QUERY, '');
    if (!circles.has(from)) yield* this.#look(from, within, circles, next);
    return circles.get(from) === circles.get(pathToFileURL(parentFile).href);
  }

  /** @param {string} root @param {string} within @param {Circles} circles gets all that it leads to @param {Next} next @returns {Steps} */
  *#look(root, within, circles, next) {
    /** @type {Map<string, Visit>} */
    const visits = new Map();
    /** @type {Visit[]} */
    const open = [];
    /** @type {{visit: Visit, done: number}[]} the way here; a list, because a long chain of imports would be too deep for recursion */
    const way = [];
    /** @type {string | null} */
    let begin = root;
    do {
      if (begin !== null) {
        const leadsTo = yield* this.#ledTo(begin, within, next);
        const visit = { at: begin, leadsTo, begun: visits.size, least: visits.size, isOpen: true };
        visits.set(begin, visit);
        open.push(visit);
        way.push({ visit, done: 0 });
        begin = null;
      }
      const step = way[way.length - 1];
      const { visit } = step;
      if (step.done < visit.leadsTo.length) {
        const to = visit.leadsTo[step.done++];
        const known = visits.get(to);
        if (known?.isOpen) visit.least = Math.min(visit.least, known.begun);
        else if (known === undefined && !circles.has(to)) begin = to;
      } else {
        way.pop();
        if (way.length > 0) way[way.length - 1].visit.least = Math.min(way[way.length - 1].visit.least, visit.least);
        if (visit.least === visit.begun) close(open, visit, circles);
      }
    } while (way.length > 0);
  }

  /** @param {string} at @param {string} within @param {Next} next @returns {Steps} gives string[] */
  *#ledTo(at, within, next) {
    const file = fileOf(at);
    if (file === null || !(isApplicationFile(file) || (within !== '' && packageOf(file)?.root === within))) return [];
    const surface = yield* this.#ahead.surfaceAt(at, next);
    const found = [];
    for (const specifier of surface?.imports ?? []) {
      if (isBuiltin(specifier)) continue;
      const to = yield* this.#ahead.follow(specifier, at);
      if (to !== null) found.push(to.replace(QUERY, ''));
    }
    return found;
  }
}

/**
 * All visits begun since `first` form one circle with it. Another search that ran while a source was being read may have found this circle
 * before; it is complete in any case.
 * @param {Visit[]} open
 * @param {Visit} first
 * @param {Circles} circles
 */
function close(open, first, circles) {
  const circle = {};
  for (const one of open.splice(open.indexOf(first))) {
    one.isOpen = false;
    if (!circles.has(one.at)) circles.set(one.at, circle);
  }
}

exports.EsCircles = EsCircles;
