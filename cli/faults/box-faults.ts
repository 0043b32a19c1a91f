import { FlashFaults } from '../../scenarios/testbed/common/faults/flash-faults.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import type { Flash } from '../../world/flash/flash.ts';
import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import type { World } from '../../world/world.ts';
import type { Disposables } from '../shared/disposables.ts';
import type { Disturbable } from './live-fault-parts.ts';
import { type LiveLinks, linkTrouble, openLiveLinks } from './live-links.ts';

/** The ports of the boxes as weather and breaks can disturb them. */
export interface BoxFaults {
  readonly mqtt: MqttClient;
  readonly flash: Flash;
  readonly flashFaults: FlashFaults;
  readonly links: Disturbable<LiveLinks>;
}

export interface BoxFaultsParts {
  readonly world: Pick<World, 'time' | 'random' | 'mqtt' | 'flash'>;
  /** The broker of the boxes; undefined: there is none between them and who takes their frames. */
  readonly mqttUrl: string | undefined;
  readonly boxes: readonly { readonly boxId: string; readonly secret: string }[];
  readonly boxOf: (boxId: string) => FleetBox | undefined;
  /** Boxes connect from several addresses of this machine. */
  readonly hasOwnAddresses?: boolean;
  readonly subscribeQos?: 0 | 1 | undefined;
  readonly disposables: Disposables;
}

/** Puts a proxy with weather between boxes and broker, where that can be, and faults before their flash. */
export async function openBoxFaults(parts: BoxFaultsParts): Promise<BoxFaults> {
  const { world, subscribeQos } = parts;
  const flashFaults = liveFlashFaults(parts.boxOf);
  const links = await linksOf(parts);
  const mqtt =
    'trouble' in links
      ? world.mqtt
      : realMqttClient({ url: links.url, ...(subscribeQos === undefined ? {} : { subscribeQos }) });
  return { mqtt, flash: flashFaults.wrap(world.flash, world.time), flashFaults, links };
}

async function linksOf(parts: BoxFaultsParts): Promise<Disturbable<LiveLinks>> {
  const { mqttUrl, boxes, world } = parts;
  if (mqttUrl === undefined)
    return { trouble: 'There is no network between the boxes and who takes their frames.' };
  if (parts.hasOwnAddresses === true) return { trouble: 'The boxes connect from addresses of their own.' };
  const trouble = linkTrouble(mqttUrl, boxes.length);
  if (trouble !== undefined) return { trouble };
  const secrets = new Map(boxes.map(({ boxId, secret }) => [boxId, secret]));
  const links = await openLiveLinks({
    mqttUrl,
    secretOf: (boxId) => secrets.get(boxId),
    chance: world.random.stream('weather/links'),
  });
  await parts.disposables.add(() => links.proxy.close());
  return links;
}

/** The faults of the flash of real boxes: a write is whole or not at all. */
function liveFlashFaults(boxOf: (boxId: string) => FleetBox | undefined): FlashFaults {
  return new FlashFaults({
    tearLastWrite: () => undefined,
    losePower: (boxId) => boxOf(boxId)?.losePower(),
  });
}
