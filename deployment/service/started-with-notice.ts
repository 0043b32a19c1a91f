import type { Service } from '../../backend/service.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../shared/limits.ts';

/**
 * Resolves once the service is started. An external broker may be unreachable, or belong to another installation:
 * `tell` is called with one line about that, and another one where the reason has changed meanwhile.
 */
export async function startedWithNotice(
  service: Pick<Service, 'started' | 'mqttRefusal'>,
  time: Time,
  mqttUrl: string,
  tell: (line: string) => void = (line) => process.stderr.write(`boxtwin: ${line}\n`),
): Promise<void> {
  let told = '';
  let takeBack = (): void => undefined;
  const lookLater = (): void => {
    takeBack = time.alarm(time.nowMs() + limits.brokerNoticeMs, () => {
      const reason = service.mqttRefusal();
      const broker = `the MQTT broker at ${mqttUrl}`;
      const line =
        reason === undefined
          ? `waiting for ${broker}; Ctrl-C ends it.`
          : `${reason} Until then this service waits for ${broker}; Ctrl-C ends it.`;
      if (line !== told) tell(line);
      told = line;
      lookLater();
    });
  };
  lookLater();
  await service.started;
  takeBack();
}
