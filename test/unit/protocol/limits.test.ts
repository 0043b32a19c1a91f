import { describe, expect, test } from 'vitest';
import { ENVELOPE_BYTES } from '../../../protocol/codec/envelope.ts';
import { encodeFrame } from '../../../protocol/codec/frame.ts';
import { type FieldData, spanOf } from '../../../protocol/layouts/layout.ts';
import { LAYOUTS } from '../../../protocol/layouts/layouts.ts';
import { wireLimits } from '../../../protocol/limits.ts';
import { MESSAGE_KINDS } from '../../../protocol/message-kinds.ts';
import { SETTINGS } from '../../../protocol/settings.ts';
import type { Signals } from '../../../protocol/signals.ts';

const layouts = ([1, 2] as const).flatMap((generation) =>
  MESSAGE_KINDS.map(({ name }) => ({
    label: `${name} of generation ${generation}`,
    record: LAYOUTS[generation][name],
  })),
);

test.each(layouts)('the largest $label fits a frame', ({ record }) => {
  expect(spanOf(record).most).toBeLessThanOrEqual(wireLimits.framePayloadBytes);
});

test('the length of a frame fits the two bytes of the header, and its varint two bytes', () => {
  expect(wireLimits.framePayloadBytes).toBeLessThanOrEqual(0xffff);
  expect(wireLimits.framePayloadBytes).toBeLessThan(1 << 14);
});

test('a payload has space for many of the largest frames, and for the maximum number of the smallest', () => {
  const largest = wireLimits.framePayloadBytes + ENVELOPE_BYTES;
  expect(wireLimits.payloadBytes).toBeGreaterThanOrEqual(16 * largest);
  expect(wireLimits.payloadBytes).toBeGreaterThanOrEqual(wireLimits.framesPerPayload * ENVELOPE_BYTES);
});

test('every setting can be in one configuration', () => {
  expect(SETTINGS.length).toBeLessThanOrEqual(wireLimits.settings);
});

test('sequences fit four bytes', () => {
  expect(wireLimits.highestSequence).toBe(0xffff_ffff);
});

test('a report in which every list is full has exactly the maximum length of its layout', () => {
  const signals: Signals = {
    obd: Array.from({ length: wireLimits.obdValues }, (_, pid) => ({ pid, data: new Uint8Array(4) })),
    troubleCodes: Array<number>(wireLimits.troubleCodes).fill(1),
    can: Array.from({ length: wireLimits.canFrames }, (_, id) => ({
      bus: 0,
      id,
      data: new Uint8Array(wireLimits.canDataBytes),
    })),
    digital: 0,
    analog: Array.from({ length: wireLimits.analogPorts }, (_, port) => ({ port, millivolts: 1 })),
    gnss: {
      quality: 1,
      latitude: 0,
      longitude: 0,
      altitudeM: 0,
      speedKph: 0,
      headingDegrees: 0,
      satellites: 0,
      hdop: 1,
    },
    modem: { csq: 0, network: 0 },
    power: { supplyMillivolts: 0, backupMillivolts: 0, backupPercent: 0, backupCharging: false },
  };
  for (const generation of [1, 2] as const) {
    const message = { kind: 'report', cause: 'time', signals } as const;
    const bytes = encodeFrame({ generation, epoch: 0, boot: 0, sequence: 1, clockMs: 0, message });
    expect(bytes.length - ENVELOPE_BYTES).toBe(spanOf(LAYOUTS[generation].report).most);
  }
});

describe.each(layouts)('the layout of $label', ({ record }) => {
  test('follows the rules of its style', () => {
    everyField(record, (field) => {
      if (field.type === 'list' || field.type === 'bytes' || field.type === 'text') {
        expect(field.room === 'rest' || field.most <= 0xff, 'a count fits its byte').toBe(true);
      }
      if (field.type === 'list' && field.room === 'slots') {
        const { least, most } = field.elementSpan;
        expect(least, 'a slot has a fixed length').toBe(most);
      }
      if (field.type === 'number') {
        expect(field.minimum).toBeLessThan(field.maximum);
        expect(field.signed ? [2, 4] : [1, 2, 3, 4, 6]).toContain(field.bytes);
        expect(field.signed || field.minimum >= 0).toBe(true);
        expect(field.maximum).toBeLessThan(2 ** (8 * field.bytes - (field.signed ? 1 : 0)));
        expect(field.minimum).toBeGreaterThanOrEqual(-(2 ** (8 * field.bytes - 1)));
      }
      if (field.type === 'names') {
        expect(field.nameOf.size, 'a code stands for one name').toBe(field.codeOf.size);
        for (const code of field.nameOf.keys()) expect(code === Math.min(Math.max(code, 0), 255)).toBe(true);
      }
      if (field.type !== 'record') return;
      const tags = field.rows.map((row) => row.tag);
      if (field.style === 'tagged') {
        expect(tags).toEqual([...new Set(tags)].sort((one, other) => one - other));
        expect(tags.every((tag) => tag >= 1 && tag <= 255)).toBe(true);
        return;
      }
      expect(tags.every((tag) => tag === 0)).toBe(true);
      expect(field.optionalRows).toBeLessThanOrEqual(8);
      if (field.style === 'packed') {
        const optional = field.rows.filter((row) => row.optional);
        expect(optional, 'only the last field of a whole message may be missing').toEqual(
          field === record ? optional.filter((row) => row === field.rows.at(-1)) : [],
        );
        for (const row of optional) expect(row.span.least).toBeGreaterThan(0);
      }
      for (const row of field.rows.filter((each) => each.optional))
        expect(row.span.least).toBe(row.span.most);
    });
  });

  test('uses the rest of the bytes only after a tag, where the end is known', () => {
    everyField(record, (field) => {
      if (field.type !== 'record' || field.style === 'tagged') return;
      for (const row of field.rows) expect('room' in row.field && row.field.room === 'rest').toBe(false);
    });
  });
});

function everyField(field: FieldData, visit: (field: FieldData) => void): void {
  visit(field);
  if (field.type === 'list') everyField(field.element, visit);
  if (field.type === 'tuple') for (const item of field.items) everyField(item, visit);
  if (field.type === 'record') for (const row of field.rows) everyField(row.field, visit);
}
