/** `1h 02m 03.456s` from the beginning of the run. */
export function momentText(ms: number): string {
  const sign = ms < 0 ? '-' : '';
  const whole = Math.abs(Math.round(ms));
  const [h, m, s] = [
    Math.floor(whole / 3_600_000),
    Math.floor(whole / 60_000) % 60,
    (whole % 60_000) / 1_000,
  ];
  return `${sign}${h > 0 ? `${h}h ` : ''}${h > 0 || m > 0 ? `${String(m).padStart(2, '0')}m ` : ''}${s.toFixed(3).padStart(6, '0')}s`;
}
