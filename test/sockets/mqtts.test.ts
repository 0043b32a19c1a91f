import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { type PartProcess, runCommand, startPart } from '../support/sockets/up-process.ts';

const brokersReady = z.looseObject({ mqtt_url: z.string(), amqp_ca: z.string() });
const fleetReady = z.looseObject({ simulator_url: z.string() });
const shown = z.looseObject({ items: z.array(z.looseObject({ session: z.string() })) });

describe('an MQTT broker with TLS, whose certificate authority nobody else knows', () => {
  const data = mkdtempSync(join(tmpdir(), 'boxtwin-mqtts-'));
  const parts: PartProcess[] = [];
  let terminator: Server;
  let mqtts = '';
  let plain = '';
  let ca = '';

  beforeAll(async () => {
    const [mqtt, amqp, amqpsPort, admin] = await Promise.all(Array.from({ length: 4 }, () => freePort()));
    const ports = { 'mqtt-port': mqtt, 'amqp-port': amqp, 'amqps-port': amqpsPort, 'amqp-admin-port': admin };
    const given = Object.entries(ports).flatMap(([name, port]) => [`--${name}`, String(port)]);
    parts.push(await startPart(['brokers', '--data', data, '--seed', '1', '--log-level', 'error', ...given]));
    const brokers = brokersReady.parse(parts[0]?.ready);
    plain = brokers.mqtt_url;
    ca = brokers.amqp_ca;
    const file = (name: string) => readFileSync(join(data, 'tls', name), 'utf8');
    // Ends TLS with the certificate of the data directory, before the embedded broker.
    terminator = createServer({ cert: file('server.pem'), key: file('server-key.pem') }, (socket) => {
      const inner = connect(Number(mqtt), '127.0.0.1');
      socket.pipe(inner).pipe(socket);
      for (const one of [socket, inner]) one.on('error', () => [socket, inner].map((end) => end.destroy()));
    });
    await new Promise<void>((resolve) => terminator.listen(0, '127.0.0.1', resolve));
    const address = terminator.address();
    mqtts = `mqtts://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : ''}`;
  });
  afterAll(async () => {
    for (const part of parts.toReversed()) await part.end('SIGTERM');
    terminator.close();
    rmSync(data, { recursive: true, force: true });
  });

  test('serves backend and boxes that are given it with --mqtt-ca', async () => {
    const [port, simulatorPort] = [String(await freePort()), String(await freePort())];
    const simulator = `http://127.0.0.1:${simulatorPort}`;
    const common = ['--data', data, '--seed', '1', '--vehicles', '2', '--log-level', 'error'];
    const broker = ['--mqtt', mqtts, '--mqtt-ca', ca];
    const backend = ['backend', ...common, ...broker, '--amqp', 'none', '--port', port];
    const fleet = ['fleet', ...common, ...broker, '--console', 'off', '--simulator-port', simulatorPort];
    parts.push(await startPart([...backend, '--simulator', simulator]), await startPart(fleet));
    const { simulator_url: url } = fleetReady.parse(parts.at(-1)?.ready);
    await waitUntil(async () => {
      const { items } = shown.parse(await (await fetch(`${url}/fleet`)).json());
      return items.some(({ session }) => session === 'ready');
    });
  });

  test('is not trusted without it, and doctor says what to do', async () => {
    const { code, output } = await runCommand(['doctor', '--mqtt', mqtts, '--amqp', 'none', '--data', data]);
    expect(code).toBe(1);
    expect(output).toContain('--mqtt-ca FILE');
    const trusted = await runCommand([
      ...['doctor', '--mqtt', mqtts, '--mqtt-ca', ca, '--amqp', 'none', '--data', data],
    ]);
    // Not only another fault than that.
    expect(trusted.output).toMatch(/takes the sign-in of/);
  });

  test.each(['up', 'backend', 'fleet', 'doctor'])(
    '%s refuses the option where no address has TLS, with exit code 2',
    async (part) => {
      const { code, errors } = await runCommand([part, '--mqtt', plain, '--mqtt-ca', ca, '--data', data]);
      expect(code).toBe(2);
      expect(errors).toContain('--mqtt-ca is for mqtts:// addresses');
    },
    60_000,
  );
});
