'use strict';
/*
 * Knocks at the socket of a program, to see whether anybody serves it. In: its path. Out: a socket that connects. A program that traces its
 * connections (OpenTelemetry's instrumentation of `net`) replaces Node's function, and must not see ours: so this file is loaded with
 * Ignis, and the rest of the monitor, which takes time, later.
 */
const { Socket } = require('node:net');
const { Reflect } = require('../engine');

const { connect } = Socket.prototype;

/** @param {string} place @returns {import('node:net').Socket} keeps no program alive */
function knockAt(place) {
  const socket = new Socket();
  Reflect.apply(connect, socket, [{ path: place }]);
  return socket.unref();
}

exports.knockAt = knockAt;
