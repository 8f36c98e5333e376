'use strict';
/*
 * One small process for all replicas of this one, which lives a moment longer: when home is killed, it ends those that are still there,
 * also one that computes and so does not see that its link has ended. In: pids as they come and go. Out: nothing. It is a shell that waits
 * for lines, of less than a megabyte, started with the first replica and ended with the last, and anew where somebody else (a system that
 * is short of memory) has ended it, or where home has given up rights for good, which nothing that home can speak to is to have; where
 * there is no shell, a replica that computes ends when its computation does.
 */
const { spawn } = require('node:child_process');
const { DROP, MASK, watchInherited } = require('../boot/inherited');
const { Set, performance } = require('../engine');

/** Keeps a list of pids between blanks; at the end of its input, which is the end of home, it kills them. */
const SCRIPT = `all=' '
while read -r sign pid; do
  case $sign in
    +) all="$all$pid " ;;
    -) all="\${all%%" $pid "*} \${all#*" $pid "}" ;;
  esac
done
for pid in $all; do kill -9 "$pid"; done 2> /dev/null`;

/** One that ends sooner would do so again: the next starts with the next replica, ms. */
const LASTING_MS = 1000;

/**
 * What takes no rights from home, or those that it can take back, or that are Node's alone: one that acts for its users may do so twice a
 * request, and a shell takes it 7 ms.
 */
const PASSING = [MASK, DROP, 'setegid', 'seteuid'];

/** @type {Set<number>} */
const guarded = new Set();
/** @type {import('node:child_process').ChildProcess | null} */
let shell = null;

/** @returns {import('node:child_process').ChildProcess | null} one without input, or null, where the system has no room for it */
function spawnShell() {
  try {
    return spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {}, cwd: '/' });
  } catch {
    return null;
  }
}

/** Tells it of all that are guarded. */
function start() {
  const begun = performance.now();
  // In a session of its own, so that a Ctrl-C does not reach it before it is needed.
  const child = spawnShell();
  child?.on('error', () => {});
  child?.unref();
  const input = /** @type {import('node:net').Socket | null | undefined} */ (child?.stdin);
  // No memory or no descriptor is left for it: the next replica tries again.
  if (child === null || !input) return;
  input.on('error', () => {});
  input.unref();
  child.on('exit', () => {
    if (shell !== child) return;
    shell = null;
    if (performance.now() - begun >= LASTING_MS) start();
  });
  shell = child;
  for (const pid of guarded) tell(`+ ${pid}`);
}

/** @param {import('../boot/inherited').Made} made */
function renew([name]) {
  if (shell === null || PASSING.includes(name)) return;
  for (const pid of guarded) tell(`- ${pid}`);
  end();
  start();
}

function end() {
  shell?.stdin?.end();
  shell = null;
}

/** @param {string} line */
function tell(line) {
  shell?.stdin?.write(`${line}\n`);
}

/** @param {number | undefined} pid of a child of this process; undefined: it could not be started */
function guard(pid) {
  if (pid === undefined || process.platform === 'win32') return;
  guarded.add(pid);
  watchInherited(renew);
  if (shell === null) start();
  else tell(`+ ${pid}`);
}

/** @param {number | undefined} pid that has ended, and may soon be another's */
function release(pid) {
  if (pid === undefined || !guarded.delete(pid)) return;
  tell(`- ${pid}`);
  if (guarded.size === 0) end();
}

exports.guard = guard;
exports.release = release;
