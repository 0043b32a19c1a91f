import { wireLimits } from '../../limits.ts';
import { blank, type CanFrame, type GnssFix, type Signals } from '../../signals.ts';
import { bitmap, bytes, choice, list, optional, packed, risingList, signed, unsigned } from '../fields.ts';
import { modem, power } from '../readings.ts';

/** Signals in generation 1: space for all possible values; validity bits show which are present. */
const pid = unsigned(1);

const obdSlot = packed<NonNullable<Signals['obd']>[number]>(
  {
    pid,
    data: bytes('slots', 1, 4),
  },
  blank.obdValue,
);

const canSlot = packed<CanFrame>(
  {
    bus: choice(0, 1),
    id: unsigned(4, { maximum: 0x1fff_ffff }),
    data: bytes('slots', 1, wireLimits.canDataBytes),
  },
  blank.canFrame,
);

const analogSlot = packed<NonNullable<Signals['analog']>[number]>({
  port: unsigned(1, { maximum: wireLimits.analogPorts - 1 }),
  millivolts: unsigned(2, { unit: 'mV' }),
});

/** NMEA's own units: minutes with four decimals, knots with one, whole metres. */
const gnss = packed<GnssFix>(
  {
    quality: choice(0, 1, 2, 6),
    latitude: signed(4, { minimum: -54_000_000, maximum: 54_000_000, divisor: 600_000, unit: '°' }),
    longitude: signed(4, { minimum: -108_000_000, maximum: 108_000_000, divisor: 600_000, unit: '°' }),
    altitudeM: signed(2, { minimum: -1000, maximum: 20_000, unit: 'm' }),
    // 0.1 knots; a knot is 1.852 km/h.
    speedKph: unsigned(2, { maximum: 9999, multiplier: 1852, divisor: 10_000, unit: 'km/h' }),
    headingDegrees: unsigned(2, { maximum: 359, wraps: true, unit: '°' }),
    satellites: unsigned(1),
    hdop: unsigned(2, { maximum: 999, divisor: 10 }),
  },
  blank.gnss,
);

export const fixedSignals = bitmap<Signals>({
  obd: optional(risingList('slots', wireLimits.obdValues, obdSlot, 'pid', pid)),
  troubleCodes: optional(list('slots', wireLimits.troubleCodes, unsigned(2))),
  can: optional(list('slots', wireLimits.canFrames, canSlot)),
  digital: optional(unsigned(2)),
  analog: optional(list('slots', wireLimits.analogPorts, analogSlot)),
  gnss: optional(gnss),
  modem: optional(modem),
  power: optional(power),
});
