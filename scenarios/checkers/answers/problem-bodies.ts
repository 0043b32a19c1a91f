import type { AnsweredCall } from '../../testbed/port/evidence.ts';
import { operationOf } from './operation.ts';

const VEHICLE = '/problems/vehicle';

/** Status and title of each problem, which are fixed (docs/api.md, Problems), stated here once more. */
const PROBLEMS: Readonly<Record<string, readonly [status: number, title: string]>> = {
  '/problems/resource-not-found': [404, 'The resource cannot be found.'],
  [`${VEHICLE}/command-not-supported`]: [409, 'The command is not supported by the vehicle.'],
  '/problems/conflicting-resource': [
    409,
    'Request cannot be processed due to a conflicting resource or resource state.',
  ],
  [`${VEHICLE}/conflicting-setup-status`]: [
    409,
    "The operation cannot be performed due to the vehicle's setup status.",
  ],
  [`${VEHICLE}/shared-with-partner`]: [409, 'The vehicle is currently shared with a partner.'],
  '/problems/incompatible-firmware-version': [409, 'Incompatible firmware version'],
  '/problems/resource-conflict': [409, 'The resource has a conflict.'],
  '/problems/third-party/error': [502, 'An error occurred at a third party API or protocol.'],
  [`${VEHICLE}/no-connection`]: [504, 'No connection to vehicle'],
  '/problems/internal-server-error': [500, 'Internal Server Error'],
  '/problems/validation-error': [400, 'Validation Error'],
  '/problems/missing-credentials': [401, 'The credentials are missing.'],
  '/problems/invalid-credentials': [401, 'The credentials are invalid.'],
  '/problems/forbidden-resource': [403, 'Accessing this resource is forbidden.'],
  '/problems/missing-permissions': [403, 'Accessing this resource is forbidden.'],
  [`${VEHICLE}/conflicting-command`]: [
    409,
    "The command cannot be executed because of a conflicting command's processing.",
  ],
  [`${VEHICLE}/conflicting-state`]: [
    409,
    'The command cannot be executed due to the current state of the vehicle.',
  ],
  '/problems/conflicting-operation': [
    409,
    'Request cannot be processed due to a conflicting ongoing operation.',
  ],
  '/problems/incompatible-installation-variant': [409, 'Incompatible installation variant.'],
  '/problems/incompatible-telematics-unit-model': [
    409,
    'The desired configuration is not available for the telematics unit.',
  ],
  '/problems/method-not-allowed': [405, 'Method not allowed.'],
  '/problems/payload-too-large': [413, 'Payload too large.'],
  '/problems/unsupported-media-type': [415, 'Unsupported media type.'],
  '/problems/resource-modified': [412, 'Resource has been modified.'],
  '/problems/too-many-requests': [429, 'Too many requests.'],
  '/problems/telematics-unit/error': [500, 'An error occurred on the telematics unit'],
};

/** The firmware that workshop mode needs: docs/api.md, Box commands. */
const WORKSHOP_FIRMWARE = '2.24';

/** What the detail of a problem has to name. */
const NAMES: Readonly<Record<string, (call: AnsweredCall) => RegExp | undefined>> = {
  '/problems/resource-not-found': (call) => {
    const { vehicleId, kind } = operationOf(call) ?? {};
    // A vehicle without a box is there, and its configuration is not.
    return vehicleId === undefined || kind === 'see-configuration' ? undefined : new RegExp(vehicleId);
  },
  [`${VEHICLE}/conflicting-setup-status`]: () => /PENDING|RUNNING|FAILED/,
  '/problems/incompatible-firmware-version': () => new RegExp(WORKSHOP_FIRMWARE.replace('.', '\\.')),
  [`${VEHICLE}/no-connection`]: () => /did not answer|did not connect|could not be reached|is stopping/,
};

/** What is not right in the body of a refusal, as sentences: docs/api.md, Problems. */
export function* problemFaults(call: AnsweredCall): Generator<string> {
  const { status, body, flowId } = call;
  if (status < 400) return;
  // A service that is not ready says so with its checks (docs/operating.md): that is no refusal.
  if (status === 503 && call.path.startsWith('/health')) return;
  const {
    type: problem,
    title,
    status: told,
    detail,
    flow_id: toldFlow,
  } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const known = typeof problem === 'string' ? PROBLEMS[problem] : undefined;
  if (typeof problem !== 'string' || known === undefined) {
    yield `its type is ${String(problem)}, which is no problem of the contract`;
    return;
  }
  const [rightStatus, rightTitle] = known;
  if (status !== rightStatus) yield `${problem} is answered with ${status}, not with ${rightStatus}`;
  if (told !== status) yield `its status is ${String(told)}, and it is answered with ${status}`;
  if (title !== rightTitle) yield `its title is ${JSON.stringify(title)}, not ${JSON.stringify(rightTitle)}`;
  if (typeof detail !== 'string' || detail === '') yield 'it has no detail';
  if (flowId !== undefined && toldFlow !== flowId)
    yield `its flow id is ${String(toldFlow)}, and that of the answer is ${flowId}`;
  const names = NAMES[problem]?.(call);
  if (names !== undefined && !names.test(String(detail)))
    yield `its detail names nothing like ${names.source}: ${String(detail)}`;
}
