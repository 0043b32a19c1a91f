import { clamp } from '../../arithmetic.ts';
import { limits } from '../limits.ts';

/** A drive battery in its port. */
export interface DriveBattery {
  /** Its charge when the set of batteries last changed; undefined: the port is empty. */
  readonly kwh: number | undefined;
  /** How many batteries this port had before. */
  readonly swaps: number;
}

/** The reading of one port; undefined if it is empty. */
export interface PortReading {
  readonly percent: number;
  readonly cycles: number;
  readonly volts: number;
  readonly serial: number;
}

/** Voltage of an empty and a full battery: of a portable one (13 cells), and of a car's pack (96). */
interface PackVolts {
  readonly emptyVolts: number;
  readonly fullVolts: number;
}
const CARRIED_PACK: PackVolts = { emptyVolts: 43, fullVolts: 54.6 };
export const CAR_PACK: PackVolts = { emptyVolts: 288, fullVolts: 403.2 };
const MOST_CYCLES = 900;
/** Odd, so that different counts give different numbers (Knuth's multiplicative hash). */
const HASH = 2_654_435_761;

/**
 * How the total charge is shared between the ports, in kilowatt-hours. The fuller battery discharges to the
 * level of the other first, then both equally; 0 for an empty port.
 */
export function sharesOf(
  batteries: readonly DriveBattery[],
  totalKwh: number,
  capacityKwh: number,
): readonly number[] {
  const held = batteries.filter(({ kwh }) => kwh !== undefined);
  const most = capacityKwh / batteries.length;
  if (held.length < 2) return batteries.map(({ kwh }) => (kwh === undefined ? 0 : clamp(totalKwh, 0, most)));
  const [one = 0, other = 0] = batteries.map(({ kwh }) => kwh ?? 0);
  // The fuller one holds at most its capacity, so the other one holds the rest.
  const lower = Math.max(Math.min(Math.min(one, other), totalKwh / 2), totalKwh - most);
  return one <= other ? [lower, totalKwh - lower] : [totalKwh - lower, lower];
}

/**
 * The reading of a port. `firstSerial`: of the vehicle; `fillings`: how often all were swapped on the way.
 */
export function portReading(
  battery: DriveBattery | undefined,
  port: number,
  kwh: number,
  {
    most,
    firstSerial,
    fillings,
    emptyVolts = CARRIED_PACK.emptyVolts,
    fullVolts = CARRIED_PACK.fullVolts,
  }: {
    readonly most: number;
    readonly firstSerial: number;
    readonly fillings: number;
  } & Partial<PackVolts>,
): PortReading | undefined {
  if (battery?.kwh === undefined) return undefined;
  const count = (battery.swaps + fillings) * 2 + port;
  const serial = Number((BigInt(firstSerial) + BigInt(count) * BigInt(HASH)) % 0xffff_fffen);
  const share = clamp(kwh / most, 0, 1);
  return {
    percent: share * 100,
    cycles: serial % MOST_CYCLES,
    volts: emptyVolts + (fullVolts - emptyVolts) * share,
    serial,
  };
}

/**
 * How much warmer than the drive a battery in that port is, in °C. The second port lies above the motor, and a battery with
 * more cycles has more resistance; so two never have one temperature.
 */
export function warmthC(port: number, { cycles }: Pick<PortReading, 'cycles'>): number {
  return port * limits.portWarmthC + (cycles / MOST_CYCLES) * limits.agedWarmthC;
}
