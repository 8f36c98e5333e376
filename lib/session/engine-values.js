'use strict';
/*
 * Objects of the engine that are values: times of Temporal (since Node 26), locales of Intl. They never change, and engine functions look
 * inside them (`Temporal.ZonedDateTime.from(time)`, `new Intl.NumberFormat(locale)`), so a stub would not do, and a copy does. In: any
 * object; or parts. Out: its parts, texts and numbers that every codec carries; or a value made of such parts. It runs no code of the
 * program, and does not mistake a polyfill of Temporal for the engine's.
 */
const engine = require('../engine');
const { unknownValue } = require('./unknown');

const { Map, Object, Reflect, globalOf } = engine;

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {Function} Class
 * @property {(value: any) => any[]} read its parts; throws if it is no such value
 * @property {(parts: any[]) => any} make
 */

/**
 * @param {Function} Class
 * @param {PropertyKey} key
 * @returns {(value: any, ...args: any[]) => any} a method of it, or the getter of an accessor
 */
function methodOf(Class, key) {
  const { get, value } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(Class.prototype, key));
  return (object, ...args) => Reflect.apply(get ?? value, object, args);
}

/** For kinds that their text describes exactly. @param {any} Class @param {(text: string) => any} make @returns {Omit<Kind, 'name'>} */
function byText(Class, make) {
  const toText = methodOf(Class, 'toString');
  return { Class, read: (value) => [toText(value)], make: ([text]) => make(text) };
}

/** For kinds that the arguments of their constructor describe. @param {any} Class @param {string[]} keys @returns {Omit<Kind, 'name'>} */
function byParts(Class, ...keys) {
  const getters = keys.map((key) => methodOf(Class, key));
  return { Class, read: (value) => getters.map((get) => get(value)), make: (parts) => new Class(...parts) };
}

/**
 * For a month, or a day of a year: with the date of the ISO calendar behind it.
 *
 * @param {any} Class
 * @param {(year: number, month: number, day: number, calendar: string) => any} make
 * @returns {Omit<Kind, 'name'>}
 */
function byDate(Class, make) {
  const toText = methodOf(Class, 'toString');
  return {
    Class,
    read(value) {
      const [date, calendar] = toText(value, { calendarName: 'always' }).split('[u-ca=');
      const [day, month, ...year] = date.split('-').reverse();
      return [Number(year.reverse().join('-')), Number(month), Number(day), calendar.slice(0, -1)];
    },
    make: ([year, month, day, calendar]) => make(year, month, day, calendar),
  };
}

const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds'];

/** @param {any} Temporal the engine's @returns {Record<string, Omit<Kind, 'name'>>} */
function kindsOfTime(Temporal) {
  const { Duration, Instant, PlainDate, PlainDateTime, PlainMonthDay, PlainTime, PlainYearMonth, ZonedDateTime } = Temporal;
  const said = (/** @type {any} */ Class) => {
    const { from } = Class;
    return byText(Class, (text) => Reflect.apply(from, Class, [text]));
  };
  const zoned = byParts(ZonedDateTime, 'epochNanoseconds', 'timeZoneId', 'calendarId');
  return {
    'Temporal.Duration': byParts(Duration, ...UNITS),
    'Temporal.Instant': said(Instant),
    'Temporal.PlainDate': said(PlainDate),
    'Temporal.PlainDateTime': said(PlainDateTime),
    'Temporal.PlainMonthDay': byDate(PlainMonthDay, (year, month, day, calendar) => new PlainMonthDay(month, day, calendar, year)),
    'Temporal.PlainTime': said(PlainTime),
    'Temporal.PlainYearMonth': byDate(PlainYearMonth, (year, month, day, calendar) => new PlainYearMonth(year, month, calendar, day)),
    'Temporal.ZonedDateTime': {
      Class: ZonedDateTime,
      read: (value) => zoned.read(value).map(String),
      make: ([time, zone, calendar]) => zoned.make([BigInt(time), zone, calendar]),
    },
  };
}

/** @param {any} found a global @returns {boolean} whether it is the engine's own, not a polyfill of the program */
const isNative = (found) => Function.prototype.toString.call(found?.Instant ?? found).endsWith('{ [native code] }');

/** Missing before Node 26, and with --no-harmony-temporal. */
const Temporal = globalOf('Temporal');
const { Locale } = globalOf('Intl');

/** @type {Map<string, Kind>} */
const byName = new Map();
/** @type {Map<object, Kind>} */
const byPrototype = new Map();
for (const [name, kind] of Object.entries({
  'Intl.Locale': byText(Locale, (text) => new Locale(text)),
  ...(Temporal !== undefined && isNative(Temporal) ? kindsOfTime(Temporal) : {}),
})) {
  byName.set(name, { name, ...kind });
  byPrototype.set(kind.Class.prototype, { name, ...kind });
}

/**
 * @param {any} value
 * @param {any} prototype of it; an object of a subclass is refused: it may keep what a copy would lose
 * @returns {any[] | null} the name of its class, then its parts; null: it is no such value
 */
function readEngineValue(value, prototype) {
  const kind = byPrototype.get(prototype);
  if (kind === undefined) return null;
  try {
    return [kind.name, ...kind.read(value)];
  } catch {
    return null;
  }
}

const KNOWN_SINCE = /^Temporal\.[A-Z][A-Za-z]{1,40}$/;

/** @param {any} name of a class @returns {Error | null} why only another Node can make one; null: this one can, or none could */
const whyNoEngineValue = (name) => (typeof name === 'string' && !byName.has(name) && KNOWN_SINCE.test(name) ? unknownValue(name) : null);

/** @param {any[]} parts as readEngineValue gives them @returns {any} @throws what the engine says of invalid parts */
function makeEngineValue([name, ...parts]) {
  const kind = byName.get(name);
  if (kind === undefined) throw whyNoEngineValue(name) ?? new TypeError('no value of the engine');
  if (!parts.every((part) => typeof part === 'string' || typeof part === 'number')) throw new TypeError('texts and numbers');
  return kind.make(parts);
}

exports.makeEngineValue = makeEngineValue;
exports.readEngineValue = readEngineValue;
exports.whyNoEngineValue = whyNoEngineValue;
