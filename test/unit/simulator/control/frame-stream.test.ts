import { describe, expect, test } from 'vitest';
import { encodeFrame, payloadOf } from '../../../../protocol/codec/frame.ts';
import type { Frame } from '../../../../protocol/message.ts';
import { controlApp } from '../../../../simulator/control/app.ts';
import { controlLimits } from '../../../../simulator/limits.ts';
import { fakeFleet, fakeTap, START_MS } from '../../../support/simulator/fake-fleet.ts';

function stage() {
  const fleet = fakeFleet(3);
  const frameTap = fakeTap();
  return { ...fleet, tap: frameTap, app: controlApp(fleet, frameTap), id: fleet.first.plan.boxId };
}

const hello = (sequence: number): Frame => ({
  generation: 2,
  epoch: 1,
  boot: 1,
  sequence,
  clockMs: START_MS,
  message: { kind: 'heartbeat' },
});

describe('the wire stream', () => {
  async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
    const { value } = await reader.read();
    return new TextDecoder().decode(value);
  }

  test('shows each frame of a payload with its direction, time, bytes and fields, and other bytes as a fault', async () => {
    const { app, tap: frameTap, id, first } = stage();
    const response = await app.request(`/boxes/${first.plan.vehicleId}/wire`);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error('no body');
    expect(await read(reader)).toBe('\n');
    const bytes = payloadOf([hello(1), hello(2)]);
    frameTap.pass(id, { direction: 'up', atMs: START_MS, bytes });
    frameTap.pass(id, { direction: 'down', atMs: START_MS + 5, bytes: Uint8Array.of(1, 2, 3) });
    const one = JSON.parse(await read(reader)) as Record<string, unknown>;
    expect(one).toMatchObject({ boxId: id, direction: 'up', at: '2026-01-05T08:00:00.000Z', offset: 0 });
    expect(one['hex']).toBe(Buffer.from(encodeFrame(hello(1))).toString('hex'));
    expect(one['title']).toContain('heartbeat #1');
    expect(one['fields']).toEqual([]);
    const two = JSON.parse(await read(reader)) as Record<string, unknown>;
    expect(two).toMatchObject({ offset: encodeFrame(hello(1)).length });
    const three = JSON.parse(await read(reader)) as Record<string, unknown>;
    expect(three).toMatchObject({ direction: 'down', at: '2026-01-05T08:00:00.005Z', hex: '010203' });
    expect(three['fault']).toBeTypeOf('string');
    await reader.cancel();
  });

  test('contains only its own box, and unsubscribes when the reader disconnects', async () => {
    const { app, tap: frameTap, plans, id } = stage();
    const reader = (await app.request(`/boxes/${id}/wire`)).body?.getReader();
    if (reader === undefined) throw new Error('no body');
    await read(reader);
    frameTap.pass(plans[1]?.boxId ?? '', { direction: 'up', atMs: START_MS, bytes: encodeFrame(hello(7)) });
    frameTap.pass(id, { direction: 'up', atMs: START_MS, bytes: encodeFrame(hello(8)) });
    expect(await read(reader)).toContain('heartbeat #8');
    expect(frameTap.listeners()).toBe(1);
    await reader.cancel();
    expect(frameTap.listeners()).toBe(0);
  });

  test('leaves out lines for a reader that is too slow, and says how many', async () => {
    const { app, tap: frameTap, id } = stage();
    const reader = (await app.request(`/boxes/${id}/wire`)).body?.getReader();
    if (reader === undefined) throw new Error('no body');
    const sent = controlLimits.waitingLines + 50;
    for (let sequence = 1; sequence <= sent; sequence += 1) {
      frameTap.pass(id, { direction: 'up', atMs: START_MS, bytes: encodeFrame(hello(sequence)) });
    }
    let shown = 0;
    await read(reader);
    for (let line = 1; line < controlLimits.waitingLines - 1; line += 1) {
      expect(await read(reader)).toContain(`heartbeat #${line},`);
      shown += 1;
    }
    frameTap.pass(id, { direction: 'up', atMs: START_MS, bytes: encodeFrame(hello(sent + 1)) });
    let rest = '';
    while (!rest.includes(`heartbeat #${sent + 1},`)) {
      const text = await read(reader);
      if (text.includes('#') && !text.includes(`#${sent + 1},`)) shown += 1;
      rest += text;
    }
    expect(rest).toContain(`${sent - shown} lines were left out`);
    await reader.cancel();
  });
});
