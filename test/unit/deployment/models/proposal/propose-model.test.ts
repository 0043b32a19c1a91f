import { describe, expect, test } from 'vitest';
import { meaningOf } from '../../../../../deployment/models/proposal/matching/labels.ts';
import { wordsOf } from '../../../../../deployment/models/proposal/matching/name-words.ts';
import { proposalText } from '../../../../../deployment/models/proposal/proposal-text.ts';
import { proposeModel } from '../../../../../deployment/models/proposal/propose-model.ts';
import { readDbc } from '../../../../../protocol/dbc/read-dbc.ts';
import { smallVan } from '../../../../support/models/small-van.ts';

/** What becomes of one signal of an 8-byte frame: the row, or why there is none. */
function fateOf(line: string, after = '', frame = 'BO_ 100 Frame: 8 Node') {
  const proposal = proposeModel(readDbc(`${frame}\n SG_ ${line}\n${after}`).database, 'one', 0);
  const [match] = proposal.matches;
  if (match === undefined) return proposal.unmatched[0]?.reason;
  const { quantity, factor, offset, inverted, unavailable, failure, words } = match.row;
  return { quantity, factor, offset, inverted, unavailable, failure, words };
}

describe('a model that is proposed', () => {
  const { model, matches, wires, unmatched, assumptions } = smallVan();

  test('has the signals that are like a quantity, and wires for what no signal says', () => {
    expect(matches.map(({ signal, row }) => [signal.name, row.quantity])).toEqual(
      expect.arrayContaining([
        ['VehicleSpeed', 'speedKph'],
        ['CoolantTemp', 'coolantTemperatureC'],
        ['ParkBrkSts', 'parkingBrakeEngaged'],
        ['Ignition_St', 'ignitionOn'],
        ['TotalVehicleDistance', 'mileageKm'],
      ]),
    );
    expect(wires.map(({ quantity }) => quantity)).toEqual(['drivingEnabled']);
    expect(model.rows.length).toBe(matches.length + wires.length);
  });

  test('says of every other signal why it is not in it', () => {
    const reasons = Object.fromEntries(unmatched.map(({ signal, reason }) => [signal.name, reason]));
    expect(reasons).toMatchObject({
      WheelSpeedFL: 'no property has such a name',
      OilDistanceRemaining: 'like oilDueKm, but the range of oilDueKm does not fit',
      WasherFluidLow: expect.stringContaining('multiplexed under 1'),
      CabinTemperature: expect.stringContaining('floating-point'),
      CheckEngine: expect.stringContaining('CAN FD with 16 bytes'),
    });
  });

  test('is automatic where there is a selector, and keeps sending what tells of a parked car', () => {
    expect([model.fuelType, model.transmission]).toEqual(['PETROL', 'AUTOMATIC']);
    expect(model.frames.filter(({ always }) => always).map(({ id }) => id)).toEqual([1204]);
    expect(assumptions.join(' ')).toContain('put yours there');
  });

  test('stands in a file with the reason of each row above it', () => {
    const text = proposalText(smallVan(), 'small-van.dbc');
    expect(text).toContain('# Drive.VehicleSpeed, line 39: its name says vehicle speed; its unit is km/h\n');
    expect(text).toContain('# Pages.OilPressureLow: like oilPressureLow, but it is multiplexed under 2');
  });
});

describe('a signal becomes a row', () => {
  test.each([
    [
      'in another unit',
      'VehSpd : 0|16@1+ (0.1,0) [0|0] "mph" N',
      '',
      { quantity: 'speedKph', factor: 0.1609344 },
    ],
    [
      'in degrees Fahrenheit',
      'EngCoolantTemp : 0|9@1+ (1,-40) [0|0] "degF" N',
      '',
      { factor: 0.555555555556, offset: -40 },
    ],
    [
      'with a code at its upper end',
      'BattVolt : 0|10@1+ (0.1,0) [0|20] "V" N',
      'VAL_ 100 BattVolt 1023 "SNA" 1022 "Error" ;',
      { unavailable: 1023, failure: 1022 },
    ],
    [
      'without a code in its middle',
      'BattVolt : 0|10@1+ (0.1,0) [0|20] "V" N',
      'VAL_ 100 BattVolt 5 "SNA" ;',
      { unavailable: undefined },
    ],
    [
      'turned round by its labels',
      'Ignition : 0|2@1+ (1,0) [0|0] "" N',
      'VAL_ 100 Ignition 0 "On" 1 "Off" 3 "not available" ;',
      { inverted: true, unavailable: 3 },
    ],
    [
      'turned round by its name',
      'SEATBELT_DRIVER_UNLATCHED : 0|1@1+ (1,0) [0|0] "" N',
      '',
      { quantity: 'beltFrontLeft', inverted: true },
    ],
    [
      'with words',
      'PRNDL : 0|3@1+ (1,0) [0|0] "" N',
      'VAL_ 100 PRNDL 1 "Gear_P" 2 "Reverse" 7 "invalid" ;',
      { words: { 1: 'PARK', 2: 'REVERSE' }, unavailable: 7 },
    ],
  ])('%s', (_, line, after, expected) => {
    expect(fateOf(line, after)).toMatchObject(expected);
  });

  test.each([
    ['its unit is not given', 'VehSpd : 0|16@1+ (0.1,0) [0|0] "" N', ''],
    ['its unit "bar" is none of speedKph', 'VehSpd : 0|16@1+ (0.1,0) [0|0] "bar" N', ''],
    ['its factor -0.1 is below 0', 'VehSpd : 0|16@1+ (-0.1,0) [0|0] "km/h" N', ''],
    ['the range of speedKph does not fit', 'VehSpd : 0|7@1+ (1,0) [0|0] "km/h" N', ''],
    ['a signal cannot have 33 bits', 'VehSpd : 0|33@1+ (1,0) [0|0] "km/h" N', ''],
    [
      'its value table does not say which of 0 and 1 is yes',
      'Ignition : 0|2@1+ (1,0) [0|0] "" N',
      'VAL_ 100 Ignition 0 "Left" 1 "Right" ;',
    ],
    ['it has 4 bits and no value table', 'Ignition : 0|4@1+ (1,0) [0|0] "" N', ''],
    ['its value table has none of its words', 'Gear : 0|4@1+ (1,0) [0|0] "" N', ''],
    ['a switch is not signed', 'Ignition : 0|2@1- (1,0) [0|0] "" N', ''],
  ])('not, since %s', (reason, line, after) => {
    expect(fateOf(line, after)).toContain(reason);
  });

  test('not where its name says that it is about something else', () => {
    for (const name of ['WheelSpeedFL', 'TargetSpeed', 'Speed_Request', 'IgnitionOff', 'DriverDoorOpen'])
      expect(fateOf(`${name} : 0|16@1+ (0.1,0) [0|0] "km/h" N`)).toBe('no property has such a name');
  });

  test('first of all what tells of speed and charge, where there are more frames than a box has room for', () => {
    const lamps = [
      'AbsWarning',
      'EspWarning',
      'EpcWarning',
      'BrakeFluidLow',
      'OilPressureWarning',
      'FuelLowWarning',
      'TyrePressureWarning',
    ];
    const frames = lamps.map(
      (name, index) => `BO_ ${index} F${index}: 8 N\n SG_ ${name} : 0|1@1+ (1,0) [0|1] "" N`,
    );
    const others =
      'BO_ 90 X: 8 N\n SG_ Speed : 0|16@1+ (0.1,0) [0|0] "km/h" N\nBO_ 91 Y: 8 N\n SG_ UI_SOC : 0|10@1+ (0.1,0) [0|0] "%" N';
    const { matches } = proposeModel(readDbc(`${frames.join('\n')}\n${others}`).database, 'lamps', 0);
    expect(matches.map(({ row }) => row.quantity).slice(0, 2)).toEqual(['speedKph', 'energyPercent']);
    expect(matches.length).toBe(8);
  });

  test('not where frames of 11 and of 29 bits have one identifier, which no box tells apart', () => {
    const signal = 'Speed : 0|16@1+ (0.01,0) [0|300] "km/h" Node';
    const twin = `BO_ 256 One: 8 Node\n SG_ Vehicle${signal}\nBO_ 2147483904 Other: 4 Node\n SG_ Ground${signal}`;
    const { matches, unmatched } = proposeModel(readDbc(twin).database, 'twins', 0);
    expect(matches).toEqual([]);
    expect(unmatched.map(({ reason }) => reason)).toEqual([
      'like speedKph, but its identifier is also that of Other, and a box tells frames apart by nothing else',
      'like speedKph, but its identifier is also that of One, and a box tells frames apart by nothing else',
    ]);
  });

  test('only as long as a box has frames for it', () => {
    const names = [
      'VehSpd',
      'EngRPM',
      'Odometer',
      'BattVolt',
      'FuelLevel',
      'Range',
      'CoolantTemp',
      'FuelLvl',
      'DefLevel',
    ];
    const units = ['km/h', 'rpm', 'km', 'V', '%', 'km', '°C', 'l', '%'];
    const text = names.map(
      (name, index) =>
        `BO_ ${index} F${index}: 8 N\n SG_ ${name} : 0|32@1+ (1,-40) [0|50] "${units[index]}" N`,
    );
    const proposal = proposeModel(readDbc(text.join('\n')).database, 'many', 0);
    expect(proposal.model.frames.length).toBe(8);
    expect(proposal.unmatched.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('a box holds 8 frames'),
    ]);
  });
});

test('names are taken apart as DBC files write them', () => {
  expect(wordsOf('VehSpd_FL')).toEqual(['vehicle', 'speed', 'frontleft']);
  expect(wordsOf('HVBattSOC')).toEqual(['traction', 'battery', 'soc']);
  expect(wordsOf('KL15_Sts')).toEqual(['terminal', '15']);
});

test.each([
  ['Not locked', 'no'],
  ['Locked', 'yes'],
  ['Unlocked', 'no'],
  ['No', 'no'],
  ['Not Available', 'unavailable'],
  ['No fault', undefined],
  ['Blue', undefined],
])('the label %j of a lock means %s', (label, meaning) => {
  expect(meaningOf(label, { yes: 'lock locked', no: 'unlock unlocked' })).toBe(meaning);
});
