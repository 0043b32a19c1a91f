import { RESET_REASONS } from '../../../protocol/codes.ts';
import { releasedFirmware } from '../../../protocol/firmware.ts';
import { QUANTITIES, type QuantityRow } from '../../../protocol/models/quantities.ts';
import { boxSnapshotOf } from '../../../simulator/box/box-snapshot.ts';
import { BLUETOOTH_PHASES } from '../../../simulator/firmware/bluetooth/bluetooth.ts';
import { POWER_SOURCES, SIM_STATES } from '../../../simulator/firmware/core/box-hardware.ts';
import { POWER_STATES } from '../../../simulator/firmware/core/state.ts';
import { DAMAGE_DETECTION_STATES } from '../../../simulator/firmware/detect/calibration.ts';
import { MODEM_PHASES, SESSION_PHASES } from '../../../simulator/firmware/session/session-state.ts';
import { UPDATE_OUTCOMES, UPDATE_PHASES } from '../../../simulator/firmware/update/update-state.ts';
import { planFleet } from '../../../simulator/fleet/fleet-plan.ts';
import { DRIVER_WISHES } from '../../../simulator/vehicle/driving/journey.ts';
import { MANEUVERS } from '../../../simulator/vehicle/driving/maneuver.ts';
import { MOVABLE_PARTS, PART_CONDITIONS } from '../../../simulator/vehicle/driving/mechanics.ts';
import { ENGINE_STATES } from '../../../simulator/vehicle/energy/energy.ts';
import { SENSOR_STATES } from '../../../simulator/vehicle/equipment/equipment.ts';
import { LEVEL_NAMES } from '../../../simulator/vehicle/equipment/levels.ts';
import { INSTALLATION_FAULTS } from '../../../simulator/vehicle/sensing/vehicle-ports.ts';
import { makeVehicle } from '../../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import type { Scenario } from '../document/scenario.ts';
import { everyModel, firmwareInSteps, modelsOf, routesOf } from './fleet-values.ts';
import { lackingSchema, type ValueSchema, wordsCalled } from './possible.ts';
import { sampleBoxes } from './sample-boxes.ts';
import { anyOf, type SchemaTables, schemaOfSamples } from './schema-of-samples.ts';

const words = (list: readonly string[]): ValueSchema => ({ enum: list });
const wordsOrNothing = (list: readonly string[]): ValueSchema => ({ enum: [...list, null] });
const mapOf = (names: readonly string[], value: ValueSchema): ValueSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, value])),
});

/** What the tables of the simulator specify about the truth, more exactly than samples. */
const TRUTH_TABLES: SchemaTables = {
  ...Object.fromEntries(Object.entries(QUANTITIES).map(([name, row]) => [name, ofQuantity(row)])),
  engine: words(ENGINE_STATES),
  driverWish: words(DRIVER_WISHES),
  maneuver: wordsOrNothing(MANEUVERS),
  installationFault: wordsOrNothing(INSTALLATION_FAULTS),
  levels: mapOf(LEVEL_NAMES, { type: 'number' }),
  mechanics: mapOf(MOVABLE_PARTS, words(PART_CONDITIONS)),
  sensors: mapOf(Object.keys(QUANTITIES), words(SENSOR_STATES.filter((state) => state !== 'works'))),
  troubleCodeTexts: { type: 'array', items: { type: 'string' } },
  /** Among other vehicles only. */
  isKerbFree: { type: 'boolean' },
};

/** The same of what a box believes. */
const BELIEF_TABLES: SchemaTables = {
  power: words(POWER_STATES),
  powerFrom: wordsOrNothing(POWER_SOURCES),
  resetReason: words(Object.keys(RESET_REASONS)),
  bluetooth: words(BLUETOOTH_PHASES),
  damageDetection: words(DAMAGE_DETECTION_STATES),
  sim: words(SIM_STATES),
  modem: words(MODEM_PHASES),
  session: words(SESSION_PHASES),
  'update.phase': words(UPDATE_PHASES),
  'update.outcome': wordsOrNothing(UPDATE_OUTCOMES),
};

/** A value that is unknown at present is the text `unavailable`; a switch is always known. */
function ofQuantity(row: QuantityRow): ValueSchema {
  switch (row.kind) {
    case 'switch':
      return { type: 'boolean' };
    case 'choice':
      return words([...row.words, 'unavailable']);
    case 'codes':
      return { type: 'array', items: { type: 'integer' } };
    default:
      return anyOf([{ type: 'number' }, words(['unavailable'])]);
  }
}

/** The JSON schema of the truth of a vehicle of this scenario, by the names of the control interface. */
export function truthSchema({ fleet }: Scenario): ValueSchema {
  const models = modelsOf(fleet);
  const known = snapshots();
  const schema = withProperties(known.truth, {
    model: words(models),
    route: words(routesOf(fleet)),
  });
  return lackedBy(models, known.names, schema);
}

/** The same of what a box of this scenario believes. */
export function beliefSchema(scenario: Scenario): ValueSchema {
  const released = releasedFirmware();
  const called = `a released firmware, ${released[0]} to ${released.at(-1)}`;
  const firmware = wordsCalled(called, [...new Set([...released, ...firmwareInSteps(scenario)])]);
  const bank = anyOf([firmware, { type: 'null' }]);
  const { banks = {}, update = {} } = propertiesOf(snapshots().belief);
  return withProperties(snapshots().belief, {
    firmware,
    banks: withProperties(banks, { a: bank, b: bank }),
    update: withProperties(update, { version: firmware }),
  });
}

interface Snapshots {
  readonly truth: ValueSchema;
  readonly belief: ValueSchema;
  /** Which names the truth of a vehicle of each model has, as far as its model decides it. */
  readonly names: NamesOfModels;
}

type NamesOfModels = ReadonlyMap<string, ReadonlySet<string>>;

let known: (Snapshots & { readonly models: string }) | undefined;

/**
 * Derived from a vehicle of each model and from boxes, so that it has the same names as they do. Derived again when
 * the user's own models have changed.
 */
function snapshots(): Snapshots {
  const models = everyModel().join(' ');
  if (known?.models !== models) known = { models, ...readSnapshots(everyModel()) };
  return known;
}

function readSnapshots(models: readonly string[]): Snapshots {
  const { truths, beliefs } = snapshotSamples(models);
  return {
    truth: schemaOfSamples(truths.flat(), TRUTH_TABLES),
    belief: schemaOfSamples(beliefs, BELIEF_TABLES),
    names: new Map(
      models.map((model, index) => [
        model,
        new Set((truths[index] ?? []).flatMap((truth) => namesIn(truth))),
      ]),
    ),
  };
}

/** The schemas of truth and belief of any fleet, whatever its models. */
export function snapshotSchemas(): { readonly truth: ValueSchema; readonly belief: ValueSchema } {
  return snapshots();
}

/** The truth of a driving and a parked vehicle of each of these models, and what boxes believe. */
export function snapshotSamples(models: readonly string[] = everyModel()): {
  readonly truths: readonly (readonly Readonly<Record<string, unknown>>[])[];
  readonly beliefs: readonly Readonly<Record<string, unknown>>[];
} {
  const random = seededRandom(1);
  const [plan] = planFleet(random, 1);
  if (plan === undefined) return { truths: [], beliefs: [] };
  const truths = models.map((model) =>
    [true, false].map((driving) => makeVehicle({ ...plan, model, driving }, random, 0).truth()),
  );
  return { truths, beliefs: sampleBoxes(plan, random).map((box) => boxSnapshotOf(box, 0)) };
}

/** The maps in the truth whose names follow from the model, not from the vehicle's activity. */
const MAPS_OF_MODELS = ['levels', 'mechanics'] as const;

/** `speedKph`, `mechanics.lock` */
function namesIn(truth: Readonly<Record<string, unknown>>): readonly string[] {
  const below = MAPS_OF_MODELS.flatMap((map) =>
    Object.keys(truth[map] ?? {}).map((name) => `${map}.${name}`),
  );
  return [...Object.keys(truth), ...below];
}

/** The schema without what some model has, and none of these. */
function lackedBy(models: readonly string[], names: NamesOfModels, schema: ValueSchema): ValueSchema {
  const mark = (start: string, part: ValueSchema): ValueSchema => {
    const lacking = Object.keys(propertiesOf(part)).flatMap((name): [string, ValueSchema][] => {
      const having = [...names].flatMap(([model, own]) => (own.has(`${start}${name}`) ? [model] : []));
      if (having.length === 0 || models.some((model) => having.includes(model))) return [];
      return [[name, lackingSchema({ models, others: having })]];
    });
    return withProperties(part, Object.fromEntries(lacking));
  };
  const maps = MAPS_OF_MODELS.map((map) => [map, mark(`${map}.`, propertiesOf(schema)[map] ?? {})]);
  return mark('', withProperties(schema, Object.fromEntries(maps)));
}

function propertiesOf(schema: ValueSchema): Readonly<Record<string, ValueSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, ValueSchema>>;
}

/** The schema with these properties in place of its own, also where a map is one of several kinds. */
function withProperties(schema: ValueSchema, changed: Readonly<Record<string, ValueSchema>>): ValueSchema {
  const { anyOf: kinds } = schema;
  if (Array.isArray(kinds))
    return { ...schema, anyOf: kinds.map((one: ValueSchema) => withProperties(one, changed)) };
  if (schema['properties'] === undefined) return schema;
  return { ...schema, properties: { ...propertiesOf(schema), ...changed } };
}
