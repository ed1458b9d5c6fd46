import { describe, expect, test } from 'vitest';
import { startTogether } from '../../harness/closing.ts';

describe('things that are started together', () => {
  test('are closed once, the last one first', async () => {
    const closed: string[] = [];
    const started = await startTogether((onClose) => {
      onClose(() => closed.push('first'));
      onClose(() => Promise.resolve(closed.push('second')));
      return Promise.resolve({ name: 'both' });
    });
    expect(started.name).toBe('both');
    expect(closed).toEqual([]);
    await started.close();
    await started.close();
    expect(closed).toEqual(['second', 'first']);
  });

  test('are closed at once when one of them does not start', async () => {
    const closed: string[] = [];
    const start = startTogether((onClose) => {
      onClose(() => closed.push('first'));
      return Promise.reject(new Error('the second does not start'));
    });
    await expect(start).rejects.toThrow('the second does not start');
    expect(closed).toEqual(['first']);
  });
});
