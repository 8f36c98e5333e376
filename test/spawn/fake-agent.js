'use strict';
/*
 * A launched agent that is none: the test says what it sends, and when it ends. In: nothing. Out: `launched`, as launch-process.js gives
 * it, and the far end.
 */
const { EventEmitter } = require('node:events');
const { MessageChannel } = require('node:worker_threads');
const { PortChannel } = require('../../lib/wire/port-channel');
const { makeCodec } = require('../../lib/wire/codec');
const { KIND, VERSION } = require('../../lib/wire/frame');

class FakeAgent extends EventEmitter {
  wasKilled = false;

  constructor() {
    super();
    const { port1, port2 } = new MessageChannel();
    const codec = makeCodec('msgpackr');
    this.channel = new PortChannel(port2, codec);
    this.frames = [];
    this.channel.onFrames = (frames) => this.frames.push(...frames);
    const exit = new Promise((resolve) => this.once('exit', resolve));
    this.launched = {
      where: /** @type {const} */ ('thread'),
      pid: 1,
      channel: new PortChannel(port1, codec),
      kill: () => {
        this.wasKilled = true;
        this.exit('killed');
      },
      onExit: (listener) => void exit.then(listener),
    };
  }

  hello(version = VERSION) {
    this.channel.send([KIND.HELLO, version, {}]);
  }

  exit(why) {
    this.channel.destroy();
    this.emit('exit', why);
  }
}

exports.FakeAgent = FakeAgent;
