'use strict';
/*
 * Pictures that cases have in common. In: the length of a side. Out: the same pixels for the same side, always; smooth areas, edges, and
 * some noise.
 */

/** @param {number} side @returns {{ width: number, height: number, data: Buffer }} four bytes a pixel */
function pixels(side) {
  const data = Buffer.alloc(4 * side * side);
  let noise = 1;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      noise = (noise * 1103515245 + 12345) & 0x7fffffff;
      const at = 4 * (y * side + x);
      data[at] = (255 * x) / side;
      data[at + 1] = ((x >> 3) + (y >> 3)) & 1 ? 200 : 40;
      data[at + 2] = ((255 * y) / side) ^ (noise >> 28);
      data[at + 3] = 255;
    }
  }
  return { width: side, height: side, data };
}

/**
 * @template K, V
 * @param {(key: K, module: any) => V} make
 * @returns {(key: K, module: any) => V} makes each but once
 */
function onceFor(make) {
  const made = new Map();
  return (key, module) => {
    if (!made.has(key)) made.set(key, make(key, module));
    return made.get(key);
  };
}

exports.onceFor = onceFor;
exports.pixels = pixels;
