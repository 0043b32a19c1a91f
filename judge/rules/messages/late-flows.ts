import type { AnsweredCall, QueuedMessage } from '../../evidence/evidence.ts';
import type { RunTimes } from '../answers/run-times.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';

/** A call with the messages that it led to, by when they came to queues. */
interface Flow {
  readonly call: AnsweredCall;
  lastMs: number;
  readonly message: QueuedMessage;
}

/**
 * A call and its messages come close together (docs/messages.md, docs/scaling.md): a commit wakes both the caller and
 * the publisher, also those of other backends. Without faults, an answer that comes well after the message of its
 * command was found only by polling, and so was a message that comes well after the answer to its change.
 */
export class LateFlows {
  readonly #flows = new Map<string, Flow>();

  /** Of one flow the last message counts: a command of two parts is answered with the second. */
  note(call: AnsweredCall, flowId: string, message: QueuedMessage): void {
    const flow = this.#flows.get(flowId);
    if (flow === undefined) this.#flows.set(flowId, { call, lastMs: message.atMs, message });
    else flow.lastMs = Math.max(flow.lastMs, message.atMs);
  }

  judge(times: RunTimes, findings: Findings): void {
    for (const { call, lastMs, message } of this.#flows.values()) {
      const { answeredMs, askedMs, path, vehicle } = call;
      const span = { fromMs: askedMs, toMs: Math.max(answeredMs, lastMs) };
      if (!times.isCalm(span, vehicle) || times.isBroken('backend wake_ups', span)) continue;
      const about = { atMs: span.toMs, ...(vehicle === undefined ? {} : { vehicle }) };
      const who = vehicle === undefined ? '' : ` of ${nameOf(vehicle)}`;
      if (answeredMs - lastMs > limits.answerBehindMessageMs)
        findings.add(
          'an answer that waited',
          `call ${call.call}, ${path},${who} was answered ${answeredMs - lastMs} ms behind its message ${message.messageId}`,
          about,
        );
      if (lastMs - answeredMs > limits.messageDelayMs)
        findings.add(
          'a message that waited',
          `message ${message.messageId} (${message.name})${who} came ${lastMs - answeredMs} ms behind the answer to call ${call.call}, ${path}`,
          about,
        );
    }
  }
}
