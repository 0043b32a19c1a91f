const WIDTH = 160;
const HEIGHT = 32;

/** Values over time as a line, from 0 to the highest of them. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1e-9, ...values);
  const points = values
    .map((value, index) => {
      const x = values.length < 2 ? 0 : (index / (values.length - 1)) * WIDTH;
      return `${x.toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`;
    })
    .join(' ');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      <polyline points={points} fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}
