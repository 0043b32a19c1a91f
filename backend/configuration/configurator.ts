import type { Setting } from '../../protocol/settings.ts';
import type { World } from '../../world/world.ts';
import type { Desk } from '../commands/desk.ts';
import { readiness } from '../commands/readiness.ts';
import { problem, type Refusal } from '../http/problem.ts';
import type { Command } from '../store/command-store.ts';
import type {
  ConfigurationOrder,
  ConfigurationStore,
  VehicleConfiguration,
} from '../store/configuration-store.ts';
import type { BoxVehicle, Vehicle } from '../store/vehicle-store.ts';
import { hasBox } from '../vehicles/own.ts';
import type { ModelKnowledge } from '../vehicles/view.ts';
import { findFeature } from './features.ts';
import { lackProblem, objectionTo } from './guards.ts';
import type { FeatureParameters } from './parameters.ts';

export interface ConfiguratorParts {
  readonly world: Pick<World, 'time'>;
  readonly store: ConfigurationStore;
  readonly desk: Pick<Desk, 'execute'>;
  readonly models: Pick<ModelKnowledge, 'findModel'>;
}

/** What is to become of some features of one vehicle. All of it or nothing. */
export interface ConfigurationChange {
  readonly vehicle: Vehicle;
  /** By name in kebab-case: parameters that the feature's schema has passed, or null to make it inactive. */
  readonly features: Readonly<Record<string, FeatureParameters | null>>;
  readonly flowId: string;
  readonly callerFleetId: string;
  /** Where it is an attempt of a bulk job. */
  readonly bulkJobId?: string;
}

/** `isSent`: the box may have got it, and may still do it. */
export type Applied =
  | { readonly done: true; readonly inForce: VehicleConfiguration }
  | { readonly done: false; readonly refusal: Refusal; readonly isSent: boolean };

export interface Configurator {
  /**
   * Has the box carry a change out, and answers what is in force then. Another open command of the vehicle is
   * `conflicting-command`. Rejects only where the store fails.
   */
  apply(change: ConfigurationChange): Promise<Applied>;
}

/**
 * A change goes to the box as one request with the whole configuration: what is in force with the change in it. The
 * store writes what is in force then in the commit of the box's reply, whoever still waits for it.
 */
export function makeConfigurator(parts: ConfiguratorParts): Configurator {
  const { world, store, desk, models } = parts;
  return {
    async apply(change) {
      const { vehicle, features, flowId, callerFleetId } = change;
      const put = Object.keys(features).filter((name) => features[name] !== null);
      const before = hasBox(vehicle) ? await store.read(vehicle.boxId) : NOTHING;
      const isReady = readiness(vehicle.box, world.time.nowMs());
      const refusal = objectionTo({
        vehicle,
        installation: models.findModel(vehicle.model)?.installation,
        callerFleetId,
        readiness: isReady,
        // Only whether a setting differs from its standard counts here: any revision will do.
        settings: put.flatMap((name) => settingsOf(name, features[name] ?? {}, 1)),
        put,
        inForce: before,
      });
      if (refusal !== undefined) return refused(refusal, false);
      if (!hasBox(vehicle)) return refused(problem('command-not-supported', 'There is no box.'), false);
      if (isReady === 'not-connected') {
        const answer = await desk.execute({ vehicle, objection: NOT_CONNECTED });
        return refused(answer.done ? NOT_CONNECTED : answer.refusal, false);
      }
      const order = await orderOf(store, vehicle, change, world.time.nowMs());
      const answer = await desk.execute({
        vehicle,
        asked: { order, settings: wholeOf(order) },
        flowId,
        objection: undefined,
      });
      if (answer.done) return { done: true, inForce: await store.read(vehicle.boxId) };
      const { outcome } = answer;
      return refused(
        meaningOf(answer.refusal, outcome, put),
        outcome !== undefined && outcome !== 'withdrawn',
      );
    },
  };
}

const NOTHING: VehicleConfiguration = { revision: 0, features: {} };
const NOT_CONNECTED = problem(
  'no-connection',
  'The vehicle did not connect; nothing was sent to it, and its configuration is as it was.',
);

async function orderOf(
  store: ConfigurationStore,
  vehicle: BoxVehicle,
  { features, bulkJobId }: ConfigurationChange,
  atMs: number,
): Promise<ConfigurationOrder> {
  const { revision, inForce } = await store.begin(vehicle.boxId, atMs);
  const kept = Object.entries(inForce.features).filter(([name]) => !(name in features));
  return {
    revision,
    basedOn: inForce.revision,
    features,
    calibrates: Object.keys(features).filter((name) => findFeature(name)?.calibrates === true),
    kept: Object.fromEntries(kept),
    ...(bulkJobId === undefined ? {} : { bulkJobId }),
  };
}

/** Every setting of the box once the order is done; those that are not named are at their standard. */
function wholeOf({ features, kept, revision }: ConfigurationOrder): readonly Setting[] {
  return [
    ...Object.entries(kept).flatMap(([name, one]) => settingsOf(name, one.parameters, one.revision)),
    ...Object.entries(features).flatMap(([name, one]) =>
      one === null ? [] : settingsOf(name, one, revision),
    ),
  ];
}

function settingsOf(name: string, parameters: FeatureParameters, revision: number): readonly Setting[] {
  return findFeature(name)?.settings(parameters, revision) ?? [];
}

/** What the box's word on a command means for a configuration, where it means something else. */
function meaningOf(
  refusal: Refusal,
  outcome: Command['outcome'] | undefined,
  put: readonly string[],
): Refusal {
  switch (outcome) {
    case 'unsupported': {
      const [need] = put.flatMap((name) => findFeature(name)?.needs ?? []);
      // Every box can do what needs nothing: one that says otherwise is out of order.
      return problem(
        need === undefined ? 'telematics-unit-error' : lackProblem(need),
        'The telematics unit says that it cannot do what the configuration asks for.',
      );
    }
    case 'conflicting-state':
      return problem('conflicting-operation', 'A later configuration has overtaken this one.');
    case 'expired':
      return problem('no-connection', 'The vehicle did not answer in time. Its configuration is as it was.');
    case 'open':
    case 'unknown':
      return problem(
        'no-connection',
        'The vehicle did not answer in time. Whether it took the configuration is not known until it answers.',
      );
    default:
      return refusal;
  }
}

function refused(refusal: Refusal, isSent: boolean): Applied {
  return { done: false, refusal, isSent };
}
