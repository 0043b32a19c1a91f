import { knownModelNames } from '../../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../../protocol/models/maker-models.ts';
import { ROUTE_TABLES } from '../../../simulator/routes/routes.ts';
import type { FleetGroup, Scenario } from '../document/scenario.ts';

/** The names of all models of vehicles, with a box or with their maker's telematics. */
export function everyModel(): readonly string[] {
  return [...knownModelNames(), ...MAKER_MODELS.keys()];
}

/** Of which models the vehicles of a fleet can be: those that its groups name, and all where one names none. */
export function modelsOf(fleet: readonly FleetGroup[]): readonly string[] {
  const possible = fleet.flatMap(({ model, maker }) =>
    model !== undefined ? [model] : maker === undefined ? knownModelNames() : [...MAKER_MODELS.keys()],
  );
  return everyModel().filter((name) => possible.includes(name));
}

/** Of which models the service can believe a vehicle to be: a request may onboard one as any. */
export function modelsInService({ fleet, steps }: Scenario): readonly string[] {
  const canOnboard = steps.some(
    ({ does }) =>
      does?.kind === 'call' && does.call.name === 'request' && does.call.settings.method === 'POST',
  );
  return canOnboard ? everyModel() : modelsOf(fleet);
}

/** The routes on which a vehicle can be: those that are built in, and the recorded drives of the fleet. */
export function routesOf(fleet: readonly FleetGroup[]): readonly string[] {
  const recorded = fleet.flatMap(({ recordedDrive }) => (recordedDrive === undefined ? [] : [recordedDrive]));
  return [...new Set([...ROUTE_TABLES.map(({ name }) => name), ...recorded])];
}

/** The firmware that steps put into boxes or offer them, which need not be a released one: `["9.99"]`. */
export function firmwareInSteps({ steps }: Scenario): readonly string[] {
  return steps.flatMap(({ does }) => {
    if (does?.kind !== 'vehicle' || (does.act.name !== 'firmware' && does.act.name !== 'update')) return [];
    const { version } = does.act.settings as { readonly version: string };
    return [version.split('.').map(Number).join('.')];
  });
}
