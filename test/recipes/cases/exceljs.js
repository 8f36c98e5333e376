'use strict';

const { crc32 } = require('node:zlib');

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** @param {string} type @param {string} target */
const relation = (type, target) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;

/** @param {Record<string, string>} entries @returns {Buffer} a zip archive that compresses nothing */
function archive(entries) {
  const parts = [];
  const index = [];
  let at = 0;
  for (const [name, text] of Object.entries(entries)) {
    const data = Buffer.from(text);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(33, 8);
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    parts.push(Buffer.from('PK\x03\x04'), head, Buffer.from(name), data);
    index.push(Buffer.from('PK\x01\x02\x14\x00'), head, tail, Buffer.from(name));
    at += 4 + head.length + name.length + data.length;
  }
  const listed = Buffer.concat(index);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(index.length / 4, 4);
  end.writeUInt16LE(index.length / 4, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
}

/** @param {number} i */
const rowOf = (i) =>
  `<row r="${i}"><c r="A${i}"><v>${i}</v></c><c r="B${i}" t="inlineStr"><is><t>name ${i}</t></is></c><c r="C${i}" t="b"><v>1</v></c></row>`;

/** @param {number} rows @returns {Buffer} a book with one sheet */
const book = (rows) =>
  archive({
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `${XML}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="some" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `${XML}<worksheet xmlns="${SHEET}"><sheetData>${Array.from({ length: rows }, (_, i) => rowOf(i + 1)).join('')}</sheetData></worksheet>`,
  });

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  ownFile: { rowsOf: [5, 50, 500].map((rows) => ({ input: `${rows} rows of 3`, args: () => [book(rows)] })) },
};
