'use strict';
/*
 * Node's own marks, which each realm has for itself: symbols, and frozen objects that stand for "none yet" (since Node 24, the queue of a
 * web stream that nobody has written to). Node recognizes them by identity, and no module exports them, so they are found on samples. In:
 * nothing. Out: names by which both sides know them. It never looks at an object of the program.
 */
const { EventEmitter } = require('node:events');
const { Readable, Transform, Writable } = require('node:stream');
const { ReadableStream, TransformStream, WritableStream } = require('node:stream/web');
const engine = require('../engine');

const { Map, Object, Reflect, Symbol, clearTimeout, globalOf, setTimeout } = engine;
const NAMES = Object.freeze(['AbortController', 'AbortSignal', 'Blob', 'Event', 'EventTarget', 'URLSearchParams']);

/** From a stream to its state, its controller, and the state of that. */
const DEEPEST = 4;

/** Symbols that this Node does not have; two versions differ by some tens. */
const MOST_STRANGERS = 1000;
let strangers = 0;

/** @type {Map<symbol, string>} */
const symbolNames = new Map();
/** @type {Map<string, symbol>} */
const symbols = new Map();

const webStreams = () => [new ReadableStream(), new WritableStream(), new TransformStream()];

/** The functions with which Node cancels, aborts or fails a web stream are on its controller. */
function webControllers() {
  /** @type {any[]} */
  const controllers = [];
  const source = { start: (/** @type {any} */ controller) => void controllers.push(controller) };
  new ReadableStream(source);
  new ReadableStream({ type: 'bytes', ...source });
  new WritableStream(source);
  return controllers;
}

/** The functions with which Node hands out what was read are on the object that waits for it. @returns {any[]} */
function webRequests() {
  const reader = new ReadableStream().getReader();
  void reader.read();
  return [...reach(reader).keys()].filter(({ constructor }) => constructor?.name.endsWith('Request'));
}

/**
 * What Node keeps in a stream's state is under symbols too, some of which appear only when somebody sets their option.
 *
 * @returns {any[]} states of unused streams that have all of them
 */
function streamStates() {
  const ending = new Writable({ write: () => {} });
  ending.write('.');
  ending.end(() => {});
  const states = [/** @type {any} */ (new Readable())._readableState, /** @type {any} */ (ending)._writableState];
  for (const state of states) {
    const parts = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(state));
    for (const { set } of Object.values(parts)) if (set !== undefined) Reflect.apply(set, state, [{}]);
  }
  return states;
}

function prepareSymbols() {
  if (symbolNames.size > 0) return;
  const [AbortController, AbortSignal, Blob, Event, EventTarget, URLSearchParams] = NAMES.map(globalOf);
  const timer = setTimeout(() => {}, 0).unref();
  clearTimeout(timer);
  const { signal } = new AbortController();
  // This marks the signal, too.
  AbortSignal.any([signal]);
  const streams = [
    ...webStreams(),
    ...webControllers(),
    ...webRequests(),
    new Readable(),
    new Writable(),
    new Transform(),
    ...streamStates(),
  ];
  noteSymbols([timer, signal, new Event('x'), new EventTarget(), new EventEmitter(), new URLSearchParams(), new Blob([]), ...streams]);
}

/** What Node's http keeps of a message is under symbols too: its methods look for these on objects of either side. */
const HTTP = 'NativeModule _http_server';
let loaded = 0;
let hasHttp = false;

/** It takes long to load, so only if the program has loaded it, or the other side names one of its symbols. */
function prepareHttp() {
  const list = /** @type {any} */ (process).moduleLoadList;
  if (hasHttp || list.length === loaded) return;
  loaded = list.length;
  if (list.includes(HTTP)) noteHttp();
}

function noteHttp() {
  hasHttp = true;
  const { Agent, IncomingMessage, OutgoingMessage, Server, ServerResponse } = require('node:http');
  const request = new IncomingMessage(/** @type {any} */ (null));
  const samples = [new OutgoingMessage(), request, new ServerResponse(request), new Agent(), new Server()];
  noteSymbols(samples);
}

/** @param {any[]} samples */
function noteSymbols(samples) {
  for (const sample of samples) {
    for (let at = sample; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
      for (const symbol of Object.getOwnPropertySymbols(at)) {
        const name = `${sample.constructor.name} ${symbol.description}`;
        if (Symbol.keyFor(symbol) !== undefined || symbolNames.has(symbol) || symbols.has(name)) continue;
        symbolNames.set(symbol, name);
        symbols.set(name, symbol);
      }
    }
  }
}

/** @param {symbol} symbol @returns {string | undefined} the name by which both sides know it */
function symbolNameOf(symbol) {
  prepareSymbols();
  prepareHttp();
  return symbolNames.get(symbol);
}

/** @param {string} name as it came over the wire @returns {symbol | undefined} */
function symbolOf(name) {
  prepareSymbols();
  if (!hasHttp && !symbols.has(name)) noteHttp();
  return symbols.get(name) ?? standIn(name);
}

/**
 * The other side may be another version of Node with marks that this one lacks: a symbol stands for each, and goes back as that mark.
 *
 * @param {string} name
 * @returns {symbol | undefined}
 */
function standIn(name) {
  const description = /^\w+ (.+)$/.exec(name)?.[1];
  if (description === undefined || strangers === MOST_STRANGERS) return undefined;
  strangers++;
  const symbol = Symbol(description);
  symbolNames.set(symbol, name);
  symbols.set(name, symbol);
  return symbol;
}

/** @returns {[object, string][]} the frozen objects that two streams of a kind have in common, each with the path to it */
function constants() {
  const others = webStreams().map(reach);
  return webStreams().flatMap((stream, i) => [...reach(stream)].filter(([object]) => others[i].has(object) && Object.isFrozen(object)));
}

/** @param {object} sample @returns {Map<object, string>} what can be reached from it without running anything */
function reach(sample) {
  /** @type {Map<object, string>} */
  const met = new Map([[sample, sample.constructor.name]]);
  let level = [...met];
  for (let depth = 0; depth < DEEPEST; depth++) {
    /** @type {[object, string][]} */
    const next = [];
    for (const [holder, name] of level) {
      for (const key of Reflect.ownKeys(holder)) {
        const value = Object.getOwnPropertyDescriptor(holder, key)?.value;
        if (typeof value !== 'object' || value === null || met.has(value)) continue;
        const full = `${name} ${String(key)}`;
        met.set(value, full);
        next.push([value, full]);
      }
    }
    level = next;
  }
  return met;
}

exports.constants = constants;
exports.symbolNameOf = symbolNameOf;
exports.symbolOf = symbolOf;
