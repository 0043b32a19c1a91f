/**
 * Loaded into each part of a soak (`node --expose-gc --import`): collects garbage every few seconds, so that resident
 * memory follows what lives. By itself the engine lets garbage grow to several times of that, so slowly that twenty
 * minutes of it look like a leak.
 */
const EVERY_MS = 15_000;

setInterval(() => globalThis.gc?.(), EVERY_MS).unref();
