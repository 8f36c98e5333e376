'use strict';

// Programs that are started by a shell script, as pnpm puts them in node_modules/.bin where npm puts links. In: the file that was named.
// Out: the file that the script has node run. Node itself would take the script for JavaScript.

const { closeSync, openSync, readSync } = require('node:fs');
const path = require('node:path');
const { IgnisError } = require('../errors.js');

/** A script that only starts a program is shorter. */
const HEAD_BYTES = 16_384;
const OF_SHELL = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+)*)?(?:\S*\/)?(?:sh|ash|bash|dash|ksh|zsh)\b/;
/** What else such a script contains: where it is, on Windows too, and which node there is. Not, for example, a variable that it sets. */
const AROUND =
  /^\s*(?:|#.*|basedir=\S.*|case .* in|\*CYGWIN\*.*|;;|esac|if .*; then|else|fi|export NODE_PATH="[^"`\\]+:\$NODE_PATH"|exec "\$basedir\/node" .*)\s*$/;
/** Its last line, with the arguments of node, if there are any, and the file. */
const EXEC_NODE = /^\s*exec node((?:\s+-\S+)*)\s+"(\$basedir\/|\/)([^"$`\\]+)"\s+"\$@"\s*$/m;
const NODE_PATH = /^\s*export NODE_PATH="([^"$`\\]+)"\s*$/m;

/** @param {string} file @returns {string} its beginning; '' if it cannot be read */
function headOf(file) {
  try {
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.toString('utf8', 0, readSync(opened, bytes, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(opened);
    }
  } catch {
    return '';
  }
}

/**
 * @param {string} file absolute
 * @param {string} named as it was written
 * @returns {{file: string, nodePath: string | null}} the file itself, or what its script starts; nodePath: where else that script lets node
 *   look for packages
 * @throws {IgnisError} IGNIS_BAD_OPTION when it is a shell script that does more than start a program of node
 */
function behindScript(file, named) {
  const head = headOf(file);
  if (!OF_SHELL.test(head)) return { file, nodePath: null };
  const [, flags, from, rest] = EXEC_NODE.exec(head) ?? [];
  const isPlain = head.split('\n').every((line) => [AROUND, EXEC_NODE, NODE_PATH].some((form) => form.test(line)));
  if (rest === undefined || flags !== '' || !isPlain) {
    throw new IgnisError(
      'IGNIS_BAD_OPTION',
      `${named} is a shell script, which node cannot run: name the program that it starts, or start the script itself with NODE_OPTIONS='--require ignis/register'`,
      { field: 'program' },
    );
  }
  return { file: from === '/' ? `/${rest}` : path.join(path.dirname(file), rest), nodePath: NODE_PATH.exec(head)?.[1] ?? null };
}

exports.behindScript = behindScript;
