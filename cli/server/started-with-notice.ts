import type { Service } from '../../backend/service.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';

/** A broker of somebody else's may not be there yet: says so once, and waits. */
export async function startedWithNotice(service: Service, time: Time, mqttUrl: string): Promise<void> {
  const takeBack = time.alarm(time.nowMs() + limits.brokerNoticeMs, () => {
    process.stderr.write(`boxtwin: waiting for the MQTT broker at ${mqttUrl}; Ctrl-C ends it.\n`);
  });
  await service.started;
  takeBack();
}
