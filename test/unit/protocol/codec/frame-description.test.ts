import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePayload, encodeFrame, payloadOf } from '../../../../protocol/codec/frame.ts';
import { describeFault, describeFrame } from '../../../../protocol/codec/frame-description.ts';
import type { Frame } from '../../../../protocol/message.ts';
import { anyFrame } from '../../../support/frames/any-frame.ts';

const report: Frame = {
  generation: 2,
  epoch: 7,
  boot: 3,
  sequence: 1234,
  clockMs: 1_700_000_000_000,
  message: {
    kind: 'report',
    cause: 'time',
    signals: {
      obd: [
        { pid: 0x0c, data: Uint8Array.of(0x1a, 0xf8) },
        { pid: 0x99, data: Uint8Array.of(1) },
      ],
      troubleCodes: [0x0301, 0xc100],
      can: [{ bus: 1, id: 0x1a0, data: Uint8Array.of(1, 2) }],
      digital: 5,
      analog: [{ port: 2, millivolts: 13_800 }],
      gnss: {
        quality: 1,
        latitude: 28_860_000 / 600_000,
        longitude: -11.5,
        altitudeM: 520,
        speedKph: 92.6,
        headingDegrees: 90,
        satellites: 9,
        hdop: 0.9,
      },
      modem: { csq: 20, network: 26_201 },
      power: { supplyMillivolts: 13_800, backupMillivolts: 4100, backupPercent: 97, backupCharging: true },
    },
  },
};

test('a report is described with the meaning of its raw values', () => {
  expect(describeFrame({ frame: report })).toEqual({
    title: 'report #1234, generation 2, epoch 7, boot 3, 2023-11-14T22:13:20.000Z',
    fields: [
      ['cause', 'time'],
      ['obd 0C', '1a f8 (engineSpeed 1726 rpm)'],
      ['obd 99', '01'],
      ['trouble codes', 'P0301 U0100'],
      ['can 1 1A0', '01 02'],
      ['digital', '0000000000000101'],
      ['analog 2', '13800 mV'],
      ['gnss', 'autonomous, 48.1 -11.5 520 m, 92.6 km/h 90°, 9 satellites, HDOP 0.9'],
      ['modem', 'CSQ 20, network 26201'],
      ['power', '13800 mV, backup 4100 mV 97 % charging'],
    ],
  });
});

test('ranges, versions, settings and times are formatted for people', () => {
  const base = { generation: 1, epoch: 7, boot: 0, sequence: 0, clockMs: 0 } as const;
  const receipt = {
    kind: 'receipt',
    contiguous: 4,
    ranges: [
      [6, 6],
      [8, 9],
    ],
  } as const;
  expect(describeFrame({ frame: { ...base, message: receipt } })).toEqual({
    title: 'receipt, generation 1, epoch 7, clock not known',
    fields: [
      ['contiguous', '4'],
      ['ranges', '6-6 8-9'],
    ],
  });
  const configuration = {
    kind: 'configuration',
    requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    revision: 7,
    expiresMs: 1_700_000_000_000,
    settings: [{ name: 'tracking.timeIntervalS', value: 30 }],
  } as const;
  expect(describeFrame({ frame: { ...base, message: configuration } }).fields).toEqual([
    ['requestId', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['revision', '7'],
    ['expiresMs', '2023-11-14T22:13:20.000Z'],
    ['tracking.timeIntervalS', '30'],
  ]);
});

test('what a payload decodes to can be described: frames, and bytes that are none', () => {
  const bytes = Uint8Array.from([
    ...payloadOf([{ ...report, message: { kind: 'heartbeat' } }]),
    0xff,
    ...encodeFrame({ ...report, sequence: 0, message: { kind: 'birth', connection: 17 } }),
  ]);
  const { frames, faults } = decodePayload(bytes);
  expect([...frames.map(describeFrame), ...faults.map(describeFault)]).toEqual([
    { title: 'heartbeat #1234, generation 2, epoch 7, boot 3, 2023-11-14T22:13:20.000Z', fields: [] },
    {
      title: 'birth, generation 2, epoch 7, boot 3, 2023-11-14T22:13:20.000Z',
      fields: [['connection', '17']],
    },
    {
      title: 'no-frame at byte 27',
      fields: [['detail', 'The byte 255 is not the start of a frame.']],
    },
  ]);
});

test('a fault names the record if it is known', () => {
  const fault = { fault: 'wrong-checksum', offset: 30, detail: 'It does not match.' } as const;
  expect(describeFault({ fault, key: { generation: 1, epoch: 7, sequence: 12 } })).toEqual({
    title: 'wrong-checksum at byte 30, of record #12 of epoch 7',
    fields: [['detail', 'It does not match.']],
  });
});

test('any frame can be described, and each of its fields has a text', () => {
  fc.assert(
    fc.property(fc.oneof(anyFrame(1), anyFrame(2)), (frame) => {
      const { title, fields } = describeFrame({ frame });
      expect(title).toContain(frame.message.kind);
      for (const [name, value] of fields) expect(`${name}: ${value}`).not.toMatch(/undefined|NaN|\[object/);
    }),
    { numRuns: 200 },
  );
});
