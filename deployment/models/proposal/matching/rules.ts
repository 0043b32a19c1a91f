import type { Quantity } from '../../../../protocol/models/quantities.ts';

/** How signals of a DBC file are recognised as one quantity. */
export interface MatchRule {
  readonly quantity: Quantity;
  /** Alternative names: the words that a name must contain, in any order. */
  readonly names: readonly string[];
  /** Words that show that it means something else. */
  readonly not?: string;
  /** Words that show so in the name of its message. */
  readonly notAround?: string;
  /** Of a measure: its units in lower case, and the factor of each to that of the quantity. */
  readonly units?: Readonly<Record<string, UnitScale>>;
  /** Of a measure: a signal whose range exceeds it means something else. In units of the quantity. */
  readonly most?: number;
  /** Of a switch: labels that mean true and false, in addition to the general ones. */
  readonly yes?: string;
  readonly no?: string;
  /** Of a choice: its word for each label. */
  readonly words?: Readonly<Record<string, string>>;
}

/** quantity = signal × factor + offset */
export type UnitScale = number | { readonly factor: number; readonly offset: number };

const MILE_KM = 1.609_344;
const SPEED = {
  'km/h': 1,
  kmh: 1,
  kph: 1,
  kmph: 1,
  'kilometer/hour': 1,
  mph: MILE_KM,
  'mi/h': MILE_KM,
  'm/s': 3.6,
};
const LENGTH = { km: 1, kilometer: 1, kilometers: 1, m: 0.001, mi: MILE_KM, mile: MILE_KM, miles: MILE_KM };
const FAHRENHEIT = { factor: 5 / 9, offset: -160 / 9 };
const KELVIN = { factor: 1, offset: -273.15 };
const TEMPERATURE = {
  '°c': 1,
  c: 1,
  degc: 1,
  'deg c': 1,
  celsius: 1,
  deg_c: 1,
  'degree celsius': 1,
  '°f': FAHRENHEIT,
  f: FAHRENHEIT,
  degf: FAHRENHEIT,
  'deg f': FAHRENHEIT,
  k: KELVIN,
};
const PERCENT = { '%': 1, percent: 1, pct: 1, '% soc': 1 };
const LITRES = { l: 1, ltr: 1, litre: 1, liter: 1, litres: 1, liters: 1, ml: 0.001, gal: 3.785_411_784 };

const LID = { yes: 'open opened ajar', no: 'close closed shut' };

/**
 * Words that show that a signal is not the state of the vehicle, unless a rule looks for a name with that word. They
 * are written as by `wordsOf`: each line says what the signal is instead.
 */
export const NEVER = [
  // A request or a setting.
  'request requested req rq rqst cmd command anforderung target desired demand recommended planned scheduled setting release close',
  // A bound.
  'max min limit upper lower highest lowest top cutoff redline governor hysteresis tolerance reserve',
  // A fault, or a warning of something else.
  'failure fehler warning alarm reminder overheat invalid implausible malfunction jammed stuck short lost timeout undervoltage overvoltage spannung klein',
  // A negation.
  'no not off disabled disable inhibited inhibit prevented blocked suppressed stopped stop paused interrupted interrupt denied rejected prohibited cancelled aborted abort lockout',
  // Possibilities, the past and the future.
  'finished finish complete completed incomplete done ended allowed permitted permission permit enabled enable possible available unavailable ready',
  // Another value of the same quantity.
  'average mean reference default nominal offset gradient deviation delta destination arrival history',
  // Metadata of the signal.
  'plausibility quality checksum counter count crc valid validity',
].join(' ');

/** The order in which they are tried if one signal matches several: the first one wins. */
export const MATCH_RULES: readonly MatchRule[] = [
  {
    quantity: 'speedKph',
    names: [
      'wheel based vehicle speed',
      'vehicle speed',
      'speedometer',
      'vehiclespeed',
      'vspeed',
      'car speed',
      'speed',
    ],
    not: 'wheel engine motor fan wind limit set target cruise turbine shaft rotor pump input output gear lever frontleft frontright rl rr rear front angular yaw wiper relative lead object limiter max min request traction sign lateral vertical gps warning overspeed',
    units: SPEED,
  },
  {
    quantity: 'engineRpm',
    names: ['engine speed', 'engine rpm', 'enginespeed', 'rpm'],
    not: 'target idle desired set limit max min request turbine motor pump fan turbo input output wheel',
    units: { rpm: 1, '1/min': 1, 'u/min': 1, 'rev/min': 1, 'r/min': 1, 'min-1': 1, upm: 1, 'rot/min': 1 },
  },
  {
    quantity: 'coolantTemperatureC',
    names: ['coolant temperature', 'engine temperature', 'coolant'],
    not: 'oil inlet outlet battery traction motor inverter charge ambient intake air target set radiator level low',
    units: TEMPERATURE,
  },
  {
    quantity: 'mileageKm',
    names: ['odometer', 'mileage', 'total distance', 'total vehicle distance'],
    not: 'trip fuel average remaining service oil since',
    units: LENGTH,
  },
  {
    quantity: 'onboardVolts',
    names: ['battery voltage', 'supply voltage', 'system voltage', 'lowvoltage battery', 'board voltage'],
    not: 'traction high cell pack module drive charge dc ac min max target set hybrid throttle sensor',
    notAround: 'traction',
    // Onboard networks of cars, buses and lorries have 12, 24 or 48 V; traction batteries more.
    most: 60,
    units: { v: 1, volt: 1, volts: 1, mv: 0.001 },
  },
  {
    quantity: 'energyPercent',
    names: ['fuel level', 'soc', 'battery soc', 'fuel percent', 'charge level'],
    not: 'low high warning max min target set limit error cell adblue starter avg trip temperature fill range lowvoltage',
    units: PERCENT,
  },
  {
    quantity: 'fuelLitres',
    names: ['fuel level', 'fuel'],
    not: 'low warning rate consumption consumed used pressure rail economy temperature adblue flow injection average trip',
    units: LITRES,
  },
  {
    quantity: 'rangeKm',
    names: ['remaining range', 'distance to empty', 'driving range', 'range', 'dte'],
    not: 'gear temperature sensor radar service oil object max',
    units: LENGTH,
  },
  {
    quantity: 'adbluePercent',
    names: ['adblue level', 'adblue'],
    not: 'low warning range quality',
    units: PERCENT,
  },
  {
    quantity: 'adblueLitres',
    names: ['adblue level', 'adblue'],
    not: 'low warning range rate',
    units: LITRES,
  },
  {
    quantity: 'serviceDueKm',
    names: ['service distance', 'distance to service', 'service remaining'],
    not: 'oil brake',
    units: LENGTH,
  },
  {
    quantity: 'oilDueKm',
    names: ['oil distance', 'oil remaining', 'distance oil'],
    not: 'life temperature',
    units: LENGTH,
  },
  {
    quantity: 'chargingMinutesLeft',
    names: ['charging time remaining', 'charge time remaining', 'time to full', 'remaining charge time'],
    units: { min: 1, minute: 1, minutes: 1, h: 60, hour: 60, hours: 60 },
  },
  {
    quantity: 'gear',
    names: ['gear'],
    not: 'target engaged desired ratio up down reduction request next current actual display paddle sport lock',
    words: {
      p: 'PARK',
      park: 'PARK',
      parking: 'PARK',
      r: 'REVERSE',
      reverse: 'REVERSE',
      n: 'NEUTRAL',
      neutral: 'NEUTRAL',
      d: 'DRIVE',
      drive: 'DRIVE',
      s: 'SPORT',
      sport: 'SPORT',
    },
  },
  {
    quantity: 'ignitionOn',
    names: ['ignition', 'terminal 15', 'ignition on', 'ignition run', 'key on'],
    not: 'timing coil angle advance cut request lock pump acc accessory',
    yes: 'run ignition',
    no: 'acc accessory lock',
  },
  {
    quantity: 'anyDoorOpen',
    names: ['any door open', 'any door', 'door ajar', 'door open', 'door', 'all door closed'],
    not: 'level glove glovebox trailer all frontleft frontright rl rr front rear left right driver passenger trunk hood lock unlock light courtesy window fuel tailgate charge handle button warning mirror back tgate tailgate liftgate',
    ...LID,
  },
  {
    quantity: 'locked',
    names: ['central lock', 'door lock', 'vehicle lock', 'centrallock'],
    not: 'level glove glovebox trailer actuator pulse connector plug socket inlet cable charge charging port child steering wheel differential seat belt gear column request button front rear frontleft frontright rl rr driver passenger left right trunk fuel diff torque unlock feedback light tgate',
    yes: 'lock locked secured',
    no: 'unlock unlocked open opened released',
  },
  {
    quantity: 'windowsOpen',
    names: ['window open', 'any window'],
    not: 'front rear left right driver passenger frontleft frontright',
    ...LID,
  },
  { quantity: 'sunroofOpen', names: ['sunroof open', 'sunroof'], not: 'request button', ...LID },
  { quantity: 'convertibleTopOpen', names: ['convertible top', 'soft top'], not: 'request button', ...LID },
  {
    quantity: 'keyPresent',
    names: ['key present', 'key in', 'key inserted'],
    not: 'warning',
    yes: 'present inserted in',
    no: 'absent removed out',
  },
  {
    quantity: 'parkingBrakeEngaged',
    names: ['park brake', 'parkbrake', 'handbrake', 'epb'],
    not: 'warning failure force button current fluid chime light lamp wear lining',
    yes: 'applied engaged',
    no: 'released disengaged',
  },
  {
    quantity: 'beltFrontLeft',
    names: ['belt frontleft', 'belt front left', 'belt driver'],
    not: 'warning force tension lamp height',
    yes: 'latched fastened buckled closed',
    no: 'unlatched unfastened unbuckled open',
  },
  {
    quantity: 'beltFrontRight',
    names: ['belt frontright', 'belt front right', 'belt passenger'],
    not: 'warning force tension lamp rear height',
    yes: 'latched fastened buckled closed',
    no: 'unlatched unfastened unbuckled open',
  },
  {
    quantity: 'headlightsOn',
    names: ['headlight', 'low beam', 'dipped beam'],
    not: 'high auto level washer failure flash assist switch warning',
  },
  {
    quantity: 'charging',
    names: ['charging', 'charging active'],
    not: 'lock time power current voltage limit request port cable adapter rate max available target failure',
  },
  {
    quantity: 'chargingAdapterConnected',
    names: ['charge cable', 'charging cable', 'plug connected', 'charge plug', 'charging plug'],
    not: 'lock temperature request current',
    yes: 'connected plugged',
    no: 'disconnected unplugged',
  },
  {
    quantity: 'energyLow',
    names: ['fuel low', 'low fuel', 'fuel low warning', 'low fuel warning', 'low charge warning'],
  },
  {
    quantity: 'adblueLow',
    names: ['adblue low', 'adblue warning', 'adblue low warning', 'adblue level low warning'],
  },
  { quantity: 'absWarning', names: ['abs warning', 'abs failure'], not: 'brake esp' },
  { quantity: 'espWarning', names: ['esp warning', 'esp failure'], not: 'brake abs steering' },
  { quantity: 'epcWarning', names: ['epc warning'] },
  {
    quantity: 'brakeFluidLow',
    names: ['brake fluid', 'brake fluid low', 'brake fluid warning', 'brake fluid low warning'],
    not: 'pressure temperature',
  },
  {
    quantity: 'brakeLiningWorn',
    names: ['brake lining', 'brake wear', 'brake lining warning', 'brake wear warning'],
  },
  {
    quantity: 'brakeWarning',
    names: ['brake warning'],
    not: 'park abs esp lining fluid collision lamp light',
  },
  {
    quantity: 'checkEngine',
    names: ['check engine', 'mil', 'engine malfunction', 'malfunction warning'],
    not: 'abs',
  },
  {
    quantity: 'coolantLow',
    names: [
      'coolant low',
      'coolant level low',
      'coolant level warning',
      'coolant low warning',
      'coolant level low warning',
    ],
  },
  {
    quantity: 'coolantHot',
    names: ['coolant warning', 'coolant hot', 'coolant temperature warning', 'overheat warning'],
    not: 'low level oil steering brake battery motor inverter charge charging traction transmission clutch',
  },
  {
    quantity: 'oilPressureLow',
    names: ['oil pressure low', 'oil pressure warning', 'oil pressure low warning'],
  },
  {
    quantity: 'powerSteeringFailed',
    names: ['steering failure', 'steering warning', 'power steering warning'],
    not: 'lane wheel angle hands lock',
  },
  {
    quantity: 'starterBatteryWarning',
    names: ['battery warning', 'charge warning', 'alternator warning'],
    not: 'traction high key hybrid',
  },
  {
    quantity: 'tirePressureWarning',
    names: ['tire pressure warning', 'tirepressure warning', 'tire warning'],
    not: 'frontleft frontright rl rr left right',
  },
  {
    quantity: 'washerFluidLow',
    names: ['washer fluid', 'washer low', 'washer level', 'washer fluid low warning', 'washer fluid warning'],
  },
];

/** Words of labels that mean true or false of every switch, no value, or a failed sensor. */
export const LABELS = {
  yes: 'yes on active activated true enabled engaged set warning lit illuminated low high',
  no: 'no off inactive deactivated false disabled disengaged clear normal ok none unlit',
  unavailable:
    'sna unavailable notavailable invalid undefined unknown init initializing reserved nosignal na',
  failure: 'error failure failed fault faulty defect defective malfunction',
} as const;
