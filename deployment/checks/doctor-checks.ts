import { findIdentity } from '../directory/data-directory.ts';
import { refuseStoreOptions } from '../directory/open-store.ts';
import { mqttAuthority } from '../input/authority-file.ts';
import type { GivenAmqp } from '../shared/deployment-options.ts';
import { adminFacts, amqpEndpointOf, amqpFacts, mqttFacts } from './broker-facts.ts';
import { judgeAdmin, judgeAmqp, judgeMqtt } from './broker-judges.ts';
import { type Check, check } from './check.ts';
import { directoryFacts } from './directory-facts.ts';
import { judgeDirectory } from './directory-judge.ts';
import { FLEET_CHECKS } from './fleet-checks.ts';
import { judgeDiskSpace } from './fleet-judges.ts';
import { beginClockFacts, diskSpaceFacts, diskSpeedFacts, nodeFacts } from './machine-facts.ts';
import { judgeClock, judgeDiskSpeed, judgeNode, judgePort } from './machine-judges.ts';
import { judgeModels, modelsFacts } from './models-check.ts';
import { PORT_ROWS, type PortOptions, portFacts } from './port-facts.ts';
import { storeFacts } from './store-facts.ts';
import { judgeStore } from './store-judge.ts';

export interface DoctorChecksOptions extends PortOptions {
  /** The number of vehicles to check for. */
  readonly vehicles: number;
  readonly data: string;
  readonly store?: string;
  readonly storeCa?: string;
  readonly models?: string;
  readonly mqttCa?: string | undefined;
  readonly givenAmqp: GivenAmqp;
  readonly isDriven: boolean;
  /** Brokers, service and fleet run in separate processes. */
  readonly isSeveral: boolean;
}

/**
 * All checks, in the order of display. Throws a `CommandError` where an option cannot be used. The comparison of the
 * clocks starts with this call.
 */
export function doctorChecks(options: DoctorChecksOptions): readonly Check[] {
  const { vehicles, data, store, mqtt, amqp, givenAmqp, isDriven } = options;
  refuseStoreOptions(options);
  const mqttCa = mqttAuthority(mqtt, options.mqttCa);
  const isBrokerEmbedded = mqtt === 'embedded';
  const hasBothEnds = isBrokerEmbedded && !options.isSeveral;
  const size = { vehicles, hasBothEnds, isSeveral: options.isSeveral, isDriven };
  const endpoint = amqpEndpointOf(amqp, givenAmqp);
  const { adminUrl } = givenAmqp;
  const clock = beginClockFacts();
  let ports: ReturnType<typeof portFacts> | undefined;
  const portOf = async (option: string) => {
    // All of them at once: two of them may need the same one.
    ports ??= portFacts(options);
    const facts = (await ports).get(option);
    if (facts === undefined) throw new Error(`${option} was not looked at`);
    return facts;
  };
  return [
    check('node', nodeFacts, judgeNode),
    ...FLEET_CHECKS.map(({ name, judged }) => check(name, () => size, judged)),
    check('data directory', () => directoryFacts(data), judgeDirectory),
    check(
      'disk space',
      () => diskSpaceFacts(data),
      (facts) => judgeDiskSpace(size, facts),
    ),
    check('disk speed', () => diskSpeedFacts(data), judgeDiskSpeed),
    ...PORT_ROWS.filter(({ isTaken }) => isTaken(options)).map(({ check: name, option }) =>
      check(name, () => portOf(option), judgePort),
    ),
    ...(isBrokerEmbedded
      ? []
      : [check('MQTT broker', () => mqttFacts(mqtt, findIdentity(data)?.mqtt_password, mqttCa), judgeMqtt)]),
    ...(endpoint === undefined ? [] : [check('AMQP broker', () => amqpFacts(endpoint), judgeAmqp)]),
    ...(endpoint === undefined || adminUrl === undefined
      ? []
      : [check('AMQP management', () => adminFacts(endpoint, adminUrl), judgeAdmin)]),
    ...(store === undefined
      ? []
      : [check('store', () => storeFacts({ store, storeCa: options.storeCa }), judgeStore)]),
    ...(options.models === undefined
      ? []
      : [check('vehicle models', () => modelsFacts(options.models ?? ''), judgeModels)]),
    check('clock', clock, judgeClock),
  ];
}
