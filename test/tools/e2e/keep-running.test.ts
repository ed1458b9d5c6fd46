import { describe, expect, it } from 'vitest';
import { keepRunning } from '../../../hack/e2e/keep-running.ts';
import { machineTools } from '../../../hack/e2e/tools.ts';
import { eventually } from '../../harness/eventually.ts';

/** Programs that end by themselves when `short`, and stay otherwise. */
function starter(short: (count: number) => boolean) {
  const starts: number[] = [];
  const start = () => {
    starts.push(starts.length + 1);
    const script = short(starts.length) ? '' : 'setInterval(() => undefined, 1000)';
    return machineTools.start(process.execPath, ['--eval', script]);
  };
  return { starts, start };
}

describe('a program that is kept running', () => {
  it('is started again when it ends by itself, and not when it is stopped', async () => {
    const { starts, start } = starter((count) => count < 3);
    const kept = keepRunning(start, 1);
    await eventually(() => {
      expect(starts).toEqual([1, 2, 3]);
    });
    await kept.stop();
    expect(starts).toEqual([1, 2, 3]);
  });

  it('can be stopped while it is about to be started again', async () => {
    const { starts, start } = starter(() => true);
    const kept = keepRunning(() => {
      const started = start();
      return { ...started, ended: Promise.resolve() };
    }, 60_000);
    await kept.stop();
    expect(starts).toEqual([1]);
  });
});
