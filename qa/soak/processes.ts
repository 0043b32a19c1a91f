import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** The resident memory of one process. */
export interface ProcessMemory {
  readonly pid: number;
  /** `up`, or the command that it runs: `backend`. */
  readonly part: string;
  readonly bytes: number;
}

const KIB = 1_024;

/**
 * `up` and its children with their resident memory, of those that are there. Linux tells it in /proc (proc(5)); on
 * other systems `ps` is asked, whose RSS is in KiB there too. Rejects where there is no `ps`.
 */
export async function memoryOf(upPid: number): Promise<readonly ProcessMemory[]> {
  if (!existsSync('/proc/self/status')) {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,args=']);
    return fromPs(stdout, upPid);
  }
  const children = (read(`/proc/${upPid}/task/${upPid}/children`) ?? '').trim();
  const pids = [upPid, ...(children === '' ? [] : children.split(' ').map(Number))];
  return pids.flatMap((pid) => {
    const bytes = residentOf(read(`/proc/${pid}/status`) ?? '');
    if (bytes === undefined) return [];
    const args = (read(`/proc/${pid}/cmdline`) ?? '').split('\0').filter((word) => word !== '');
    return [{ pid, part: pid === upPid ? 'up' : (args.at(-1) ?? 'unknown'), bytes }];
  });
}

/** The bytes that /proc/PID/status calls VmRSS; undefined where it says none (of a process that has ended). */
export function residentOf(status: string): number | undefined {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) * KIB;
}

/** `up` and its children out of what `ps -o pid=,ppid=,rss=,args=` prints. */
export function fromPs(text: string, upPid: number): readonly ProcessMemory[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, kib, args = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || (Number(pid) !== upPid && Number(parent) !== upPid)) return [];
    const part = Number(pid) === upPid ? 'up' : (args.trim().split(/\s+/).at(-1) ?? 'unknown');
    return [{ pid: Number(pid), part, bytes: Number(kib) * KIB }];
  });
}

/** Undefined: it has ended meanwhile. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
