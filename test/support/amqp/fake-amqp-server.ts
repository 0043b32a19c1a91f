import { createServer, type Socket } from 'node:net';

/** An AMQP 0-9-1 method of a client, by class and method id: `60.40` is basic.publish. */
export type MethodId = `${number}.${number}`;

export interface FakeAmqpServer {
  readonly url: string;
  /** Every method that the client sent, in order. */
  readonly methods: MethodId[];
  /** Sends a method on a channel. */
  send(channel: number, method: MethodId, args?: readonly number[]): void;
  /** Whether the client has hung up. */
  isLeft(): boolean;
  /** Severs the connection. */
  cut(): void;
  close(): void;
}

/**
 * A peer that performs the handshake of an AMQP broker and then does only what the test requests. A frame is
 * (section 2.3.5)
 *
 *     type u8 | channel u16 | size u32 | payload | 0xce      payload of a method: class u16, method u16, arguments
 */
export function startFakeAmqpServer(unanswered: readonly MethodId[] = []): Promise<FakeAmqpServer> {
  const methods: MethodId[] = [];
  let client: Socket | undefined;
  const send = (channel: number, method: MethodId, args: readonly number[] = []) => {
    const [classId = 0, methodId = 0] = method.split('.').map(Number);
    const payload = [...u16(classId), ...u16(methodId), ...args];
    client?.write(Uint8Array.from([1, ...u16(channel), ...u32(payload.length), ...payload, 0xce]));
  };
  const server = createServer((socket) => {
    client = socket;
    let bytes = Buffer.alloc(0);
    let hasGreeted = false;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!hasGreeted && bytes.length >= 8) {
        hasGreeted = true;
        bytes = bytes.subarray(8);
        // connection.start: version 0-9, no properties, the one mechanism, the one locale
        send(0, '10.10', [0, 9, ...u32(0), ...longText('PLAIN'), ...longText('en_US')]);
      }
      while (hasGreeted && bytes.length >= 7 && bytes.length >= 8 + bytes.readUInt32BE(3)) {
        const size = bytes.readUInt32BE(3);
        if (bytes[0] === 1) take(bytes.readUInt16BE(1), `${bytes.readUInt16BE(7)}.${bytes.readUInt16BE(9)}`);
        bytes = bytes.subarray(8 + size);
      }
    });
  });
  function take(channel: number, method: MethodId): void {
    methods.push(method);
    const answer = ANSWERS[method];
    if (answer !== undefined && !unanswered.includes(method)) send(channel, answer.method, answer.args);
  }
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      resolve({
        url: `amqp://u:p@127.0.0.1:${port}`,
        methods,
        send,
        isLeft: () => client?.closed === true,
        cut: () => void client?.destroy(),
        close: () => {
          client?.destroy();
          server.close();
        },
      });
    });
  });
}

const u16 = (value: number) => [value >> 8, value & 0xff];
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];
const longText = (text: string) => [...u32(text.length), ...Buffer.from(text)];
export const shortTextBytes = (text: string) => [text.length, ...Buffer.from(text)];
/** The arguments of basic.ack (60.80) and basic.nack (60.120) for one message. */
export const deliveryTagBytes = (deliveryTag: number) => [...u32(0), ...u32(deliveryTag), 0];

const ANSWERS: Readonly<
  Partial<Record<MethodId, { readonly method: MethodId; readonly args?: readonly number[] }>>
> = {
  // start-ok → tune: 100 channels, frames of 128 KiB, no own heartbeat
  '10.11': { method: '10.30', args: [...u16(100), ...u32(131_072), ...u16(0)] },
  // open → open-ok
  '10.40': { method: '10.41', args: [0] },
  // close → close-ok
  '10.50': { method: '10.51' },
  // channel.open → open-ok, channel.close → close-ok
  '20.10': { method: '20.11', args: u32(0) },
  '20.40': { method: '20.41' },
  // confirm.select → select-ok
  '85.10': { method: '85.11' },
};
