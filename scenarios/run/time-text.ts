import { formatSpan } from '../language/document/quantity.ts';

/** A time of a run, from its beginning: `0:02:30.250`; with days `1d 0:02:30.250`; before it `-0:00:01.000`. */
export function runTimeText(ms: number): string {
  const whole = Math.round(Math.abs(ms));
  const days = Math.floor(whole / 86_400_000);
  const hours = Math.floor(whole / 3_600_000) % 24;
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = `${hours}:${two(Math.floor(whole / 60_000) % 60)}:${two(Math.floor(whole / 1_000) % 60)}`;
  const text = `${days > 0 ? `${days}d ` : ''}${time}.${String(whole % 1_000).padStart(3, '0')}`;
  return ms < 0 && whole > 0 ? `-${text}` : text;
}

/** A span for people, in two units at most: `812ms`, `1.07s`, `2m30s`, `1h5m`. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole >= 1_000 && whole < 10_000) return `${Number((whole / 1_000).toFixed(2))}s`;
  const unit = whole >= 86_400_000 ? 3_600_000 : whole >= 3_600_000 ? 60_000 : whole >= 10_000 ? 1_000 : 1;
  return formatSpan(Math.round(whole / unit) * unit);
}

/** A text of at most so many characters, with an ellipsis when it was cut. */
export function shortened(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;
}
