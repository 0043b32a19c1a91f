import type { CandidateVehicle } from './cause.ts';
import type { CauseContext } from './cause-context.ts';

/** What replaces `{vehicle}`, `{box}` and so on in paths and bodies. */
export type PlaceholderValues = Readonly<Record<string, string>>;

/** An id that no job and no subscription has. */
const NO_ULID = '00000000000000000000000000';

/** The values of a vehicle in a scene. What a vehicle lacks is missing. */
export function valuesOf(context: CauseContext, vehicle: CandidateVehicle | undefined): PlaceholderValues {
  const [shelf, spare = shelf] = context.shelf;
  const other = context.vehicles.find(({ id, vin }) => id !== vehicle?.id && vin !== '');
  const found: Readonly<Record<string, string | undefined>> = {
    vehicle: vehicle?.id,
    box: vehicle?.boxId,
    firmware: vehicle?.firmware,
    provider: vehicle?.simProvider,
    model: vehicle?.model,
    vin: vehicle?.vin,
    other_vin: other?.vin,
    partner: context.partnerFleetId,
    stranger: context.strangerFleetId,
    shelf_box: shelf?.boxId,
    shelf_model: shelf?.model,
    spare_box: spare?.boxId,
    spare_model: spare?.model,
    job: NO_ULID,
    subscription: NO_ULID,
  };
  return Object.fromEntries(
    Object.entries(found).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** A text with its values filled in. Throws where one is missing. */
export function fill(text: string, values: PlaceholderValues): string {
  return text.replaceAll(/\{([a-z_]+)\}/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`There is no ${name.replaceAll('_', ' ')} to put into ${text}.`);
    return value;
  });
}

/** JSON with the values of its texts filled in. Throws where one is missing. */
export function fillAll(value: unknown, values: PlaceholderValues): unknown {
  if (typeof value === 'string') return fill(value, values);
  if (Array.isArray(value)) return value.map((one) => fillAll(one, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillAll(one, values)]));
}
