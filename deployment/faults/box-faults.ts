import { FlashFaults } from '../../scenarios/testbed/common/faults/flash-faults.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import type { Flash } from '../../world/flash/flash.ts';
import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';
import type { World } from '../../world/world.ts';
import type { Disposables } from '../shared/disposables.ts';
import type { Disturbable } from './live-fault-parts.ts';
import { type LiveLinks, linkTrouble, liveLinks } from './live-links.ts';

/** The ports of the boxes that weather and breaks can disturb. */
export interface BoxFaults {
  readonly mqtt: MqttClient;
  readonly flash: Flash;
  readonly flashFaults: FlashFaults;
  readonly links: Disturbable<LiveLinks>;
}

export interface BoxFaultsParts {
  readonly world: Pick<World, 'time' | 'random' | 'mqtt' | 'flash'>;
  /** The broker of the boxes; undefined: there is none between them and the receiver of their frames. */
  readonly mqttUrl: string | undefined;
  readonly boxes: readonly { readonly boxId: string; readonly secret: string }[];
  readonly boxOf: (boxId: string) => FleetBox | undefined;
  /** Boxes connect from several addresses of this machine. */
  readonly hasOwnAddresses?: boolean;
  readonly subscribeQos?: 0 | 1 | undefined;
  readonly disposables: Disposables;
}

/** Makes weather apply to the links of boxes, where that is possible, and faults to their flash. */
export async function openBoxFaults(parts: BoxFaultsParts): Promise<BoxFaults> {
  const { world, disposables } = parts;
  const flashFaults = liveFlashFaults(parts.boxOf);
  const links = linksOf(parts);
  if (!('trouble' in links)) await disposables.add(() => links.close());
  return {
    mqtt: 'trouble' in links ? world.mqtt : links.mqtt,
    flash: flashFaults.wrap(world.flash, world.time),
    flashFaults,
    links,
  };
}

function linksOf(parts: BoxFaultsParts): Disturbable<LiveLinks> {
  const { mqttUrl, boxes, world, subscribeQos } = parts;
  if (mqttUrl === undefined)
    return { trouble: 'There is no network between the boxes and who takes their frames.' };
  if (parts.hasOwnAddresses === true) return { trouble: 'The boxes connect from addresses of their own.' };
  const trouble = linkTrouble(mqttUrl, boxes.length);
  if (trouble !== undefined) return { trouble };
  const secrets = new Map(boxes.map(({ boxId, secret }) => [boxId, secret]));
  const chance = world.random.stream('weather/links');
  return liveLinks({
    mqttUrl,
    subscribeQos,
    direct: world.mqtt,
    time: world.time,
    secretOf: (boxId) => secrets.get(boxId),
    draw: () => chance.fraction(),
    isReady: (boxId) => {
      const box = parts.boxOf(boxId);
      // Until the service confirms it, it may not know yet that the box is ready, and refuse commands.
      return box?.isReady() === true && box.firmware().ram.session.readyRepeatAt === undefined;
    },
  });
}

/** The faults of the flash of real boxes: a write is whole or not at all. */
function liveFlashFaults(boxOf: (boxId: string) => FleetBox | undefined): FlashFaults {
  return new FlashFaults({
    tearLastWrite: () => undefined,
    losePower: (boxId) => boxOf(boxId)?.losePower(),
  });
}
