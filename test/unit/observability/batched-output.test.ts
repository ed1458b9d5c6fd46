import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { joinLines } from '../../../src/observability/logger.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function fixture() {
  const writes: string[] = [];
  const once = vi.spyOn(process, 'once').mockReturnThis();
  const { joined: output, atOnce } = joinLines({ write: (text) => void writes.push(text) });
  const nextTurn = (): void => {
    vi.runAllTimers();
  };
  const exit = (): void => {
    for (const [event, work] of once.mock.calls as [string, () => void][]) if (event === 'exit') work();
  };
  return { writes, output, atOnce, nextTurn, exit };
}

describe('log lines of one turn', () => {
  it('are written together, in order, when the turn is over', () => {
    const { writes, output, nextTurn } = fixture();
    output.write('one\n');
    output.write('two\n');
    expect(writes).toEqual([]);
    nextTurn();
    output.write('three\n');
    nextTurn();
    nextTurn();
    expect(writes).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('are written when the process exits before that, and only once', () => {
    const { writes, output, nextTurn, exit } = fixture();
    output.write('last words\n');
    exit();
    nextTurn();
    expect(writes).toEqual(['last words\n']);
  });

  it('are written at once when one of them must not wait, in their order', () => {
    const { writes, output, atOnce, nextTurn } = fixture();
    output.write('one\n');
    atOnce.write('audit\n');
    expect(writes).toEqual(['one\naudit\n']);
    output.write('two\n');
    nextTurn();
    nextTurn();
    expect(writes).toEqual(['one\naudit\n', 'two\n']);
  });
});
