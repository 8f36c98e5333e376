'use strict';
// The bare socket pair: echoes the frames on descriptor 3, each one a length (u32) and as many bytes, one write for each.
const { Socket } = require('node:net');
const { frames, writeFrame } = require('./frames');

const socket = new Socket({ fd: 3 });
frames(socket, (bytes) => writeFrame(socket, bytes));
socket.on('end', () => process.exit(0));
