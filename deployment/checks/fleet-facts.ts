import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { HeapFacts, LocalPortsFacts, MemoryFacts, OpenFilesFacts } from './fleet-judges.ts';
import { limits } from './limits.ts';

// The resources that a fleet needs, of this process and this machine. Reading each takes a few milliseconds at most.

/**
 * Node raises the soft limit to the hard one when it starts (`PlatformInit` in its src/node.cc), so the value found
 * here is usually that of `ulimit -Hn` in a shell.
 */
export function openFilesFacts(): OpenFilesFacts {
  if (process.platform === 'win32') return { soft: Number.POSITIVE_INFINITY, hard: undefined };
  if (process.platform === 'linux') return readOpenFiles(textOf('/proc/self/limits'));
  return {
    soft: boundOf(answerOf('sh', ['-c', 'ulimit -n'])),
    hard: boundOf(answerOf('sh', ['-c', 'ulimit -Hn'])),
  };
}

/** The line `Max open files` of /proc/<id>/limits, whatever surrounds it. */
export function readOpenFiles(text: string): OpenFilesFacts {
  const [, soft = '', hard = ''] = /^Max open files\s+(\w+)\s+(\w+)/m.exec(text) ?? [];
  return { soft: boundOf(soft), hard: boundOf(hard) };
}

/** The range from which the system takes the local port of an outgoing connection. */
export function localPortsFacts(): LocalPortsFacts {
  if (process.platform === 'linux') return readPortRange(textOf('/proc/sys/net/ipv4/ip_local_port_range'));
  if (process.platform !== 'darwin') return { ports: undefined };
  const range = ['first', 'last'].map((end) => `net.inet.ip.portrange.${end}`);
  return readPortRange(answerOf('sysctl', ['-n', ...range]));
}

/** Two whole numbers, the first and the last port. */
export function readPortRange(text: string): LocalPortsFacts {
  const [, first, last] = /^\s*(\d{1,5})\s+(\d{1,5})\s*$/.exec(text) ?? [];
  const ports = Number(last) - Number(first) + 1;
  return { ports: ports > 0 ? ports : undefined };
}

/** A container's limit counts where it is lower than the machine's memory; without one Node reports 0, or 2^64. */
export function memoryFacts(): MemoryFacts {
  const bound = process.constrainedMemory();
  const machine = totalmem();
  return {
    boundBytes: bound > 0 && bound < machine ? bound : machine,
    freeBytes: process.availableMemory(),
  };
}

/** As Node derived it from the memory, or as --max-old-space-size sets it. */
export function heapFacts(): HeapFacts {
  return { boundBytes: getHeapStatistics().heap_size_limit };
}

function boundOf(text: string): number | undefined {
  if (text.trim() === 'unlimited') return Number.POSITIVE_INFINITY;
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Empty where there is no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The output of a program; empty where it does not exist, or it fails. */
function answerOf(program: string, parts: readonly string[]): string {
  try {
    return execFileSync(program, parts, {
      encoding: 'utf8',
      timeout: limits.askedMs,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
