import { calledOperation } from '../../../contract/operations.ts';
import { PROBLEMS, type ProblemRow } from '../../../contract/problems.ts';
import { firmwareWith } from '../../../protocol/firmware.ts';
import type { AnsweredCall } from '../../evidence/evidence.ts';

const ROWS: ReadonlyMap<string, ProblemRow> = new Map(
  Object.values(PROBLEMS).map((row: ProblemRow) => [row.type, row]),
);

/** What the detail of a problem must name. */
const NAMES: Readonly<Record<string, (call: AnsweredCall) => RegExp | undefined>> = {
  [PROBLEMS['resource-not-found'].type]: (call) => {
    const { vehicleId, operation } = calledOperation(call) ?? {};
    // A vehicle without a box exists, but its configuration does not.
    return vehicleId === undefined || operation?.kind === 'read-configuration'
      ? undefined
      : new RegExp(vehicleId);
  },
  [PROBLEMS['conflicting-setup-status'].type]: () => /PENDING|RUNNING|FAILED/,
  [PROBLEMS['incompatible-firmware-version'].type]: () =>
    new RegExp(firmwareWith('workshop-mode').join('\\.')),
  [PROBLEMS['no-connection'].type]: () => /did not answer|did not connect|could not be reached|is stopping/,
};

/** The errors in the body of a refusal, as sentences: docs/api.md, Problems. */
export function* problemFaults(call: AnsweredCall): Generator<string> {
  const { status, body, flowId } = call;
  if (status < 400) return;
  // A service that is not ready reports its checks (docs/operating.md): that is no refusal.
  if (status === 503 && call.path.startsWith('/health')) return;
  const {
    type: problem,
    title,
    status: told,
    detail,
    flow_id: toldFlow,
  } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const known = typeof problem === 'string' ? ROWS.get(problem) : undefined;
  if (typeof problem !== 'string' || known === undefined) {
    yield `its type is ${String(problem)}, which is no problem of the contract`;
    return;
  }
  const { status: rightStatus, title: rightTitle } = known;
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
