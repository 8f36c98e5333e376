'use strict';

// Behaviours by which a module elsewhere can be told from the module at home, each with the reason (docs/limits.md has them too).
// Checked both ways: one that is listed must fail, one that is not must pass.

const AWAY = ['thread', 'process', 'host'];

/** @type {{places: string[], theme: string, title: string, reason: string}[]} */
exports.DIFFERENCES = [
  {
    places: AWAY,
    theme: 'event emitters',
    title: 'a method of EventEmitter, read from an emitter of the module, is that of home',
    reason: 'a method that is read from an object works in the realm of that object, so it is the other side’s',
  },
  {
    places: ['host'],
    theme: 'exports',
    title: 'a variable of the environment that is set after the load',
    reason: 'the environment of home stays at home; a host has its own',
  },
  {
    places: AWAY,
    theme: 'exports',
    title: 'globals that either side sets',
    reason: 'each side has a global object of its own',
  },
  {
    places: AWAY,
    theme: 'classes and functions that every side has',
    title: 'a weak collection that is passed has the inner type that Node sees',
    reason: 'it goes by reference, since its members cannot be listed; util.types sees the Proxy that stands for it',
  },
  {
    places: AWAY,
    theme: 'changes the caller makes, seen by the module',
    title: 'a member that becomes a getter, in an object that is kept and not passed again',
    reason: 'to find the change the member is read, once, which runs the getter',
  },
];
