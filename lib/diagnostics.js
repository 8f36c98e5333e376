'use strict';

// What Ignis tells the outside while it runs, over node:diagnostics_channel. In: the name of a channel and a record. Out: the record, to
// all subscribers; free if there are none. It never prints, never keeps a record, and never throws into the caller: Node reports a
// subscriber's error as an uncaught exception in a tick of its own.

const { channel } = require('node:diagnostics_channel');

const CHANNELS = Object.freeze({
  'ignis:decision': channel('ignis:decision'),
  'ignis:replica': channel('ignis:replica'),
  'ignis:boundary': channel('ignis:boundary'),
  'ignis:recipe': channel('ignis:recipe'),
  'ignis:warning': channel('ignis:warning'),
  'ignis:mismatch': channel('ignis:mismatch'),
  'ignis:oneway': channel('ignis:oneway'),
});

/** @typedef {keyof typeof CHANNELS} ChannelName */

/**
 * @param {ChannelName} name
 * @param {object} record what happened; the subscriber gets this very object and must not change it
 * @returns {void}
 */
function publish(name, record) {
  const heard = CHANNELS[name];
  if (heard.hasSubscribers) heard.publish(record);
}

/**
 * @param {ChannelName} name
 * @param {(record: any) => void} listener
 * @returns {() => void} ends the subscription; calling it again does nothing
 */
function subscribe(name, listener) {
  /** @param {unknown} record */
  const relay = (record) => listener(record);
  CHANNELS[name].subscribe(relay);
  return () => {
    CHANNELS[name].unsubscribe(relay);
  };
}

exports.publish = publish;
exports.subscribe = subscribe;
