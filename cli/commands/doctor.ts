import { availableParallelism } from 'node:os';
import ora from 'ora';
import { type Check, failed, gravest, type Judgement } from '../../deployment/checks/check.ts';
import { doctorChecks } from '../../deployment/checks/doctor-checks.ts';
import { limits } from '../../deployment/checks/limits.ts';
import type { PortOptions } from '../../deployment/checks/port-facts.ts';
import { milliseconds } from '../../deployment/checks/wording.ts';
import { wantsProcesses } from '../../deployment/several-processes.ts';
import { isScreen, written } from '../shared/output.ts';
import {
  checkText,
  doctorJson,
  isTakenPort,
  type Looked,
  takenPortsText,
  verdictText,
} from './doctor-text.ts';

/** As commander hands them over. */
export interface DoctorOptions extends PortOptions {
  readonly vehicles: number;
  readonly data: string;
  readonly store?: string;
  readonly storeCa?: string;
  readonly models?: string;
  readonly mqttCa?: string;
  readonly amqpCa?: string;
  readonly amqpAdmin?: string;
  readonly drivers: 'on' | 'off';
  readonly processes: 'auto' | 'one' | 'several';
  readonly json: boolean;
}

/**
 * Checks the prerequisites of `up` with the same options, and prints the remedies. Exit code 1 where something cannot
 * work. Throws a `CommandError` where an option cannot be used.
 */
export async function doctor(options: DoctorOptions): Promise<void> {
  const isSeveral = wantsProcesses(options.processes, options.vehicles, availableParallelism());
  const checks = doctorChecks({
    ...options,
    isDriven: options.drivers === 'on' && !isSeveral,
    isSeveral,
    givenAmqp: { caFile: options.amqpCa, adminUrl: options.amqpAdmin },
  });
  const isQuiet = options.json || !isScreen(process.stderr);
  const spinner = isQuiet ? undefined : ora({ stream: process.stderr, discardStdin: false });
  const looked: Looked[] = [];
  const takenPorts: Looked[] = [];
  for (const one of checks) {
    spinner?.start(one.name);
    const found = { name: one.name, judgement: await boundedJudgement(one) };
    spinner?.stop();
    looked.push(found);
    if (options.json) continue;
    if (isTakenPort(found)) {
      takenPorts.push(found);
      continue;
    }
    await written(`${takenPortsText(takenPorts.splice(0))}${checkText(found)}`);
  }
  if (takenPorts.length > 0) await written(takenPortsText(takenPorts));
  const verdict = gravest(looked.map(({ judgement }) => judgement.verdict));
  await written(
    options.json ? `${JSON.stringify(doctorJson(options.vehicles, verdict, looked))}\n` : verdictText(looked),
  );
  // A hanging check, such as of a disk that never answers, would keep the process alive.
  process.exit(verdict === 'failed' ? 1 : 0);
}

/** Its judgement, or that it timed out. */
export async function boundedJudgement(
  { judged }: Pick<Check, 'judged'>,
  boundMs: number = limits.checkMs,
): Promise<Judgement> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Judgement>((resolve) => {
    timer = setTimeout(
      () =>
        resolve(
          failed(`No answer within ${milliseconds(boundMs)}.`, 'Find out what hangs there, and look again.'),
        ),
      boundMs,
    );
  });
  const judgement = await Promise.race([judged(), late]);
  clearTimeout(timer);
  return judgement;
}
