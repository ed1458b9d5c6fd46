import { expect, test } from 'vitest';
import { withFocused, withGaps } from '../src/features/list/use-rows.ts';

const HEIGHT = 10;

/** Rows by index, gaps by how many rows they stand for, negative. */
function drawn({ from, to, focused, count }: Record<'from' | 'to' | 'count', number> & { focused?: number }) {
  const inSight = Array.from({ length: to - from }, (_none, index) => from + index);
  const placed = withFocused(inSight, focused).map((index) => ({
    index,
    start: index * HEIGHT,
    end: (index + 1) * HEIGHT,
  }));
  return withGaps(placed, count * HEIGHT).map((row) =>
    typeof row === 'number' ? row : -row.height / HEIGHT,
  );
}

test.each([
  [{ from: 0, to: 3, count: 3 }, [0, 1, 2]],
  [{ from: 0, to: 2, focused: 1, count: 5 }, [0, 1, -3]],
  [{ from: 4, to: 6, count: 9 }, [-4, 4, 5, -3]],
  [{ from: 4, to: 6, focused: 0, count: 9 }, [0, -3, 4, 5, -3]],
  [{ from: 4, to: 6, focused: 3, count: 9 }, [-3, 3, 4, 5, -3]],
  [{ from: 4, to: 6, focused: 8, count: 9 }, [-4, 4, 5, -2, 8]],
  [{ from: 0, to: 0, count: 0 }, []],
])('%j draws %j: the focused row stays, and every row has its place', (window, rows) => {
  expect(drawn(window)).toEqual(rows);
});
