import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ulid } from 'ulid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Forbidden, installSandbox, runInSandbox } from '../../../../world/sandbox/virtual-sandbox.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

/** What a library might do, one function on each line, so that line numbers are known. */
const GREEDY = `'use strict';
const fs = require('node:fs'); const crypto = require('node:crypto'); const net = require('node:net');
const { randomBytes } = crypto; const wait = setTimeout;
exports.setTimeout = () => setTimeout(() => undefined, 1);
exports.setInterval = () => clearInterval(setInterval(() => undefined, 1));
exports.setImmediate = () => setImmediate(() => undefined);
exports.timersPromises = () => require('node:timers/promises').setTimeout(1);
exports.randomBytes = () => crypto.randomBytes(4);
exports.randomUUID = () => crypto.randomUUID();
exports.webUUID = () => globalThis.crypto.randomUUID();
exports.webValues = () => globalThis.crypto.getRandomValues(new Uint8Array(4));
exports.subtle = () => globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(4));
exports.scrypt = () => crypto.scrypt('a', 'b', 16, () => undefined);
exports.readFileSync = () => fs.readFileSync(__filename);
exports.readFile = () => fs.promises.readFile(__filename);
exports.exists = () => fs.existsSync(__filename);
exports.connect = () => net.connect(9).on('error', () => undefined);
exports.socketConnect = () => new net.Socket().on('error', () => undefined).connect(9);
exports.listen = () => new net.Server().listen(0);
exports.fetch = () => fetch('http://127.0.0.1:9/');
exports.now = () => performance.now();
exports.hrtime = () => process.hrtime();
exports.bigint = () => process.hrtime.bigint();
exports.spawn = () => require('node:child_process').spawn('true');
exports.swallowed = () => { try { fs.readFileSync(__filename); } catch { return 'swallowed'; } };
exports.captured = () => randomBytes(4);
exports.capturedTimer = () => wait(() => undefined, 1);
exports.hash = () => crypto.createHash('sha256').update('x').digest('hex');
exports.times = () => [Date.now(), new Date().getTime(), new Date(5).getTime(), Date()];
exports.isDate = () => new Date() instanceof Date && new Date(5) instanceof Date;
exports.random = () => Math.random();
exports.later = () => new Promise((resolve) => { queueMicrotask(() => process.nextTick(resolve)); });
`;

type Greedy = Record<string, () => unknown>;

describe('the sandbox', () => {
  let folder: string;
  let greedy: Greedy;
  let early: Greedy;
  const times = () => Array.from(Object(greedy['times']?.())).slice(0, 3);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const load = (name: string): Greedy => {
      const home = join(folder, 'node_modules', name);
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'index.js'), GREEDY);
      return createRequire(join(folder, 'x.js'))(name);
    };
    greedy = load('greedy');
    const takeDown = installSandbox();
    early = load('early');
    takeDown();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const lineOf = (name: string) =>
    GREEDY.split('\n').findIndex((line) => line.startsWith(`exports.${name} `)) + 1;
  const attempt = (library: Greedy, name: string) => {
    const world = openVirtualWorld({ seed: 1 });
    return runInSandbox(world, () => world.run(async () => library[name]?.()));
  };

  test.each([
    ['setTimeout', 'setTimeout'],
    ['setInterval', 'setInterval'],
    ['setImmediate', 'setImmediate'],
    ['timersPromises', 'timers.promises.setTimeout'],
    ['randomBytes', 'crypto.randomBytes'],
    ['randomUUID', 'crypto.randomUUID'],
    ['webUUID', 'crypto.randomUUID'],
    ['webValues', 'crypto.getRandomValues'],
    ['subtle', 'crypto.subtle.digest'],
    ['scrypt', 'crypto.scrypt'],
    ['readFileSync', 'fs.readFileSync'],
    ['readFile', 'fs.promises.readFile'],
    ['exists', 'fs.existsSync'],
    ['connect', 'net.connect'],
    ['socketConnect', 'net.Socket.connect'],
    ['listen', 'net.Server.listen'],
    ['fetch', 'fetch'],
    ['now', 'performance.now'],
    ['hrtime', 'process.hrtime'],
    ['bigint', 'process.hrtime.bigint'],
    ['spawn', 'child_process.spawn'],
    ['swallowed', 'fs.readFileSync'],
    ['capturedTimer', 'Timeout'],
  ])('stops a library at %s and names it', async (name, what) => {
    const error: unknown = await attempt(greedy, name).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Forbidden);
    expect(error).toMatchObject({ what, caller: `node_modules/greedy/index.js:${lineOf(name)}` });
  });

  test('a function to which a library stored a reference while the sandbox was installed is also refused', async () => {
    await expect(attempt(early, 'captured')).rejects.toThrow('node_modules/early/index.js');
    await expect(attempt(early, 'capturedTimer')).rejects.toMatchObject({ what: 'setTimeout' });
    // Outside a run it calls the original.
    expect(early['captured']?.()).toBeInstanceOf(Buffer);
  });

  test('a real library that makes its own ids is stopped, and the error names the library', async () => {
    const world = openVirtualWorld({ seed: 1 });
    await expect(runInSandbox(world, async () => ulid())).rejects.toThrow(/crypto\..*node_modules\/ulid\//);
  });

  test('Date gives virtual time, and a Date of a number is unchanged', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const nowMs = world.time.nowMs();
    await runInSandbox(world, () =>
      world.run(async () => {
        expect(greedy['times']?.()).toEqual([nowMs, nowMs, 5, new Date(nowMs).toString()]);
        await sleep(world.time, 3_600_000);
        expect(times()).toEqual([nowMs + 3_600_000, nowMs + 3_600_000, 5]);
        expect(greedy['isDate']?.()).toBe(true);
      }),
    );
  });

  test('Math.random comes from the seed', async () => {
    const draw = (seed: number) => {
      const world = openVirtualWorld({ seed });
      return runInSandbox(world, async () => [greedy['random']?.(), greedy['random']?.()]);
    };
    expect(await draw(1)).toEqual(await draw(1));
    expect(await draw(1)).not.toEqual(await draw(2));
  });

  test('hashes, microtasks and process.nextTick are allowed', async () => {
    const world = openVirtualWorld({ seed: 1 });
    await runInSandbox(world, () =>
      world.run(async () => {
        expect(greedy['hash']?.()).toHaveLength(64);
        await greedy['later']?.();
      }),
    );
  });

  test('SQLite in memory works, whether loaded before or not', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const count = await runInSandbox(world, async () => {
      const db = new Database(':memory:');
      db.exec('CREATE TABLE box (id TEXT); INSERT INTO box VALUES (1), (2)');
      const copy = new Database(db.serialize());
      return copy.prepare('SELECT count(*) FROM box').pluck().get();
    });
    expect(count).toBe(2);
  });

  test('HTTP requests and responses as objects work', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const said = await runInSandbox(world, () =>
      world.run(async () => {
        const request = new Request('http://service/', { method: 'POST', body: '{"a":1}' });
        return Response.json(await request.json()).text();
      }),
    );
    expect(said).toBe('{"a":1}');
  });

  test('calls outside the run are not affected', async () => {
    const world = openVirtualWorld({ seed: 1 });
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += Date.now() > world.time.nowMs() - 1 ? 1 : 0;
      greedy['readFileSync']?.();
    }, 1);
    await runInSandbox(world, async () => {
      let sum = 0;
      for (let event = 0; event < 20_000; event++) world.loop.schedule(event, 'x', () => (sum += 1));
      await world.runFor(1_000);
      expect(sum).toBe(20_000);
    });
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(0);
  });

  test('afterwards all functions are restored, also after a throw, and after nested runs', async () => {
    const kept = () => [Date, Date.now, Math.random, setTimeout, performance.now, process.hrtime, fetch];
    const before = kept();
    const builtins = createRequire(import.meta.url);
    const functions = () => [builtins('node:fs').readFileSync, builtins('node:crypto').randomBytes];
    const functionsBefore = functions();
    const world = openVirtualWorld({ seed: 1 });
    await expect(
      runInSandbox(world, () => {
        throw new Error('of the body');
      }),
    ).rejects.toThrow('of the body');
    await Promise.all([runInSandbox(world, async () => 1), runInSandbox(world, async () => 2)]);
    expect(kept()).toEqual(before);
    for (const [at, kept] of functions().entries()) expect(kept).toBe(functionsBefore[at]);
    expect(greedy['readFileSync']?.()).toBeInstanceOf(Buffer);
  });
});
