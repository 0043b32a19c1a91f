import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Log } from './log.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/**
 * JSON lines on stderr, from `level` on: stdout is for the output of a command. Lines are written
 * synchronously, so that the last line before a crash is not lost. `output` is for tests.
 *
 * On a terminal lines go through `process.stderr`, which is synchronous there too: what shows a line that changes
 * learns of them by that, and keeps out of their way.
 */
export function realLog(
  level: LogLevel,
  output: DestinationStream = process.stderr.isTTY ? process.stderr : destination({ fd: 2, sync: true }),
): Log {
  const logger = pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    output,
  );
  return {
    debug: lineWriter(logger, 'debug'),
    info: lineWriter(logger, 'info'),
    warn: lineWriter(logger, 'warn'),
    error: lineWriter(logger, 'error'),
  };
}

function lineWriter(logger: Logger, level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] {
  return (fields, message) => logger[level](fields, message);
}
