import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { proposeModel } from '../../../../../deployment/models/proposal/propose-model.ts';
import { decodeDbc, readDbc } from '../../../../../protocol/dbc/read-dbc.ts';

const FOLDER = join(import.meta.dirname, '../../../../vectors/dbc');

/** What becomes of a file: the problems of reading it, and the quantity of each signal that is matched. */
function outcomeOf(file: string) {
  const { database, problems } = readDbc(decodeDbc(readFileSync(join(FOLDER, file))));
  const { matches } = proposeModel(database, 'one', 0);
  return {
    problems: problems.map(({ message }) => message),
    signals: database.messages.flatMap(({ signals }) => signals.map(({ name }) => name)),
    matched: Object.fromEntries(matches.map(({ signal, row }) => [signal.name, row.quantity])),
    inverted: matches.filter(({ row }) => row.inverted === true).map(({ signal }) => signal.name),
  };
}

const PLAIN = { VehicleSpeed: 'speedKph', FuelLvl: 'energyPercent' };

describe('a DBC file as it is found in the wild:', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['dbc-plain.dbc', PLAIN],
    ['dbc-utf16.dbc', PLAIN],
    ['dbc-trailing-backslash.dbc', PLAIN],
    ['dbc-long-name-matters.dbc', { DrvTrn_Pwr_Ctl_Unit_Sig_0001: 'speedKph' }],
    [
      'dbc-j1939-names.dbc',
      {
        WheelBasedVehicleSpeed: 'speedKph',
        EngineSpeed: 'engineRpm',
        EngineCoolantTemperature: 'coolantTemperatureC',
        TotalVehicleDistance: 'mileageKm',
        AftertreatmentDEFTankLevel: 'adbluePercent',
        ParkingBrakeSwitch: 'parkingBrakeEngaged',
      },
    ],
  ])('%s', (file, matched) => {
    expect(outcomeOf(file)).toMatchObject({ problems: [], matched });
    expect(Object.keys(outcomeOf(file).matched)).toHaveLength(Object.keys(matched).length);
  });
});

describe('a signal that is not the thing itself is not matched as it:', () => {
  const files = readdirSync(join(FOLDER, 'names'));

  test('there are files of them', () => {
    expect(files).toHaveLength(14);
  });

  test.each(files)('%s', (file) => {
    const { problems, signals, matched, inverted } = outcomeOf(join('names', file));
    expect([problems, signals]).toEqual([[], [file.replace('.dbc', '')]]);
    // A denial may be matched where it is turned round: all doors closed is no door open.
    for (const name of Object.keys(matched)) expect(inverted).toContain(name);
  });

  const fate = (name: string, rest: string, values = '') =>
    proposeModel(
      readDbc(`BO_ 100 Frame: 8 Node\n SG_ ${name} : ${rest}\n${values}`).database,
      'one',
      0,
    ).matches.map(({ row: { quantity, inverted } }) => (inverted === true ? `not ${quantity}` : quantity));
  const BIT = '0|1@1+ (1,0) [0|1] "" A';
  const PERCENT = '0|8@1+ (1,0) [0|100] "%" A';

  test.each([
    ['ChargingInhibited', BIT],
    ['ChargingFinished', BIT],
    ['ChargingComplete', BIT],
    ['ChargingAllowed', BIT],
    ['IgnitionInvalid', BIT],
    ['ParkBrakeError', BIT],
    ['DoorUnlocked', BIT],
    ['DoorOpenFault', BIT],
    ['BrakeOverheatWarning', BIT],
    ['PlugLock', BIT],
    ['ChargePortDoorLock', BIT],
    ['SOCLimit', PERCENT],
    ['SOC_Lmt', PERCENT],
    ['StateOfChargeTarget', PERCENT],
    ['FuelLevelMin', PERCENT],
    ['MaxFuelLevel', PERCENT],
    ['SupplyVoltage', '0|16@1+ (0.1,0) [0|800] "V" A'],
    ['BatteryVoltage', '0|16@1+ (1,0) [0|65000] "mV" A'],
  ])('%s, of the same kind', (name, rest) => {
    expect(fate(name, rest)).toEqual([]);
  });

  test.each([
    ['AllDoorsClosed', BIT, '', ['not anyDoorOpen']],
    ['AnyDoorClosed', BIT, '', ['not anyDoorOpen']],
    ['AllDoorsClosed', BIT, 'VAL_ 100 AllDoorsClosed 0 "No" 1 "Yes" ;', ['not anyDoorOpen']],
    ['AllDoorsClosed', BIT, 'VAL_ 100 AllDoorsClosed 0 "Open" 1 "Closed" ;', ['not anyDoorOpen']],
    ['AnyDoorOpen', BIT, 'VAL_ 100 AnyDoorOpen 0 "No" 1 "Yes" ;', ['anyDoorOpen']],
    ['CoolantOverheatWarning', BIT, '', ['coolantHot']],
    ['BrakeFluidLowWarning', BIT, '', ['brakeFluidLow']],
    ['ABS_Fault', BIT, '', ['absWarning']],
    ['SteeringFailure', BIT, '', ['powerSteeringFailed']],
    ['BatteryVoltage', '0|8@1+ (0.1,0) [0|25.5] "V" A', '', ['onboardVolts']],
    ['SupplyVoltage', '0|16@1+ (1,0) [0|36000] "mV" A', '', ['onboardVolts']],
    ['DoorLock', BIT, '', ['locked']],
  ])('while %s is', (name, rest, values, expected) => {
    expect(fate(name, rest, values)).toEqual(expected);
  });
});
