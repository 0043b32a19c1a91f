import { knownModelNames } from '../../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../../protocol/models/maker-models.ts';
import { ROUTE_TABLES } from '../../../simulator/routes/routes.ts';
import type { FleetGroup, Scenario } from '../document/scenario.ts';

/** The names of all models of vehicles, with a box or with their maker's telematics. */
export function everyModel(): readonly string[] {
  return [...knownModelNames(), ...MAKER_MODELS.keys()];
}

/** The possible models of a fleet's vehicles: those that its groups name, and all where one names none. */
export function modelsOf(fleet: readonly FleetGroup[]): readonly string[] {
  const possible = fleet.flatMap(({ model, maker }) =>
    model !== undefined ? [model] : maker === undefined ? knownModelNames() : [...MAKER_MODELS.keys()],
  );
  return everyModel().filter((name) => possible.includes(name));
}

/** The models that the service can assume for a vehicle: an onboarding request may name any model. */
export function modelsInService({ fleet, steps }: Scenario): readonly string[] {
  const canOnboard = steps.some(
    ({ does }) =>
      does?.kind === 'call' && does.call.name === 'request' && does.call.settings.method === 'POST',
  );
  return canOnboard ? everyModel() : modelsOf(fleet);
}

/** The possible routes of a vehicle: the built-in ones, and the recorded drives of the fleet. */
export function routesOf(fleet: readonly FleetGroup[]): readonly string[] {
  const recorded = fleet.flatMap(({ recordedDrive }) => (recordedDrive === undefined ? [] : [recordedDrive]));
  return [...new Set([...ROUTE_TABLES.map(({ name }) => name), ...recorded])];
}

/** The firmware that steps install or offer, which need not be a released one: `["9.99"]`. */
export function firmwareInSteps({ steps }: Scenario): readonly string[] {
  return steps.flatMap(({ does }) => {
    if (does?.kind !== 'vehicle' || (does.act.name !== 'firmware' && does.act.name !== 'update')) return [];
    const { version } = does.act.settings as { readonly version: string };
    return [version.split('.').map(Number).join('.')];
  });
}
