'use strict';

// Lists the other machines of a model: the hosts on which its modules may have replicas. In: measured modules. Out: each machine once; for
// a module, which of them it has, and how fast they are; and in sentences, what of that was measured and what is assumed. Pure.

const { count, ms } = require('../view/figures');
const { HERE, placesOf } = require('./model');
const { Map, Object } = require('../engine');

/**
 * @typedef {import('./measured').MeasuredModule} MeasuredModule
 * @typedef {import('./hosts').MeasuredHost} MeasuredHost
 * @typedef {{hosts?: number[], near?: import('./places').Near, speed: number}} Seats of a module. hosts: places in the model's hosts,
 *   absent if its replicas run at home; near: how many run at home all the same; speed: mean of its replicas
 */

/** Assumed if nothing better is known: as good as another processor of home. @type {Readonly<MeasuredHost>} */
const UNKNOWN = Object.freeze({ name: 'a host that has not answered', cores: 1, speed: 1, roundTripMs: 0, weight: 1 });

/** How many hosts a sentence names. */
const MOST_NAMED = 3;

/**
 * @param {import('./prediction').Source} source
 * @param {number} more cores that home is supposed to have in addition
 * @returns {{hosts: MeasuredHost[], of: (one: MeasuredModule) => Seats}}
 */
function machinesFor(source, more) {
  /** @type {Map<string, number>} */
  const places = new Map();
  /** @type {MeasuredHost[]} */
  const hosts = [];
  const placeOf = (/** @type {MeasuredHost} */ host) => {
    const known = places.get(host.name);
    if (known !== undefined) return known;
    places.set(host.name, hosts.length);
    return hosts.push(host) - 1;
  };
  return {
    hosts,
    of: (one) => {
      if (one.hosts === null) return { speed: 1 };
      const own = (one.hosts.length > 0 ? one.hosts : [UNKNOWN]).map(placeOf);
      tell(one, source);
      const near = one.near === null ? undefined : { ...one.near, most: one.near.most + more };
      return { hosts: own, near, speed: speedOf(hosts, { hosts: own, near, replicas: one.ready }) };
    },
  };
}

/**
 * @param {MeasuredHost[]} hosts
 * @param {Parameters<typeof placesOf>[1]} one
 * @returns {number} mean speed of where its replicas are, by the rule that placed them
 */
function speedOf(hosts, one) {
  const places = placesOf({ hosts }, one);
  if (places.length === 0) return 1;
  return places.reduce((sum, place) => sum + (place === HERE ? 1 : hosts[place].speed), 0) / places.length;
}

/** @param {MeasuredModule} one @param {import('./prediction').Source} source */
function tell({ module, hosts, ready, near }, { measured, assumed }) {
  if (hosts === null || hosts.length === 0) {
    assumed.push(`none of the hosts of ${module} has said what it has: taken to be one processor, as fast as one of home, at no distance`);
    return;
  }
  const some = hosts.slice(0, MOST_NAMED).map(({ name, cores, speed, roundTripMs }) => {
    const travel = roundTripMs > 0 ? `, ${ms(roundTripMs)} there and back` : '';
    return `${name} (${cores.toFixed(1)} processors, ${speed.toFixed(2)} times as fast as those of home${travel})`;
  });
  const others = hosts.length - some.length;
  const first = near === null ? '' : `this machine, which has a core for ${near.most}, then `;
  measured.push(`replicas of ${module} run on ${first}${[...some, ...(others > 0 ? [count(others, 'more host')] : [])].join(', ')}`);
  assumed.push(
    `a call of ${module} travels as long as a question to the daemon of its host${ready > 0 ? '' : ', and runs faster there by as much as a fixed loop does'}`,
  );
}

exports.machinesFor = machinesFor;
