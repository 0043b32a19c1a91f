import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { READY_FILE, writeAddressFile } from '../../deployment/directory/address-files.ts';
import { type Running, start } from '../../library/start.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { runCommand } from '../support/sockets/up-process.ts';

describe('the commands that use a running service', () => {
  let running: Running;
  let data: string;
  beforeAll(async () => {
    running = await start({ vehicles: 2, makerVehicles: 1 });
    data = mkdtempSync(join(tmpdir(), 'boxtwin-verbs-'));
    const { baseUrl, simulatorUrl, clientId, clientSecret } = running;
    writeAddressFile(
      data,
      READY_FILE,
      JSON.stringify({
        base_url: baseUrl,
        simulator_url: simulatorUrl,
        client_id: clientId,
        client_secret: clientSecret,
        amqp_url: null,
      }),
    );
  });
  afterAll(async () => {
    await running.stop();
    rmSync(data, { recursive: true, force: true });
  });
  const vehicle = () => running.vehicles[0]?.id ?? '';
  const run = (...words: readonly string[]) => runCommand([...words, '--data', data]);

  test('token prints a token that the API takes, and nothing else', async () => {
    const { code, output } = await run('token');
    expect(code).toBe(0);
    expect(output).toMatch(/^[\w.-]+\n$/);
    const headers = { authorization: `Bearer ${output.trim()}` };
    expect((await fetch(`${running.baseUrl}/vehicles`, { headers })).status).toBe(200);
  });

  test('token of a client that does not exist is refused with 1', async () => {
    const { code, errors } = await run('token', '--client-id', 'nobody', '--client-secret', 'none');
    expect(code).toBe(1);
    expect(errors).toMatch(/answered with 401: \w/);
  });

  test('api prints the answer in a pipe byte for byte', async () => {
    const { code, output } = await run('api', 'get', `/vehicles/${vehicle()}`);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ id: vehicle() });
    expect(output).not.toContain('\n');
  });

  test('api sends a body, and ends with 1 and the detail where the service refuses', async () => {
    const { code, output, errors } = await run(
      'api',
      'post',
      '/message-subscriptions',
      '--body',
      '{"topics": 1}',
    );
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ status: 400 });
    expect(errors).toContain('The service answered 400: ');
  });

  test('api proposes the path that was probably meant, and none for an unknown vehicle', async () => {
    const misspelt = await run('api', 'get', '/vehicels');
    expect(misspelt.code).toBe(1);
    expect(misspelt.errors).toContain('Did you mean /vehicles?');
    const command = await run('api', 'post', `/vehicles/${vehicle()}/commands/unlok`);
    expect(command.errors).toContain(`Did you mean /vehicles/${vehicle()}/commands/unlock-central-lock,`);
    expect((await run('api', 'get', `/vehicles/${vehicle()}/state`)).errors).toContain(
      `The state of the vehicle is latest_vehicle_state of /vehicles/${vehicle()}.`,
    );
    expect((await run('api', 'get', '/vehicles/NOBODY')).errors).not.toContain('Did you mean');
  });

  test('api refuses another address, and a body that cannot be read', async () => {
    expect((await run('api', 'get', 'https://example.com/')).errors).toContain('give a path');
    const { code, errors } = await run('api', 'put', '/vehicles', '--body', '@no-such-file');
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('no-such-file') });
  });

  test('env prints variables that up does not take for mistyped settings', async () => {
    const { code, output } = await run('env', '--json');
    expect(code).toBe(0);
    const variables = JSON.parse(output) as Record<string, string>;
    expect(variables).toMatchObject({ BOXTWIN_API_URL: running.baseUrl });
    expect(variables).not.toHaveProperty('BOXTWIN_AMQP_URL');
    const configured = await runCommand(['config', 'up'], { ...process.env, ...variables });
    expect(configured.code).toBe(0);
  });

  test('vehicles lists each vehicle with its state', async () => {
    const { code, output } = await run('vehicles', '--json');
    expect(code).toBe(0);
    const listed = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly vehicleId: string | null });
    expect(listed.map(({ vehicleId }) => vehicleId)).toEqual(
      expect.arrayContaining(running.vehicles.map(({ id }) => id)),
    );
    expect((await run('vehicles')).output).toMatch(/^VEHICLE +MODEL/);
    const one = await run('vehicles', vehicle(), '--json');
    expect(JSON.parse(one.output)).toMatchObject({ vehicleId: vehicle() });
    const none = await run('vehicles', 'NOBODY');
    expect(none).toMatchObject({ code: 2, errors: expect.stringContaining('has the id "NOBODY".') });
  });

  test('do cuts a vehicle off and connects it again', async () => {
    const { code, output } = await run('do', vehicle(), 'coverage', 'off');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('until removed') });
    const hasCoverage = async () => (await running.box(vehicle()).look()).truth['hasCoverage'];
    await waitUntil(async () => (await hasCoverage()) === false, 20_000);
    expect(await run('do', vehicle(), 'coverage', '--undo')).toMatchObject({
      code: 0,
      output: `${vehicle()}: coverage none has ended\n`,
    });
    await waitUntil(async () => (await hasCoverage()) === true, 20_000);
    const again = await run('do', vehicle(), 'coverage', '--undo');
    expect(again).toMatchObject({
      code: 2,
      errors: expect.stringContaining('There is no active fault "coverage"'),
    });
  });

  test('do --undo ends what the control API has done, and offers no fault of another vehicle', async () => {
    const box = running.box(vehicle());
    const other = running.vehicles[1]?.id ?? '';
    await run('do', other, 'coverage', 'none');
    await box.act('coverage', { available: false });
    expect(await run('do', vehicle(), 'coverage', '--undo')).toMatchObject({
      code: 0,
      output: `${vehicle()}: it has coverage again\n`,
    });
    expect((await box.look()).truth['hasCoverage']).toBe(true);
    const again = await run('do', vehicle(), 'coverage', '--undo');
    expect(again.errors).toBe(`boxtwin: There is no active fault "coverage" of ${vehicle()} alone.\n`);
    await box.act('box-error', { text: 'broken', once: false });
    expect((await run('do', vehicle(), '--undo')).output).toBe(`${vehicle()}: its box works again\n`);
    expect((await run('do', 'all', 'coverage', '--undo')).output).toBe(`${other}: coverage none has ended\n`);
  });

  test('do --undo of a vehicle of a maker says that it has no such faults', async () => {
    const { output } = await run('vehicles', '--json');
    const cars = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string | null>);
    const car = cars.find(({ boxId }) => boxId === null)?.['vehicleId'] ?? '';
    expect((await run('do', car, '--undo')).errors).toContain(`${car} is connected by its maker`);
  });

  test('do --undo names the command that ends a fault of all', async () => {
    await run('do', 'all', 'latency', 'base=1ms');
    const { code, errors } = await run('do', vehicle(), 'latency', '--undo');
    expect(code).toBe(2);
    expect(errors).toMatch(
      /latency base=1ms is active for \d vehicles: "boxtwin do all latency --undo" ends it/,
    );
    expect((await run('do', 'all', '--undo')).output).toMatch(/^\d vehicles: latency base=1ms has ended\n$/);
  });

  test('do lists every action in full in a pipe, and each with its values', async () => {
    const listed = (await run('do', vehicle())).output;
    expect(listed).toContain('poor, with a weak signal, latency and little bandwidth; or good.');
    expect(listed).not.toMatch(/…$/m);
    const helped = await run('do', vehicle(), 'coverage', '--help');
    expect(helped).toMatchObject({ code: 0, output: expect.stringContaining('VALUE  none, poor or good') });
    const bare = await run('do', vehicle(), 'coverage');
    expect(bare).toMatchObject({
      code: 2,
      errors: expect.stringContaining('"coverage" needs a value: none, poor or good.'),
    });
    expect((await run('do', vehicle(), 'coverage', 'some')).errors).toMatch(
      /^boxtwin: coverage should be one of none, poor, good/,
    );
  });

  test('do has a vehicle act, and passes on why it cannot', async () => {
    expect((await run('do', vehicle(), 'drive', 'pace=0.7')).code).toBe(0);
    const { code, errors } = await run('do', vehicle(), 'gear', 'position=NEUTRAL');
    expect(code).toBe(1);
    expect(errors).toMatch(/^boxtwin: \w/);
    expect((await run('do', 'NOBODY', 'drive')).errors).toContain('"boxtwin vehicles" lists them.');
  });

  test('status says that the service is ready', async () => {
    const { code, output } = await run('status', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      api: running.baseUrl,
      service: { status: 'ready' },
      fleet: { vehicles: 2 },
    });
  });

  test('open says that there is no console, and prints the address of the reference', async () => {
    expect(await run('open', '--print')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('no console'),
    });
    expect((await run('open', '--docs', '--print')).output).toBe(`${running.baseUrl}/docs\n`);
  });

  describe('completion', () => {
    const offered = async (place: string, ...words: readonly string[]) => {
      const { output, code } = await runCommand([
        'complete',
        '--',
        ...words.slice(0, 1),
        '--data',
        place,
        ...words.slice(1),
      ]);
      expect(code).toBe(0);
      return output
        .split('\n')
        .flatMap((line) => (line.startsWith(':') || line === '' ? [] : [line.split('\t')[0]]));
    };

    test.each([[['do', '']], [['wire', '']], [['tail', '--json', '--vehicle', '']]])(
      'offers the vehicles after %j',
      async (words) => {
        expect(await offered(data, ...words)).toEqual(
          expect.arrayContaining(running.vehicles.map(({ id }) => id)),
        );
      },
    );

    test('offers the actions of a vehicle by their beginning', async () => {
      const acts = await offered(data, 'do', vehicle(), 'd');
      expect(acts).toEqual(expect.arrayContaining(['drive', 'doors']));
      for (const act of acts) expect(act).toMatch(/^d/);
    });

    test('offers no vehicle where nothing runs', async () => {
      expect(await offered(join(data, 'nothing'), 'wire', '')).toEqual([]);
    });
  });
});

describe('the commands about a directory where nothing runs', () => {
  test.each([
    ['token'],
    ['env'],
    ['vehicles'],
    ['status'],
    ['open'],
    ['api', 'get', '/vehicles'],
    ['do', 'V'],
  ])('%s ends with 2 and says how to start', async (...words) => {
    const data = mkdtempSync(join(tmpdir(), 'boxtwin-nothing-'));
    const { code, errors } = await runCommand([...words, '--data', data]);
    rmSync(data, { recursive: true });
    expect(code).toBe(2);
    expect(errors).toMatch(/Start (it|one)/);
  });
});

describe('the commands for scenarios', () => {
  test('a new scenario passes as it is, and is not overwritten', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxtwin-new-'));
    const file = join(folder, 'mine.yaml');
    expect((await runCommand(['scenario', 'new', file])).code).toBe(0);
    expect(await runCommand(['scenario', 'check', file])).toMatchObject({
      code: 0,
      output: '1 scenario can be run.\n',
    });
    expect((await runCommand(['scenario', 'run', file, '--quiet'])).code).toBe(0);
    expect(await runCommand(['scenario', 'new', file])).toMatchObject({ code: 2 });
    expect(readFileSync(file, 'utf8')).toContain('name: mine');
    rmSync(folder, { recursive: true });
  });

  test('a story is run by its name, and a similar name is suggested', async () => {
    expect((await runCommand(['scenario', 'run', 'tunnel', '--quiet'])).output).toContain('tunnel passed');
    const { code, errors } = await runCommand(['scenario', 'check', 'tunel']);
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('Did you mean tunnel?') });
    expect((await runCommand(['scenario', 'list'])).output).toMatch(/^tunnel +Three cars/m);
  });
});

describe('what is typed by habit', () => {
  test.each([
    ['start', 'boxtwin up'],
    ['logs', 'boxtwin tail'],
    ['run', 'boxtwin scenario run FILE'],
  ])('%s leads to %s', async (word, command) => {
    expect(await runCommand([word])).toMatchObject({ code: 2, errors: expect.stringContaining(command) });
  });

  test('-V asks for the version, as it did before -v', async () => {
    expect((await runCommand(['-V'])).output).toBe((await runCommand(['--version'])).output);
  });

  test('a wrong option points to the help of its own command', async () => {
    expect((await runCommand(['up', '--vehicels', '3'])).errors).toContain('(boxtwin up --help');
    expect((await runCommand(['help', 'scenrio'])).errors).toContain('Did you mean scenario?');
  });

  test('the help fits one screen, and --help-all has every setting', async () => {
    for (const words of [['--help'], ['up', '--help']])
      expect((await runCommand(words)).output.split('\n').length).toBeLessThanOrEqual(50);
    const { output } = await runCommand(['up', '--help-all']);
    expect(output).toMatch(/^Fleet:$/m);
    expect(output).toContain('--rate-limit');
  });

  test('--no-console is --console off', async () => {
    expect((await runCommand(['doctor', '--json'])).output).toContain('console port');
    expect((await runCommand(['doctor', '--json', '--no-console'])).output).not.toContain('console port');
  });
});
