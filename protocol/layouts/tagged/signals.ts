import { wireLimits } from '../../limits.ts';
import { blank, type CanFrame, type GnssFix, type Signals } from '../../signals.ts';
import {
  bytes,
  choice,
  list,
  optional,
  packed,
  risingList,
  signed,
  tag,
  tagged,
  unsigned,
} from '../fields.ts';
import { modem, power } from '../readings.ts';

/** Signals in generation 2: a tag for each source that has a value. */
const pid = unsigned(1);

const obdValue = packed<NonNullable<Signals['obd']>[number]>(
  {
    pid,
    data: bytes('counted', 1, 4),
  },
  blank.obdValue,
);

const canFrame = packed<CanFrame>(
  {
    bus: choice(0, 1),
    id: unsigned(4, { maximum: 0x1fff_ffff }),
    data: bytes('counted', 1, wireLimits.canDataBytes),
  },
  blank.canFrame,
);

const analogValue = packed<NonNullable<Signals['analog']>[number]>({
  port: unsigned(1, { maximum: wireLimits.analogPorts - 1 }),
  millivolts: unsigned(2, { unit: 'mV' }),
});

/** Degrees with seven decimals, hundredths of km/h, degrees and HDOP, decimetres. */
const gnss = packed<GnssFix>(
  {
    quality: choice(0, 1, 2, 6),
    latitude: signed(4, { minimum: -900_000_000, maximum: 900_000_000, divisor: 10_000_000, unit: '°' }),
    longitude: signed(4, { minimum: -1_800_000_000, maximum: 1_800_000_000, divisor: 10_000_000, unit: '°' }),
    altitudeM: signed(4, { minimum: -10_000, maximum: 200_000, divisor: 10, unit: 'm' }),
    speedKph: unsigned(3, { maximum: 200_000, divisor: 100, unit: 'km/h' }),
    headingDegrees: unsigned(2, { maximum: 35_999, wraps: true, divisor: 100, unit: '°' }),
    satellites: unsigned(1),
    hdop: unsigned(2, { maximum: 9999, divisor: 100 }),
  },
  blank.gnss,
);

export const taggedSignals = tagged<Signals>({
  obd: tag(0x10, optional(risingList('rest', wireLimits.obdValues, obdValue, 'pid', pid))),
  troubleCodes: tag(0x11, optional(list('rest', wireLimits.troubleCodes, unsigned(2)))),
  can: tag(0x12, optional(list('rest', wireLimits.canFrames, canFrame))),
  digital: tag(0x13, optional(unsigned(2))),
  analog: tag(0x14, optional(list('rest', wireLimits.analogPorts, analogValue))),
  gnss: tag(0x15, optional(gnss)),
  modem: tag(0x16, optional(modem)),
  power: tag(0x17, optional(power)),
});
