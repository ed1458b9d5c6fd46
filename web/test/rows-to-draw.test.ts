import { expect, test } from 'vitest';
import { rowsToDraw, type DrawnWindow } from '../src/features/list/use-window.ts';

/** Rows by index, gaps by how many rows they stand for, negative. */
const drawn = (window: DrawnWindow) =>
  rowsToDraw(window).map((row) => (typeof row === 'number' ? row : -row.rows));

test.each([
  [{ from: 0, to: 3, focused: undefined, count: 3 }, [0, 1, 2]],
  [{ from: 0, to: 2, focused: 1, count: 5 }, [0, 1, -3]],
  [{ from: 4, to: 6, focused: undefined, count: 9 }, [-4, 4, 5, -3]],
  [{ from: 4, to: 6, focused: 0, count: 9 }, [0, -3, 4, 5, -3]],
  [{ from: 4, to: 6, focused: 3, count: 9 }, [-3, 3, 4, 5, -3]],
  [{ from: 4, to: 6, focused: 8, count: 9 }, [-4, 4, 5, -2, 8]],
  [{ from: 0, to: 0, focused: undefined, count: 0 }, []],
])('%j draws %j: the focused row stays, and every row has its place', (window, rows) => {
  expect(drawn(window)).toEqual(rows);
});
