'use strict';

// Lists, in one table, the fields of a recipe that exclude each other. In: one recipe as somebody wrote it, whose fields are right by
// themselves. Out: the rows that it breaks. Only fields of the same recipe are compared: between two layers the stronger one wins, which is
// no contradiction. A field that another one makes useless is listed too, since whoever wrote it expects an effect.

const { atPlace, show } = require('../option-table.js');
const { NESTED_CONTRADICTIONS } = require('./nested-contradictions.js');
const { ONEWAY_CONTRADICTIONS } = require('./oneway-contradictions.js');
const { PLACE_CONTRADICTIONS } = require('./place-contradictions.js');
const { SMALL_CONTRADICTIONS } = require('./small-contradictions.js');
const { IN_ONE_REPLICA, hasOneway, isAllLocal, isOrdered, least, most, someFunction } = require('./parts.js');
const { Object } = require('../engine');

/** @typedef {import('./parts.js').Recipe} Recipe */

/**
 * @typedef {object} Contradiction
 * @property {readonly string[]} fields those that are named; the last counts as the mistake, the first as right
 * @property {string} example
 * @property {(recipe: Recipe) => boolean} when asked only if all `fields` are given
 * @property {string} sentence why, or what to do: the end of a sentence
 */

const CANNOT_PASS = 'calls that keep their order cannot pass each other; keep only one of the two';

/** @type {readonly Contradiction[]} */
const CONTRADICTIONS = Object.freeze([
  {
    fields: ['hot', 'cold'],
    example: 'hot: true, cold: true',
    when: ({ hot, cold }) => hot === true && cold === true,
    sentence: 'keep one',
  },
  // A hot module without replicas is no contradiction: it is watched at every level, and its callbacks are followed.
  {
    fields: ['cold', 'copies'],
    example: 'cold: true, copies: 2',
    when: (recipe) => recipe.cold === true && least(recipe) > 0,
    sentence: 'a module that is never distributed has no replicas',
  },
  {
    fields: ['hot', 'call'],
    example: "hot: true, call: 'local'",
    when: (recipe) => recipe.hot === true && isAllLocal(recipe),
    sentence: 'all its calls stay at home',
  },
  {
    fields: ['copies', 'call'],
    example: "copies: [0, 4], call: 'local'",
    when: (recipe) => most(recipe) > 0 && isAllLocal(recipe),
    sentence: 'replicas would get no calls',
  },
  {
    fields: ['call', 'cold'],
    example: "call: 'block', cold: true",
    when: ({ call, cold }) => call === 'block' && cold === true,
    sentence: IN_ONE_REPLICA,
  },
  {
    fields: ['call', 'copies'],
    example: "call: 'block', copies: 2",
    when: (recipe) => recipe.call === 'block' && most(recipe) !== 1,
    sentence: IN_ONE_REPLICA,
  },
  {
    fields: ['call', 'sched'],
    example: "call: 'block', sched: 'rr'",
    when: ({ call }) => call === 'block',
    sentence: `there is nothing to choose: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['call', 'qDepth'],
    example: "call: 'block', qDepth: 100",
    when: ({ call }) => call === 'block',
    sentence: `no call waits in a queue: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['call', 'preload'],
    example: "call: 'block', preload: true",
    when: ({ call, preload }) => call === 'block' && preload === true,
    sentence: `there is nothing to load ahead: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['call', 'functions'],
    example: "call: 'block', functions: { f: { call: 'local' } }",
    when: (recipe) =>
      recipe.call === 'block' &&
      someFunction(
        recipe,
        ({ call, timeout, retry = 0, priority = 0, oneway }) =>
          call !== undefined || timeout !== undefined || retry > 0 || priority !== 0 || oneway === true,
      ),
    sentence: `single functions cannot differ: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['call', 'retry'],
    example: "call: 'block', pure: true, retry: 2",
    when: ({ call, retry }) => call === 'block' && retry > 0,
    sentence: `if that replica is lost, so is what it remembers, and no call runs again: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['call', 'priority'],
    example: "call: 'block', priority: 2",
    when: ({ call, priority }) => call === 'block' && priority !== 0,
    sentence: `no call waits for a replica: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['call', 'hedge'],
    example: "call: 'block', hedge: true",
    when: ({ call, hedge }) => call === 'block' && hedge !== false,
    sentence: `there is no other replica: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['call', 'env'],
    example: "call: 'block', env: []",
    when: ({ call }) => call === 'block',
    sentence: `home and the module share one environment: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['call', 'killMs'],
    example: "call: 'block', killMs: 100",
    when: ({ call }) => call === 'block',
    sentence: `a replica is not killed for one call: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['call', 'memoryMb'],
    example: "call: 'block', memoryMb: 256",
    when: ({ call }) => call === 'block',
    sentence: `no other replica could take its place: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['state', 'memoryMb'],
    example: "state: 'shared', memoryMb: 256",
    when: ({ state }) => state === 'shared' || state === 'keyed',
    sentence: 'what it remembers would be lost with its replica',
  },
  {
    fields: ['call', 'weight'],
    example: "call: 'block', weight: 2",
    when: ({ call }) => call === 'block',
    sentence: `it is not ranked: ${IN_ONE_REPLICA}`,
  },
  {
    fields: ['order', 'priority'],
    example: 'order: true, priority: 2',
    when: ({ order, priority }) => isOrdered({ order }) && priority !== 0,
    sentence: CANNOT_PASS,
  },
  {
    fields: ['order', 'functions'],
    example: 'order: true, functions: { f: { priority: 2 } }',
    when: (recipe) => isOrdered(recipe) && someFunction(recipe, ({ order, priority = 0 }) => order === undefined && priority !== 0),
    sentence: CANNOT_PASS,
  },
  {
    fields: ['priority', 'functions'],
    example: 'priority: 2, functions: { f: { order: true } }',
    when: (recipe) => recipe.priority !== 0 && someFunction(recipe, (one) => isOrdered(one) && one.priority === undefined),
    sentence: `${CANNOT_PASS}, for example with priority: 0 here`,
  },
  {
    fields: ['order', 'sched'],
    example: "order: true, sched: 'hash'",
    // Whoever gives a key wants what belongs together in one place, whether one call runs at a time or several.
    when: (recipe) =>
      recipe.order === true &&
      recipe.sched === 'hash' &&
      recipe.key === undefined &&
      !someFunction(recipe, ({ order, key }) => key !== undefined || (order !== undefined && order !== true)),
    sentence: "each call waits for the previous one, so it makes no difference which replica takes it; give a key, or say order: 'results'",
  },
  {
    fields: ['key', 'sched'],
    example: "key: ([id]) => id, sched: 'rr'",
    when: ({ sched, state }) => sched !== 'hash' && state !== 'keyed',
    sentence: "a key counts only with sched: 'hash' or state: 'keyed'",
  },
  {
    fields: ['state', 'sched'],
    example: "state: 'keyed', sched: 'least'",
    when: ({ state, sched }) => state === 'keyed' && sched !== 'hash',
    sentence: 'a call goes to the replica that has the state of its key',
  },
  {
    fields: ['state', 'copies'],
    example: "state: 'shared', copies: 2",
    when: (recipe) => recipe.state === 'shared' && least(recipe) > 1,
    sentence: 'state that all calls share is kept in one replica',
  },
  {
    fields: ['pure', 'state'],
    example: "pure: true, state: 'shared'",
    // In a group, `state` is what its modules remember together, even if one of them remembers nothing.
    when: ({ pure, state, group }) => group === undefined && pure === true && (state === 'shared' || state === 'keyed'),
    sentence: 'a pure function depends on nothing that the module remembers; say pure for single functions, under functions',
  },
  {
    fields: ['fs', 'copies'],
    example: "fs: 'strong', copies: 3",
    when: (recipe) => (recipe.fs === 'strong' && most(recipe) > 1) || (recipe.fs === 'eventual' && most(recipe) < 1),
    sentence: "'strong' has one owner, which has the only copy; 'eventual' has at least one copy",
  },
  {
    fields: ['cluster', 'fs'],
    example: "cluster: 'nats://192.0.2.7:4222', fs: 'strong'",
    when: (recipe) => recipe.fs !== 'eventual',
    sentence: "only fs: 'eventual' has a log, which can be in a cluster",
  },
  {
    fields: ['disks', 'copies'],
    example: "disks: ['a', 'b'], copies: 3",
    when: ({ disks, copies }) => typeof copies === 'number' && disks.length < copies,
    sentence: 'name at least one folder for each copy',
  },
  ...PLACE_CONTRADICTIONS,
  {
    fields: ['cold', 'preload'],
    example: 'cold: true, preload: true',
    when: ({ cold, preload }) => cold === true && preload === true,
    sentence: 'there is no replica to load it into',
  },
  {
    fields: ['copies', 'preload'],
    example: 'copies: 0, preload: true',
    when: (recipe) => most(recipe) === 0 && recipe.preload === true,
    sentence: 'there is no replica to load it into',
  },
  ...NESTED_CONTRADICTIONS,
  ...ONEWAY_CONTRADICTIONS,
  ...SMALL_CONTRADICTIONS,
]);

/**
 * @param {Recipe} recipe of a module or function, or the program-wide one without the targets it chooses
 * @param {string} at where it was given, as part of a message
 * @returns {{field: string, value: unknown, nearest: string, message: string}[]}
 */
function contradictionsIn(recipe, at) {
  return CONTRADICTIONS.filter(({ fields, when }) => fields.every((field) => recipe[field] !== undefined) && when(recipe)).map(
    ({ fields, sentence }) => {
      const [first, second] = fields;
      const areTrue = recipe[first] === true && recipe[second] === true;
      const told = areTrue
        ? `'${first}' and '${second}' are both true`
        : `'${first}' is ${show(recipe[first])} and '${second}' is ${show(recipe[second])}`;
      return { field: second, value: recipe[second], nearest: first, message: `${told}${at}; ${sentence}` };
    },
  );
}

/** Weakest layer first. */
const LAYERS = Object.freeze(['shipped', 'program', 'target', 'import', 'live']);

/** @param {import('../types').Origin} origin */
const rankOf = ({ by }) => LAYERS.indexOf(by);

/**
 * Finds fields that have an effect only together with another field that no layer gives. If some layer explicitly says the opposite, that
 * layer has won, and nothing is lacking.
 * @param {import('../types').EffectiveRecipe} recipe
 * @returns {{field: string, value: unknown, nearest: string, by: string, where: string, message: string}[]}
 */
function lacksIn(recipe) {
  const { given, functions } = recipe;
  const parts = Object.values(functions);
  const found = [];
  for (const part of [recipe, ...parts]) {
    const { key } = part.given;
    if (key === undefined || (part !== recipe && key === given.key)) continue;
    const isOutweighed = given.sched !== undefined || (given.state !== undefined && rankOf(given.state) > rankOf(key));
    if (recipe.state !== 'keyed' && !isOutweighed)
      found.push(lack(part, 'key', 'sched', "a key counts only with sched: 'hash' or state: 'keyed'"));
  }
  for (const part of [recipe, ...parts]) {
    const { killMs } = part.given;
    if (killMs === undefined || (part !== recipe && killMs === given.killMs)) continue;
    // Given for the module, it applies to those of its functions that have a timeout.
    const isTimed = (part === recipe ? [recipe, ...parts] : [part]).some(({ timeout }) => timeout !== undefined);
    if (!isTimed) found.push(lack(part, 'killMs', 'timeout', 'a replica is killed for a call only after the timeout of that call'));
  }
  if (recipe.state === 'keyed' && ![recipe, ...parts].some(({ key }) => key !== undefined))
    found.push(lack(recipe, 'state', 'key', 'state that is kept per key needs a key, for the module or for its functions'));
  // Given for the whole program, it applies to those modules that have such functions.
  if (recipe.comm === 'udp' && given.comm.by !== 'program') {
    if (![recipe, ...parts].some(hasOneway))
      found.push(lack(recipe, 'comm', 'oneway', "only calls of oneway functions are sent as datagrams; name some, as in oneway: ['log']"));
    if (recipe.where !== 'host') found.push(lack(recipe, 'comm', 'where', "datagrams are sent only to other hosts, with where: 'host'"));
  }
  return found;
}

/** @param {any} recipe @param {string} field @param {string} nearest the lacking field @param {string} sentence */
function lack(recipe, field, nearest, sentence) {
  const { by, where } = recipe.given[field];
  const value = recipe[field];
  return {
    field,
    value,
    nearest,
    by,
    where,
    message: `'${field}' is ${show(value)}${atPlace(where)}, and there is no '${nearest}': ${sentence}`,
  };
}

exports.CONTRADICTIONS = CONTRADICTIONS;
exports.contradictionsIn = contradictionsIn;
exports.lacksIn = lacksIn;
