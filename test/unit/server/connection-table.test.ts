import { describe, expect, it } from 'vitest';
import { createConnectionTable } from '../../../src/server/connection-table.ts';

describe('the table of connections', () => {
  it('takes connections in up to its limit', () => {
    const table = createConnectionTable<string>(2);
    expect([table.open('a'), table.open('b')]).toEqual([undefined, undefined]);
    expect(table.figures()).toEqual({ unused: 2, idle: 0, busy: 0 });
  });

  it('closes the oldest that was never used for a new one, even where others have been idle for longer', () => {
    const table = createConnectionTable<string>(3);
    for (const one of ['idle', 'old', 'young']) table.open(one);
    table.begin('idle');
    table.end('idle');
    expect(table.open('new')).toBe('old');
    expect(table.open('newer')).toBe('young');
    expect(table.figures()).toEqual({ unused: 2, idle: 1, busy: 0 });
  });

  it('closes the one that has been idle for longest, where all were used', () => {
    const table = createConnectionTable<string>(2);
    for (const one of ['a', 'b']) table.open(one);
    for (const one of ['b', 'a', 'b']) {
      table.begin(one);
      table.end(one);
    }
    expect(table.open('new')).toBe('a');
  });

  it('closes the new one, where all others are busy', () => {
    const table = createConnectionTable<string>(1);
    table.open('a');
    table.begin('a');
    expect(table.open('new')).toBe('new');
    expect(table.figures()).toEqual({ unused: 0, idle: 0, busy: 1 });
  });

  it('counts the requests of a connection that are not answered yet', () => {
    const table = createConnectionTable<string>(1);
    table.open('a');
    expect([table.begin('a'), table.begin('a')]).toEqual([1, 2]);
    table.end('a');
    expect(table.isBusy('a')).toBe(true);
    table.end('a');
    expect(table.isBusy('a')).toBe(false);
    expect(table.figures()).toEqual({ unused: 0, idle: 1, busy: 0 });
  });

  it('forgets what is closed, whatever ends later', () => {
    const table = createConnectionTable<string>(1);
    table.open('a');
    table.begin('a');
    table.close('a');
    table.end('a');
    expect(table.figures()).toEqual({ unused: 0, idle: 0, busy: 0 });
    expect(table.open('b')).toBeUndefined();
  });
});
