'use strict';
/*
 * The current directory of home's processes, and the mask that new files get: when home goes elsewhere, or sets another one, its replicas in processes follow. (Those in threads share both.) In: channels. Out: each hears where home is now, before the
 * calls that are made there.
 */
const { maskNow, watchMask } = require('../boot/mask');
const { KIND } = require('../wire/frame');
const { Set, workingFolder } = require('../engine');

/** @type {Set<import('../wire/channel').Channel>} */
const followers = new Set();
let isWatched = false;

function tell() {
  const mask = maskNow();
  const told = [workingFolder() ?? '', ...(mask === undefined ? [] : [String(mask)])];
  for (const channel of followers) if (channel.state === 'open') channel.send([KIND.TOLD, told]);
}

function watch() {
  isWatched = true;
  const { chdir } = process;
  process.chdir = (directory) => {
    Reflect.apply(chdir, process, [directory]);
    tell();
  };
  watchMask(tell);
}

/**
 * @param {import('../wire/channel').Channel} channel to a replica in a process
 * @returns {() => void} to be called when that has ended
 */
function follow(channel) {
  if (!isWatched) watch();
  followers.add(channel);
  return () => void followers.delete(channel);
}

exports.follow = follow;
