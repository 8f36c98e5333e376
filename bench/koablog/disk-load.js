'use strict';

// Keeps a disk busy: copies a file again and again, each time down to the disk. In: a folder, and how many MB. Out: nothing; it ends when
// it is killed, or its parent has ended.

const fs = require('node:fs');
const path = require('node:path');

const [, , folder, megabytes] = process.argv;
const source = path.join(folder, `source-${process.pid}`);
const target = path.join(folder, `target-${process.pid}`);
// Piece by piece: where memory is short the load must not be what needs it.
for (let i = 0; i < Number(megabytes); i++) fs.appendFileSync(source, Buffer.alloc(1024 * 1024, 'x'));
const parent = process.ppid;
while (process.ppid === parent) {
  fs.copyFileSync(source, target);
  const fd = fs.openSync(target, 'r+');
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  fs.unlinkSync(target);
}
