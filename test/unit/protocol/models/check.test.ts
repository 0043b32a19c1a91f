import { describe, expect, test } from 'vitest';
import { wireLimits } from '../../../../protocol/limits.ts';
import { modelFaults } from '../../../../protocol/models/check.ts';
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
  test('finds no fault in the built-in ones', () => {
    for (const model of MODELS.values()) expect(modelFaults(model)).toEqual([]);
    for (const [name, model] of MODELS) expect(model.name).toBe(name);
  });

  test.each<[string, VehicleModel, string]>([
    ['a PID that is read twice', onObd(speed, speed), 'PID 0d: speedKph overlaps speedKph'],
    [
      'a PID that J1979 scales otherwise',
      onObd({ ...speed, factor: 0.5 }),
      'PID 0d: the scaling is not SAE J1979',
    ],
    [
      'a PID that means something else',
      onObd({ ...speed, quantity: 'mileageKm' }),
      'PID 0d: it is not mileageKm',
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
      'CAN 1 3c5 bit 9: energyPercent overlaps energyPercent',
    ],
    [
      'a signal that leaves its frame',
      onCan({
        ...charge,
        source: { from: 'can', bus: 1, id: 0x3c5, startBit: 60, bits: 10, order: 'little' },
      }),
      'CAN 1 3c5 bit 60: it extends beyond the frame',
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
      'CAN 1 3c5 bit 0: the range of energyPercent does not fit',
    ],
    [
      'a code that cannot be written',
      onCan({ ...charge, unavailable: 0x400 }),
      'CAN 1 3c5 bit 0: 1024 is outside the range of the signal',
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
      'digital port 2: a digital port cannot hold a number',
    ],
    [
      'a port that does not exist',
      onCan({ ...lock, source: { from: 'digital', port: 16 } }),
      'digital port 16: there are 16 ports',
    ],
    ['an inverted number', onObd({ ...speed, inverted: true }), 'PID 0d: only a switch can be inverted'],
    [
      'a quantity that there is none of',
      onObd({ ...speed, quantity: 'warpFactor' as SignalRow['quantity'] }),
      'PID 0d: warpFactor is not a quantity of protocol/models/quantities.ts',
    ],
    [
      'bits of an answer other than the standard has them',
      onObd({ ...speed, source: { from: 'obd', pid: 0x01, bytes: 4 }, quantity: 'checkEngine' }),
      'PID 01: its bits are not those of SAE J1979',
    ],
    [
      'bits that are too many, from the right one on',
      onObd({
        ...speed,
        source: { from: 'obd', pid: 0x01, bytes: 4, startBit: 7, bits: 2 },
        quantity: 'checkEngine',
      }),
      'PID 01 bit 7: its bits are not those of SAE J1979',
    ],
    [
      'as many bits as there ought to be, in another place',
      onObd({
        ...speed,
        source: { from: 'obd', pid: 0x01, bytes: 4, startBit: 6, bits: 1 },
        quantity: 'checkEngine',
      }),
      'PID 01 bit 6: its bits are not those of SAE J1979',
    ],
    [
      'a span whose last number is a code',
      onCan({ ...charge, unavailable: 1_000 }),
      'CAN 1 3c5 bit 0: the range of energyPercent does not fit',
    ],
    [
      'a span whose last number is the code of a failure',
      onCan({ ...charge, failure: 1_000 }),
      'CAN 1 3c5 bit 0: the range of energyPercent does not fit',
    ],
    [
      'a choice without words',
      onCan({ ...charge, quantity: 'gear', factor: 1 }),
      'CAN 1 3c5 bit 0: a choice needs words',
    ],
    [
      'a word that the quantity has not',
      onCan({ ...charge, quantity: 'gear', factor: 1, words: { 1: 'WARP' } }),
      'CAN 1 3c5 bit 0: WARP is not one of PARK, REVERSE, NEUTRAL, DRIVE, SPORT',
    ],
    [
      'a word that is a code too',
      onCan({ ...charge, quantity: 'gear', factor: 1, words: { 1023: 'PARK' } }),
      'CAN 1 3c5 bit 0: 1023 is both a word and a code',
    ],
    [
      'a word that cannot be written',
      onCan({ ...charge, quantity: 'gear', factor: 1, words: { 1024: 'PARK' } }),
      'CAN 1 3c5 bit 0: 1024 is outside the range of the signal',
    ],
    [
      'words of a number',
      onCan({ ...charge, words: { 1: 'PARK' } }),
      'CAN 1 3c5 bit 0: only a choice has words',
    ],
    ['a part of a number', onObd({ ...speed, part: 'year' }), 'PID 0d: only a day has parts'],
    [
      'a date that its signal cannot represent',
      onCan({ ...charge, quantity: 'serviceDueDay', factor: 1 }),
      'CAN 1 3c5 bit 0: the range of serviceDueDay does not fit',
    ],
    [
      'a serial number that is cut',
      onCan({ ...charge, quantity: 'battery1Serial', factor: 1 }),
      'CAN 1 3c5 bit 0: a serial number has 32 bits',
    ],
    [
      'trouble codes in a frame',
      onCan({ ...charge, quantity: 'troubleCodes', factor: 1 }),
      'CAN 1 3c5 bit 0: troubleCodes can only come from mode 03',
    ],
    [
      'mode 03 for something else',
      onObd({ ...speed, source: { from: 'trouble-codes' } }),
      'mode 03: mode 03 does not contain speedKph',
    ],
    [
      'a factor that turns a number round',
      onCan({ ...charge, factor: -0.1 }),
      'CAN 1 3c5 bit 0: factor and offset must be finite, the factor above 0',
    ],
    [
      'fuel in an electric car',
      onCan({ ...charge, quantity: 'fuelLitres' }),
      'CAN 1 3c5 bit 0: no fuelLitres here: it burns no fuel',
    ],
    [
      'a selector in a car that is shifted by hand',
      onObd({ ...lock, quantity: 'gear', words: { 0: 'PARK' } }),
      'digital port 2: no gear here: it has a manual gearbox',
    ],
    [
      'a plug without a charger behind it',
      onObd({ ...lock, quantity: 'charging' }),
      'digital port 2: no charging here: its body has no chargeKw',
    ],
    [
      'a top case on a car',
      onObd({ ...lock, quantity: 'topCaseOpen' }),
      'digital port 2: no topCaseOpen here: it is not a two-wheeler',
    ],
  ])('names %s', (_what, model, fault) => {
    const short = modelFaults(model).map((one) => one.replace(/^[a-z-]+: rows\[\d+\] \((.*?)\)/, '$1'));
    expect(short).toContain(fault);
  });

  test.each<[string, Partial<VehicleModel['body']>, string]>([
    ['a tank of nothing', { energyCapacity: 0 }, 'body.energyCapacity must be above 0'],
    [
      'AdBlue in a petrol car',
      { adblue: { litres: 9, litresPer1000Km: 1 } },
      'body.adblue: only a diesel needs it',
    ],
    [
      'a hybrid that cannot be charged',
      { hybrid: { capacityKwh: 9, consumptionPer100Km: 16 } },
      'body.hybrid: a plug-in hybrid has a chargeKw',
    ],
    [
      'battery ports beside a tank',
      { batteryPorts: 1 },
      'body.batteryPorts: only an electric vehicle has them',
    ],
  ])('names %s', (_what, change, fault) => {
    const body = { ...petrolCompact.body, ...change };
    expect(modelFaults({ ...petrolCompact, body })).toEqual([`petrol-compact: ${fault}`]);
  });

  test('names model and row of each fault', () => {
    expect(modelFaults(onObd(lock, { ...speed, factor: 0.5 }))).toEqual([
      'petrol-compact: rows[1] (PID 0d): the scaling is not SAE J1979',
      'petrol-compact: rows[1] (PID 0d): the range of speedKph does not fit',
    ]);
  });

  test('reports more values than a report has space for', () => {
    const frames = Array.from({ length: 9 }, (_, id) => ({ bus: 0, id, bytes: 1, always: true }) as const);
    expect(modelFaults({ ...electricHatchback, rows: [], frames })).toEqual([
      'electric-hatchback: more than 8 CAN frames',
    ]);
  });

  test('takes as many PIDs as a report has space for, and no more', () => {
    const pids = (count: number) =>
      onObd(
        ...Array.from(
          { length: count },
          (_, pid) => ({ ...speed, source: { from: 'obd', pid, bytes: 1 } }) as const,
        ),
      );
    const told = `petrol-compact: ${wireLimits.obdValues + 1} PIDs are more than ${wireLimits.obdValues}`;
    expect(modelFaults(pids(wireLimits.obdValues + 1))).toContain(told);
    expect(modelFaults(pids(wireLimits.obdValues)).filter((fault) => fault.includes('PIDs are'))).toEqual([]);
  });

  test('takes a code right behind the span', () => {
    expect(
      modelFaults(onCan({ ...charge, unavailable: 1_001 })).filter((one) => one.includes('range')),
    ).toEqual([]);
  });

  test('names a frame that is listed twice', () => {
    const [frame] = electricHatchback.frames;
    if (frame === undefined) throw new Error('no frames');
    expect(modelFaults({ ...electricHatchback, frames: [...electricHatchback.frames, frame] })).toContain(
      'electric-hatchback: frame 0/1a0 is listed twice',
    );
  });

  test.each([
    [0x1fff_ffff, false],
    [0x2000_0000, true],
    [-1, true],
    [1.5, true],
  ])('of an identifier %d says that it has more than 29 bits: %s', (id, isWrong) => {
    const [frame] = electricHatchback.frames;
    if (frame === undefined) throw new Error('no frames');
    const faults = modelFaults({
      ...electricHatchback,
      frames: [...electricHatchback.frames, { ...frame, id }],
    });
    expect(faults.some((one) => one.includes('29 bits'))).toBe(isWrong);
  });
});
