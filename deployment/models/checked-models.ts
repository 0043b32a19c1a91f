import { faultsOfModels } from '../../backend/vehicles/check-models.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { CommandError } from '../shared/command-error.ts';
import { limits } from '../shared/limits.ts';

/** Refuses to start with a vehicle model that would report wrong values; throws a Failure that says which and why. */
export function refuseFaultyModels(models?: Iterable<VehicleModel>): void {
  const faults = faultsOfModels(models);
  if (faults.length === 0) return;
  const shown = faults.slice(0, limits.shownModelFaults).map((fault) => `  ${fault}`);
  const more = faults.length - shown.length;
  throw new CommandError(
    [
      'A vehicle model cannot be used:',
      ...shown,
      ...(more > 0 ? [`  and ${more} more`] : []),
      'Mend its rows (docs/vehicle-models.md says how they are written) and start again.',
    ].join('\n'),
  );
}
