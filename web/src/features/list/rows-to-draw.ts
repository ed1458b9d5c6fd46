/** Takes the place of rows that are not drawn. */
export interface Gap {
  readonly id: string;
  readonly rows: number;
}

export interface DrawnWindow {
  readonly from: number;
  readonly to: number;
  /** Drawn wherever it is. */
  readonly focused: number | undefined;
  readonly count: number;
}

/** The rows of a long list that are drawn, by their indexes, and the gaps around them, in order. */
export function rowsToDraw({ from, to, focused, count }: DrawnWindow): readonly (number | Gap)[] {
  const inSight = Array.from({ length: Math.max(0, to - from) }, (_none, index) => from + index);
  const before = focused !== undefined && focused < from ? [focused] : [];
  const after = focused !== undefined && focused >= to && focused < count ? [focused] : [];
  const drawn = [...before, ...inSight, ...after];
  const withGaps = drawn.flatMap((row, index) => {
    const skipped = row - ((drawn[index - 1] ?? -1) + 1);
    return skipped > 0 ? [{ id: `gap-before-${index === 0 ? 'all' : row}`, rows: skipped }, row] : [row];
  });
  const rest = count - ((drawn.at(-1) ?? -1) + 1);
  return rest > 0 ? [...withGaps, { id: 'gap-at-end', rows: rest }] : withGaps;
}
