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
      "Only for `fs`: where the files below `root` live. `local`: on this machine's disk, as usual. `eventual`: in `copies` folders, each kept by a process; all are changed in the same order, and any of them may be read. `strong`: in one folder with one owner, so that a reader sees what was written last. `copies` alone means `eventual`, with 3 copies if no number is given.",
  },
  {
    name: 'root',
    scope: ['program', 'module'],
    type: 'folder',
    ts: 'string',
    check: folder,
    sentence:
      'Only for `fs`: the folder whose files are kept that way, relative to the working directory; by default that directory itself. `node_modules` and `.git` are always left to Node.',
  },
  {
    name: 'disks',
    scope: ['program', 'module'],
    type: 'list of folders',
    ts: 'readonly string[]',
    check: folders,
    sentence:
      'Only for `fs`: the folders of the copies, perhaps on different disks. If there are more folders than `copies`, each file is in `copies` of them. By default the first is `root` itself, and the others are in `root/.ignis-fs`.',
  },
  {
    name: 'sync',
    scope: ['program', 'module'],
    type: 'true | false',
    default: false,
    check: fact,
    sentence: 'Only for `fs`: a write completes only when the data is on the disk, not just handed to the system.',
  },
]);

/** The names of these fields. */
const FILE_NAMES = Object.freeze(FILE_FIELDS.map(({ name }) => name));

exports.FILE_FIELDS = FILE_FIELDS;
exports.FILE_NAMES = FILE_NAMES;
