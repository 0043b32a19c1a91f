import pc from 'picocolors';
import {
  FATES,
  type Fate,
  type LedgerFinding,
  MESSAGE_FATES,
  WRONG_FATES,
} from '../../judge/ledger/finding.ts';
import type { LedgerCase, LedgerReport, VehicleAccount } from '../../judge/ledger/ledger-account.ts';
import { limits } from '../shared/limits.ts';

const FATE_NAMES = Object.keys(FATES) as Fate[];

/** The report for people: totals, vehicles with findings, and each case with examples. */
export function ledgerText(report: LedgerReport): string {
  const { records, delivered, arrivals, hasMessages, counts } = report;
  const came = hasMessages
    ? `${delivered} of their messages came (${arrivals} arrivals in all)`
    : 'no queue was read: give --messages';
  const told = report.vehicles.filter((one) => FATE_NAMES.some((fate) => one.counts[fate] > 0));
  return [
    `${records} records are stored, ${came}.`,
    ...(report.stoppedMs === undefined
      ? []
      : [
          `The installation does not run: what waits in a box or in the outbox counts as late by its last write, ${time(report.stoppedMs)}.`,
        ]),
    '',
    FATE_NAMES.map((fate) => total(fate, counts[fate], hasMessages)).join('\n'),
    ...(report.unreadableLines === 0 ? [] : [`  ${report.unreadableLines} lines were no messages.`]),
    ...(told.length === 0 ? [] : ['', ...vehicleTable(told)]),
    ...report.cases.flatMap((one) => ['', ...caseLines(one)]),
    '',
    report.isRight
      ? pc.green(
          hasMessages
            ? 'Nothing is lost, doubled or out of order.'
            : 'Nothing is lost on the way to the store. What came out of the queue was not looked at.',
        )
      : pc.red('Something is wrong: see above.'),
    '',
  ].join('\n');
}

/** The report for programs. Keys as in the rest of the service; times as UTC with milliseconds. */
export function ledgerJson(report: LedgerReport): unknown {
  return {
    at: time(report.atMs),
    stopped_at: time(report.stoppedMs) ?? null,
    right: report.isRight,
    records: report.records,
    delivered: report.delivered,
    arrivals: report.arrivals,
    messages_read: report.hasMessages,
    unreadable_lines: report.unreadableLines,
    counts: report.counts,
    vehicles: report.vehicles.map(({ vehicleId, boxId, records, delivered, counts }) => ({
      vehicle_id: vehicleId ?? null,
      box_id: boxId ?? null,
      records,
      delivered,
      counts,
    })),
    cases: report.cases.map(({ fate, hop, count, examples }) => ({
      fate,
      hop,
      count,
      examples: examples.map(findingJson),
    })),
  };
}

function findingJson(finding: LedgerFinding): unknown {
  const { count, vehicleId, boxId, epoch, sequence, lastSequence, messageId, queue, detail } = finding;
  return {
    count,
    vehicle_id: vehicleId,
    box_id: boxId,
    epoch,
    sequence,
    last_sequence: lastSequence,
    message_id: messageId,
    queue,
    made_at: time(finding.clockMs),
    received_at: time(finding.receivedMs),
    arrived_at: time(finding.arrivedMs),
    detail,
  };
}

function total(fate: Fate, count: number, hasMessages: boolean): string {
  if (!hasMessages && MESSAGE_FATES.includes(fate))
    return pc.dim(`${'-'.padStart(8)}  ${fate.padEnd(10)}  not looked at: give --messages`);
  const isWrong = WRONG_FATES.includes(fate) && count > 0;
  const number = String(count).padStart(8);
  return `${isWrong ? pc.red(number) : number}  ${fate.padEnd(10)}  ${pc.dim(FATES[fate])}`;
}

function vehicleTable(vehicles: readonly VehicleAccount[]): readonly string[] {
  const fates = FATE_NAMES.filter((fate) => vehicles.some((one) => one.counts[fate] > 0));
  const head = ['vehicle', 'box', 'records', ...fates];
  const shown = vehicles.slice(0, limits.shownLedgerVehicles);
  const rows = shown.map(({ vehicleId, boxId, records, counts }) => [
    vehicleId ?? '-',
    boxId ?? '-',
    String(records),
    ...fates.map((fate) => String(counts[fate])),
  ]);
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  const more = vehicles.length - shown.length;
  return [
    pc.dim(line(head)),
    ...rows.map(line),
    ...(more > 0 ? [`  and ${more} more vehicles; --json has all`] : []),
  ];
}

function caseLines({ fate, hop, count, examples }: LedgerCase): readonly string[] {
  const more = count - examples.reduce((sum, one) => sum + one.count, 0);
  return [
    pc.bold(`${fate} at ${hop}: ${count}`),
    ...examples.map((one) => `  ${exampleText(one)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function exampleText(finding: LedgerFinding): string {
  const { vehicleId, boxId, epoch, sequence, lastSequence, messageId, detail } = finding;
  const range = lastSequence === undefined ? '' : ` to ${lastSequence}`;
  const key =
    epoch === undefined || sequence === undefined ? '' : `epoch ${epoch} sequence ${sequence}${range}`;
  const times = [
    ['made', finding.clockMs],
    ['received', finding.receivedMs],
    ['arrived', finding.arrivedMs],
  ] as const;
  return [
    vehicleId === undefined ? '' : `vehicle ${vehicleId}`,
    boxId === undefined ? '' : `box ${boxId}`,
    key,
    messageId === undefined ? '' : `message ${messageId}`,
    ...times.map(([name, ms]) => (ms === undefined ? '' : `${name} ${time(ms)}`)),
    detail,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function time(ms: number | undefined): string | undefined {
  // The clock of a box may be out of the range of dates.
  return ms === undefined || Math.abs(ms) > 8.64e15 ? undefined : new Date(ms).toISOString();
}
