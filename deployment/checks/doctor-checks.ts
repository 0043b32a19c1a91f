import { type DatabaseLook, lookIntoDatabase } from '../../backend/store/postgres/look-into.ts';
import { errorText } from '../../world/error-text.ts';
import { findIdentity } from '../directory/data-directory.ts';
import { databasePlace, refuseStoreOptions } from '../directory/open-store.ts';
import { mqttAuthority } from '../input/authority-file.ts';
import { loadModels } from '../models/model-directory.ts';
import { CommandError } from '../shared/command-error.ts';
import type { GivenAmqp } from '../shared/deployment-options.ts';
import { adminFacts, amqpEndpointOf, amqpFacts, mqttFacts } from './broker-facts.ts';
import { judgeAdmin, judgeAmqp, judgeMqtt } from './broker-judges.ts';
import { type Check, check, failed, type Judgement, ok } from './check.ts';
import { directoryFacts } from './directory-facts.ts';
import { judgeDirectory } from './directory-judge.ts';
import { FLEET_CHECKS } from './fleet-checks.ts';
import { judgeDiskSpace } from './fleet-judges.ts';
import { beginClockFacts, diskSpaceFacts, diskSpeedFacts, nodeFacts } from './machine-facts.ts';
import { judgeClock, judgeDiskSpeed, judgeNode, judgePort } from './machine-judges.ts';
import { PORT_ROWS, type PortOptions, portFacts } from './port-facts.ts';

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

/** Opens the database once as the service would; a text: why it cannot be used. Writes nothing. */
function storeFacts(options: {
  readonly store: string;
  readonly storeCa?: string | undefined;
}): Promise<DatabaseLook | string> {
  return lookIntoDatabase(databasePlace(options)).catch((error: unknown) => errorText(error));
}

const OTHER = 'Mend that, or give another database with --store.';

/** Whether the service can use that database as its store; a text: why it is unreachable. */
export function judgeStore(facts: DatabaseLook | string): Judgement {
  if (typeof facts === 'string') return failed(facts, OTHER);
  const { shown, server, version, knownVersion, refusal, mayCreate, users } = facts;
  if (refusal !== undefined) return failed(`${shown}: ${refusal}`, OTHER);
  if (version < knownVersion && !mayCreate)
    return failed(
      `This user may not make tables in ${shown}, and its schema has version ${version} of ${knownVersion}.`,
      'Grant the user all on the schema, or run "boxtwin store migrate" as its owner.',
    );
  const raised = version < knownVersion ? `, which the next start raises to ${knownVersion}` : '';
  const used = users === 0 ? '' : '; backends use it';
  return ok(`${shown} is PostgreSQL ${server}, with schema version ${version}${raised}${used}.`);
}

/** The user's own models: their names, or why they cannot be used. */
type ModelsFacts = { readonly names: readonly string[] } | { readonly refusal: string };

/** Reads the models of a folder, as a start would. */
export function modelsFacts(place: string): ModelsFacts {
  try {
    return { names: loadModels(place).map(({ name }) => name) };
  } catch (error) {
    if (error instanceof CommandError) return { refusal: error.message };
    throw error;
  }
}

/** Whether a start could use them. */
export function judgeModels(facts: ModelsFacts): Judgement {
  if ('names' in facts) return ok(`These can be used: ${facts.names.join(', ')}.`);
  return failed(facts.refusal, 'Mend the file; "boxtwin model check FILE" looks at one.');
}
