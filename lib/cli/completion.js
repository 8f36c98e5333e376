'use strict';

// ignis completion: prints a script for a shell, by which that completes commands, options and their choices.
// In: the table of commands. Out: text. All that a script knows is written in it, so nothing of Ignis is started while somebody types; paths are the shell's own.

const { IgnisError } = require('../errors.js');
const { toFlag } = require('./arguments.js');
const { misused } = require('./misuse.js');

/** @typedef {import('./main.js').Command} Command */
/** @typedef {import('../option-table.js').OptionRow} OptionRow */
/** @typedef {Readonly<Record<string, Command>>} Commands */

const USAGE = 'completion <bash|zsh>';
/** Types of options whose values may be paths. */
const OF_PATHS = ['path', 'file', 'target', 'string'];
const WORDS = ['help', 'version', '--help', '--version'];

/** @type {Readonly<Record<string, (commands: Commands) => string>>} */
const SHELLS = Object.freeze({ __proto__: /** @type {any} */ (null), bash: bashOf, zsh: zshOf });

/** @param {OptionRow} row @returns {boolean} */
const isSwitch = ({ type }) => type === 'true | false';

/** @param {string} form such as `'process', 'thread' or 'host'`, or of arguments, `<bash|zsh>` @returns {string[]} what may stand there, if that is a few words */
function choicesIn(form) {
  const [, words] = /<([a-z]+(?:\|[a-z]+)+)>/.exec(form) ?? [];
  // `<report|pid|name>` says kinds of things.
  if (words !== undefined) return words.includes('pid') ? [] : words.split('|');
  return Array.from(form.matchAll(/'([^']+)'/g), ([, word]) => word);
}

/** @param {Command} command @returns {string[]} */
const flagsOf = ({ options }) => [...options.map(({ name }) => `--${toFlag(name)}`), '--help'];

/** @param {string} text @returns {string} as one word of a shell */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {string} text @returns {string} its first sentence, or what stands before its first semicolon */
const inShort = (text) => text.replace(/[.;:] .*$/s, '').replace(/\.$/, '');

/** @param {Commands} commands @returns {string} for bash 3.2, which macOS has, and later ones */
function bashOf(commands) {
  const all = Object.entries(commands);
  // One that may stand alone has its value behind an equals sign, or a number for it.
  const takes = (/** @type {OptionRow} */ row) => !isSwitch(row) && row.bare === undefined;
  const withValue = all.flatMap(([name, { options }]) => options.filter(takes).map((row) => ({ name, row })));
  const cases = [
    ...withValue.map(({ name, row }) => ({ at: `${name} --${toFlag(row.name)}`, words: choicesIn(row.type) })),
    ...all.map(([name, command]) => ({ at: `${name} -`, words: flagsOf(command) })),
    ...all.map(([name, { usage }]) => ({ at: `${name} `, words: choicesIn(usage) })),
    { at: 'help ', words: Object.keys(commands) },
  ].filter(({ words }) => words.length > 0);
  const ofNode = all.filter(([, { stopsAtFirst }]) => stopsAtFirst).map(([name]) => name);
  return `# ignis in bash: eval "$(ignis completion bash)" in ~/.bashrc
_ignis() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words='' at i
  # --where=process is three words to bash.
  [[ $word == '=' ]] && word=''
  [[ $before == '=' ]] && before=\${COMP_WORDS[COMP_CWORD-2]}
  COMPREPLY=()
  at="$command "
  if [[ $before == --* ]] && _ignis_takes "$command $before"; then
    at="$command $before"
  elif [[ $word == -* ]]; then
    at="$command -"
  fi
  # What stands behind a program is that program's.
  case $command in
    ${ofNode.join(' | ')})
      for ((i = 2; i < COMP_CWORD; i++)); do
        case \${COMP_WORDS[i]} in
          '=') ((i++)) ;;
          --) return ;;
          -*) [[ \${COMP_WORDS[i+1]} != '=' ]] && _ignis_takes "$command \${COMP_WORDS[i]}" && ((i++)) ;;
          *[!0-9]*) return ;;
        esac
      done ;;
  esac
  if ((COMP_CWORD == 1)); then
    words=${quoted([...Object.keys(commands), ...WORDS].join(' '))}
  else
    case $at in
${cases.map(({ at, words }) => `      ${quoted(at)}) words=${quoted(words.join(' '))} ;;`).join('\n')}
    esac
  fi
  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$word"))
}
_ignis_takes() {
  case $1 in
    ${withValue.map(({ name, row }) => quoted(`${name} --${toFlag(row.name)}`)).join(' | ')}) return 0 ;;
  esac
  return 1
}
complete -o default -F _ignis ignis
`;
}

/** @param {string} text @returns {string} as it stands in a description of _arguments or _describe */
const described = (text) => text.replace(/[[\]:\\]/g, '\\$&');

/** @param {OptionRow} row @returns {string} for _arguments */
function specOf(row) {
  const flag = `--${toFlag(row.name)}`;
  const says = `[${described(inShort(row.sentence))}]`;
  const often = row.isRepeated === true ? '*' : '';
  if (isSwitch(row)) return `${flag}${says}`;
  const choices = choicesIn(row.type);
  const what = choices.length > 0 ? `(${choices.join(' ')})` : OF_PATHS.includes(row.type) ? '_files' : ' ';
  const name = described(choices.length > 0 ? 'one of' : row.type);
  // One that may stand alone takes a value only behind an equals sign.
  return `${often}${flag}${row.bare === undefined ? `=${says}` : `=-${says}:`}:${name}:${what}`;
}

/** @param {Commands} commands @returns {string} */
function zshOf(commands) {
  const names = Object.entries(commands).map(([name, { summary }]) => quoted(`${name}:${described(inShort(summary))}`));
  const cases = Object.entries(commands).map(([name, { options, usage, stopsAtFirst }]) => {
    const choices = choicesIn(usage);
    const isCommand = usage.includes('<command>');
    const rest = isCommand ? '*:: :_normal' : `*:argument:${choices.length === 0 ? '_files' : `(${choices.join(' ')})`}`;
    const specs = [...options.map(specOf), '(- *)--help[Prints its options]', rest];
    return `    ${name}) _arguments -S ${stopsAtFirst ? "-A '-*' " : ''}${specs.map(quoted).join(' ')} ;;`;
  });
  return `#compdef ignis
# ignis in zsh: eval "$(ignis completion zsh)" in ~/.zshrc, below compinit; or this as a file _ignis in a folder of $fpath
_ignis() {
  local -a commands
  commands=(
    ${names.join('\n    ')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
    help) _describe command commands ;;
  esac
}
if [[ $funcstack[1] == _ignis ]]; then _ignis "$@"; else compdef _ignis ignis; fi
`;
}

/** @param {() => Commands} all @returns {Command} */
function completionOf(all) {
  return {
    usage: USAGE,
    summary: 'Prints a script by which a shell completes what stands behind `ignis`.',
    options: [],
    run({ rest }, { out }) {
      const [shell] = rest;
      if (rest.length !== 1) throw misused('one shell must be named', USAGE);
      if (SHELLS[shell] === undefined)
        throw new IgnisError(
          'IGNIS_BAD_OPTION',
          `there is no script for '${shell}'; there is one for ${Object.keys(SHELLS).join(' and ')}`,
        );
      out(SHELLS[shell](all()));
      return { code: 0 };
    },
  };
}

exports.completionOf = completionOf;
