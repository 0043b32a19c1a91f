import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Figure } from './run.ts';

/**
 * Frames a second from box to receipt, beside bare aedes with one mqtt.js subscriber at QoS 1: the same clients, the
 * same payloads, the same window, in a process of their own. Bare ends when the subscriber has every frame; ours ends
 * when the store has committed every frame and each box has the receipt for its last one.
 */
export const load = { boxes: 100, framesPerBox: 400, window: 20, rounds: 3 } as const;

export type Variant = 'bare' | 'service';

export async function frames(): Promise<Figure> {
  const rounds: { bare: number; ours: number }[] = [];
  // The first pair warms disk and page cache, and is not counted.
  for (let round = 0; round <= load.rounds; round += 1) {
    const bare = await measure('bare');
    const ours = await measure('service');
    if (round > 0) rounds.push({ bare, ours });
  }
  return { name: 'frames, box to receipt', unit: 'frames/s', rounds, aim: 0.6 };
}

async function measure(variant: Variant): Promise<number> {
  const server = fork(script('./frames-server.ts'), [variant]);
  try {
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    const client = fork(script('./frames-load.ts'), [variant, String(port)]);
    const [{ framesPerSecond }] = (await once(client, 'message')) as [{ framesPerSecond: number }];
    return framesPerSecond;
  } finally {
    server.send('end');
    await once(server, 'exit');
  }
}

function script(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
