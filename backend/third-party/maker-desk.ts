import { sleep } from '../../world/time.ts';
import type { World } from '../../world/world.ts';
import type { DeskAnswer, MakerDesk } from '../commands/desk.ts';
import { problem, type Refusal } from '../http/problem.ts';
import type { CommandStore, OpenCommand } from '../store/command-store.ts';
import type { ThirdPartyStore } from '../store/third-party-store.ts';
import type { TakeReport } from './arrivals.ts';
import type { MakerClient, MakerReply } from './client.ts';
import { makerLimits } from './limits.ts';

export interface MakerDeskParts {
  readonly world: Pick<World, 'time' | 'mint'>;
  readonly commands: Pick<CommandStore, 'open' | 'giveUp' | 'withdraw'>;
  readonly store: Pick<ThirdPartyStore, 'refuse'>;
  /** By the maker's name. */
  readonly clients: ReadonlyMap<string, MakerClient>;
  readonly take: TakeReport;
  readonly answerTimeoutMs: number;
}

/** A desk for vehicles behind makers' clouds. `stop` answers everybody who waits and takes nothing more. */
export interface StoppableMakerDesk extends MakerDesk {
  stop(): void;
}

/**
 * Writes a command down, has the maker carry it out, and writes down what came of it together with the state that the
 * maker answered with. What is open when its desk ends stays open until its expiry: the maker may have acted.
 */
export function makeMakerDesk(parts: MakerDeskParts): StoppableMakerDesk {
  const { world, commands } = parts;
  const stopping = Promise.withResolvers<undefined>();
  let isStopped = false;

  return {
    async execute({ vehicle, command, flowId, objection }) {
      if (isStopped) return refused('no-connection', 'The service is stopping. The command was not sent.');
      const { maker } = vehicle;
      const client = maker === undefined ? undefined : parts.clients.get(maker.name);
      const word = client?.maker.commands[command];
      if (maker !== undefined && client === undefined)
        return refused(
          'no-connection',
          `The service has no access to the interface of ${maker.name}. The command was not sent.`,
        );
      if (maker === undefined || client === undefined || word === undefined)
        return refused('command-not-supported', "The vehicle's maker offers no such command.");
      const openedMs = world.time.nowMs();
      const opened: OpenCommand = {
        requestId: world.mint.ulid(),
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
        patiently(parts, client, maker.vehicleId, word, opened.expiresMs),
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

/** Calls the maker; where it asks for a wait that is brief, once more after it. */
async function patiently(
  { world }: MakerDeskParts,
  client: MakerClient,
  makerVehicleId: string,
  word: string,
  untilMs: number,
): Promise<MakerReply> {
  const first = await client.act(makerVehicleId, word, untilMs - world.time.nowMs());
  if (first.kind !== 'limited' || first.retryAfterMs === undefined) return first;
  const leftMs = untilMs - world.time.nowMs() - first.retryAfterMs;
  if (first.retryAfterMs > makerLimits.briefWaitMs || leftMs <= 0) return first;
  await sleep(world.time, first.retryAfterMs);
  return client.act(makerVehicleId, word, untilMs - world.time.nowMs());
}

/** Writes down what became of the command, and says it. */
async function settle(
  parts: MakerDeskParts,
  { maker }: MakerClient,
  { requestId, flowId }: OpenCommand,
  reply: MakerReply,
): Promise<DeskAnswer> {
  const { commands, store } = parts;
  const nowMs = parts.world.time.nowMs();
  switch (reply.kind) {
    case 'report': {
      const arrival = await parts.take(maker.name, reply.report, { requestId, flowId });
      if (arrival === 'stored') return { done: true, status: undefined, state: reply.report.properties };
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
          await store.refuse(requestId, 'conflicting-state', reply.words, nowMs);
          return refused('conflicting-state', `The vehicle is moving, its maker said (${reply.words}).`);
        case 'out-of-reach':
          await commands.withdraw(requestId, nowMs);
          return refused(
            'no-connection',
            `The vehicle did not connect: its maker could not reach it (${reply.words}). The command was not carried out.`,
          );
        default:
          await store.refuse(requestId, 'failed', reply.words, nowMs);
          return refused(
            'third-party-error',
            `The interface of ${maker.name} answered with an error: ${reply.words}.`,
          );
      }
    case 'limited':
      await commands.withdraw(requestId, nowMs);
      return refused(
        'third-party-error',
        `The interface of ${maker.name} takes no more calls for now (rate limit): ${reply.words}${waitOf(reply.retryAfterMs)}. The command was not carried out.`,
      );
    case 'nonsense':
      await commands.giveUp(requestId, nowMs);
      return refused(
        'third-party-error',
        `The interface of ${maker.name} answered in a form that is not its own: ${reply.words}. The command may have been carried out.`,
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
        `The vehicle could not be reached: nobody answers for ${maker.name}. The command was not sent.`,
      );
    default:
      return reply satisfies never;
  }
}

function waitOf(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? '' : `, to be tried again in ${Math.ceil(retryAfterMs / 1_000)} s`;
}

function refused(kind: Refusal['problem'], detail: string): DeskAnswer {
  return { done: false, refusal: problem(kind, detail) };
}
