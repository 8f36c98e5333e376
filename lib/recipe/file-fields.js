'use strict';

// The fields of a recipe that say where the files of a program live, and how; part of the table in fields.js. They apply only to the module
// fs, and are given at its imports, under its name, or program-wide.

const { fact, oneOf } = require('../option-table.js');
const { folder, folders } = require('./checks.js');
const { Object } = require('../engine');

/** @type {readonly import('./fields.js').FieldRow[]} */
const FILE_FIELDS = Object.freeze([
  {
    name: 'fs',
    scope: ['program', 'module'],
    type: "'local', 'eventual' or 'strong'",
    check: oneOf(['local', 'eventual', 'strong']),
    paper: 'FS',
    sentence:
      "Only for `fs`: where the files below `root` live. `local`, on this machine's disk, as ever; `eventual`, in `copies` folders that a process each keeps, all changed in one order, and any of them read; `strong`, in one folder with one owner, so that whoever reads sees what was written last. `copies` alone means `eventual`, with 3 copies where no number is given.",
  },
  {
    name: 'root',
    scope: ['program', 'module'],
    type: 'folder',
    ts: 'string',
    check: folder,
    sentence:
      "Only for `fs`: the folder whose files are kept so, from the working directory; without it that directory itself. `node_modules` and `.git` are always Node's.",
  },
  {
    name: 'disks',
    scope: ['program', 'module'],
    type: 'list of folders',
    ts: 'readonly string[]',
    check: folders,
    sentence:
      'Only for `fs`: the folders of the copies, on different disks perhaps; with more of them than `copies` each file is in so many of them. Without it the first is `root` itself, and the others lie in `root/.ignis-fs`.',
  },
  {
    name: 'sync',
    scope: ['program', 'module'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence: 'Only for `fs`: what was written is on the disk, and not only with the system, before the program goes on.',
  },
]);

/** The names of these fields. */
const FILE_NAMES = Object.freeze(FILE_FIELDS.map(({ name }) => name));

exports.FILE_FIELDS = FILE_FIELDS;
exports.FILE_NAMES = FILE_NAMES;
