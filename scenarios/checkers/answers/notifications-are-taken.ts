import { counted } from '../../language/document/counted.ts';
import type { Checker } from '../check.ts';
import { Findings } from '../findings.ts';
import { limits } from '../limits.ts';

/**
 * What a maker's cloud tells the service, signed with the secret that it was given, is never refused as coming from somebody
 * else, whichever backend it comes to (docs/scaling.md). One that was under way for long may count as outdated.
 */
export const notificationsAreTaken: Checker = ({ evidence }) => {
  const findings = new Findings();
  const notifications = evidence.notifications();
  for (const { sentMs, answeredMs, status } of notifications)
    if (status === 401 && answeredMs - sentMs < limits.notificationAgeMs)
      findings.add(
        'a right notification that is refused',
        `a notification of the maker, ${answeredMs - sentMs} ms after it was sent: ${status}`,
        { atMs: answeredMs },
      );
  return Promise.resolve(findings.result(counted(notifications.length, 'notification')));
};
