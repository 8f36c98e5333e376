'use strict';
/*
 * Lets replicas in processes follow home in what home inherited (boot/inherited.js) and its current directory: when home changes directory
 * or gives up rights, so do they. (Threads share all that, except for what Node lets each do by itself.) In: channels. Out: each is told
 * before calls made afterwards.
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

/** @typedef {{count: number, folder: string}} Since how much home had set by then, and its directory */

/** Call this before a replica is started. @returns {Since} */
function beginFollowing() {
  if (!isWatched) watch();
  return { count: madeSoFar(), folder: folderNow() };
}

/**
 * @param {import('../wire/channel').Channel} channel to a replica in a process
 * @param {Since} since from beginFollowing
 * @returns {() => void} call it when the replica has ended
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
 * The same for a replica in a thread.
 *
 * @param {import('../wire/channel').Channel} channel
 * @returns {() => void} call it when the replica has ended
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
