import { RESET_REASONS } from '../../../protocol/codes.ts';
import { MAKER_MODELS } from '../../../protocol/models/maker-models.ts';
import { MODELS } from '../../../protocol/models/models.ts';
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
import type { ValueSchema } from './possible.ts';
import { sampleBoxes } from './sample-boxes.ts';
import { anyOf, type SchemaTables, schemaOfSamples } from './schema-of-samples.ts';

const words = (list: readonly string[]): ValueSchema => ({ enum: list });
const wordsOrNothing = (list: readonly string[]): ValueSchema => ({ enum: [...list, null] });
const mapOf = (names: readonly string[], value: ValueSchema): ValueSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, value])),
});

/** What the tables of the simulator say of the truth, better than samples can. */
const TRUTH_TABLES: SchemaTables = {
  ...Object.fromEntries(Object.entries(QUANTITIES).map(([name, row]) => [name, ofQuantity(row)])),
  engine: words(ENGINE_STATES),
  driverWish: words(DRIVER_WISHES),
  maneuver: wordsOrNothing(MANEUVERS),
  installationFault: wordsOrNothing(INSTALLATION_FAULTS),
  levels: mapOf(LEVEL_NAMES, { type: 'number' }),
  mechanics: mapOf(MOVABLE_PARTS, words(PART_CONDITIONS)),
  sensors: mapOf(Object.keys(QUANTITIES), words(SENSOR_STATES.filter((state) => state !== 'works'))),
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

/** A value that is not known at present is the text `unavailable`; a switch is always known. */
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

interface SnapshotSchemas {
  readonly truth: ValueSchema;
  readonly belief: ValueSchema;
}

let known: SnapshotSchemas | undefined;

/**
 * The JSON schemas of the truth of a vehicle and of what a box believes, by the names of the control interface: read off
 * a vehicle of each model and off boxes, so that no list of names can differ from what they say.
 */
export function snapshotSchemas(): SnapshotSchemas {
  known ??= readSnapshots();
  return known;
}

function readSnapshots(): SnapshotSchemas {
  const random = seededRandom(1);
  const [plan] = planFleet(random, 1);
  if (plan === undefined) return { truth: {}, belief: {} };
  const truths = [...MODELS.keys(), ...MAKER_MODELS.keys()].flatMap((model) =>
    [true, false].map((driving) => makeVehicle({ ...plan, model, driving }, random, 0).truth()),
  );
  const beliefs = sampleBoxes(plan, random).map((box) => boxSnapshotOf(box, 0));
  return {
    truth: schemaOfSamples(truths, TRUTH_TABLES),
    belief: schemaOfSamples(beliefs, BELIEF_TABLES),
  };
}
