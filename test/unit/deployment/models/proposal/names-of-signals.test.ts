import { describe, expect, test } from 'vitest';
import { proposeModel } from '../../../../../deployment/models/proposal/propose-model.ts';
import { readDbc } from '../../../../../protocol/dbc/read-dbc.ts';

const BIT = '0|1@1+ (1,0) [0|1] "" A';
const PERCENT = '0|8@1+ (1,0) [0|100] "%" A';
const SPEED = '0|16@1+ (0.01,0) [0|300] "km/h" A';
const TURNS = '0|16@1+ (1,0) [0|8000] "rpm" A';
const KILOMETRES = '0|32@1+ (1,0) [0|1000000] "km" A';

/** The quantity of a signal of that name, `not` before it where it is inverted; undefined: it is not matched. */
function fateOf(name: string, rest: string, labels = ''): string | undefined {
  const { database, problems } = readDbc(
    `BO_ 100 Frame: 8 Node\n SG_ ${name} : ${rest}\nVAL_ 100 ${name} ${labels} ;\n`,
  );
  expect(problems).toEqual([]);
  const [match] = proposeModel(database, 'one', 0).matches;
  return match?.row.inverted === true ? `not ${match.row.quantity}` : match?.row.quantity;
}

/** Names of the thing itself, each with a signal of its kind. */
const NOUNS: readonly (readonly [name: string, rest: string, quantity: string])[] = [
  ['VehicleSpeed', SPEED, 'speedKph'],
  ['VehSpd', SPEED, 'speedKph'],
  ['Speed', SPEED, 'speedKph'],
  ['EngineSpeed', TURNS, 'engineRpm'],
  ['CoolantTemp', '0|8@1+ (1,-40) [-40|200] "degC" A', 'coolantTemperatureC'],
  ['Odometer', KILOMETRES, 'mileageKm'],
  ['BatteryVoltage', '0|16@1+ (0.001,0) [0|20] "V" A', 'onboardVolts'],
  ['StateOfCharge', PERCENT, 'energyPercent'],
  ['SOC', PERCENT, 'energyPercent'],
  ['FuelLevel', PERCENT, 'energyPercent'],
  ['RemainingRange', KILOMETRES, 'rangeKm'],
  ['Ignition', BIT, 'ignitionOn'],
  ['DoorOpen', BIT, 'anyDoorOpen'],
  ['DoorLock', BIT, 'locked'],
  ['WindowOpen', BIT, 'windowsOpen'],
  ['SunroofOpen', BIT, 'sunroofOpen'],
  ['KeyPresent', BIT, 'keyPresent'],
  ['ParkBrake', BIT, 'parkingBrakeEngaged'],
  ['SeatBeltDriver', BIT, 'beltFrontLeft'],
  ['Headlight', BIT, 'headlightsOn'],
  ['Charging', BIT, 'charging'],
];

/** Words after or before which a name is not that of the thing itself, by what they say. */
const QUALIFIERS = {
  'a wish':
    'Request Req Cmd Command Target Tgt Desired Demand Setpoint Sp Recommended Planned Scheduled Setting',
  'a bound':
    'Max Maximum Maximal Min Minimum Minimal Limit Lim Lmt Threshold Threshhold Thresh Thrsh Thres Thd Upper Lower Highest Lowest Cutoff Redline Governor Hysteresis Tolerance Top Reserve',
  'a fault':
    'Fault Flt Error Err Fail Failed Failure Defect Broken Invalid Implausible Malfunction Jammed Stuck Short Lost Timeout Undervoltage Overvoltage Alarm',
  'a denial':
    'No Not Off Disabled Disable Disbl Inhibited Inhibit Inhib Inh Prevented Blocked Suppressed Stopped Stop Paused Interrupted Denied Abort Aborted Incomplete Lockout Cancelled Rejected Prohibited',
  'a permission':
    'Allowed Permitted Permission Permit Enabled Enable Possible Available Unavailable Ready Release Valid Validity',
  'another value':
    'Average Avg Mean Reference Ref Default Dflt Nominal Offset Gradient Deviation Delta Destination Arrival History Reminder',
  'the signal itself': 'Checksum Crc Counter Count Plausibility Quality QF',
} as const;

describe('the name of a thing', () => {
  test.each(NOUNS)('%s is matched', (name, rest, quantity) => {
    expect(fateOf(name, rest)).toBe(quantity);
    expect(fateOf(`${name}Status`, rest)).toBe(quantity);
  });

  describe.each(Object.entries(QUALIFIERS))('with a word that makes it %s', (_, words) => {
    test.each(words.split(' '))('(%s) is not matched', (word) => {
      const names = NOUNS.flatMap(([noun, rest]) =>
        [`${noun}${word}`, `${noun}_${word}`, `${word}${noun}`, `${noun}${word}Status`].map(
          (name) => [name, rest] as const,
        ),
      );
      expect(names.filter(([name, rest]) => fateOf(name, rest) !== undefined)).toEqual([]);
    });
  });

  test.each([
    ['DoorClosed', 'not anyDoorOpen'],
    ['DoorsShut', 'not anyDoorOpen'],
    ['DoorCls', 'not anyDoorOpen'],
    ['DoorsClsd', 'not anyDoorOpen'],
    ['DoorLockOpen', 'not locked'],
    ['DoorLockReleased', 'not locked'],
    ['BeltDriverOpen', 'not beltFrontLeft'],
    ['DriverBeltUnlatched', 'not beltFrontLeft'],
    ['ParkBrakeReleased', 'not parkingBrakeEngaged'],
    ['PARKBRAKERELEASED', 'not parkingBrakeEngaged'],
    ['SunroofClosed', 'not sunroofOpen'],
  ])('with the opposite word, %s, is matched inverted: %s', (name, expected) => {
    expect(fateOf(name, BIT)).toBe(expected);
  });

  test.each([
    ...[
      'ParkBrakeReleaseSwitch',
      'SunroofClose',
      'WindowClose',
      'IgnitionAcc',
      'IgnitionAccessory',
      'IgnitionLock',
    ],
    ...[
      'GloveboxDoorLock',
      'GloveBoxDoorLock',
      'TankDoorLock',
      'TankDoorOpen',
      'TrailerDoorLock',
      'DoorLockActuator',
    ],
    ...[
      'DoorLockPulse',
      'DoorOpenSensorFail',
      'ChargingLocked',
      'DOORLOCKFAULT',
      'PARKBRAKEERROR',
      'NOTCHARGINGACTIVE',
    ],
  ])('of something else, %s, is not matched', (name) => {
    expect(fateOf(name, BIT)).toBeUndefined();
  });

  test.each([
    ['BeltDriver', '0 "Open" 1 "Closed"', 'beltFrontLeft'],
    ['BeltDriverOpen', '0 "Closed" 1 "Open"', 'not beltFrontLeft'],
    ['BeltDriverOpen', '0 "No" 1 "Yes"', 'not beltFrontLeft'],
    ['DoorLockOpen', '0 "No" 1 "Yes"', 'not locked'],
    ['DoorLockReleased', '0 "Locked" 1 "Released"', 'not locked'],
    ['DoorLock', '0 "Released" 1 "Locked"', 'locked'],
    ['DoorCls', '0 "No" 1 "Yes"', 'not anyDoorOpen'],
    ['Ignition', '0 "Lock" 1 "Run"', 'ignitionOn'],
    ['Ignition', '0 "Accessory" 1 "Run"', 'ignitionOn'],
  ])('%s with the labels %s is matched as %s', (name, labels, expected) => {
    expect(fateOf(name, BIT, labels)).toBe(expected);
  });

  test.each([
    ['VEHICLESPEEDMAX', SPEED],
    ['SOCHigh', PERCENT],
    ['EndOfCharge', PERCENT],
    ['DepthOfCharge', PERCENT],
  ])('of another number, %s, is not matched', (name, rest) => {
    expect(fateOf(name, rest)).toBeUndefined();
  });

  test.each([
    'State_Of_Charge',
    'STATE_OF_CHARGE',
    'BATTERYSTATEOFCHARGE',
    'BatteryStateOfCharge',
    'StOfChrg',
  ])('may write the state of charge as %s', (name) => {
    expect(fateOf(name, PERCENT)).toBe('energyPercent');
    expect(fateOf(`${name}_Target`, PERCENT)).toBeUndefined();
  });

  test.each<[string, string | undefined]>([
    ['16@1+ (0.1,0) [0|0] "V"', undefined],
    ['16@1+ (1,0) [0|0] "mV"', undefined],
    ['16@1- (0.001,0) [0|0] "V"', 'onboardVolts'],
    ['8@1+ (0.1,0) [0|0] "V"', 'onboardVolts'],
    ['16@1+ (0.1,0) [0|60] "V"', 'onboardVolts'],
  ])('of a voltage without a range, %s, is judged by what its bits can say: %s', (rest, expected) => {
    expect(fateOf('BatteryVoltage', `0|${rest} A`)).toBe(expected);
  });
});
