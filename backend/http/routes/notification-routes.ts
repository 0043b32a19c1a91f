import { problem } from '../../../contract/problems.ts';
import { bodyJson, bodyText } from '../../base/body.ts';
import { quote } from '../../base/quoted-text.ts';
import { isSigned } from '../../third-party/signature.ts';
import type { NotificationParts } from '../../third-party/third-party.ts';
import type { App } from '../app.ts';
import { refuse } from '../environment.ts';

/**
 * Where makers notify of new states. It is not part of the documented API: its form is the maker's, and the caller is
 * authenticated by the maker's signature, not by a token.
 *
 * 204 means that the notification need not be repeated; after any other status it may be sent again later.
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
    const header = c.req.header(client.maker.api.signatureHeader);
    if (!isSigned(world.crypto, parts.secretOf(name), { header, body }, world.time.nowMs())) {
      counters.add('third-party.notifications-unsigned');
      return refuse(c, problem('invalid-credentials', 'The signature is missing, wrong, or expired.'), {
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
    const outcome = await parts.receiveReport(name, read.value);
    if (outcome === 'busy')
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
