'use strict';
/*
 * The current directory of home's processes: when home goes elsewhere, its replicas in processes follow. (Those in threads share it.) In: channels. Out: each hears where home is now, before the calls that are made there.
 */
const { KIND } = require('../wire/frame');
const { Set } = require('../engine');

/** @type {Set<import('../wire/channel').Channel>} */
const followers = new Set();
let isWatched = false;

function watch() {
  isWatched = true;
  const { chdir } = process;
  process.chdir = (directory) => {
    Reflect.apply(chdir, process, [directory]);
    for (const channel of followers) if (channel.state === 'open') channel.send([KIND.TOLD, [process.cwd()]]);
  };
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
