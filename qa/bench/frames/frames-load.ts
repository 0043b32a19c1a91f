import { connectAsync, type MqttClient } from 'mqtt';
import { decodePayload, encodeFrame } from '../../../protocol/codec/frame.ts';
import { topics } from '../../../protocol/topics.ts';
import { messageFromParent } from '../measure/children.ts';
import type { FramesPlan } from './frames.ts';
import { boxIdsOf, frameOf } from './frames-fleet.ts';

/** The boxes of qa/bench/frames/frames.ts: raw clients that publish frames made beforehand, and wait for the end. */
const load = await messageFromParent<FramesPlan & { readonly port: number }>();
const { variant, port } = load;
const boxIds = boxIdsOf(load.boxes);
/** Connects that are under way at once: a thousand of them time out. */
const CONNECTS = 200;
const clockMs = Date.now();
const payloads = Array.from({ length: load.framesPerBox }, (_, index) =>
  Buffer.from(encodeFrame(frameOf(index + 1, clockMs))),
);
const clients: MqttClient[] = [];
for (let from = 0; from < boxIds.length; from += CONNECTS)
  clients.push(...(await Promise.all(boxIds.slice(from, from + CONNECTS).map((boxId) => connect(boxId)))));
const settled = variant === 'bare' ? done() : receipted();
await settled.ready;
const beganMs = performance.now();
for (const [index, client] of clients.entries()) publish(client, boxIds[index] ?? '');
await settled.all;
const seconds = (performance.now() - beganMs) / 1_000;
process.send?.({ framesPerSecond: (load.boxes * load.framesPerBox) / seconds }, () => process.exit(0));

function connect(boxId: string): Promise<MqttClient> {
  return connectAsync(`mqtt://127.0.0.1:${port}`, {
    clientId: boxId,
    username: boxId,
    password: 'bench',
    keepalive: 60,
    // A connection that is lost on a busy machine must not take receipts with it: these clients send nothing again.
    clean: false,
  });
}

/** `load.window` unacknowledged frames at a time. */
function publish(client: MqttClient, boxId: string): void {
  let next = 0;
  const send = () => {
    const payload = payloads[next];
    if (payload === undefined) return;
    next += 1;
    client.publish(topics.up(boxId), payload, { qos: 1 }, send);
  };
  for (let open = 0; open < load.window; open += 1) send();
}

interface Settled {
  readonly ready: Promise<unknown>;
  readonly all: Promise<void>;
}

function done(): Settled {
  const [first] = clients;
  if (first === undefined) return { ready: Promise.resolve(), all: Promise.resolve() };
  const all = new Promise<void>((resolve) => first.on('message', () => resolve()));
  return { ready: first.subscribeAsync('done', { qos: 1 }), all };
}

function receipted(): Settled {
  const waits = clients.map((client) => {
    return new Promise<void>((resolve) => {
      client.on('message', (_topic, bytes) => {
        for (const { frame } of decodePayload(bytes).frames) {
          if (frame.message.kind === 'receipt' && frame.message.contiguous >= load.framesPerBox) resolve();
        }
      });
    });
  });
  const ready = Promise.all(
    clients.map((client, index) => client.subscribeAsync(topics.down(boxIds[index] ?? ''), { qos: 1 })),
  );
  return { ready, all: Promise.all(waits).then(() => undefined) };
}
