import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../support/run/external-services.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const issued = z.strictObject({
  token_id: z.string(),
  token: z.string(),
  allows: z.array(z.string()),
  uses: z.number(),
  expires_at: z.string(),
});
const stood = z.looseObject({ truth: z.looseObject({ locked: z.boolean() }) });
const vehicle = z.looseObject({
  latest_vehicle_state: z.looseObject({
    central_lock: z.looseObject({ timestamp: z.string(), value: z.string() }).optional(),
  }),
});

test('a phone unlocks a vehicle without coverage, and the service is informed when the box reconnects', async () => {
  const up = await UpProcess.start(['--vehicles', '3', '--data', data, ...(await UpProcess.ownPorts())]);
  const { simulator_url: face, base_url: service } = up.ready;
  const post = (path: string, body?: unknown) =>
    fetch(`${face}${path}`, {
      method: 'POST',
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  const list = z.looseObject({
    items: z.array(
      z.looseObject({
        vehicleId: z.string().nullable(),
        truth: z.looseObject({ locked: z.boolean().optional() }),
        belief: z.looseObject({ session: z.string(), clockMs: z.number() }),
      }),
    ),
  });
  const boxes = async () =>
    list.parse(await (await fetch(`${face}/boxes`)).json()).items.filter((box) => box.vehicleId !== null);
  await waitUntil(async () => (await boxes()).every((box) => box.belief.session === 'ready'));
  const parked = (await boxes()).find((box) => box.truth.locked === true);
  const at = `/boxes/${parked?.vehicleId ?? ''}`;

  const made = await post(`${at}/bluetooth-tokens`, { valid_for_s: 600, allows: ['unlock'], uses: 1 });
  expect(made.status).toBe(201);
  const token = issued.parse(await made.json());
  await post(`${at}/coverage`, { available: false });
  await waitUntil(async () => (await boxes()).some((box) => box.belief.session !== 'ready'));
  /** The box's own clock, which gives the times of its records. */
  const clockMs = async () =>
    (await boxes()).find((box) => box.vehicleId === parked?.vehicleId)?.belief.clockMs ?? 0;
  const beforeMs = await clockMs();
  const opened = await post(`${at}/bluetooth`, { token: token.token, action: 'unlock', device: 'a phone' });
  const afterMs = await clockMs();
  expect(stood.parse(await opened.json()).truth.locked).toBe(false);
  expect((await post(`${at}/bluetooth`, { token: token.token, action: 'unlock' })).status).toBe(403);

  // Times leave the service in whole seconds: the way back begins in a later one.
  await waitUntil(async () => (await clockMs()) > afterMs + 2_000);
  await post(`${at}/coverage`, { available: true });
  const headers = { authorization: `Bearer ${await up.token()}` };
  const lock = async () => {
    const response = await fetch(`${service}/vehicles/${parked?.vehicleId}`, { headers });
    return vehicle.parse(await response.json()).latest_vehicle_state.central_lock;
  };
  await waitUntil(async () => (await lock())?.value === 'UNLOCKED');
  const toldMs = Date.parse((await lock())?.timestamp ?? '');
  expect(toldMs).toBeGreaterThan(beforeMs - 1_000);
  expect(toldMs).toBeLessThanOrEqual(afterMs);
  expect((await fetch(`${face}${at}/bluetooth-tokens/${token.token_id}`, { method: 'DELETE' })).status).toBe(
    204,
  );
  expect((await up.end('SIGTERM')).code).toBe(0);
});
