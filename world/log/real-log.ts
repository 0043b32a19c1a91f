import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Log } from './log.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** `text`: a sentence and its fields, for people; `json`: one object a line; `auto`: text on a terminal. */
export type LogFormat = 'auto' | 'text' | 'json';

let chosenFormat: LogFormat = 'auto';

/** Chooses the form of all lines of this process on stderr; before the first log is made. */
export function setLogFormat(format: LogFormat): void {
  chosenFormat = format;
}

/** The form of the lines of this process on stderr. */
export function logFormat({ isTTY = false }: { readonly isTTY?: boolean } = process.stderr): 'text' | 'json' {
  if (chosenFormat !== 'auto') return chosenFormat;
  return isTTY ? 'text' : 'json';
}

/**
 * Lines on stderr, from `level` on: stdout is for the output of a command. Lines are written synchronously, so that
 * the last line before a crash is not lost. `output` is for tests.
 *
 * On a terminal lines go through `process.stderr`, which is synchronous there too: the code that draws a changing
 * status line observes them there, and makes room.
 */
export function realLog(
  level: LogLevel,
  {
    format = logFormat(),
    output = standardError(),
  }: { readonly format?: 'text' | 'json'; readonly output?: DestinationStream } = {},
): Log {
  const isText = format === 'text';
  const logger = pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    isText ? { write: (line) => void output.write(logText(line)) } : output,
  );
  return {
    debug: lineWriter(logger, 'debug'),
    info: lineWriter(logger, 'info'),
    warn: lineWriter(logger, 'warn'),
    error: lineWriter(logger, 'error'),
  };
}

/** `process.stderr` only where it is a terminal. */
function standardError(): DestinationStream {
  return process.stderr.isTTY ? process.stderr : destination({ fd: 2, sync: true });
}

function lineWriter(logger: Logger, level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] {
  return (fields, message) => logger[level](fields, message);
}

/** The names of pino's levels, and the lines that are only for developers. */
const LEVEL_NAMES: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warning', 50: 'error' };

/** A line of JSON as a sentence: `warning: the message (field: value)`. Total: another line stays as it is. */
export function logText(line: string): string {
  if (!line.startsWith('{"level":')) return line;
  try {
    const { level, time: _time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const name = LEVEL_NAMES[Number(level)] ?? 'log';
    const rest = Object.entries(fields).map(([field, value]) => `${field}: ${valueText(value)}`);
    return printable(`${name}: ${String(msg ?? '')}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`);
  } catch {
    return line;
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  // How pino writes an error.
  if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message);
  return JSON.stringify(value);
}

/** One line, without characters that control the terminal. */
function printable(text: string): string {
  return `${text.replaceAll(/\p{Cc}/gu, ' ')}\n`;
}
