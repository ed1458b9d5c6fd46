import type { ChildProcess } from 'node:child_process';
import type { MeterAnswer, MeterRequest, Usage } from './messages.ts';

/** For `node`: loads the hook before the program. The process needs an `ipc` channel, too. */
export const METER_ARGUMENTS: readonly string[] = [
  '--expose-gc',
  '--import',
  new URL('./hook.ts', import.meta.url).href,
];

export interface ProcessMeter {
  /** What was used since the last reading. */
  read(): Promise<Usage>;
  /** As `read`, with garbage collected first. */
  readSettled(): Promise<Usage>;
}

/** Reads the meter of a process that was started with {@link METER_ARGUMENTS}. */
export function meterOf(child: ChildProcess): ProcessMeter {
  const waiting = new Map<number, (usage: Usage) => void>();
  let last = 0;
  child.on('message', (message) => {
    const { id, usage } = message as MeterAnswer;
    waiting.get(id)?.(usage);
    waiting.delete(id);
  });
  const measure = (settled: boolean) =>
    new Promise<Usage>((resolve, reject) => {
      const request: MeterRequest = { id: ++last, settled };
      waiting.set(request.id, resolve);
      child.send(request, (error) => {
        if (error !== null) reject(error);
      });
    });
  return { read: () => measure(false), readSettled: () => measure(true) };
}
