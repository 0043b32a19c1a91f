import type { AnsweredCall, QueuedMessage } from '../evidence/evidence.ts';
import { RunTimes } from './answers/run-times.ts';
import type { Checker } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { FirstIds } from './messages/first-ids.ts';
import { LateFlows } from './messages/late-flows.ts';
import { messagesPastMissingQueues } from './missing-queues.ts';

/** Of a box or of a maker, each answers with the state that comes as a message: docs/messages.md. */
const VEHICLE_COMMAND = /^\/vehicles\/[^/]+\/commands\//;

/** The parts of a message that identify its flow. */
interface FlowParts {
  readonly metadata?: {
    readonly flow_id?: unknown;
    readonly message_type?: unknown;
    readonly type?: unknown;
    readonly version?: unknown;
  };
  readonly data?: {
    readonly vehicle_id?: unknown;
    readonly fleet_id?: unknown;
    readonly triggered_by?: { readonly channel?: unknown; readonly correlation_id?: unknown };
  };
}

/**
 * Compares messages with the calls that led to them. The headers of a message equal its metadata; a message that a
 * command caused has the flow id of its caller's answer, and names it; an unrequested report has its own flow. And the
 * state in the answer to a command of the vehicle, its box's or its maker's, came as a message.
 */
export const flowsAgree: Checker = async ({ evidence, testbed, facts }) => {
  const findings = new Findings();
  const calls = await evidence.calls();
  const areCallsWhole = evidence.unrecorded().calls === 0;
  const callsByFlow = new Map<string, AnsweredCall>();
  for (const call of calls) if (call.flowId !== undefined) callsByFlow.set(call.flowId, call);
  const flowsOfReports = new FirstIds();
  const cameFor = new Set<string>();
  const late = new LateFlows();
  let count = 0;
  for (const { name: queue } of await evidence.queues()) {
    for await (const page of evidence.messages(queue)) {
      for (const message of page) {
        count += 1;
        const parts = message.body as FlowParts;
        const flowId = String(parts.metadata?.flow_id);
        const about = { atMs: message.atMs };
        const what = `message ${message.messageId} (${message.name}) of vehicle ${message.vehicleId} in ${queue}`;
        for (const difference of headersUnlike(message, parts))
          findings.add('a header that differs from the metadata', `${what}: ${difference}`, about);
        const caller = callsByFlow.get(flowId);
        if (caller !== undefined) late.note(caller, flowId, message);
        if (message.name !== 'VehicleStateReceived') continue;
        const { channel, correlation_id: correlation } = parts.data?.triggered_by ?? {};
        if (channel !== 'API_COMMAND') {
          const other = flowsOfReports.otherThan(message.messageId, flowId);
          if (other !== undefined)
            findings.add('a flow that two reports have', `${what} and ${other}: ${flowId}`, about);
          continue;
        }
        cameFor.add(flowId);
        if (correlation !== flowId)
          findings.add(
            'a flow that is not its command',
            `${what}: ${flowId}, triggered by ${String(correlation)}`,
            about,
          );
        const call = callsByFlow.get(flowId);
        // A call that was interrupted by a crash of the service has no flow id.
        const isKnown =
          call !== undefined || !areCallsWhole || calls.some(({ flowId: told }) => told === undefined);
        if (!isKnown) findings.add('an unknown flow', `${what}: ${flowId}`, about);
        else if (call !== undefined && !call.path.startsWith(`/vehicles/${message.vehicleId}/`))
          findings.add(
            'a flow of another vehicle',
            `${what}: ${flowId} is of ${call.method} ${call.path}`,
            about,
          );
      }
    }
  }
  late.judge(new RunTimes({ facts }), findings);
  const ownQueues = (await evidence.queues()).some(
    ({ topic, fleetId }) => topic === 'VehicleState_v1' && fleetId === testbed.fleetId('own'),
  );
  const past = messagesPastMissingQueues(facts, calls).filter(({ name }) => name === 'VehicleStateReceived');
  for (const { vehicle, method, path, status, flowId, call, askedMs, answeredMs } of calls) {
    const isAsked = method === 'POST' && VEHICLE_COMMAND.test(path) && status === 200;
    if (!isAsked || !ownQueues || vehicle?.fleetId !== testbed.fleetId('own')) continue;
    // A vehicle that leaves its fleet meanwhile sends it no more messages.
    const [place] = path.split('/commands/');
    if (calls.some((one) => one.method === 'DELETE' && one.path === place && one.askedMs <= answeredMs))
      continue;
    if (past.some((one) => one.vehicle === vehicle.number && one.atMs >= askedMs)) continue;
    if (flowId !== undefined && !cameFor.has(flowId))
      findings.add(
        'an answer without its message',
        `call ${call}, ${path}, answered 200, ${nameOf(vehicle)}: no message has the flow ${String(flowId)}`,
        { vehicle, atMs: answeredMs },
      );
  }
  return findings.result([
    [calls.length, 'call'],
    [count, 'message'],
  ]);
};

/** The headers of AMQP and the metadata that they repeat: docs/messages.md. */
const HEADERS = [
  ['Flow-ID', 'flow_id'],
  ['Message-Type', 'message_type'],
  ['Message-Version', 'version'],
] as const;

function headersUnlike({ headers }: QueuedMessage, { metadata = {} }: FlowParts): readonly string[] {
  return HEADERS.flatMap(([header, property]) =>
    headers[header] === String(metadata[property])
      ? []
      : [`${header} is ${headers[header]}, and ${property} is ${String(metadata[property])}`],
  );
}
