// How figures are written. In: a number. Out: a few characters with a unit.

/** @param {number} value @returns {string} */
export function whole(value) {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** @param {number} part 0 to 1, or more if several loops are busy */
export function percent(part) {
  return part > 0 && part < 0.01 ? '< 1 %' : `${whole(part * 100)} %`;
}

/** @param {number | null | undefined} value */
export function ms(value) {
  if (value === null || value === undefined) return '–';
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  if (value >= 10) return `${whole(value)} ms`;
  return value < 0.001 ? `${value === 0 ? 0 : '< 0.001'} ms` : `${Number(value.toPrecision(2))} ms`;
}

/** @param {number} value a second */
export function rate(value) {
  return value < 10 ? String(Number(value.toPrecision(2))) : whole(value);
}

/** @param {number | null | undefined} value */
export function megabytes(value) {
  return value === null || value === undefined ? '–' : `${whole(value / 1e6)} MB`;
}

/** @param {number} value milliseconds */
export function span(value) {
  const seconds = Math.floor(value / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** @param {number} count @param {string} noun */
export function count(count, noun) {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** @param {string} name of a module @returns {string} without the uninformative parts */
export function plain(name) {
  return name.replace(/^\.\//, '');
}

/** @param {number} time ms since the epoch */
export function clock(time) {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** @param {string} name @param {number} width px @returns {string} the end, which says more than the beginning */
export function cut(name, width) {
  const most = Math.max(4, Math.floor(width / 6.1));
  return name.length <= most ? name : `…${name.slice(name.length - most + 1)}`;
}
