import { problem, type Refusal } from '../../contract/problems.ts';
import type { CommandName } from '../../protocol/commands.ts';
import { sleep } from '../../world/time/time.ts';
import type { World } from '../../world/world.ts';
import { makerLimits } from '../base/limits.ts';
import type { CommandAnswer, MakerCommands } from '../commands/command-dispatcher.ts';
import type { CommandStore, OpenCommand } from '../store/port/command-store.ts';
import type { ThirdPartyStore } from '../store/port/third-party-store.ts';
import type { MakerClient, MakerReply } from './client.ts';
import type { ReceiveReport } from './maker-reports.ts';

export interface MakerCommandsParts {
  readonly world: Pick<World, 'time' | 'ids'>;
  readonly commands: Pick<CommandStore, 'open' | 'giveUp' | 'withdraw'>;
  readonly store: Pick<ThirdPartyStore, 'refuse'>;
  /** By the maker's name. */
  readonly clients: ReadonlyMap<string, MakerClient>;
  readonly receiveReport: ReceiveReport;
  readonly answerTimeoutMs: number;
}

/** A dispatcher for vehicles behind makers' clouds. `stop` answers all waiting callers and accepts nothing more. */
export interface StoppableMakerCommands extends MakerCommands {
  stop(): void;
}

/**
 * Stores a command, has the maker carry it out, and stores its outcome together with the state in the maker's answer. A
 * command that is open when its dispatcher ends stays open until its expiry: the maker may have acted.
 */
export function makeMakerCommands(parts: MakerCommandsParts): StoppableMakerCommands {
  const { world, commands } = parts;
  const stopping = Promise.withResolvers<undefined>();
  let isStopped = false;

  return {
    async execute({ vehicle, command, flowId, objection }) {
      if (isStopped) return refused('no-connection', 'The service is stopping. The command was not sent.');
      const { maker } = vehicle;
      const client = maker === undefined ? undefined : parts.clients.get(maker.name);
      const names: Readonly<Partial<Record<CommandName, string | undefined>>> = client?.maker.commands ?? {};
      const makerCommand = names[command];
      if (maker !== undefined && client === undefined)
        return refused(
          'no-connection',
          `The service has no access to the interface of ${maker.name}. The command was not sent.`,
        );
      if (maker === undefined || client === undefined || makerCommand === undefined)
        return refused('command-not-supported', "The vehicle's maker offers no such command.");
      const openedMs = world.time.nowMs();
      const opened: OpenCommand = {
        requestId: world.ids.ulid(),
        vehicleId: vehicle.id,
        boxId: undefined,
        flowId,
        command,
        openedMs,
        expiresMs: openedMs + parts.answerTimeoutMs,
      };
      if ((await commands.open(opened)) === 'conflict')
        return refused('conflicting-command', 'Another command of this vehicle is being carried out.');
      if (objection !== undefined) {
        await commands.withdraw(opened.requestId, world.time.nowMs());
        return { done: false, refusal: objection };
      }
      const reply = await Promise.race([
        actAndRetry(parts, client, maker.vehicleId, makerCommand, opened.expiresMs),
        stopping.promise,
      ]);
      if (reply === undefined)
        return refused('no-connection', 'The service is stopping. The command may have been carried out.');
      return settle(parts, client, opened, reply);
    },
    stop() {
      isStopped = true;
      stopping.resolve(undefined);
    },
  };
}

/** Calls the maker, and once more after a short Retry-After. */
async function actAndRetry(
  { world }: MakerCommandsParts,
  client: MakerClient,
  makerVehicleId: string,
  makerCommand: string,
  untilMs: number,
): Promise<MakerReply> {
  const first = await client.act(makerVehicleId, makerCommand, untilMs - world.time.nowMs());
  if (first.kind !== 'limited' || first.retryAfterMs === undefined) return first;
  const leftMs = untilMs - world.time.nowMs() - first.retryAfterMs;
  if (first.retryAfterMs > makerLimits.briefWaitMs || leftMs <= 0) return first;
  await sleep(world.time, first.retryAfterMs);
  return client.act(makerVehicleId, makerCommand, untilMs - world.time.nowMs());
}

/** Stores the outcome of the command, and returns it. */
async function settle(
  parts: MakerCommandsParts,
  { maker }: MakerClient,
  { requestId, flowId }: OpenCommand,
  reply: MakerReply,
): Promise<CommandAnswer> {
  const { commands, store } = parts;
  const nowMs = parts.world.time.nowMs();
  switch (reply.kind) {
    case 'report': {
      const outcome = await parts.receiveReport(maker.name, reply.report, { requestId, flowId });
      if (outcome === 'stored') return { done: true, status: undefined, state: reply.report.properties };
      // The vehicle was offboarded, or the answer came so late that another command is open.
      await commands.giveUp(requestId, nowMs);
      return refused(
        'no-connection',
        'The vehicle did not answer in time. The command may have been carried out.',
      );
    }
    case 'refused':
      switch (reply.meaning) {
        case 'moving':
          await store.refuse(requestId, 'conflicting-state', reply.detail, nowMs);
          return refused(
            'conflicting-state',
            `The vehicle is moving, according to its maker (${reply.detail}).`,
          );
        case 'out-of-reach':
          await commands.withdraw(requestId, nowMs);
          return refused(
            'no-connection',
            `The vehicle did not connect: its maker could not reach it (${reply.detail}). The command was not carried out.`,
          );
        default:
          await store.refuse(requestId, 'failed', reply.detail, nowMs);
          return refused(
            'third-party-error',
            `The interface of ${maker.name} answered with an error: ${reply.detail}.`,
          );
      }
    case 'limited':
      await commands.withdraw(requestId, nowMs);
      return refused(
        'third-party-error',
        `The interface of ${maker.name} accepts no more calls for now (rate limit): ${reply.detail}${waitOf(reply.retryAfterMs)}. The command was not carried out.`,
      );
    case 'nonsense':
      await commands.giveUp(requestId, nowMs);
      return refused(
        'third-party-error',
        `The interface of ${maker.name} gave an answer of an unexpected form: ${reply.detail}. The command may have been carried out.`,
      );
    case 'silent':
      if (reply.isSent) {
        await commands.giveUp(requestId, nowMs);
        return refused(
          'no-connection',
          `The vehicle did not answer in time: no answer came from ${maker.name}. The command may have been carried out.`,
        );
      }
      await commands.withdraw(requestId, nowMs);
      return refused(
        'no-connection',
        `The vehicle could not be reached: there is no connection to ${maker.name}. The command was not sent.`,
      );
    default:
      return reply satisfies never;
  }
}

function waitOf(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? '' : `, to be tried again in ${Math.ceil(retryAfterMs / 1_000)} s`;
}

function refused(kind: Refusal['problem'], detail: string): CommandAnswer {
  return { done: false, refusal: problem(kind, detail) };
}
