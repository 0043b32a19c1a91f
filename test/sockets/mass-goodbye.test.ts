import { expect, test } from 'vitest';
import { topics } from '../../protocol/topics.ts';
import type { LinkEvents, Session } from '../../world/link.ts';
import { realLink } from '../../world/real-link.ts';
import { until } from '../services.ts';
import { BACKEND, startEmbedded } from './embedded-broker.ts';

const BOXES = 2_500;
const DEAF: LinkEvents = {
  message: (_topic, _payload, _retained, acknowledge) => acknowledge(),
  closed: () => undefined,
};
const TIMING = { keepAliveS: 60, connectTimeoutMs: 20_000 } as const;

// Once the emitter of aedes queued what was too much and drained the queue by recursion: the process ended with a full
// stack as soon as a fleet and its subscriber went together.
test(`${BOXES} boxes and the backend that vanish together leave a broker that goes on`, async () => {
  const broker = await startEmbedded({ authenticate: () => Promise.resolve(true) });
  const link = realLink({ url: broker.url });
  const listen = (message: LinkEvents['message']) =>
    link.open({ clientId: 'backend-1', ...BACKEND, clean: true, ...TIMING }, { ...DEAF, message });
  const backend = await listen(DEAF.message);
  await backend.subscribe(topics.everyPresence);
  const sessions: Session[] = [];
  for (let index = 0; index < BOXES; index += 1) {
    const boxId = index.toString(16).padStart(16, '0');
    const will = { topic: topics.presence(boxId), payload: Uint8Array.of(1), retain: true };
    const options = { clientId: boxId, username: boxId, password: 'x', clean: true, will, ...TIMING };
    sessions.push(await link.open(options, DEAF));
  }
  for (const session of sessions) session.drop();
  backend.drop();

  const gone = new Set<string>();
  const next = await listen((topic, _payload, _retained, acknowledge) => {
    gone.add(topic);
    acknowledge();
  });
  await next.subscribe(topics.everyPresence);
  await until(() => gone.size === BOXES);
  expect(gone.size).toBe(BOXES);
  await next.end();
  await broker.close();
});
