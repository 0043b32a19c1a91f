import type { Starts } from '../fleet/start.ts';
import type { BackendCosts, BoxCosts, Duration, Figure, Latencies, Rate } from './figures.ts';

/** What a bench gives. */
export type Result = Figure | Rate | Duration | Latencies | Starts | BoxCosts | BackendCosts;

/** One line of the table. Texts are without `|` and line breaks. */
export interface Row {
  readonly figure: string;
  readonly ours: string;
  /** Empty where there is no reference. */
  readonly bare: string;
  readonly ratio: string;
  readonly aim: string;
  /** Undefined where there is no aim. */
  readonly isReached: boolean | undefined;
}

/** A result as rows of the table: the best of its rounds. Total. */
export function rowsOf(result: Result): readonly Row[] {
  if ('backendCosts' in result) return backendRows(result);
  if ('costs' in result) return costRows(result);
  if ('latencies' in result) return latencyRows(result);
  if ('starts' in result) return [startRow(result)];
  if ('rates' in result) {
    const best = Math.max(...result.rates);
    return [plain(result.name, `${whole(best)} ${result.unit}`, `${whole(result.aim)}`, best >= result.aim)];
  }
  if ('durations' in result) {
    const best = Math.min(...result.durations);
    const aim = `at most ${whole(result.aim)} ${result.unit}`;
    return [plain(result.name, `${best.toFixed(1)} ${result.unit}`, aim, best <= result.aim)];
  }
  return [figureRow(result)];
}

function figureRow({ name, unit, rounds, aim }: Figure): Row {
  const ours = Math.max(...rounds.map((round) => round.ours));
  const bare = Math.max(...rounds.map((round) => round.bare));
  const ratio = ours / bare;
  const ratios = rounds.map((round) => round.ours / round.bare);
  const spread = ratios.length < 2 ? '' : ` (median of ${ratios.length} rounds ${median(ratios).toFixed(2)})`;
  return {
    figure: name,
    ours: `${amount(ours)} ${unit}`,
    bare: amount(bare),
    ratio: `${ratio.toFixed(2)}${spread}`,
    aim: aim === undefined ? '' : String(aim),
    isReached: aim === undefined ? undefined : ratio >= aim,
  };
}

function latencyRows({ name, latencies, aim }: Latencies): readonly Row[] {
  return latencies.map(({ perS, bare, ours }) => {
    const ratio = ours.p99Ms / bare.p99Ms;
    const text = (one: typeof ours) =>
      Number.isNaN(one.p99Ms)
        ? `none answered, ${one.failed} failed`
        : `p50 ${one.p50Ms.toFixed(1)} ms, p99 ${one.p99Ms.toFixed(1)} ms${one.cpuMs === undefined ? '' : `, ${one.cpuMs.toFixed(2)} ms of processor each`}${one.failed === 0 ? '' : `, ${one.failed} failed`}`;
    return {
      figure: `${name}, ${whole(perS)}/s`,
      ours: text(ours),
      bare: text(bare),
      ratio: Number.isNaN(ratio) ? '' : `p99 ${ratio.toFixed(1)}`,
      aim: aim === undefined ? '' : `at most ${aim}`,
      // A call that failed is in no percentile.
      isReached: aim === undefined ? undefined : ratio <= aim && ours.failed === 0,
    };
  });
}

function startRow({ name, starts, aimS }: Starts): Row {
  const best = starts.toSorted((a, b) => a.wallS - b.wallS)[0];
  const wallS = best?.wallS ?? Number.NaN;
  const cpu = best?.cpuS === undefined ? '' : `, processor ${best.cpuS.toFixed(2)} s`;
  return plain(name, `${wallS.toFixed(2)} s${cpu}`, `at most ${aimS} s`, wallS <= aimS);
}

function costRows({ name, costs, aimBytes, aimCpuMs }: BoxCosts): readonly Row[] {
  return costs.map(({ boxes, heapBytes, rssBytes, rssMost, cpuMs, readyS, steadyShare, framesPerS }) =>
    plain(
      `${name}: ${whole(boxes)} boxes`,
      `${whole(heapBytes)} bytes of heap a box, ${whole(rssBytes)} resident, ${whole(rssMost / 2 ** 20)} MiB in all at most; ${cpuMs.toFixed(2)} ms of processor a box until ready, all in ${readyS.toFixed(1)} s; then ${(steadyShare * 100).toFixed(0)} % of a processor, ${whole(framesPerS)} frames/s`,
      `at most ${whole(aimBytes)} bytes, ${aimCpuMs} ms`,
      heapBytes <= aimBytes && cpuMs <= aimCpuMs,
    ),
  );
}

/** Beside several backends stands the only one. */
function backendRows({ name, backendCosts, aim }: BackendCosts): readonly Row[] {
  const [alone] = backendCosts;
  const text = ({ recordMs, commandMs }: { readonly recordMs: number; readonly commandMs: number }) =>
    `${recordMs.toFixed(2)} ms a record, ${commandMs.toFixed(2)} ms a command`;
  return backendCosts.map((cost, index) => {
    const { backends, recordsPerS, commitsPerS, commitMs, failed, commitsLost } = cost;
    const row = {
      figure: `${name}: ${backends} of them`,
      ours: `${text(cost)}; ${whole(recordsPerS)} records/s in ${whole(commitsPerS)} commits/s of ${commitMs.toFixed(1)} ms, ${failed} commands failed, ${commitsLost} commits made again`,
    };
    if (index === 0 || alone === undefined)
      return { ...row, bare: '', ratio: '', aim: '', isReached: undefined };
    const record = cost.recordMs / alone.recordMs;
    const command = cost.commandMs / alone.commandMs;
    return {
      ...row,
      bare: text(alone),
      aim: `at most ${aim}`,
      ratio: `record ${record.toFixed(2)}, command ${command.toFixed(2)}`,
      isReached: record <= aim && command <= aim && failed === 0,
    };
  });
}

function plain(figure: string, ours: string, aim: string, isReached: boolean): Row {
  return { figure, ours, bare: '', ratio: '', aim, isReached };
}

/** The median, of an even count the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Small rates keep their digits. */
function amount(value: number): string {
  return value < 100 ? value.toPrecision(3) : whole(value);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
