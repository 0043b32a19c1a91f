import { createServer, type Server } from 'node:net';
import { listenOn, PORTS } from '../http/port.ts';
import { CommandError } from '../shared/command-error.ts';
import type { PortFacts } from './machine-judges.ts';

/** The options that name ports, and those that decide whether a port is used at all. */
export interface PortOptions {
  readonly port?: number;
  readonly simulatorPort?: number;
  readonly consolePort?: number;
  readonly console?: 'on' | 'off';
  readonly mqttPort?: number;
  readonly amqpPort?: number;
  readonly amqpsPort?: number;
  readonly mqtt: string;
  readonly amqp: string;
}

interface PortRow {
  readonly name: string;
  /** The name of its check. */
  readonly check: string;
  readonly option: string;
  readonly usual: number;
  readonly given: (options: PortOptions) => number | undefined;
  readonly isTaken: (options: PortOptions) => boolean;
}

/** In the order in which `up` opens them. */
export const PORT_ROWS: readonly PortRow[] = [
  {
    name: 'the MQTT broker',
    check: 'MQTT port',
    ...PORTS.mqtt,
    given: ({ mqttPort }) => mqttPort,
    isTaken: ({ mqtt }) => mqtt === 'embedded',
  },
  {
    name: 'the AMQP broker',
    check: 'AMQP port',
    ...PORTS.amqp,
    given: ({ amqpPort }) => amqpPort,
    isTaken: ({ amqp }) => amqp === 'embedded',
  },
  {
    name: 'the AMQP broker with TLS',
    check: 'AMQPS port',
    ...PORTS.amqps,
    given: ({ amqpsPort }) => amqpsPort,
    isTaken: ({ amqp }) => amqp === 'embedded',
  },
  {
    name: 'the API',
    check: 'API port',
    ...PORTS.api,
    given: ({ port }) => port,
    isTaken: () => true,
  },
  {
    name: 'the simulator',
    check: 'simulator port',
    ...PORTS.simulator,
    given: ({ simulatorPort }) => simulatorPort,
    isTaken: () => true,
  },
  {
    name: 'the console',
    check: 'console port',
    ...PORTS.console,
    given: ({ consolePort }) => consolePort,
    isTaken: ({ console }) => console !== 'off',
  },
];

/**
 * Listens on each port for a moment, all at once as `up` would: a port that one of them uses is not free for the next.
 * Keyed by option. Rejects with the system's error where something fails other than the availability of a port.
 */
export async function portFacts(options: PortOptions): Promise<ReadonlyMap<string, PortFacts>> {
  const held: Server[] = [];
  const facts = new Map<string, PortFacts>();
  try {
    for (const { name, option, usual, given, isTaken } of PORT_ROWS) {
      if (!isTaken(options)) continue;
      const port = given(options) ?? usual;
      const isGiven = given(options) !== undefined;
      const state = await stateOf(port, held);
      const other = state === 'free' || isGiven ? undefined : await otherThan(port, option, held);
      facts.set(option, { name, option, port, isGiven, state, other });
    }
    return facts;
  } finally {
    for (const server of held) server.close();
  }
}

async function stateOf(port: number, held: Server[]): Promise<PortFacts['state']> {
  try {
    held.push(await listening(port));
    return 'free';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') return 'taken';
    if (code === 'EACCES') return 'forbidden';
    throw error;
  }
}

async function otherThan(port: number, option: string, held: Server[]): Promise<number | undefined> {
  try {
    const found = await listenOn({ port, isGiven: false, option }, listening);
    held.push(found.server);
    return found.port;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** Rejects with the system's error. */
function listening(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}
