import type { EventMessage } from '../../../protocol/message.ts';
import type { SettingName } from '../../../protocol/settings.ts';
import type {
  AccelerationInterval,
  NewAcceleration,
} from '../../../simulator/vehicle/sensing/accelerometer-buffer.ts';
import type { SensorInputs } from '../../../simulator/vehicle/sensing/vehicle-ports.ts';
import { requestId, TestBox } from './test-box.ts';

export const DRIVING = {
  ignitionOn: true,
  locked: false,
  drivingEnabled: true,
  speedKph: 50,
  keyPresent: true,
};

const STILL = {
  longitudinalMg: 0,
  lateralMg: 0,
  structureMg: 0,
  side: undefined,
  speedFromKph: 50,
  speedToKph: 50,
};

/** A box in a vehicle whose sensors the test moves. */
export class SensedTestBox extends TestBox {
  #shakes: readonly AccelerationInterval[] = [];

  static with(
    settings: Partial<Record<SettingName, number>>,
    senses: Partial<SensorInputs> = {},
  ): SensedTestBox {
    const rig = new SensedTestBox({ factorySettings: settings, hardwareRevision: 5 });
    rig.ready(senses);
    rig.pass(2_000);
    rig.told();
    return rig;
  }

  /** The vehicle is shaken so for that long, from now on; the sensor wakes the box when it is over. */
  shake(what: Partial<NewAcceleration>, durationMs: number): void {
    const [fromMs, toMs] = [this.at, this.at + durationMs];
    this.pass(durationMs);
    const number = (this.#shakes.at(-1)?.number ?? 0) + 1;
    this.#shakes = [...this.#shakes, { ...STILL, ...what, number, fromMs, toMs }];
    this.tick({ accelerations: this.#shakes });
  }

  /** Time passes, and what the box sends is answered soon. */
  wait(durationMs: number): void {
    for (let leftMs = durationMs; leftMs > 0; leftMs -= 10_000) this.passAnswered(Math.min(10_000, leftMs));
  }

  /** Everything in flight was sent, and has reached a backend. */
  events(): readonly EventMessage[] {
    this.wait(70_000);
    return this.told().filter((message): message is EventMessage => message.kind === 'event');
  }

  /** Puts the configuration of that revision in force. */
  configure(revision: number, settings: Partial<Record<SettingName, number>>): void {
    this.down({
      kind: 'configuration',
      requestId: requestId(90 + revision),
      revision,
      expiresMs: this.at + 20_000,
      settings: Object.entries(settings).map(([name, value]) => ({ name: name as SettingName, value })),
    });
    this.receiptAll();
    this.acknowledgeAll();
  }
}

export function eventNamesOf(events: readonly EventMessage[]): readonly string[] {
  return events.map(({ event }) => event);
}
