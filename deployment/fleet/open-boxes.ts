import type { BoxPlan } from '../../simulator/box-plan.ts';
import { type Fleet, type FleetOptions, startFleet } from '../../simulator/fleet/fleet.ts';
import { type ReceiverCounts, startMemoryFleet } from '../../simulator/fleet/memory-fleet.ts';
import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';
import type { RealWorld } from '../../world/real-world.ts';
import { openBoxFaults } from '../faults/box-faults.ts';
import type { LiveFaultParts } from '../faults/live-fault-parts.ts';
import type { Disposables } from '../shared/disposables.ts';

export interface BoxesParts extends FleetOptions {
  readonly world: RealWorld;
  readonly plans: readonly BoxPlan[];
  /** The broker of the boxes; undefined: broker and a receiver of records are in this process (`openMemoryWorld`). */
  readonly mqttUrl: string | undefined;
  /** Boxes connect from several addresses of this machine. */
  readonly hasOwnAddresses?: boolean;
  readonly subscribeQos?: 0 | 1 | undefined;
  /** No box connects before this resolves; absent: nothing holds them. */
  readonly until?: Promise<void>;
  readonly disposables: Disposables;
}

/** Boxes that have power. */
export interface RunningBoxes {
  readonly fleet: Fleet;
  /** What the receiver of records has counted; absent: a service takes them. */
  readonly received?: () => ReceiverCounts;
  /** Ends them before everything else; otherwise they end with the rest. */
  end(): Promise<void>;
}

/** The boxes of a process, and what weather and breaks can do to them. */
export interface OpenedBoxes {
  /** Gives them power. Rejects if the flash cannot be read. */
  start(): Promise<RunningBoxes>;
  readonly faultParts: Pick<LiveFaultParts, 'boxOf' | 'boxIds' | 'flashFaults' | 'links'>;
}

/** Opens the boxes of a process with their faults; they get power by `start`. */
export async function openBoxes(parts: BoxesParts): Promise<OpenedBoxes> {
  const { world, plans, mqttUrl, hasOwnAddresses = false, subscribeQos, until, disposables } = parts;
  let fleet: Fleet | undefined;
  const boxOf = (boxId: string) => fleet?.boxes.get(boxId);
  const { mqtt, flash, flashFaults, links } = await openBoxFaults({
    world,
    mqttUrl,
    boxes: plans,
    boxOf,
    hasOwnAddresses,
    subscribeQos,
    disposables,
  });
  const ofBoxes = { ...world, mqtt: until === undefined ? mqtt : heldMqtt(mqtt, until), flash };
  return {
    async start() {
      const running = await startBoxes(parts, ofBoxes);
      fleet = running.fleet;
      let ending: Promise<void> | undefined;
      const end = () => (ending ??= running.end());
      await disposables.add(end);
      return { ...running, end };
    },
    faultParts: { boxOf, boxIds: () => [...(fleet?.boxes.keys() ?? [])], flashFaults, links },
  };
}

async function startBoxes(
  { plans, mqttUrl, routes, traffic, rampPerSecond }: BoxesParts,
  world: RealWorld,
): Promise<RunningBoxes> {
  const options = {
    traffic,
    ...(routes === undefined ? {} : { routes }),
    ...(rampPerSecond === undefined ? {} : { rampPerSecond }),
  };
  if (mqttUrl === undefined) {
    const memory = await startMemoryFleet(world, plans, options);
    return { fleet: memory.fleet, received: () => memory.counts(), end: () => memory.stop() };
  }
  const fleet = await startFleet(world, plans, options);
  return { fleet, end: () => fleet.stop() };
}

/**
 * The same client, whose connections wait for `taking`: a payload that a box sends before the service accepts it would
 * wait for the box's next attempt.
 */
export function heldMqtt(mqtt: MqttClient, taking: Promise<void>): MqttClient {
  return {
    async open(options, events) {
      await taking;
      return mqtt.open(options, events);
    },
  };
}
