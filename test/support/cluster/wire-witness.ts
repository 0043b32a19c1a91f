import { decodePayload } from '../../../protocol/codec/frame.ts';
import { topics } from '../../../protocol/topics.ts';
import { realMqttClient } from '../../../world/mqtt/real-mqtt-client.ts';
import { limits } from './limits.ts';

/** Reads the frames of all boxes beside backend and boxes, so that a command without an answer can be told where it ended. */
export interface WireWitness {
  /** The frames of a box from one moment to another, a line each: when, which way, what. */
  linesOf(boxId: string, fromMs: number, toMs: number): readonly string[];
  close(): Promise<void>;
}

interface Seen {
  readonly atMs: number;
  readonly topic: string;
  readonly what: string;
}

/** Without a broker it sees nothing; it goes on with the next one that can be reached. Resolves once it reads. */
export async function startWireWitness(
  url: string,
  account: { readonly username: string; readonly password: string; readonly clientId: string },
): Promise<WireWitness> {
  const seen: Seen[] = [];
  let isOver = false;
  let end = async (): Promise<void> => undefined;
  const client = realMqttClient({ url, subscribeQos: 0 });
  const open = async (): Promise<void> => {
    const session = await client.open(
      { ...account, clean: true, keepAliveS: 10, connectTimeoutMs: limits.askMs },
      {
        message: (topic, payload, _retained, acknowledge) => {
          acknowledge();
          seen.push({ atMs: Date.now(), topic, what: wordsOf(payload) });
          if (seen.length > limits.witnessedFrames) seen.splice(0, limits.witnessedFrames / 2);
        },
        closed: (reason) => {
          seen.push({ atMs: Date.now(), topic: '', what: `the witness is cut off: ${reason}` });
          again();
        },
      },
    );
    end = () => session.end();
    for (const topic of [topics.everyUp, 'boxes/+/+/down']) await session.subscribe(topic);
  };
  const again = (): void => {
    if (!isOver) setTimeout(() => void open().catch(again), limits.readAgainMs);
  };
  await open();
  return {
    linesOf: (boxId, fromMs, toMs) =>
      seen
        .filter(
          ({ atMs, topic }) => atMs >= fromMs && atMs <= toMs && (topic === '' || topic.includes(boxId)),
        )
        .map(({ atMs, topic, what }) => `+${atMs - fromMs} ms ${topic.split('/').at(-1)} ${what}`),
    async close() {
      isOver = true;
      await end();
    },
  };
}

function wordsOf(payload: Uint8Array): string {
  const { frames, faults } = decodePayload(payload);
  const kinds = frames.map(({ frame: { sequence, message } }) =>
    'requestId' in message ? `${message.kind} ${message.requestId}` : `${message.kind} ${sequence}`,
  );
  return [...kinds, ...faults.map(({ fault }) => `not readable: ${fault}`)].join(', ');
}
