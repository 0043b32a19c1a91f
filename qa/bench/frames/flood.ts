import { connectAsync } from 'mqtt';
import { decodePayload, encodeFrame } from '../../../protocol/codec/frame.ts';
import { topics } from '../../../protocol/topics.ts';
import { messageFromParent } from '../measure/children.ts';
import { frameOf } from './frames-fleet.ts';

/** What the flood is told: the boxes as which it sends. */
export interface FloodPlan {
  readonly port: number;
  /** Frames of a box that are under way at once: until its receipt, as a box has it, or until the broker has them. */
  readonly window: number;
  readonly until: 'receipt' | 'acknowledgement';
  readonly boxes: readonly { readonly boxId: string; readonly password: string }[];
}

/** As many reports as are taken, until it is ended. Answers each message with the frames so far. */
const { port, window, until, boxes } = await messageFromParent<FloodPlan>();
let sent = 0;
for (const { boxId, password } of boxes) {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
    clientId: boxId,
    username: boxId,
    password,
  });
  let sequence = 0;
  let settled = 0;
  const send = () => {
    sequence += 1;
    const frame = Buffer.from(encodeFrame(frameOf(sequence, Date.now())));
    client.publish(topics.up(boxId), frame, { qos: 1 }, () => {
      if (until === 'acknowledgement') settle(settled + 1);
    });
  };
  const settle = (upTo: number) => {
    if (upTo <= settled) return;
    sent += upTo - settled;
    settled = upTo;
    while (sequence < settled + window) send();
  };
  client.on('message', (_topic, bytes) => {
    for (const { frame } of decodePayload(bytes).frames)
      if (frame.message.kind === 'receipt') settle(frame.message.contiguous);
  });
  if (until === 'receipt') await client.subscribeAsync(topics.down(boxId), { qos: 1 });
  for (let open = 0; open < window; open += 1) send();
}
process.on('message', () => process.send?.({ sent }));
process.send?.({ sent });
