'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { makeEngineValue, readEngineValue } = require('../../lib/session/engine-values');

/** The engine's own, since Node 26. @type {any} */
const Temporal = 'Temporal' in globalThis ? /** @type {any} */ (globalThis).Temporal : null;

const partsOf = (/** @type {any} */ value) => readEngineValue(value, Object.getPrototypeOf(value));
/** Through text, as a codec takes it. */
const again = (/** @type {any} */ value) => makeEngineValue(JSON.parse(JSON.stringify(partsOf(value))));

describe('values of the engine', () => {
  it('are made again of their parts: a locale with its extensions', () => {
    const copy = again(new Intl.Locale('de-DE-u-co-phonebk'));
    assert.ok(copy instanceof Intl.Locale);
    assert.equal(copy.toString(), 'de-DE-u-co-phonebk');
    assert.equal(new Intl.NumberFormat(copy).format(1.5), '1,5');
  });

  it('are made again of their parts: times, with all that their short texts leave out', function () {
    if (Temporal === null) return this.skip();
    const { Duration, Instant, PlainDate, PlainDateTime, PlainMonthDay, PlainTime, PlainYearMonth, ZonedDateTime } = Temporal;
    const times = [
      Instant.from('1969-12-31T23:59:59.999999999Z'),
      PlainDate.from({ year: 5784, month: 5, day: 1, calendar: 'hebrew' }),
      PlainDateTime.from('2020-01-01T10:20:30.123456789[u-ca=japanese]'),
      PlainTime.from('01:02:03.000000001'),
      new PlainMonthDay(2, 29, 'iso8601', 2024),
      new PlainYearMonth(-271821, 5, 'gregory', 3),
      ZonedDateTime.from('2020-10-25T02:30:00+01:00[Europe/Berlin]'),
      ZonedDateTime.from('1900-01-01T00:00:00[Africa/Monrovia][u-ca=hebrew]'),
    ];
    for (const time of times) {
      assert.equal(again(time).constructor, time.constructor);
      assert.ok(again(time).equals(time), `${time} is ${again(time)}`);
    }
    const { milliseconds, seconds, hours } = again(Duration.from({ milliseconds: -1500, hours: -2 }));
    assert.deepEqual([milliseconds, seconds, hours], [-1500, 0, -2]);
  });

  it('are none where their prototype alone says so, nor of a class below', () => {
    class Place extends Intl.Locale {}
    for (const value of [new Place('de'), Object.create(Intl.Locale.prototype), Intl.Locale.prototype, {}, new Date(), Object.create(null)])
      assert.equal(partsOf(value), null);
  });

  it('are not those of a Temporal that a program has brought along', () => {
    const text = `
      class Instant { toString() { return '1970-01-01T00:00:00Z' } static from() { return new Instant() } }
      Object.defineProperty(globalThis, 'Temporal', { value: { Instant } });
      const { readEngineValue } = require(${JSON.stringify(require.resolve('../../lib/session/engine-values'))});
      console.log(readEngineValue(new Instant(), Instant.prototype));`;
    assert.equal(execFileSync(process.execPath, ['-e', text], { encoding: 'utf8' }), 'null\n');
  });

  it('are not made of what is none', () => {
    for (const parts of [
      [],
      ['Object', 'x'],
      ['constructor'],
      ['Intl.Locale'],
      ['Intl.Locale', { toString: () => 'de' }],
      ['Intl.Locale', '-'],
      [{}],
    ])
      assert.throws(
        () => makeEngineValue(parts),
        (/** @type {any} */ error) => error instanceof TypeError || error instanceof RangeError,
      );
  });

  it('that another version of Node has are named', () => {
    const refused = { code: 'IGNIS_UNMARSHALABLE', message: /a Temporal\.Century came from another version of Node/ };
    assert.throws(() => makeEngineValue(['Temporal.Century', '20']), refused);
  });
});
