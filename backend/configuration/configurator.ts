import { problem, type Refusal } from '../../contract/problems.ts';
import type { Setting } from '../../protocol/settings.ts';
import type { World } from '../../world/world.ts';
import type { CommandDispatcher } from '../commands/command-dispatcher.ts';
import { boxReadiness } from '../commands/readiness.ts';
import type { Command } from '../store/port/command-store.ts';
import type {
  ConfigurationOrder,
  ConfigurationStore,
  VehicleConfiguration,
} from '../store/port/configuration-store.ts';
import type { BoxVehicle, Vehicle } from '../store/port/stored-vehicle.ts';
import type { ModelKnowledge } from '../vehicles/capabilities.ts';
import { hasBox } from '../vehicles/find-vehicle.ts';
import { findFeature } from './features.ts';
import { lackProblem, objectionTo } from './guards.ts';
import type { FeatureParameters } from './parameters.ts';

export interface ConfiguratorParts {
  readonly world: Pick<World, 'time'>;
  readonly store: ConfigurationStore;
  readonly dispatcher: Pick<CommandDispatcher, 'execute'>;
  readonly models: Pick<ModelKnowledge, 'findModel'>;
}

/** The intended change of some features of one vehicle. All of it or nothing. */
export interface ConfigurationChange {
  readonly vehicle: Vehicle;
  /** By name in kebab-case: parameters that the feature's schema has passed, or null to make it inactive. */
  readonly features: Readonly<Record<string, FeatureParameters | null>>;
  readonly flowId: string;
  readonly callerFleetId: string;
  /** Present if it is an attempt of a bulk job. */
  readonly bulkJobId?: string;
}

/** The result; or why it was not done, as far as known. */
export type ConfigurationResult =
  | { readonly done: true; readonly inForce: VehicleConfiguration }
  | { readonly done: false; readonly refusal: Refusal };

export interface Configurator {
  /**
   * Has the box carry out a change, and returns what is then in force. Another open command of the vehicle is
   * `conflicting-command`. Rejects only if the store fails.
   */
  apply(change: ConfigurationChange): Promise<ConfigurationResult>;
}

/**
 * A change goes to the box as one request with the whole configuration: what is in force with the change in it. The
 * store writes what is then in force in the commit of the box's reply, even if no request waits for it any more.
 */
export function makeConfigurator(parts: ConfiguratorParts): Configurator {
  const { world, store, dispatcher, models } = parts;
  return {
    async apply(change) {
      const { vehicle, features, flowId, callerFleetId } = change;
      const activated = Object.keys(features).filter((name) => features[name] !== null);
      const before = hasBox(vehicle) ? await store.read(vehicle.boxId) : NOTHING;
      const isReady = boxReadiness(vehicle.box, world.time.nowMs());
      const refusal = objectionTo({
        vehicle,
        installation: models.findModel(vehicle.model)?.installation,
        callerFleetId,
        readiness: isReady,
        // Only whether a setting differs from its standard matters here: any revision is sufficient.
        settings: activated.flatMap((name) => settingsOf(name, features[name] ?? {}, 1)),
        activated,
        inForce: before,
      });
      if (refusal !== undefined) return refused(refusal);
      if (!hasBox(vehicle)) return refused(problem('command-not-supported', 'There is no box.'));
      if (isReady === 'not-connected') {
        const answer = await dispatcher.execute({ vehicle, objection: NOT_CONNECTED });
        return refused(answer.done ? NOT_CONNECTED : answer.refusal);
      }
      const order = await orderOf(store, vehicle, change, world.time.nowMs());
      const answer = await dispatcher.execute({
        vehicle,
        request: { order, settings: wholeOf(order) },
        flowId,
        objection: undefined,
      });
      if (answer.done) return { done: true, inForce: await store.read(vehicle.boxId) };
      return refused(meaningOf(answer.refusal, answer.outcome, activated));
    },
  };
}

const NOTHING: VehicleConfiguration = { revision: 0, features: {} };
const NOT_CONNECTED = problem(
  'no-connection',
  'The vehicle did not connect; nothing was sent to it, and its configuration is unchanged.',
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

/** Outcomes of the box that mean something else for a configuration than for a command. */
function meaningOf(
  refusal: Refusal,
  outcome: Command['outcome'] | undefined,
  activated: readonly string[],
): Refusal {
  switch (outcome) {
    case 'unsupported': {
      const [need] = activated.flatMap((name) => findFeature(name)?.needs ?? []);
      // Every box supports settings without requirements: one that refuses them is faulty.
      return problem(
        need === undefined ? 'telematics-unit-error' : lackProblem(need),
        'The telematics unit reported that it does not support the configuration.',
      );
    }
    case 'conflicting-state':
      return problem('conflicting-operation', 'A later configuration has replaced this one.');
    case 'expired':
      return problem('no-connection', 'The vehicle did not answer in time. Its configuration is unchanged.');
    case 'open':
    case 'unknown':
      return problem(
        'no-connection',
        'The vehicle did not answer in time. Whether it applied the configuration is not known until it answers.',
      );
    default:
      return refusal;
  }
}

function refused(refusal: Refusal): ConfigurationResult {
  return { done: false, refusal };
}
