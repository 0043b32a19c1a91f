import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Running, start } from '../../library/start.ts';
import { PROBLEM_TABLE } from '../../scenarios/causes/table.ts';
import { freePort } from '../support/run/free-port.ts';
import { runCommand } from '../support/sockets/up-process.ts';

const report = z.object({
  problem: z.string(),
  cause: z.string(),
  vehicle: z.string().nullable(),
  request: z.string(),
  answer: z.object({ status: z.number(), body: z.object({ type: z.string(), detail: z.string() }) }),
  undo: z.array(z.object({ says: z.string(), curl: z.string().optional() })),
  undone: z.boolean(),
});

describe('boxtwin provoke', () => {
  let running: Running;
  const parked = () => running.vehicles[2]?.id ?? '';

  beforeAll(async () => {
    running = await start({ seed: 1, vehicles: 3, makerVehicles: 2, unassignedDevices: 3 });
  });
  afterAll(() => running?.stop());

  const provoke = (...args: readonly string[]) =>
    runCommand(['provoke', ...args, '--url', running.baseUrl, '--simulator', running.simulatorUrl]);
  const status = async () =>
    (await running.call('POST', `/vehicles/${parked()}/box-commands/request-system-status`)).status;

  test('causes a problem, says what it did, and undoes it', async () => {
    const { code, output, errors } = await provoke('no-connection', '--vehicle', parked(), '--undo');
    expect(errors).toContain('Waits until the service knows that the box is offline, up to 90 s.\n');
    expect(code).toBe(0);
    expect(output).toContain('504 /problems/vehicle/no-connection');
    expect(output).toContain('Radio coverage ends.');
    expect(output).toContain(`curl -i -X POST`);
    expect(output).toMatch(
      /^ {2}TOKEN=\$\(npx boxtwin token --client-id \S+ --client-secret \S+ --url http:/m,
    );
    expect(output).toContain('-H "authorization: Bearer $TOKEN"');
    expect(output).toContain('did not connect');
    expect(output).toContain('Radio coverage is there again.');
    expect(await status()).toBe(200);
  });

  test('does not undo it without --undo, and says how to undo it', async () => {
    const args = ['telematics-unit/error', '--vehicle', parked().toLowerCase(), '--json'];
    const { code, output } = await provoke(...args, '--endpoint', 'ble-reset');
    expect(code).toBe(0);
    const { answer, undo, undone, cause, vehicle } = report.parse(JSON.parse(output));
    expect({ cause, vehicle, undone }).toEqual({ cause: 'box-fails', vehicle: parked(), undone: false });
    expect(answer.status).toBe(500);
    expect(answer.body.type).toBe('/problems/telematics-unit/error');
    expect(await status()).toBe(500);
    const [mending] = undo;
    expect(mending?.curl).toContain(`${running.simulatorUrl}/boxes/`);
    expect(mending?.curl).toContain("-d '{}'");
    await running.box(parked()).act('box-error');
    expect(await status()).toBe(200);
  });

  test('says at once that the vehicle is cut off already, and leaves nothing behind', async () => {
    await running.box(parked()).act('coverage', { available: false });
    for (const [problem = '', ...more] of [
      ['telematics-unit-error'],
      ['no-connection', '--cause', 'box-is-silent', '--undo'],
    ]) {
      const { code, output, errors } = await provoke(problem, '--vehicle', parked(), ...more);
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toContain(`${parked()} has no coverage, from an earlier provoke or action.`);
      expect(errors).toContain(
        `"boxtwin do ${parked()} coverage --undo --simulator ${running.simulatorUrl}"`,
      );
    }
    const { belief } = await running.box(parked()).look();
    expect(belief).toMatchObject({ fault: null, hangsUntilMs: null });
    const again = await provoke('no-connection', '--vehicle', parked(), '--undo', '--quiet');
    expect(again).toMatchObject({ code: 0, errors: '' });
    expect(await status()).toBe(200);
  });

  test('ends while another command is open, and that one continues', async () => {
    const { code, output } = await provoke('conflicting-command', '--vehicle', parked(), '--json');
    expect(code).toBe(0);
    expect(report.parse(JSON.parse(output)).cause).toBe('another-command-is-open');
    expect(await status()).toBe(409);
    await running.box(parked()).act('silence', { seconds: 0 });
    await expect.poll(status).toBe(200);
  });

  test('creates a vehicle if a setup is needed, as the given client', async () => {
    const client = ['--client-id', running.clientId, '--client-secret', running.clientSecret];
    const { code, output } = await provoke('conflicting-setup-status', '--undo', '--json', ...client);
    expect(code).toBe(0);
    const { answer, vehicle, undone } = report.parse(JSON.parse(output));
    expect({ vehicle, undone }).toEqual({ vehicle: null, undone: true });
    expect(answer.body.detail).toMatch(/setup status is/);
    const listed = (await (await running.call('GET', '/vehicles')).json()) as { items: unknown[] };
    expect(listed.items).toHaveLength(5);
  });

  test.each([
    [
      'command-not-supported',
      ['--endpoint', 'lock-central-lock'],
      /has the capability LOCK_CENTRAL_LOCK\. The vehicle [A-Z0-9]+ does\./,
    ],
    ['conflicting-setup-status', [], /it is set up already\. Leave --vehicle out/],
    ['third-party/error', [], /it has a box and not its maker's telematics\. The vehicle [A-Z0-9]+ does\./],
  ])('says why a vehicle does not fit %s, and names one that does', async (problem, more, expected) => {
    const { code, errors } = await provoke(problem, '--vehicle', parked(), ...more);
    expect(code).toBe(2);
    expect(errors).toMatch(expected);
  });

  test.each([
    [['no-conection'], /no problem "no-conection"\. Did you mean no-connection/],
    [['error'], /may be telematics-unit-error or third-party-error/],
    [[], /Which problem\?/],
    [['no-connection', '--vehicle', 'NOBODY'], /The fleet has no vehicle NOBODY/],
    [['no-connection', '--cause', 'old-firmware'], /Its causes are no-coverage, box-is-silent/],
    [['no-connection', '--client-id', 'me'], /belong together/],
  ])('%j is refused with what to do', async (args, expected) => {
    const { code, errors } = await provoke(...args);
    expect(code).toBe(2);
    expect(errors).toMatch(expected);
  });

  test('says where it looked for the service', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const { code, errors } = await runCommand([
      'provoke',
      'no-connection',
      '--url',
      nobody,
      '--simulator',
      nobody,
    ]);
    expect(code).toBe(2);
    expect(errors).toMatch(/There is no answer from .*Is "boxtwin up" running\?.*--data/);
  });

  test('lists every row of the table', async () => {
    const listed = await runCommand(['provoke', '--list', '--json']);
    expect(JSON.parse(listed.output)).toHaveLength(PROBLEM_TABLE.length);
    const shown = await runCommand(['provoke', '--list']);
    for (const { cause, problem } of PROBLEM_TABLE) {
      expect(shown.output).toContain(cause);
      expect(shown.output).toContain(problem);
    }
  });
});
