import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** Beyond `process` the container is killed, or the machine is out of memory. Beyond `heap` V8 ends the process. */
export type MemoryLimits = Readonly<Record<'process' | 'heap', number>>;

/**
 * What this process may use, in bytes. Without a limit of its own the value is 0 or larger than any memory, depending
 * on the version of cgroups.
 */
export function memoryLimits(
  constrained: number = process.constrainedMemory(),
  machine: number = totalmem(),
): MemoryLimits {
  return {
    process: constrained > 0 && constrained < machine ? constrained : machine,
    heap: getHeapStatistics().heap_size_limit,
  };
}
