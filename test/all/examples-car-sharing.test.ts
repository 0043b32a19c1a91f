import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlApi, controlApiAt } from '../../deployment/http/control-api.ts';
import { serveHttp } from '../../deployment/http/http-server.ts';
import {
  commandsOf,
  outputDifference,
  type PageCommand,
  runPageCommands,
} from '../support/docs/page-commands.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { ExampleProcess, exampleVariables } from '../support/sockets/example-process.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

/** A charge as it came; `key` is its Idempotency-Key. */
interface Charge {
  readonly key: string;
  readonly cents: number;
}

interface PaymentService {
  readonly url: string;
  /** All charges that came, repetitions too. */
  readonly charges: readonly Charge[];
  close(): Promise<void>;
}

/** A payment service that takes each charge, and loses its first answer to each key. */
async function startPaymentService(): Promise<PaymentService> {
  const charges: Charge[] = [];
  const server = await serveHttp({ port: 0 }, async (request) => {
    const key = request.headers.get('idempotency-key') ?? '';
    const isFirst = !charges.some((one) => one.key === key);
    const { cents } = (await request.json()) as { readonly cents: number };
    charges.push({ key, cents });
    return new Response(null, { status: isFirst ? 503 : 204 });
  });
  return { url: `http://127.0.0.1:${server.port}/`, charges, close: () => server.close() };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Cars of the seed 1, with their boxes. */
const RENTALS = 4;
/** An odometer on the diagnostic port has a resolution of 0.1 km, and is read twice. */
const TOLERANCE_KM = 0.21;
/** So far that the odometer shows it: a shorter rental may be billed as 0 km. */
const MIN_DRIVEN_KM = 0.3;

const page = readFileSync(join(root, 'docs/examples.md'), 'utf8');
/** From the booking to the invoice. */
const walk = commandsOf(page).filter(({ command }) => command.includes('$DESK'));
const at = (step: PageCommand | undefined, desk: string): PageCommand => {
  if (step === undefined) throw new Error('docs/examples.md has no walk.');
  return { ...step, command: step.command.replace(/^DESK=.*$/m, `DESK=${desk}`) };
};

interface Booking {
  readonly id: string;
  readonly vehicle_id: string;
  readonly status: string;
  readonly is_returned: 0 | 1;
}

interface Invoice {
  readonly booking_id: string;
  readonly km: number;
  readonly cents: number;
}

interface Truth {
  readonly speedKph: number;
  readonly mileageKm: number;
  readonly locked: boolean;
  readonly drivingEnabled: boolean;
}

describe('the car-sharing back end, in bad weather', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-car-sharing-'));
  let options: readonly string[];
  let up: UpProcess;
  let control: ControlApi;
  let backEnd: ExampleProcess;
  let payments: PaymentService;
  let desk: string;
  let vehicles: readonly string[];
  /** By vehicle, what the physics of the simulator drove between unlocking and locking. */
  const drivenKm = new Map<string, number>();

  const truthOf = async (vehicle: string): Promise<Truth> =>
    ((await control('GET', `/boxes/${vehicle}`)) as { readonly truth: Truth }).truth;
  const stands = async (vehicle: string) => (await truthOf(vehicle)).speedKph === 0;

  /** As a driver's phone: the same request again until it is answered, since the back end is killed meanwhile. */
  async function phone(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown }> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    for (;;) {
      try {
        const answer = await fetch(`${desk}${path}`, { method, ...json });
        return { status: answer.status, body: await answer.json() };
      } catch {
        await sleep(200);
      }
    }
  }
  const booking = async (id: string) => (await phone('GET', `/bookings/${id}`)).body as Booking;
  const comesTo = (id: string, status: string) =>
    waitUntil(async () => (await booking(id)).status === status, 60_000);

  /** Whether it has driven 0.1 km; one that is at rest drives on. */
  async function hasDriven(vehicle: string, beforeKm: number): Promise<boolean> {
    const { speedKph, mileageKm } = await truthOf(vehicle);
    if (speedKph === 0) await control('POST', `/boxes/${vehicle}/drive`, { pace: 1.2 });
    return mileageKm - beforeKm >= MIN_DRIVEN_KM;
  }

  /** One driver's rental: again and again what the back end does not take yet. */
  async function rent(vehicle: string): Promise<void> {
    const id = `of-${vehicle}`;
    const beforeKm = (await truthOf(vehicle)).mileageKm;
    // 200 where the back end was killed between its work and its answer, and the phone has asked again.
    const made = await phone('PUT', `/bookings/${id}`, { vehicle_id: vehicle, driver: 'ada' });
    expect([200, 201]).toContain(made.status);
    await comesTo(id, 'RESERVED');
    await phone('POST', `/bookings/${id}/unlock`);
    await comesTo(id, 'OPEN');
    await untilDone(() => control('POST', `/boxes/${vehicle}/drive`, { pace: 1.2 }));
    await sleep(12_000);
    // On a busy machine most of these seconds may pass while the simulator starts again.
    await waitUntil(() => untilDone(() => hasDriven(vehicle, beforeKm)), 60_000);
    await untilDone(() => control('POST', `/boxes/${vehicle}/park`, {}));
    await waitUntil(() => untilDone(() => stands(vehicle)), 30_000);
    for (let status = 'OPEN'; status === 'OPEN'; status = (await booking(id)).status) {
      await phone('POST', `/bookings/${id}/end`);
      await waitUntil(async () => (await booking(id)).status !== 'CLOSING', 60_000);
    }
    await waitUntil(async () => (await booking(id)).is_returned === 1, 60_000);
    drivenKm.set(vehicle, (await untilDone(() => truthOf(vehicle))).mileageKm - beforeKm);
  }

  /** The simulator is killed with the rest. */
  async function untilDone<Result>(act: () => Promise<Result>): Promise<Result> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await act();
      } catch (error) {
        if (tries === 100) throw error;
        await sleep(200);
      }
    }
  }

  /** What befalls them meanwhile. */
  async function badWeather(): Promise<void> {
    await control('PUT', '/weather', { preset: 'storm' });
    await control('PUT', '/service/token-lifetime', { seconds: 3 });
    await control('POST', '/faults', { weather: { lose: { message: 'command-reply', count: 1 } } });
    await control('POST', '/faults', {
      weather: { lose: { message: 'amqp-confirm', count: 4, connection: 'cut' } },
    });
    await sleep(3_000);
    await backEnd.end('SIGKILL');
    await backEnd.start('drivers call');
    await sleep(3_000);
    await up.end('SIGKILL');
    up = await UpProcess.start(options);
    await control('PUT', '/weather', { preset: 'storm' });
    await control('POST', '/faults', { break: { exchange: 'down' }, for: '4s' });
    await control('POST', '/faults', {
      weather: { latency: { base: '300ms', jitter: '300ms' } },
      for: '10s',
    });
    await sleep(8_000);
    await control('POST', '/faults', {
      weather: { lose: { message: 'command-reply', count: 1 } },
      for: '10s',
    });
    await control('POST', '/faults', { weather: 'cut' });
    await backEnd.end('SIGKILL');
    await backEnd.start('drivers call');
    await sleep(6_000);
    await control('PUT', '/weather', { preset: 'none' });
  }

  beforeAll(async () => {
    const data = join(folder, 'data');
    const usual = ['--vehicles', '8', '--drivers', 'off', '--answer-timeout', '5', '--data', data];
    options = [...usual, ...(await UpProcess.ownPorts())];
    up = await UpProcess.start(options);
    control = controlApiAt(up.ready.simulator_url);
    payments = await startPaymentService();
    const port = await freePort();
    desk = `http://127.0.0.1:${port}`;
    const { items } = (await control('GET', '/boxes')) as {
      readonly items: readonly { readonly vehicleId: string | null; readonly model: string }[];
    };
    const cars = items.flatMap(({ vehicleId, model }) =>
      vehicleId === null || /moped|scooter/.test(model) ? [] : [vehicleId],
    );
    vehicles = cars.slice(0, RENTALS);
    for (const vehicle of vehicles) await control('POST', `/boxes/${vehicle}/park`, {});
    const headers = { authorization: `Bearer ${await up.token()}` };
    for (const vehicle of vehicles) {
      await waitUntil(() => stands(vehicle), 30_000);
      const locking = `${up.ready.base_url}/vehicles/${vehicle}/commands/lock-and-disable-driving`;
      await waitUntil(async () => (await fetch(locking, { method: 'POST', headers })).status === 200, 20_000);
    }
    backEnd = new ExampleProcess('car-sharing/main.ts', {
      ...exampleVariables(up.ready),
      DATABASE: join(folder, 'car-sharing.sqlite'),
      PORT: `${port}`,
      PAYMENTS: payments.url,
      BILL_AFTER_MS: '3000',
    });
    await backEnd.start('drivers call');
    await Promise.all([badWeather(), ...vehicles.map(rent)]);
  }, 200_000);
  afterAll(async () => {
    expect(await backEnd.end('SIGTERM')).toBe(0);
    await payments.close();
    await up.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test('every rental is billed once, by what the vehicle really drove', async () => {
    const { items } = (await phone('GET', '/invoices')).body as { readonly items: readonly Invoice[] };
    expect(items.map(({ booking_id }) => booking_id).toSorted()).toEqual(
      vehicles.map((vehicle) => `of-${vehicle}`).toSorted(),
    );
    for (const { booking_id, km, cents } of items) {
      const trueKm = drivenKm.get(booking_id.slice(3)) ?? Number.NaN;
      expect(Math.abs(km - trueKm), `${booking_id}: ${km} km billed, ${trueKm} km driven`).toBeLessThan(
        TOLERANCE_KM,
      );
      expect(km, `${booking_id}: the way billed`).toBeGreaterThan(0);
      expect(cents).toBe(Math.round(km * 35));
    }
  });

  test('every invoice is charged under one key, however often the answer is lost', async () => {
    const { items } = (await phone('GET', '/invoices')).body as { readonly items: readonly Invoice[] };
    await waitUntil(() => payments.charges.length >= 2 * RENTALS, 20_000);
    for (const { booking_id, cents } of items) {
      const mine = payments.charges.filter(({ key }) => key === booking_id);
      expect(mine.length).toBeGreaterThan(1);
      expect(new Set(mine.map((one) => one.cents))).toEqual(new Set([cents]));
    }
    expect(new Set(payments.charges.map(({ key }) => key)).size).toBe(RENTALS);
  });

  test('every vehicle is locked, immobilized and free for the next one', async () => {
    const headers = { authorization: `Bearer ${await up.token()}` };
    for (const vehicle of vehicles) {
      expect(await truthOf(vehicle)).toMatchObject({ locked: true, drivingEnabled: false });
      const answer = await fetch(`${up.ready.base_url}/vehicles/${vehicle}`, { headers });
      expect(await answer.json()).toMatchObject({ rental_status: { value: 'NOT_IN_RENTAL' } });
    }
  });

  test('the walk of docs/examples.md comes to what the page shows', async () => {
    const [first, ...steps] = walk;
    const given = `SIMULATOR=${up.ready.simulator_url}\n`;
    const all = [{ name: 'given', command: given, answer: undefined }, at(first, desk), ...steps];
    const outputs = (await runPageCommands('bash', all, { folder, deadlineMs: 60_000 })).slice(1);
    walk.forEach(({ answer, command }, index) => {
      const difference = answer && outputDifference(answer, outputs[index] ?? '');
      expect(difference, `${command}\n${outputs[index]}`).toBeUndefined();
    });
  });

  test('a vehicle that does not exist, one that is taken and a request without sense are refused with a reason', async () => {
    const [vehicle = ''] = vehicles;
    const wish = { vehicle_id: vehicle, driver: 'ada' };
    expect((await phone('PUT', '/bookings/next', wish)).status).toBe(201);
    expect((await phone('PUT', '/bookings/next', wish)).status).toBe(200);
    expect(await phone('PUT', '/bookings/other', wish)).toMatchObject({
      status: 409,
      body: { detail: 'The vehicle has a booking.' },
    });
    expect(await phone('PUT', '/bookings/next', { vehicle_id: vehicle })).toMatchObject({ status: 400 });
    await comesTo('next', 'RESERVED');
    expect((await phone('POST', '/bookings/next/end')).status).toBe(202);
    expect((await phone('POST', '/bookings/next/unlock')).status).toBe(409);
    await phone('PUT', '/bookings/nowhere', { vehicle_id: 'NOBODY', driver: 'ada' });
    await comesTo('nowhere', 'CANCELLED');
    expect(await booking('nowhere')).toMatchObject({ problem: '/problems/resource-not-found' });
  });

  test('goes on renting through two minutes of a swarm, and bills each rental once', async () => {
    const words = ['--data', join(folder, 'data'), '--minutes', '2', '--seed', '2'];
    let isOver = false;
    const swarm = runCommand(['swarm', '--running', ...words]).finally(() => {
      isOver = true;
    });
    const rented = await Promise.all(
      vehicles.map(async (vehicle) => {
        const mine: string[] = [];
        do {
          mine.push(`swarm-${mine.length + 1}-${vehicle}`);
          await rentBriefly(mine.at(-1) ?? '', vehicle);
        } while (!isOver);
        return mine;
      }),
    );
    const { code, output, errors } = await swarm;
    expect(code, `${output}${errors}`).toBe(0);
    const { items } = (await phone('GET', '/invoices')).body as { readonly items: readonly Invoice[] };
    const billed = items.map(({ booking_id }) => booking_id).filter((id) => id.startsWith('swarm-'));
    expect(billed.length).toBe(new Set(billed).size);
    // A rental that never opened is not billed.
    const opened = (await Promise.all(rented.flat().map(booking))).filter(
      ({ status }) => status === 'BILLED',
    );
    expect(billed.toSorted()).toEqual(opened.map(({ id }) => id).toSorted());
    expect(billed.length).toBeGreaterThan(RENTALS);
  }, 400_000);

  /** A rental without a drive of its own; somebody else may drive, and park, meanwhile. */
  async function rentBriefly(id: string, vehicle: string): Promise<void> {
    await phone('PUT', `/bookings/${id}`, { vehicle_id: vehicle, driver: 'ada' });
    let unlocked = false;
    for (const endMs = Date.now() + 180_000; Date.now() < endMs; await sleep(300)) {
      const { status, is_returned } = await booking(id);
      if (is_returned === 1) return;
      if (status === 'RESERVED' && !unlocked) {
        await phone('POST', `/bookings/${id}/unlock`);
        unlocked = true;
      } else if (status === 'OPEN') {
        await control('POST', `/boxes/${vehicle}/park`, {}).catch(() => undefined);
        await sleep(1_000);
        await phone('POST', `/bookings/${id}/end`);
      }
    }
    throw new Error(`${id} is not over: ${JSON.stringify(await booking(id))}`);
  }
});
