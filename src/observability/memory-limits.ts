import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** Beyond `process` the container is killed, or the machine has no more; beyond `heap` V8 ends the process. */
export type MemoryLimits = Readonly<Record<'process' | 'heap', number>>;

/**
 * What this process may use, in bytes. A process without a limit of its own sees 0, or a number beyond all
 * memory, which differs between versions of cgroups.
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
