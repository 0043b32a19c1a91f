import { describe, expect, test } from 'vitest';
import { faultsOfModel } from '../../../../protocol/models/check.ts';
import { electricHatchback } from '../../../../protocol/models/electric-hatchback.ts';
import type { SignalRow, VehicleModel } from '../../../../protocol/models/model.ts';
import { MODELS } from '../../../../protocol/models/models.ts';
import { petrolCompact } from '../../../../protocol/models/petrol-compact.ts';

const speed: SignalRow = {
  source: { from: 'obd', pid: 0x0d, bytes: 1 },
  quantity: 'speedKph',
  factor: 1,
  offset: 0,
  feeds: ['speed_in_kph'],
};
const charge: SignalRow = {
  source: { from: 'can', bus: 1, id: 0x3c5, startBit: 0, bits: 10, order: 'little' },
  quantity: 'energyPercent',
  factor: 0.1,
  offset: 0,
  unavailable: 0x3ff,
  feeds: [],
};
const lock: SignalRow = {
  source: { from: 'digital', port: 2 },
  quantity: 'locked',
  factor: 1,
  offset: 0,
  feeds: [],
};

const onObd = (...rows: SignalRow[]): VehicleModel => ({ ...petrolCompact, rows });
const onCan = (...rows: SignalRow[]): VehicleModel => ({ ...electricHatchback, rows });

describe('the check of the models', () => {
  test('finds nothing wrong with the built-in ones', () => {
    for (const model of MODELS.values()) expect(faultsOfModel(model)).toEqual([]);
    expect([...MODELS.keys()]).toEqual(['petrol-compact', 'electric-hatchback']);
  });

  test.each<[string, VehicleModel, string]>([
    ['a PID that is read twice', onObd(speed, speed), 'PID 0d: speedKph lies on speedKph'],
    [
      'a PID that J1979 scales otherwise',
      onObd({ ...speed, factor: 0.5 }),
      'PID 0d: the scaling is not SAE J1979',
    ],
    [
      'a PID that means something else',
      onObd({ ...speed, quantity: 'mileageKm' }),
      'PID 0d: it is no mileageKm',
    ],
    [
      'a wrong number of data bytes',
      onObd({ ...speed, source: { from: 'obd', pid: 0x0d, bytes: 2 } }),
      'PID 0d: the answer has 1 bytes',
    ],
    [
      'a PID that nobody knows',
      onObd({ ...speed, source: { from: 'obd', pid: 0xee, bytes: 1 } }),
      'PID ee: SAE J1979 has no such PID here',
    ],
    [
      'signals that share a bit',
      onCan(charge, {
        ...charge,
        source: { from: 'can', bus: 1, id: 0x3c5, startBit: 9, bits: 10, order: 'big' },
      }),
      'CAN 1 3c5 bit 9: energyPercent lies on energyPercent',
    ],
    [
      'a signal that leaves its frame',
      onCan({
        ...charge,
        source: { from: 'can', bus: 1, id: 0x3c5, startBit: 60, bits: 10, order: 'little' },
      }),
      'CAN 1 3c5 bit 60: it leaves the frame',
    ],
    [
      'a frame that the vehicle does not send',
      onCan({
        ...charge,
        source: { from: 'can', bus: 0, id: 0x3c5, startBit: 0, bits: 10, order: 'little' },
      }),
      'CAN 0 3c5 bit 0: the vehicle sends no such frame',
    ],
    [
      'a span that does not fit',
      onCan({ ...charge, factor: 0.05 }),
      'CAN 1 3c5 bit 0: energyPercent does not fit into it',
    ],
    [
      'a code that cannot be written',
      onCan({ ...charge, unavailable: 0x400 }),
      'CAN 1 3c5 bit 0: 1024 cannot be written there',
    ],
    [
      'one number for two codes',
      onCan({ ...charge, failure: 0x3ff }),
      'CAN 1 3c5 bit 0: unavailable and failure are the same number',
    ],
    [
      'a switch with a code that means yes',
      onCan({ ...lock, failure: 1 }),
      'digital port 2: 1 already means yes or no',
    ],
    [
      'a switch that is scaled',
      onCan({ ...lock, factor: 2 }),
      'digital port 2: a switch has factor 1 and offset 0',
    ],
    [
      'a number at a port of one bit',
      onCan({ ...lock, quantity: 'speedKph' }),
      'digital port 2: a port holds no number',
    ],
    [
      'a port that does not exist',
      onCan({ ...lock, source: { from: 'digital', port: 16 } }),
      'digital port 16: there are 16 ports',
    ],
    ['an inverted number', onObd({ ...speed, inverted: true }), 'PID 0d: only a switch can be inverted'],
  ])('names %s', (_what, model, fault) => {
    expect(faultsOfModel(model)).toContain(fault);
  });

  test('names a frame that stands there twice', () => {
    const [frame] = electricHatchback.frames;
    if (frame === undefined) throw new Error('no frames');
    expect(faultsOfModel({ ...electricHatchback, frames: [...electricHatchback.frames, frame] })).toContain(
      'frame 0/416 stands there twice',
    );
  });
});
