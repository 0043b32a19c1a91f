import { type CoverageCounts, metCells } from './coverage.ts';
import { COVERAGE, COVERAGE_NAMES, type CoverageName } from './tables.ts';

/** One row of a table with its cells in the order of the columns. */
interface TextRow {
  readonly row: string;
  /** How often each was met; undefined: it cannot be met. */
  readonly cells: readonly (number | undefined)[];
}

const INDENT = '  ';
const GAP = '  ';

/**
 * Every table for a terminal of this width: how many of its cells were met, then each row with some met cells. Where
 * all columns fit, a row has its counts below them; where they do not, the number of its met cells, and as many names
 * as fit of the met or the unmet cells, whichever are fewer. Rows without met cells share one line.
 */
export function coverageText(counts: CoverageCounts, widthColumns: number): readonly string[] {
  return COVERAGE_NAMES.flatMap((name, at) => {
    const { met, all } = metCells(counts, name);
    const heading = `${COVERAGE[name].title}: ${met} of ${all} cells met`;
    return [...(at === 0 ? [] : ['']), heading, ...(met === 0 ? [] : rowsText(counts, name, widthColumns))];
  });
}

function rowsText(counts: CoverageCounts, name: CoverageName, widthColumns: number): readonly string[] {
  const { columns }: { readonly columns: readonly string[] } = COVERAGE[name];
  const rows = COVERAGE[name].rows.map((row) => ({
    row,
    cells: columns.map((column) => counts[name][row]?.[column]),
  }));
  const isMet = ({ cells }: TextRow): boolean => cells.some((count) => count !== undefined && count > 0);
  const met = rows.filter(isMet);
  const never = rows.filter((one) => !isMet(one)).map(({ row }) => row);
  const gridded = grid(met, columns);
  const fits = gridded.every((line) => line.length <= widthColumns);
  return [
    ...(fits ? gridded : list(met, columns, widthColumns)),
    ...(never.length === 0 ? [] : [withNames(`${INDENT}never:`, never, widthColumns)]),
  ];
}

/** The rows below their columns. */
function grid(rows: readonly TextRow[], columns: readonly string[]): readonly string[] {
  const texts = rows.map(({ cells }) => cells.map(cellText));
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...texts.map((cells) => cells[at]?.length ?? 0)),
  );
  const line = (row: string, cells: readonly string[]): string =>
    `${row}${cells.map((cell, at) => `${GAP}${cell.padStart(widths[at] ?? 0)}`).join('')}`.trimEnd();
  const names = namesText(rows);
  const head = ' '.repeat(names[0]?.length ?? 0);
  return [line(head, columns), ...names.map((name, at) => line(name, texts[at] ?? []))];
}

function cellText(count: number | undefined): string {
  if (count === undefined) return '';
  return count === 0 ? '·' : String(count);
}

/** The rows with the number of their met cells, and the met or the unmet names, whichever are fewer. */
function list(rows: readonly TextRow[], columns: readonly string[], widthColumns: number): readonly string[] {
  const parts = rows.map(({ cells }) => {
    const met = columns.filter((_, at) => (cells[at] ?? 0) > 0);
    const missing = columns.filter((_, at) => cells[at] === 0);
    return { met, missing, share: `${met.length} of ${met.length + missing.length}` };
  });
  const width = Math.max(...parts.map(({ share }) => share.length));
  const names = namesText(rows);
  return parts.map(({ met, missing, share }, at) => {
    const line = `${names[at]}${GAP}${share.padStart(width)}`;
    if (missing.length === 0) return line;
    return met.length < missing.length
      ? withNames(`${line}${GAP}only`, met, widthColumns)
      : withNames(`${line}${GAP}not`, missing, widthColumns);
  });
}

/** The names of rows, padded to the longest. */
function namesText(rows: readonly TextRow[]): readonly string[] {
  const width = Math.max(...rows.map(({ row }) => row.length));
  return rows.map(({ row }) => `${INDENT}${row.padEnd(width)}`);
}

/** As many names as fit behind a text, and how many more there are: at least that. */
function withNames(text: string, names: readonly string[], widthColumns: number): string {
  for (let told = names.length; told > 0; told -= 1) {
    const more = names.length - told;
    const line = `${text} ${names.slice(0, told).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    if (line.length <= widthColumns) return line;
  }
  return `${text} ${names.length} of them`;
}
