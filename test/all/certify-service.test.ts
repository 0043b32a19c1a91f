import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Certification, openCertification } from '../../certify/service/certification.ts';
import type { CertifyOptions } from '../../certify/service/certify-options.ts';
import { realAmqpConsumer } from '../../world/amqp/real-amqp-consumer.ts';
import { BREAKAGES, type Breakage, between } from '../support/certify/breakages.ts';
import { freePort } from '../support/run/free-port.ts';
import { type PartProcess, runCommand, startPart } from '../support/sockets/up-process.ts';

const ANSWER_TIMEOUT_S = 10;
const brokersReady = z.looseObject({ mqtt_url: z.string(), amqp_url: z.string() });
const backendReady = z.looseObject({
  base_url: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
});
const report = z.object({
  subject: z.string(),
  passed: z.number(),
  failed: z.number(),
  not_tried: z.number(),
  points: z.array(z.looseObject({ id: z.string(), result: z.string() })),
});

describe('boxtwin certify, with our own service as if it were foreign', () => {
  const data = mkdtempSync(join(tmpdir(), 'boxtwin-certify-'));
  const parts: PartProcess[] = [];
  let options: CertifyOptions;
  let args: readonly string[] = [];
  let certification: Certification | undefined;
  let breakage: Breakage = {};
  /** What has passed where nothing is broken. */
  const passing = new Set<string>();

  beforeAll(async () => {
    const ports = await Promise.all(Array.from({ length: 7 }, () => freePort()));
    const [mqtt, amqp, amqps, amqpAdmin, api, control, simulator] = ports.map(String);
    const of = (name: string, value: string | undefined) => [name, value ?? ''];
    const common = ['--data', data, '--seed', '1', '--log-level', 'error'];
    parts.push(
      await startPart([
        'brokers',
        ...common,
        ...of('--mqtt-port', mqtt),
        ...of('--amqp-port', amqp),
        ...of('--amqps-port', amqps),
        ...of('--amqp-admin-port', amqpAdmin),
      ]),
    );
    const brokers = brokersReady.parse(parts[0]?.ready);
    parts.push(
      await startPart([
        'backend',
        ...common,
        '--vehicles',
        '0',
        '--stock',
        '6',
        ...of('--port', api),
        ...of('--control-port', control),
        ...of('--answer-timeout', String(ANSWER_TIMEOUT_S)),
        ...of('--simulator', `http://127.0.0.1:${simulator ?? ''}`),
        '--rate-limit',
        '100000',
      ]),
    );
    const {
      base_url: apiUrl,
      client_id: clientId,
      client_secret: clientSecret,
    } = backendReady.parse(parts[1]?.ready);
    const amqpUrl = brokers.amqp_url.replace(/\/\/[^@]*@/, '//');
    const admin = `http://127.0.0.1:${control ?? ''}`;
    args = [
      ...[
        'certify',
        '--url',
        apiUrl,
        '--client-id',
        clientId,
        '--client-secret',
        clientSecret,
        '--mqtt',
        brokers.mqtt_url,
      ],
      ...['--amqp', amqpUrl, '--admin', admin, '--data', data, '--simulator-port', simulator ?? ''],
      ...['--answer-timeout', String(ANSWER_TIMEOUT_S), '--json'],
    ];
    options = {
      api: apiUrl,
      client: { clientId, clientSecret },
      mqtt: brokers.mqtt_url,
      amqp: amqpUrl,
      admin,
      vehicles: 6,
      seed: 1,
      data,
      simulatorPort: Number(simulator),
      logLevel: 'error',
      answerTimeoutMs: ANSWER_TIMEOUT_S * 1_000,
      progress: () => undefined,
      network: {
        async fetch(request) {
          const answer = await fetch(request.clone());
          return breakage.answer === undefined ? answer : breakage.answer(request, answer);
        },
        amqp: (url) =>
          between(realAmqpConsumer({ url }), (delivery) => breakage.deliver?.(delivery) ?? [delivery]),
      },
    };
  });
  afterAll(async () => {
    await certification?.close();
    for (const part of parts.toReversed()) await part.end('SIGTERM');
    rmSync(data, { recursive: true, force: true });
  });

  test('passes all points of its table, its answers, messages and frames', async () => {
    const some = [
      'access/',
      'success/',
      'message/',
      'checker/',
      'wire/',
      'schema/',
      ...SWIFT_CAUSES.map((cause) => `: ${cause}`),
    ];
    const { code, output, errors } = await runCommand([...args, ...some.flatMap((text) => ['--only', text])]);
    const { points, passed, failed } = report.parse(JSON.parse(output));
    expect(points.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(failed, errors).toBe(0);
    expect(passed).toBeGreaterThan(400);
    expect(code).toBe(0);
  }, 240_000);

  test.each(BREAKAGES)(
    '%s is found by %s',
    async (_, point, make) => {
      breakage = {};
      certification ??= await openCertification(options);
      const group = point.startsWith('schema/')
        ? ['schema/GET /vehicles/{id}', 'success/GET /vehicles/{id}']
        : [point];
      // Of messages all points are judged by the same calls: that they pass is seen once.
      const calm = point.startsWith('message/') ? ['message/'] : group;
      if (!passing.has(calm.join())) {
        const whole = await certification.run(calm);
        expect(whole.points.filter(({ result }) => result === 'failed')).toEqual([]);
        passing.add(calm.join());
      }
      breakage = make();
      const broken = await certification.run(group);
      const found = broken.points.find(({ id }) => id === point);
      expect(found).toMatchObject({ id: point, result: 'failed' });
    },
    60_000,
  );

  test.each([
    [['--only', 'no-such-point'], /is in no name/],
    [['--box', '0123456789abcdef'], /goes with --boxes theirs/],
    [['--boxes', 'theirs'], /--url would do nothing/],
  ])('%j is refused with what to do', async (more, expected) => {
    const { code, errors } = await runCommand([...args, ...more]);
    expect(errors).toMatch(expected);
    expect(code).toBe(2);
  });

  test('says what is missing, and where nobody answers', async () => {
    const without = await runCommand(['certify', '--mqtt', 'mqtt://127.0.0.1:1']);
    expect(without.errors).toMatch(/give --url, --client-id, --client-secret/);
    expect(without.code).toBe(2);
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const given = [
      '--url',
      nobody,
      '--client-id',
      'me',
      '--client-secret',
      'mine',
      '--mqtt',
      'mqtt://127.0.0.1:1',
      '--data',
      data,
    ];
    const away = await runCommand(['certify', ...given]);
    expect(away.errors).toMatch(/The API at .* \(--url\) does not answer/);
    expect(away.code).toBe(2);
  });
});

/** Causes that need no restart of a box and no silence: the whole table takes minutes, and is walked by test/sockets/problems.test.ts. */
const SWIFT_CAUSES = [
  'wrong-method',
  'text-body',
  'no-token',
  'forged-token',
  'unknown-id',
  'unknown-parameter',
  'token-without-scope',
  'vehicle-of-another-fleet',
  'vehicle-lacks-it',
  'shared-and-asked-by-the-owner',
  'shared-and-asked-by-the-partner',
  'stale-etag',
  'vin-is-taken',
  'unit-is-taken',
  'discriminator-is-taken',
  'hardwired-box',
  'store-fails',
];
