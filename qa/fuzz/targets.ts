import { readdirSync, readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { faultsOfModel } from '../../backend/vehicles/check-models.ts';
import { encodeAmqpFrame, FRAME } from '../../brokers/amqp/codec/frames.ts';
import { startMqttBroker } from '../../brokers/mqtt/broker.ts';
import { proposalText } from '../../deployment/models/proposal/proposal-text.ts';
import { proposeModel } from '../../deployment/models/proposal/propose-model.ts';
import { readModel } from '../../deployment/models/read-model.ts';
import { AnswerValidator, type DocumentNode } from '../../judge/certify/answer-validator.ts';
import { CHECKSUM_BYTES, HEADER_BYTES, readHeader, writeEnvelope } from '../../protocol/codec/envelope.ts';
import { decodePayload, encodeFrame, payloadOf } from '../../protocol/codec/frame.ts';
import { readDbc } from '../../protocol/dbc/read-dbc.ts';
import { topics } from '../../protocol/topics.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { driveInFile } from '../../simulator/recorded-drives/drive.ts';
import { routeInFile } from '../../simulator/routes/file.ts';
import { CoreBroker, type CorePeer, PROTOCOL_HEADER } from '../../test/support/amqp/core-broker.ts';
import { anyFrame } from '../../test/support/frames/any-frame.ts';
import { operationsOf } from '../../test/support/http/operations.ts';
import { RIGHT_BODIES } from '../../test/support/http/right-bodies.ts';
import { openTestService } from '../../test/support/http/test-service.ts';
import type { Stream } from '../../world/random/random.ts';
import { mutatedBytes, mutatedText, oneOf } from './mutate.ts';

/** What is fed, and what is wrong with what came of it. */
export interface FuzzedInput {
  /** As it was fed: a text, or hex. */
  readonly input: string;
  /** Undefined: it was taken, or refused, as it ought to be. */
  readonly wrong: string | undefined;
}

/** Something that takes inputs from outside. */
export interface FuzzTarget {
  /** Draws an input and feeds it. Rejects where the target throws. */
  next(random: Stream): FuzzedInput | Promise<FuzzedInput>;
  /** How many inputs are fed at once; absent: one. */
  readonly together?: number;
  close?(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');

/** Everything that reads what others have written. None of it may throw, hang or answer in another way than it says. */
export const TARGETS: Readonly<Record<string, () => FuzzTarget | Promise<FuzzTarget>>> = {
  /** The frames of boxes, of every kind: what is read can be written, and is read as the same again. */
  frames: () => {
    const every = fc.oneof(anyFrame(1), anyFrame(2));
    const corpus = fc.sample(every, { seed: 1, numRuns: 500 }).map((frame) => encodeFrame(frame));
    return {
      next(random) {
        // What a checksum would refuse is only half of it.
        const bytes = random.whole(0, 1) === 0 ? mutatedBytes(random, corpus) : resealed(random, corpus);
        const read = decodePayload(bytes).frames.map(({ frame }) => frame);
        const known = read.filter(({ message }) => message.kind !== 'unreadable');
        const again = decodePayload(payloadOf(known)).frames.map(({ frame }) => frame);
        const isSame = JSON.stringify(again, plain) === JSON.stringify(known, plain);
        return {
          input: hex(bytes),
          wrong: isSame ? undefined : 'a frame is another one once written and read',
        };
      },
    };
  },
  scenarios: () => {
    const folder = join(ROOT, 'scenarios/stories');
    const corpus = readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    return {
      next(random) {
        const text = mutatedText(random, corpus);
        const read = readScenario(text, 'fuzzed.yaml');
        return {
          input: text,
          wrong: read.ok || read.problems.length > 0 ? undefined : 'refused without a reason',
        };
      },
    };
  },
  /** A CAN database, and the model that is made of it: what comes out passes the checks, whatever was read. */
  dbc: () => {
    const corpus = [readFileSync(join(ROOT, 'test/vectors/dbc/small-van.dbc'), 'utf8'), ...DBC];
    return {
      next(random) {
        const text = mutatedText(random, corpus);
        const { database, problems } = readDbc(text);
        const lines = text.split('\n').length;
        const isPlaced = problems.every(({ line, column }) => line >= 1 && line <= lines && column >= 1);
        const [fault] = faultsOfModel(proposeModel(database, 'fuzzed', 0).model);
        return { input: text, wrong: isPlaced ? fault : 'a problem stands beyond the text' };
      },
    };
  },
  /** Model files of users: a model that is taken passes the checks, and a refusal has a reason. */
  models: () => {
    const { database } = readDbc(readFileSync(join(ROOT, 'test/vectors/dbc/small-van.dbc'), 'utf8'));
    const corpus = [proposalText(proposeModel(database, 'fuzzed', 0), 'fuzzed.dbc')];
    return {
      next(random) {
        const text = mutatedText(random, corpus);
        const read = readModel(text, 'fuzzed.yaml');
        const wrong = read.ok
          ? faultsOfModel(read.model)[0]
          : read.problems.length === 0
            ? 'refused without a reason'
            : undefined;
        return { input: text, wrong };
      },
    };
  },
  routes: () => ({
    next(random) {
      const name = oneOf(random, ['fuzzed.gpx', 'fuzzed.geojson']);
      const text = mutatedText(random, name.endsWith('gpx') ? GPX : GEOJSON);
      const read = routeInFile(name, Buffer.from(text));
      const lengthM = 'fault' in read ? 1 : read.route.lengthM;
      const isRight = Number.isFinite(lengthM) && lengthM > 0;
      return { input: text, wrong: isRight ? undefined : `a route of ${lengthM} m` };
    },
  }),
  drives: () => {
    const table = readFileSync(join(ROOT, 'scenarios/drives/commute.csv'), 'utf8').slice(0, 4_000);
    const folder = join(ROOT, 'test/vectors/drives');
    const logged = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    return {
      next(random) {
        const text = mutatedText(random, oneOf(random, [[table], logged, GPX, GEOJSON]));
        const read = driveInFile('fuzzed', Buffer.from(text));
        const durationS = 'fault' in read ? 1 : (read.route.drive?.durationS ?? 0);
        const isRight = Number.isFinite(durationS) && durationS > 0;
        return { input: text, wrong: isRight ? undefined : `a drive of ${durationS} s` };
      },
    };
  },
  /** The embedded AMQP broker, from the first byte of a connection; another client must be served as before. */
  amqp: () => {
    let broker = new CoreBroker();
    let canary: CorePeer = broker.client();
    let count = 0;
    return {
      next(random) {
        count += 1;
        if (count % 1_000 === 0) {
          broker = new CoreBroker();
          canary = broker.client();
        }
        const peer = random.whole(0, 3) === 0 ? broker.peer() : broker.client();
        const bytes = mutatedBytes(random, AMQP);
        broker.step({ kind: 'bytes', connection: peer.id, bytes });
        broker.step({ kind: 'gone', connection: peer.id });
        canary.said.length = 0;
        canary.send(1, 'basic.qos', { prefetchSize: 0, prefetchCount: 1, global: false });
        const isServed = canary.said.some(({ name }) => name === 'basic.qos-ok');
        return { input: hex(bytes), wrong: isServed ? undefined : 'another client is not served any more' };
      },
    };
  },
  mqtt: async () => {
    const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
    const broker = await startMqttBroker({
      host: '127.0.0.1',
      port: 0,
      log,
      backend: { username: 'backend', password: 'secret' },
      authenticate: () => Promise.resolve(true),
    });
    const send = (bytes: Uint8Array): Promise<Uint8Array> => exchange(broker.port, bytes);
    return {
      together: TOGETHER,
      async next(random) {
        const all = Array.from({ length: TOGETHER }, () => mutatedBytes(random, MQTT));
        await Promise.all(all.map(send));
        const answer = await exchange(broker.port, Buffer.concat([CONNECT, PING]), { isKept: true });
        const isServed = answer[0] === 0x20 && answer[3] === 0 && answer[4] === 0xd0;
        return {
          input: all.map(hex).join('\n'),
          wrong: isServed ? undefined : `another client got ${hex(answer)}`,
        };
      },
      close: () => broker.close(),
    };
  },
  /** Requests made from the OpenAPI document: each answer is one that the document has, and none is a failure. */
  http: async () => {
    const service = await openTestService({ requestsPerMinute: 100_000_000 });
    await service.addVehicle();
    const token = await service.token([
      'vehicle-commands',
      'connectivity-commands',
      'vehicles',
      'vehicle-configuration',
      'message-subscriptions',
    ]);
    service.box = ({ command }) =>
      command === 'request-system-status' ? { outcome: 'not-ready' } : { outcome: 'done', state: {} };
    const document = (await (await service.app.request('/openapi.json')).json()) as DocumentNode;
    const operations = operationsOf(document, RIGHT_BODIES);
    const validator = new AnswerValidator(document);
    return {
      async next(random) {
        const { method, path, body } = oneOf(random, operations);
        const ids = ['VEH01', 'VEH01', 'VEH01', 'NOPE1', mutatedText(random, ['VEH01'])];
        const to = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(oneOf(random, ids).toWellFormed()));
        const query =
          random.whole(0, 4) === 0 ? `?${encodeURI(mutatedText(random, QUERIES).toWellFormed())}` : '';
        const right = JSON.stringify(body?.right ?? {});
        const sent =
          method === 'GET' ? undefined : mutatedText(random, [right, right, '{}', '[]', '{"a":1}']);
        const types = ['application/json', 'application/json', 'application/json', 'text/plain'];
        const headers = {
          ...(sent === undefined ? {} : { 'content-type': oneOf(random, types) }),
          ...(random.whole(0, 5) === 0 ? { 'x-service-flow-id': 'not a uuid' } : {}),
        };
        const input = `${method} ${to}${query} ${JSON.stringify(headers)}\n${sent ?? ''}`;
        const answer = await service.ask(method, `${to}${query}`, {
          headers,
          ...(random.whole(0, 20) === 0 ? {} : { token }),
          ...(sent === undefined ? {} : { body: sent }),
        });
        const text = await answer.text();
        const { pathname } = new URL(to, 'http://service.test');
        const said = validator.findings({
          method,
          path: pathname,
          status: answer.status,
          headers: answer.headers,
          body: text,
        });
        const wrong = answer.status === 500 ? `500: ${text}` : said[0];
        return { input, wrong };
      },
    };
  },
};

const DBC = [
  'BO_ 100 Frame: 8 Node\n SG_ VehSpd m1M : 7|16@0- (0.01,-40) [0|0] "km/h" A,B\nVAL_ 100 VehSpd 1 "a" 0 "b";\n',
  'VERSION "x"\nNS_ :\n\tCM_\nBS_: 500:1,2\nBU_: A B\nCM_ SG_ 100 VehSpd "c";\nBA_ "a" BO_ 100 5;\n',
];
const GPX = [
  '<?xml version="1.0"?>\n<gpx version="1.1" creator="a"><trk><name>b</name><trkseg>\n<trkpt lat="52.51" lon="13.37"><ele>34</ele><time>2026-01-05T06:00:00Z</time></trkpt>\n<trkpt lat="52.52" lon="13.38"/>\n<trkpt lat="52.53" lon="13.36"/>\n</trkseg></trk></gpx>',
  '<gpx><rte><rtept lat="48.1" lon="11.5"/><rtept lat="48.2" lon="11.6"/><rtept lat="48.3" lon="11.4"/></rte></gpx>',
];
const GEOJSON = [
  '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"a"},"geometry":{"type":"LineString","coordinates":[[13.37,52.51],[13.38,52.52,34],[13.36,52.53]]}}]}',
  '{"type":"LineString","coordinates":[[11.5,48.1],[11.6,48.2],[11.4,48.3]]}',
  '{"type":"MultiLineString","coordinates":[[[11.5,48.1],[11.6,48.2]],[[11.4,48.3],[11.5,48.4]]]}',
];
const QUERIES = ['limit=10', 'limit=1000&page_token=x', 'search=a', 'limit=10&limit=20', 'page_token='];

const text = (value: string): Uint8Array => Buffer.from(value);
const short = (value: string): Buffer => Buffer.concat([Uint8Array.of(value.length), text(value)]);
const method = (id: readonly [number, number], ...rest: readonly Uint8Array[]): Uint8Array =>
  encodeAmqpFrame(FRAME.method, 1, Buffer.concat([Uint8Array.of(0, id[0], 0, id[1]), ...rest]));
const AMQP: readonly Uint8Array[] = [
  PROTOCOL_HEADER,
  encodeAmqpFrame(FRAME.heartbeat, 0, new Uint8Array()),
  method([50, 10], Uint8Array.of(0, 0), short('queue'), Uint8Array.of(2, 0, 0, 0, 0)),
  method([40, 10], Uint8Array.of(0, 0), short('exchange'), short('topic'), Uint8Array.of(2, 0, 0, 0, 0)),
  method([60, 20], Uint8Array.of(0, 0), short('queue'), short('tag'), Uint8Array.of(0, 0, 0, 0, 0)),
  method([60, 70], Uint8Array.of(0, 0), short('queue'), Uint8Array.of(1)),
  Buffer.concat([
    method([60, 40], Uint8Array.of(0, 0), short(''), short('queue'), Uint8Array.of(0)),
    encodeAmqpFrame(FRAME.header, 1, Uint8Array.of(0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0)),
    encodeAmqpFrame(FRAME.body, 1, text('abc')),
  ]),
];

const mqttText = (value: string): Buffer => Buffer.concat([Uint8Array.of(0, value.length), text(value)]);
const packet = (type: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const rest = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(type, rest.length), rest]);
};
const CONNECT = packet(
  0x10,
  ...[mqttText('MQTT'), Uint8Array.of(4, 0xc2, 0, 60), mqttText('00000000000000a1')],
  ...[mqttText('00000000000000a1'), mqttText('secret')],
);
const PING = Uint8Array.of(0xc0, 0);
const MQTT: readonly Uint8Array[] = [
  CONNECT,
  Buffer.concat([
    CONNECT,
    packet(0x82, Uint8Array.of(0, 1), mqttText(topics.down('00000000000000a1')), Uint8Array.of(1)),
  ]),
  Buffer.concat([
    CONNECT,
    packet(0x32, mqttText(topics.up('00000000000000a1')), Uint8Array.of(0, 1), text('frame')),
  ]),
  Buffer.concat([CONNECT, packet(0x40, Uint8Array.of(0, 1)), packet(0xe0)]),
];

/** A frame whose payload is changed, with a header and a checksum that are right. */
function resealed(random: Stream, corpus: readonly Uint8Array[]): Uint8Array {
  const frame = oneOf(random, corpus);
  const payload = mutatedBytes(random, [frame.subarray(HEADER_BYTES, frame.length - CHECKSUM_BYTES)]);
  const bytes = new Uint8Array(HEADER_BYTES + payload.length + CHECKSUM_BYTES);
  bytes.set(payload, HEADER_BYTES);
  const header = { ...readHeader(frame, 0), length: payload.length };
  writeEnvelope(bytes, new DataView(bytes.buffer), header, 0);
  return bytes;
}

/**
 * Sends bytes to a port, and half closes but where the connection is kept; resolves with what came until the other end
 * closed, a CONNACK with the answer to a ping behind it was there, or a while passed.
 */
function exchange(
  port: number,
  bytes: Uint8Array,
  { isKept = false }: { readonly isKept?: boolean } = {},
): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket: Socket = createConnection({ host: '127.0.0.1', port });
    const end = (): void => {
      socket.destroy();
      resolve(Buffer.concat(parts));
    };
    socket.setTimeout(ANSWER_MS, end);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      if (Buffer.concat(parts).length >= 6) end();
    });
    socket.on('error', end);
    socket.on('close', end);
    if (isKept) socket.write(bytes);
    else socket.end(bytes);
  });
}

const ANSWER_MS = 1_000;
/** Connections that are fed at once. */
const TOGETHER = 16;

function nothing(): void {
  // Refusals are what is drawn.
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** Bytes and large numbers as text, so that frames can be compared. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return hex(value);
  return typeof value === 'bigint' ? `${value}n` : value;
}
