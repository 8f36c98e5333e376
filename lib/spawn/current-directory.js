'use strict';
/*
 * The current directory of home's processes, and what they have of their parent (boot/inherited.js): when home goes elsewhere, or gives up
 * rights, its replicas in processes follow. (Those in threads share all that, but for what Node lets each do by itself.) In: channels. Out:
 * each hears of it before the calls that are made then.
 */
const { DROP, madeSince, madeSoFar, watchInherited } = require('../boot/inherited');
const { KIND } = require('../wire/frame');
const { JSON, Reflect, Set, workingFolder } = require('../engine');

/** @type {Set<import('../wire/channel').Channel>} */
const followers = new Set();
/** @type {Set<import('../wire/channel').Channel>} */
const threads = new Set();
let isWatched = false;

const folderNow = () => workingFolder() ?? '';

/** @param {string[]} more */
function tell(...more) {
  const told = [folderNow(), ...more];
  for (const channel of followers) if (channel.state === 'open') channel.send([KIND.TOLD, told]);
}

function watch() {
  isWatched = true;
  const { chdir } = process;
  process.chdir = (directory) => {
    Reflect.apply(chdir, process, [directory]);
    tell();
  };
  watchInherited((made) => {
    tell(JSON.stringify([made]));
    for (const channel of threads) tellDropped(channel, [made]);
  });
}

/** @param {import('../wire/channel').Channel} channel @param {import('../boot/inherited').Made[]} all */
function tellDropped(channel, all) {
  const made = all.filter(([name]) => name === DROP);
  if (made.length > 0 && channel.state === 'open') channel.send([KIND.TOLD, [folderNow(), JSON.stringify(made)]]);
}

/** @typedef {{count: number, folder: string}} Since how much home has set of itself by then, and where it was */

/** To be called before a replica is started. @returns {Since} */
function beginFollowing() {
  if (!isWatched) watch();
  return { count: madeSoFar(), folder: folderNow() };
}

/**
 * @param {import('../wire/channel').Channel} channel to a replica in a process
 * @param {Since} since as beginFollowing gave it
 * @returns {() => void} to be called when that has ended
 */
function follow(channel, { count, folder }) {
  followers.add(channel);
  const now = folderNow();
  if (now !== folder) channel.send([KIND.TOLD, [now]]);
  const made = madeSince(count);
  if (made.length > 0) channel.send([KIND.TOLD, [now, JSON.stringify(made)]]);
  return () => void followers.delete(channel);
}

/**
 * The same of a replica in a thread.
 *
 * @param {import('../wire/channel').Channel} channel
 * @returns {() => void} to be called when that has ended
 */
function followInThread(channel) {
  beginFollowing();
  threads.add(channel);
  tellDropped(channel, madeSince(madeSoFar()));
  return () => void threads.delete(channel);
}

exports.beginFollowing = beginFollowing;
exports.follow = follow;
exports.followInThread = followInThread;
