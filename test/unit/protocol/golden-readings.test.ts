import { describe, expect, test } from 'vitest';
import { translateNamed } from '../../../backend/vehicles/translation/translate.ts';
import { decodePayload, encodeFrame } from '../../../protocol/codec/frame.ts';
import { decodeObd, OBD_ROWS } from '../../../protocol/obd.ts';
import type { Signals } from '../../../protocol/signals.ts';
import { givenBits, goldenLines } from '../../support/frames/golden-frames.ts';

const REPORT = { timestampMs: Date.parse('2027-03-01T08:00:00Z'), maintenance: true };

describe('SAE J1979 mode 01', () => {
  const lines = goldenLines('obd').map(([definition = '', pid = '', physical = '', data = '']) => ({
    label: `PID ${pid}: ${definition}: ${physical}`,
    pid: Number.parseInt(pid, 16),
    physical: Number(physical),
    data: givenBits(data).data,
  }));

  test.each(lines)('$label', ({ pid, physical, data }) => {
    expect(decodeObd(pid, data)).toBeCloseTo(physical, 9);
  });

  test('no PID is without a golden frame', () => {
    const seen = new Set(lines.map(({ pid }) => pid));
    expect(OBD_ROWS.filter(({ pid }) => !seen.has(pid))).toEqual([]);
  });

  test('an answer whose control unit does not support the part says nothing', () => {
    const unsupported = (model: string, pid: number, data: readonly number[]) =>
      translateNamed(model, { obd: [{ pid, data: Uint8Array.from(data) }] }, REPORT);
    expect(unsupported('diesel-van', 0x9b, [0b1111_1011, 0xff, 0xff, 0x99])).toEqual({});
    expect(unsupported('scooter', 0xa9, [0b1111_1110, 0x01, 0xff, 0xff])).toEqual({});
  });
});

describe('what the box measures itself', () => {
  const BEFORE = {
    gnss: {
      quality: 1,
      latitude: 0,
      longitude: 0,
      altitudeM: 0,
      speedKph: 0,
      headingDegrees: 0,
      satellites: 0,
      hdop: 0,
    },
    modem: { csq: 0, network: 0 },
    power: { supplyMillivolts: 0, backupMillivolts: 0, backupPercent: 0, backupCharging: false },
  } as const;
  /** From the end of a frame: 4 bytes of checksum; in generation 1 power, modem and GNSS stand last, in this order. */
  const AFTER = { gnss: 14, modem: 10, power: 4 } as const;
  const CHECKSUM = 4;

  const lines = goldenLines('box').map(
    ([definition = '', physical = '', first = '', second = '', state = '']) => {
      const [part = ''] = physical.split(' ');
      return {
        label: `${definition}: ${physical}`,
        part: part as keyof typeof BEFORE,
        physical: JSON.parse(physical.slice(part.length)) as Readonly<Record<string, unknown>>,
        bytes: [first, second] as const,
        state: JSON.parse(state) as Readonly<Record<string, unknown>>,
      };
    },
  );

  test.each(lines)('$label', ({ part, physical, bytes, state }) => {
    for (const generation of [1, 2] as const) {
      const signals = { [part]: { ...BEFORE[part], ...physical } } as Signals;
      const encoded = encodeFrame({
        generation,
        epoch: 1,
        boot: 1,
        sequence: 1,
        clockMs: REPORT.timestampMs,
        message: { kind: 'report', cause: 'time', signals },
      });
      const { mask, data } = givenBits(bytes[generation - 1] ?? '');
      const end = encoded.length - (generation === 1 ? AFTER[part] : CHECKSUM);
      const written = encoded.slice(end - data.length, end);
      expect(written.map((byte, at) => byte & (mask[at] ?? 0))).toEqual(data);

      const [decoded] = decodePayload(encoded).frames;
      const { message } = decoded?.frame ?? {};
      if (message?.kind !== 'report') throw new Error('it is no report');
      for (const [name, value] of Object.entries(physical)) {
        const found = (message.signals[part] as unknown as Readonly<Record<string, unknown>>)[name];
        if (typeof value === 'number') expect(found).toBeCloseTo(value, 6);
        else expect(found).toBe(value);
      }
      const told = translateNamed('', message.signals, REPORT);
      for (const [name, value] of Object.entries(state)) expect(told[name]?.value ?? null).toEqual(value);
    }
  });

  test('no field is without a golden frame', () => {
    for (const [part, fields] of Object.entries(BEFORE)) {
      const seen = new Set(
        lines.filter((one) => one.part === part).flatMap((one) => Object.keys(one.physical)),
      );
      expect([part, Object.keys(fields).filter((field) => !seen.has(field))]).toEqual([part, []]);
    }
  });
});
