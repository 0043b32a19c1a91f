import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Log } from './log.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/**
 * JSON lines on stderr, from `level` on: stdout belongs to what a command prints. Lines are written at once, so
 * that the last one before a crash is not lost. `output` is for tests.
 */
export function realLog(
  level: LogLevel,
  output: DestinationStream = destination({ fd: 2, sync: true }),
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
