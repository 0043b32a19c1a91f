import { type Flatness, type FlatRule, flatnessOf, type MemorySample, mediansOf } from './flat.ts';
import { type Panel, plotSvg } from './plot.ts';
import type { LedgerVerdict } from './up.ts';

/** All that was seen of a soak. Times are from the beginning of the weather. */
export interface SoakFacts {
  readonly date: string;
  readonly machine: string;
  /** Of the machine, at the beginning and the end. */
  readonly loadAverages: readonly [number, number];
  readonly minutes: number;
  readonly vehicles: number;
  readonly seed: number;
  readonly memory: ReadonlyMap<string, readonly MemorySample[]>;
  /** Parts that got another process id while the soak ran: they died. */
  readonly restarted: readonly string[];
  readonly service: readonly {
    readonly atMs: number;
    readonly connected: number;
    readonly outbox: number;
    readonly lagS: number;
  }[];
  readonly connectedBefore: number;
  /** Undefined: they had not healed in time. */
  readonly healedAfterS: number | undefined;
  readonly ledger: LedgerVerdict;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly messages: number;
}

export interface SoakReport {
  readonly isPassed: boolean;
  readonly markdown: string;
  readonly svg: string;
}

const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
const MOMENTS = [0.25, 0.5, 0.75, 1] as const;

/** Judges a soak, and writes it down. Total. `plot`: the name of the file that `svg` goes to. */
export function soakReport(
  facts: SoakFacts,
  rule: FlatRule & { readonly plotPoints: number },
  plot: string,
): SoakReport {
  const parts = [...facts.memory].map(([name, samples]) => ({
    name,
    samples,
    flatness: flatnessOf(samples, rule),
  }));
  const verdicts = [
    ...parts.map(({ name, flatness }) => ({
      isGood: flatness.verdict === 'flat',
      text: `memory of ${name}: ${flatText(flatness, rule)}`,
    })),
    { isGood: parts.length > 0, text: `${parts.length} processes were measured` },
    {
      isGood: facts.restarted.length === 0,
      text: facts.restarted.length === 0 ? 'no part died' : `died: ${facts.restarted.join(', ')}`,
    },
    {
      isGood: facts.healedAfterS !== undefined,
      text:
        facts.healedAfterS === undefined
          ? 'boxes and journals had not healed in time after the weather'
          : `boxes and journals had healed ${facts.healedAfterS.toFixed(0)} s after the weather`,
    },
    { isGood: facts.ledger.right, text: `the ledger is ${facts.ledger.right ? 'clean' : 'not clean'}` },
  ];
  const isPassed = verdicts.every(({ isGood }) => isGood);
  return { isPassed, markdown: markdown(), svg: plotSvg(panels(facts, rule.plotPoints)) };

  function markdown(): string {
    const { minutes, vehicles, seed, loadAverages, service, connectedBefore, ledger, outcomes } = facts;
    const connected = service.map((one) => one.connected).filter(Number.isFinite);
    const mostLagS = service.reduce((most, { lagS }) => Math.max(most, lagS || 0), 0);
    const mostOutbox = service.reduce((most, { outbox }) => Math.max(most, outbox || 0), 0);
    const fates = Object.entries(ledger.counts).map(([fate, count]) => `${fate} ${count}`);
    return [
      '# Soak',
      '',
      `\`npm run soak -- --minutes ${minutes} --vehicles ${vehicles} --seed ${seed}\`, ${facts.date}: **${isPassed ? 'passed' : 'failed'}**.`,
      '',
      `Machine: ${facts.machine}. Load average ${loadAverages[0].toFixed(1)} at the beginning, ${loadAverages[1].toFixed(1)} at the end.`,
      '',
      '## Verdict',
      '',
      ...verdicts.map(({ isGood, text }) => `- ${isGood ? 'yes' : '**no**'}: ${text}`),
      '',
      '## Resident memory',
      '',
      `In MiB, each the median of a minute at most; the slope is after the first ${(rule.warmUpShare * 100).toFixed(0)} % of the run.`,
      '',
      '| part | 25 % | 50 % | 75 % | 100 % | slope, MiB a minute |',
      '|---|---|---|---|---|---|',
      ...parts.map(
        ({ name, samples, flatness }) =>
          `| ${name} | ${MOMENTS.map((part) => mib(memoryAt(samples, part))).join(' | ')} | ${flatness.mibPerMinute?.toFixed(2) ?? 'unknown'} |`,
      ),
      '',
      `![Memory, boxes and outbox over time](${plot})`,
      '',
      '## Load',
      '',
      `- ${connectedBefore} of ${vehicles} boxes were connected when the weather began; then ${range(connected)}.`,
      `- The outbox held at most ${mostOutbox} messages, the oldest ${mostLagS.toFixed(1)} s old.`,
      `- ${facts.messages} messages were read and acknowledged.`,
      `- Ledger: ${ledger.records} records, ${ledger.delivered} of their messages came; ${fates.join(', ')}.`,
      '',
      '| request and answer | count |',
      '|---|---|',
      ...[...outcomes]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, count]) => `| ${name} | ${count} |`),
      '',
    ].join('\n');
  }
}

function flatText({ verdict, mibPerMinute }: Flatness, { flatMibPerMinute }: FlatRule): string {
  if (mibPerMinute === undefined) return 'too few samples to tell';
  return `${verdict}, ${mibPerMinute.toFixed(2)} MiB a minute (at most ${flatMibPerMinute})`;
}

/** Bytes at that part of the run: the median of the samples of the minute before. NaN without samples. */
export function memoryAt(samples: readonly MemorySample[], part: number): number {
  const fromMs = samples[0]?.atMs ?? 0;
  const atMs = fromMs + ((samples.at(-1)?.atMs ?? 0) - fromMs) * part;
  const near = samples.filter((one) => one.atMs > atMs - MINUTE_MS && one.atMs <= atMs);
  return mediansOf(near, 1)[0]?.bytes ?? Number.NaN;
}

function panels({ memory, service }: SoakFacts, plotPoints: number): readonly Panel[] {
  const size = Math.max(1, Math.ceil(service.length / plotPoints));
  const thinned = service.filter((_, index) => index % size === 0);
  const over = (name: string, value: (one: SoakFacts['service'][number]) => number) => ({
    name,
    points: thinned.map((one) => ({ x: one.atMs / MINUTE_MS, y: value(one) })),
  });
  return [
    {
      title: 'Resident memory, MiB',
      series: [...memory].map(([name, samples]) => ({
        name,
        points: mediansOf(samples, plotPoints).map(({ atMs, bytes }) => ({
          x: atMs / MINUTE_MS,
          y: bytes / MIB,
        })),
      })),
    },
    { title: 'Boxes connected', series: [over('boxes', ({ connected }) => connected)] },
    { title: 'Messages in the outbox', series: [over('messages', ({ outbox }) => outbox)] },
  ];
}

function mib(bytes: number): string {
  return Number.isNaN(bytes) ? '-' : (bytes / MIB).toFixed(0);
}

function range(values: readonly number[]): string {
  if (values.length === 0) return 'it was not told';
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  return `between ${least} and ${most}`;
}
