'use strict';

const assert = require('node:assert/strict');

exports.title = 'classes that extend across';
exports.fixture = 'classes.js';

exports.behaviours = {
  'a class of home extends one of the module'(m) {
    class Double extends m.Counter {
      up(step = 1) {
        return super.up(step * 2);
      }
      get half() {
        return this.count / 2;
      }
    }
    const counter = new Double(10);
    assert.equal(counter.up(3), counter);
    assert.equal(counter.count, 16);
    assert.equal(counter.half, 8);
    assert.ok(counter instanceof Double && counter instanceof m.Counter);
    assert.equal(Object.getPrototypeOf(counter), Double.prototype);
    assert.equal(counter.constructor, Double);
  },
  'the module calls the methods that a class of home overrides'(m) {
    class Mine extends m.Counter {
      name() {
        return `Mine over ${super.name()}`;
      }
    }
    assert.equal(new Mine(1).describe(), 'Mine over Counter at 1');
    assert.equal(m.describe(new Mine(2)), 'Mine over Counter at 2');
  },
  'the module knows an instance of a class of home for its own'(m) {
    class Mine extends m.NamedCounter {}
    const mine = new Mine();
    assert.ok(m.isCounter(mine));
    assert.ok(m.Counter.isCounter(mine));
    assert.ok(m.isInstance(mine, Mine));
    assert.equal(m.isInstance(new m.Counter(), Mine), false);
  },
  'private fields of both sides in one instance'(m) {
    class Mine extends m.Counter {
      #mine = [];
      note(value) {
        this.#mine.push(value, this.count);
        return this.#mine;
      }
      static has(value) {
        return #mine in value;
      }
    }
    const mine = new Mine(1);
    mine.note('a');
    mine.up();
    assert.deepEqual(mine.note('b'), ['a', 1, 'b', 2]);
    assert.ok(Mine.has(mine));
    assert.equal(Mine.has(new m.Counter()), false);
  },
  'a class of home overrides a getter and calls the one above'(m) {
    class Mine extends m.Counter {
      get count() {
        return super.count + 100;
      }
      set count(value) {
        super.count = value - 100;
      }
    }
    const mine = new Mine(1);
    assert.equal(mine.count, 101);
    mine.count = 150;
    assert.equal(mine.count, 150);
    assert.throws(() => (mine.count = 99), RangeError);
  },
  'static members are inherited by a class of home'(m) {
    class Mine extends m.Counter {
      static kind = `under ${super.secret()}`;
    }
    assert.equal(Mine.kind, 'under static');
    assert.equal(Mine.made, m.Counter.made);
    const mine = Mine.from(4);
    assert.ok(mine instanceof Mine);
    assert.equal(mine.count, 4);
    assert.equal(Object.getPrototypeOf(Mine), m.Counter);
  },
  'a constructor of the module sees the class of home, and calls its methods'(m) {
    class Mine extends m.Base {
      init(a, b) {
        return [a, b, this instanceof Mine];
      }
      body() {
        return `mine ${super.body()}`;
      }
    }
    const mine = new Mine(1, 'x');
    assert.equal(mine.target, Mine);
    assert.deepEqual(mine.args, [1, 'x']);
    assert.deepEqual(mine.made, [1, 'x', true]);
    assert.equal(mine.template(), '<mine base>');
    assert.equal(new m.Base().target, m.Base);
    assert.equal(new m.Base().made, undefined);
  },
  'fields of a class of home are set after the constructor of the module'(m) {
    class Mine extends m.Base {
      own = this.args.length;
      made = 'field';
    }
    const mine = new Mine(1, 2);
    assert.equal(mine.own, 2);
    assert.equal(mine.made, 'field');
    assert.deepEqual(Object.keys(mine), ['target', 'args', 'made', 'own']);
  },
  'three classes, the middle one of home'(m) {
    class Middle extends m.Base {
      hello(word) {
        return `${word} from ${this.template()}`;
      }
    }
    const Extended = m.extend(Middle);
    const extended = new Extended(1);
    assert.equal(extended.hello('hi'), 'extended hi from <base>');
    assert.equal(extended.own(), 'private of Extended');
    assert.ok(extended instanceof Extended && extended instanceof Middle && extended instanceof m.Base);
    assert.equal(extended.target, Extended);
  },
  'the module extends a class of home'(m) {
    class Mine {
      #name;
      static count = 1;
      constructor(name) {
        this.#name = name;
      }
      hello(word) {
        return `${word} ${this.#name}`;
      }
    }
    const Extended = m.extend(Mine);
    const extended = new Extended('me');
    assert.equal(extended.hello('hi'), 'extended hi me');
    assert.equal(Extended.count, 1);
    assert.equal(Extended.extra, 'static of Extended');
    assert.ok(extended instanceof Mine && extended instanceof Extended);
    assert.equal(Object.getPrototypeOf(Extended), Mine);
    assert.equal(Extended.name, 'Extended');
  },
  'a class of home extends an error of the module'(m) {
    class NotFound extends m.HttpError {
      constructor(what) {
        super(404, `no ${what}`);
        this.what = what;
      }
    }
    const error = new NotFound('page');
    assert.ok(error instanceof Error && error instanceof m.HttpError);
    assert.ok(m.isHttpError(error));
    assert.deepEqual([error.message, error.status, error.what, error.isClient], ['no page', 404, 'page', true]);
    assert.match(error.stack, /subclasses\.js/);
  },
  'a class of home extends a list and a map of the module'(m) {
    class Mine extends m.Stack {
      top() {
        return this.peek();
      }
    }
    const mine = Mine.from([1, 2]);
    assert.equal(mine.top(), 2);
    assert.ok(Array.isArray(mine));
    assert.equal(mine.length, 2);
    class Words extends m.Tally {
      set(key, value) {
        return super.set(key.toLowerCase(), value);
      }
    }
    const words = new Words();
    words.add('A');
    assert.deepEqual([...words.keys()], ['a']);
  },
  'a class of the module extends URL'(m) {
    const link = new m.Link('http://host/?q=5');
    assert.deepEqual([link.query, link.host, String(link)], ['5', 'host', 'http://host/?q=5']);
    assert.ok(link instanceof URL && link instanceof m.Link);
    assert.equal(Object.getPrototypeOf(link), m.Link.prototype);
    assert.equal(Object.getPrototypeOf(m.Link.prototype), URL.prototype);
  },
  'a class of home extends with a mixin around a class of the module'(m) {
    const loud = (Class) =>
      class Loud extends Class {
        describe() {
          return super.describe().toUpperCase();
        }
      };
    assert.equal(new (loud(m.NamedCounter))(3).describe(), 'NAMEDCOUNTER AT 3');
    assert.equal(new (loud(loud(m.Counter)))(3).describe(), 'COUNTER AT 3');
  },
  'a class of home that returns another object from its constructor'(m) {
    class Single extends m.Counter {
      static one;
      constructor() {
        super();
        return (Single.one ??= this);
      }
    }
    assert.equal(new Single(), new Single());
    new Single().up();
    assert.equal(Single.one.count, 1);
  },
  'Reflect.construct with a class of home as the target'(m) {
    function Target() {}
    const made = Reflect.construct(m.Counter, [8], Target);
    assert.equal(Object.getPrototypeOf(made), Target.prototype);
    assert.equal(made instanceof m.Counter, false);
    assert.ok(m.Counter.isCounter(made));
    assert.equal(m.Counter.prototype.describe.call(Object.assign(made, { name: () => 'Target' })), 'Target at 8');
  },
  'a constructor that throws, above or below'(m) {
    class Above extends m.extend(
      class {
        constructor() {
          throw new RangeError('at home');
        }
      },
    ) {}
    assert.throws(() => new Above(), { name: 'RangeError', message: 'at home' });
    class Below extends m.Counter {
      constructor() {
        super();
        throw new TypeError('below');
      }
    }
    assert.throws(() => new Below(), { message: 'below' });
  },
};
