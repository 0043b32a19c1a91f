import { MAKER_MODELS } from '../../../protocol/models/maker-models.ts';
import { MODELS } from '../../../protocol/models/models.ts';
import { boxSnapshotOf } from '../../../simulator/box/box-snapshot.ts';
import { newBox } from '../../../simulator/firmware/core/boot.ts';
import { factsOf } from '../../../simulator/fleet/box-facts.ts';
import { planFleet } from '../../../simulator/fleet/fleet-plan.ts';
import { makeVehicle } from '../../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';

/** Read off a vehicle of each model and a box, so that no list of names can differ from what they say. */
const random = seededRandom(1);
const [plan] = planFleet(random, 1);
if (plan === undefined) throw new Error('A fleet of one has a box.');

/** What the truth of some vehicle has, by the names of the control interface. `isKerbFree`: among other vehicles only. */
export const TRUTH_NAMES: readonly string[] = [
  ...new Set([
    ...[...MODELS.keys(), ...MAKER_MODELS.keys()].flatMap((model) =>
      Object.keys(makeVehicle({ ...plan, model }, random, 0).truth()),
    ),
    'isKerbFree',
  ]),
];

/** What each box believes, by the names of the control interface. */
export const BELIEF_NAMES: readonly string[] = Object.keys(boxSnapshotOf(newBox(factsOf(plan, random)), 0));
