'use strict';
/*
 * Serves resident modules in a replica on a host; their callers wait at home, blocked. In: a socket on which somebody claims to be home,
 * which bundles there are, how to serve. Out: served modules. A thread beside the main one ends TLS and relays (replica-relay-host.js), so
 * that bytes arrive while the main thread computes, or waits for home. As in a process at home, what the module does to its process is done
 * at home; but environment, folders and descriptors are the host's.
 */
const { makeCodec } = require('../wire/codec');
const { makeParts } = require('../wire/line');
const { RelayedLine } = require('../wire/line-relayed');
const { giveUpLate } = require('./late-modules');
const { loadResident } = require('./load-target');
const { onItsOwn } = require('./resident');
const { bindResident } = require('./resident-bound');
const { startThread } = require('../threads');
const { Reflect } = require('../engine');

/** Never closed: a thread reads from the same descriptor. @type {import('node:net').Socket[]} */
const lent = [];

/**
 * @param {import('node:net').Socket} socket
 * @param {import('../host/replica-door').Beginning} beginning
 * @param {object} how
 * @param {(target: any) => any} how.locate where home's name for a file is on this host; throws if it may not be loaded
 * @param {(line: any, settings: {load: (target: any, home: any) => any, onIdle: () => void}) => unknown} how.serve as object/serve.js does
 *   it
 */
function serveResident(socket, { key, cert, ca, homeFingerprint, maxBlockBytes, leaseMs, sideDoor }, { locate, serve }) {
  const { exit } = process;
  const { _handle: handle } = /** @type {any} */ (socket);
  if (!(handle?.fd >= 0)) {
    process.stderr.write('this platform does not show the descriptor of a socket, which modules with blocking calls need\n');
    exit(1);
  }
  handle.readStop();
  lent.push(socket);
  const [own, parts] = makeParts();
  const relay = startThread(require.resolve('./replica-relay-host'), {
    workerData: { ignisAgent: { parts, fd: handle.fd, sideDoor, proof: { key, cert, ca, homeFingerprint }, maxBlockBytes, leaseMs } },
    transferList: [parts.port],
    ...onItsOwn(),
  });
  relay.unref();
  const line = new RelayedLine(own, makeCodec('msgpackr'), { maxBlockBytes, isFar: true });
  line.onClose = (error) => Reflect.apply(exit, process, [error === null ? 0 : 1]);
  line.ref();
  // It would keep this process busy for ever, and home would wait for it.
  /** @type {any} */ (process).channel?.unref();
  line.sayUp();
  serve(line, {
    load(target, home) {
      const found = locate(target);
      if (typeof home === 'function') bindResident(home, { isFar: true });
      return loadResident(found, home);
    },
    onIdle: giveUpLate,
  });
}

exports.serveResident = serveResident;
