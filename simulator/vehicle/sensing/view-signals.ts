import type { GnssFix, Signals } from '../../../protocol/signals.ts';
import { sensorOf } from '../equipment/equipment-quantities.ts';
import { limits } from '../limits.ts';
import type { Tow } from '../surroundings/towing.ts';
import type { VehicleView } from '../vehicle-view.ts';
import { signalsBy } from './signals.ts';

/** Everything that can be read of a view, raw; `isWoken`: also where the control units of the drive would sleep. */
export function signalsOf(view: VehicleView, tow: Tow | undefined, isWoken = false): Signals {
  const { ignitionOn } = view.journey.switches;
  const hasBus = view.fault !== 'no-vehicle-bus';
  return {
    ...signalsBy(view.model, ignitionOn || isWoken, hasBus, sensorOf(view)),
    gnss: gnssOf(view, tow),
    modem: { csq: view.hasCoverage ? view.csq : 99, network: view.networks[0]?.code ?? 0 },
    power: powerOf(view),
  };
}

/** The reading of the GNSS receiver, while the vehicle drives or is towed. */
export function gnssOf(view: VehicleView, tow: Tow | undefined): GnssFix {
  return view.fixAt(Math.max(view.physicalState.speedMps, tow === undefined ? 0 : limits.towingMps));
}

/** The signals of the box's own power. */
export function powerOf(view: VehicleView): NonNullable<Signals['power']> {
  const { physicalState, supplyMillivolts } = view;
  const backupPercent = Math.floor(physicalState.backupPercent);
  const isFed = view.journey.segment.engine === 'running' && supplyMillivolts > limits.brownOutMillivolts;
  return {
    supplyMillivolts,
    backupMillivolts: limits.backupEmptyMillivolts + backupPercent * limits.backupMillivoltsPerPercent,
    backupPercent,
    backupCharging: isFed && backupPercent < 100,
  };
}
