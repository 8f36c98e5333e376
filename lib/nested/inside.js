'use strict';
/*
 * Makes Ignis active in a replica (recipe field `nested`): a program of its own, which watches what the replica's module imports, and
 * replicates it from there. In: from home, recipes and options with the module to load, turns to look for free cores, and a request to end.
 * Out: reports of what is inside, about once a second while something happens, and at the end. Nothing here may keep the replica alive, and
 * it ends with its home like any other.
 */
const ignis = require('../index');
const { subscribe } = require('../diagnostics');
const { isEsModule } = require('../import/es-kind');
const { packageOf, isApplicationFile, setInstalledProgram } = require('../import/module-id');
const { LEAVE } = require('../spawn/insides');
const { KIND } = require('../wire/frame');
const { MOST, insideRows } = require('../wire/inside-frame');
const { JSON, Set, performance, setInterval } = require('../engine');

/** How often to check for news, and at most how often to report them, ms; a new wish is reported at once. */
const LOOK_MS = 250;
const REPORT_MS = 1000;

/** @typedef {import('../spawn/load-target').Target} Target */

/**
 * @param {(frame: any[]) => void} send to home
 * @param {import('../spawn/spare-pool').Admit} [admit] asks whether a replica may start from here
 */
function openInside(send, admit) {
  /** @type {import('../program').Program | null} */
  let program = null;
  /** @type {any[]} decisions made since the last report */
  let decisions = [];
  let said = '';
  let saidAt = -Infinity;
  let hasWished = false;

  /** @param {boolean} isLast */
  function report(isLast) {
    const running = /** @type {import('../program').Program} */ (program);
    const wishes = !isLast && running.nesting.wishes;
    const now = performance.now();
    if (!isLast && now - saidAt < REPORT_MS && (hasWished || !wishes)) return;
    const { boundaries, replicas } = running.feed.snapshot();
    const own = (/** @type {any} */ row) => ({ home: '', ...row });
    decisions.push(...running.nesting.insides.takeNews());
    const record = {
      boundaries: insideRows('boundaries', boundaries.map(own)),
      decisions: insideRows('decisions', decisions.slice(-MOST.decisions).map(own)),
      replicas: insideRows('replicas', replicas.slice(-MOST.replicas).map(own)),
    };
    const says = JSON.stringify([
      record.boundaries.map(({ id, calls, pending, failures, state }) => [id, calls, pending, failures, state]),
      record.replicas.map(({ home, id, state, calls }) => [home, id, state, calls]),
    ]);
    if (!isLast && !wishes && !hasWished && says === said && decisions.length === 0) return;
    said = says;
    saidAt = now;
    hasWished = wishes;
    decisions = [];
    send([KIND.INSIDE, wishes ? 1 : 0, record]);
  }

  return {
    /** Call it before the module is loaded. @param {Target} target @returns {Target} @throws {Error} what is wrong with a recipe */
    begin(target) {
      if (target.nested === undefined || program !== null) return target;
      const { depth, options, recipes, root } = target.nested;
      const isEs = target.kind === 'file' && isEsModule(target.place);
      // Imports of the module's own package are watched, wherever that lies.
      if (!isApplicationFile(target.place)) setInstalledProgram(packageOf(target.place)?.root ?? null);
      subscribe('ignis:decision', (decision) => {
        if (decisions.length < MOST.decisions) decisions.push(decision);
      });
      const inside = { depth, recipes, served: new Set([target.place]), isEsModule: isEs, root, admit };
      program = ignis.start(options, `the program that '${target.name}' is a replica for`, inside);
      if (program === null) return target;
      setInterval(() => report(false), LOOK_MS).unref();
      return { ...target, isEsModule: isEs || target.isEsModule };
    },

    /** @param {any[]} frame */
    hear([kind, ms]) {
      if (kind === KIND.CORES) program?.nesting.giveTurn(ms);
    },

    /**
     * @param {import('../session/peer').Peer} peer
     * @param {number} id
     * @param {any} asked
     * @returns {boolean} false: it was not such a request
     */
    serveLeave(peer, id, asked) {
      if (asked.kind !== LEAVE) return false;
      void leave().finally(() => peer.answer(id, null));
      return true;
    },
  };

  async function leave() {
    if (program === null) return;
    // Twice, since what is inside may take longer to end than home waits.
    report(true);
    await program.close();
    report(true);
  }
}

exports.openInside = openInside;
