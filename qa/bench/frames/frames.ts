import { once } from 'node:events';
import { forkProgram, messageOf } from '../measure/children.ts';
import type { Figure } from '../measure/figures.ts';
import { startMosquitto } from './mosquitto.ts';

/**
 * Frames a second from box to receipt, beside the bare broker with one mqtt.js subscriber at QoS 1: the same clients, the
 * same payloads, the same window, in a process of their own. Bare ends when the subscriber has every frame; ours ends
 * when the store has committed every frame and each box has the receipt for its last one. The broker is aedes, bare or
 * embedded, or Mosquitto for both.
 */
const load = { frames: 40_000, inFlight: 2_000 } as const;
const AIMS = { embedded: 1.0, mosquitto: 0.8 } as const;

/** What the receiving process and the boxes are told. */
export interface FramesPlan {
  readonly variant: 'bare' | 'service';
  readonly boxes: number;
  readonly framesPerBox: number;
  /** Unacknowledged frames of a box. */
  readonly window: number;
  /** A broker that is there already. */
  readonly mqttPort?: number;
  /** Where the service publishes; absent: nowhere. */
  readonly amqpUrl?: string;
}

export async function frames(how: {
  readonly rounds: number;
  readonly broker: 'embedded' | 'mosquitto';
  readonly boxes: number;
}): Promise<Figure | string> {
  const { broker, boxes } = how;
  const rounds: { bare: number; ours: number }[] = [];
  // The first pair warms disk and page cache, and is not counted.
  for (let round = 0; round <= how.rounds; round += 1) {
    const bare = await measure('bare', boxes, broker);
    const ours = await measure('service', boxes, broker);
    if (typeof bare === 'string') return bare;
    if (typeof ours === 'string') return ours;
    if (round > 0) rounds.push({ bare, ours });
  }
  const by = broker === 'mosquitto' ? ', by Mosquitto' : '';
  return {
    name: `frames of ${boxes.toLocaleString('en-US')} boxes, box to receipt${by}`,
    unit: 'frames/s',
    rounds,
    aim: AIMS[broker],
  };
}

async function measure(
  variant: FramesPlan['variant'],
  boxes: number,
  broker: 'embedded' | 'mosquitto',
): Promise<number | string> {
  const mosquitto = broker === 'mosquitto' ? await startMosquitto() : undefined;
  if (typeof mosquitto === 'string') return mosquitto;
  const plan: FramesPlan = {
    variant,
    boxes,
    framesPerBox: Math.ceil(load.frames / boxes),
    window: Math.max(1, Math.round(load.inFlight / boxes)),
    ...(mosquitto === undefined ? {} : { mqttPort: mosquitto.port }),
  };
  try {
    return await measureAt(plan);
  } finally {
    await mosquitto?.end();
  }
}

async function measureAt(plan: FramesPlan): Promise<number> {
  const server = forkProgram(new URL('./frames-server.ts', import.meta.url), plan);
  try {
    const { port } = await messageOf<{ readonly port: number }>(server);
    const client = forkProgram(new URL('./frames-load.ts', import.meta.url), { ...plan, port });
    return (await messageOf<{ readonly framesPerSecond: number }>(client)).framesPerSecond;
  } finally {
    if (server.connected) {
      const exit = once(server, 'exit');
      server.send('end');
      await exit;
    }
  }
}
