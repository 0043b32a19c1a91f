import type { Checker } from '../check.ts';
import { Findings } from '../findings.ts';
import { limits } from '../limits.ts';

/**
 * A notification of a maker's cloud, signed with the secret that it was given, is never refused as forged, whichever
 * backend receives it (docs/scaling.md). One with a long transit time may count as outdated.
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
  return Promise.resolve(findings.result([[notifications.length, 'notification']]));
};
