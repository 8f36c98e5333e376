'use strict';
/*
 * One small process that outlives home for a moment: when home is killed, it ends the replicas that are still there, also one that computes
 * and so does not see that its link has ended. In: pids as they come and go. Out: nothing. It is a shell of less than a megabyte that waits
 * for lines. It starts with the first replica, ends with the last, and is started anew if somebody else (a system short of memory) has
 * ended it, or if home has given up rights for good, since nothing that home can talk to may keep these. Without a shell, a replica that
 * computes ends only when its computation does.
 */
const { spawn } = require('node:child_process');
const { DROP, MASK, watchInherited } = require('../boot/inherited');
const { Set, performance } = require('../engine');

/** Keeps a list of pids with spaces around them; at the end of its input, which means the end of home, it kills them. */
const SCRIPT = `all=' '
while read -r sign pid; do
  case $sign in
    +) all="$all$pid " ;;
    -) all="\${all%%" $pid "*} \${all#*" $pid "}" ;;
  esac
done
for pid in $all; do kill -9 "$pid"; done 2> /dev/null`;

/** One that ended sooner would do so again: the next one starts with the next replica, ms. */
const LASTING_MS = 1000;

/**
 * What takes no rights from home, or only such as home can take back, or Node's own: a server that acts for its users may do this twice a
 * request, and starting a shell takes 7 ms.
 */
const PASSING = [MASK, DROP, 'setegid', 'seteuid'];

/** @type {Set<number>} */
const guarded = new Set();
/** @type {import('node:child_process').ChildProcess | null} */
let shell = null;

/** @returns {import('node:child_process').ChildProcess | null} without a stdin, or null, if the system has no room for it */
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
  // In a session of its own, so that a Ctrl-C does not end it before it is needed.
  const child = spawnShell();
  child?.on('error', () => {});
  child?.unref();
  const input = /** @type {import('node:net').Socket | null | undefined} */ (child?.stdin);
  // There is no memory or descriptor for it: the next replica tries again.
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
