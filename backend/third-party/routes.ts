import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import type { App } from '../http/app.ts';
import { bodyJson, bodyText } from '../http/body.ts';
import { refuse } from '../http/environment.ts';
import { problem } from '../http/problem.ts';
import { quote } from '../http/quote.ts';
import type { TakeReport } from './arrivals.ts';
import type { MakerClient } from './client.ts';
import { isSigned } from './signature.ts';

/** What the notifications of makers need. */
export interface NotificationParts {
  readonly world: Pick<World, 'time' | 'seal'>;
  readonly clients: ReadonlyMap<string, MakerClient>;
  readonly secretOf: (maker: string) => string;
  readonly take: TakeReport;
  readonly counters: Counters;
}

/**
 * Where makers tell of new states. It is no part of the interface that is documented for callers: its form is the
 * maker's, not ours, and who may call is told by the maker's signature, not by a token.
 *
 * 204 says that there is no need to tell it again; any other status that it may be told later.
 */
export function notificationRoutes(app: App, parts: NotificationParts): void {
  const { world, counters } = parts;
  app.post('/third-party/:maker/notifications', async (c) => {
    const name = c.req.param('maker');
    const client = parts.clients.get(name);
    if (client === undefined)
      return refuse(c, problem('resource-not-found', `There is no maker ${quote(name)} here.`));
    const { bytes } = c.get('body');
    const text = bodyText(bytes);
    const body = text.ok ? text.value : '';
    const header = c.req.header(client.maker.wire.signatureHeader);
    if (!isSigned(world.seal, parts.secretOf(name), { header, body }, world.time.nowMs())) {
      counters.add('third-party.notifications-unsigned');
      return refuse(c, problem('invalid-credentials', 'The signature is missing, wrong, or not of now.'), {
        'WWW-Authenticate': 'Signature',
      });
    }
    const json = bodyJson(bytes);
    const read = json.ok ? client.readNotification(json.value) : { ok: false as const, fault: json.rule };
    if (!read.ok) {
      counters.add('third-party.notifications-unreadable');
      return refuse(c, problem('validation-error', `${read.fault}.`));
    }
    counters.add('third-party.notifications');
    const arrival = await parts.take(name, read.value);
    if (arrival === 'busy')
      return refuse(
        c,
        problem(
          'conflicting-command',
          'A command of this vehicle is being carried out; its answer comes first.',
        ),
      );
    return c.body(null, 204);
  });
}
