/** A diagram over time: one line for each series, on one scale that begins at 0. */
export interface Panel {
  readonly title: string;
  readonly series: readonly {
    readonly name: string;
    /** `x` in minutes. Values that are not finite are left out. */
    readonly points: readonly { readonly x: number; readonly y: number }[];
  }[];
}

const WIDTH = 900;
const HEIGHT = 300;
const MARGIN = { left: 70, right: 150, top: 34, bottom: 40 } as const;
const TICKS = 5;
/** Told apart also by those who see few colours (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'] as const;

/** The panels below each other, as an SVG document of its own. Total. */
export function plotSvg(panels: readonly Panel[]): string {
  const height = Math.max(1, panels.length) * HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>Resident memory of each part, boxes and outbox over time</title>',
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    ...panels.map((panel, index) => `<g transform="translate(0 ${index * HEIGHT})">${panelSvg(panel)}</g>`),
    '</svg>',
    '',
  ].join('\n');
}

function panelSvg({ title, series }: Panel): string {
  const lines = series.map(({ name, points }) => ({
    name,
    points: points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)),
  }));
  const all = lines.flatMap(({ points }) => points);
  const mostX = ceiling(all.reduce((most, { x }) => Math.max(most, x), 0));
  const mostY = ceiling(all.reduce((most, { y }) => Math.max(most, y), 0));
  const bottom = HEIGHT - MARGIN.bottom;
  const right = WIDTH - MARGIN.right;
  const atX = (x: number) => MARGIN.left + (x / mostX) * (right - MARGIN.left);
  const atY = (y: number) => bottom - (y / mostY) * (bottom - MARGIN.top);
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => index / TICKS);
  return [
    `<text x="${MARGIN.left}" y="20" font-weight="bold">${escaped(title)}</text>`,
    ...ticks.map((part) => {
      const y = short(atY(part * mostY));
      return `<path d="M${MARGIN.left} ${y}H${right}" stroke="#ddd"/><text x="${MARGIN.left - 6}" y="${y}" text-anchor="end" dominant-baseline="middle">${label(part * mostY)}</text>`;
    }),
    ...ticks.map(
      (part) =>
        `<text x="${short(atX(part * mostX))}" y="${bottom + 16}" text-anchor="middle">${label(part * mostX)}</text>`,
    ),
    `<text x="${right}" y="${bottom + 32}" text-anchor="end">minutes</text>`,
    ...lines.map(({ name, points }, index) => {
      const colour = COLOURS[index % COLOURS.length] ?? '#000';
      const drawn = points.map(({ x, y }) => `${short(atX(x))},${short(atY(y))}`).join(' ');
      const legendY = MARGIN.top + 8 + index * 18;
      return `<polyline points="${drawn}" fill="none" stroke="${colour}" stroke-width="1.5"/><text x="${right + 10}" y="${legendY}" fill="${colour}">${escaped(name)}</text>`;
    }),
  ].join('\n');
}

/** The end of a scale: 1, 2, 2.5 or 5 times a power of ten, not below the value; 1 for nothing. */
function ceiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5].find((step) => step * power >= value) ?? 10) * power;
}

function label(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function short(value: number): string {
  return value.toFixed(1);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
