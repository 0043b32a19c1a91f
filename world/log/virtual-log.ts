import type { ProcessScope } from '../loop/virtual-process-scope.ts';
import type { Trace } from '../trace/trace.ts';
import type { Log, LogFields } from './log.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

/** The log of a virtual run. Every line goes into the trace; warnings and errors are kept as well. */
export interface VirtualLog extends Log {
  /** The first warnings and errors, oldest first. */
  readonly warnings: readonly LogLine[];
}

/** Bounds the memory of a run that warns without end. */
const MAX_WARNINGS = 10_000;

/** A stack names the folder and the lines of this checkout: with it, a trace would differ elsewhere. */
function portable(key: string, value: unknown): unknown {
  return key === 'stack' ? undefined : value;
}

/**
 * The log of `scope`. `warnings` may be shared by several logs, such as those of all instances of one
 * program.
 */
export function virtualLog(trace: Trace, scope: ProcessScope, warnings: LogLine[] = []): VirtualLog {
  const write =
    (level: LogLine['level']) =>
    (fields: LogFields, message: string): void => {
      if (scope.isKilled) return;
      trace.note({
        who: scope.name,
        what: `log-${level}`,
        detail: `${message} ${JSON.stringify(fields, portable)}`,
        isDiagnostic: true,
      });
      const isWarning = level === 'warn' || level === 'error';
      if (isWarning && warnings.length < MAX_WARNINGS) warnings.push({ level, fields, message });
    };
  return {
    warnings,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
