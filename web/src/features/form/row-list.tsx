import { useCallback, useLayoutEffect, useMemo, useRef, type RefObject } from 'react';
import { addRow, rowProblems, type Row, type RowChange, type RowsChange } from '../../editing/draft.ts';
import { indispensableKeys, typeWarning, type TypeNeed } from '../../editing/type-rules.ts';
import { RowEditor } from './row-editor.tsx';

export interface RowListProps {
  readonly type: string;
  readonly rows: readonly Row[];
  /** Those of `rows` that are shown. */
  readonly visible: readonly Row[];
  readonly need: TypeNeed | undefined;
  readonly actions: RowActions;
}

/** All keys with their values. */
export function RowList({ type, rows, visible, need, actions }: RowListProps) {
  const problems = useMemo(() => rowProblems(rows), [rows]);
  const indispensable = useMemo(() => indispensableKeys(type, rows), [type, rows]);
  return (
    <ul className="rows" aria-label="Keys and values" ref={actions.list}>
      {visible.map((row, index) => {
        const problem = problems.get(row.id);
        return (
          <RowEditor
            key={row.id}
            row={row}
            number={index + 1}
            keyProblem={problem?.of === 'key' ? problem.text : undefined}
            valueProblem={problem?.of === 'value' ? problem.text : undefined}
            need={row.key === need?.key ? need.text : undefined}
            warning={typeWarning(type, row)}
            isRemovable={!(row.fixed && indispensable.includes(row.key))}
            onChange={actions.change}
            onRemove={actions.remove}
          />
        );
      })}
    </ul>
  );
}

export interface RowActions {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly add: () => void;
  readonly change: (id: number, change: RowChange) => void;
  readonly remove: (id: number) => void;
}

const KEY_FIELD = '.key-input input';

/**
 * What can be done to rows. The focus goes along: to the field of a new key, and from a row that is removed to the
 * one that takes its place, or, when none is left, to `otherwise`.
 */
export function useRowActions(
  onChange: (change: RowsChange) => void,
  otherwise: RefObject<HTMLElement | null>,
): RowActions {
  const list = useRef<HTMLUListElement>(null);
  const next = useRef<() => HTMLElement | null | undefined>(undefined);
  useLayoutEffect(() => {
    next.current?.()?.focus();
    next.current = undefined;
  });
  const add = useCallback(() => {
    next.current = () => list.current?.querySelector<HTMLElement>(`li:last-child ${KEY_FIELD}`);
    onChange((rows) => addRow(rows));
  }, [onChange]);
  const change = useCallback(
    (id: number, part: RowChange) =>
      onChange((rows) => rows.map((row) => (row.id === id ? { ...row, ...part } : row))),
    [onChange],
  );
  const remove = useCallback(
    (id: number) => {
      const gone = list.current?.querySelector(`[data-row="${id}"]`);
      const neighbor = gone?.nextElementSibling ?? gone?.previousElementSibling;
      next.current = () => neighbor?.querySelector<HTMLElement>(KEY_FIELD) ?? otherwise.current;
      onChange((rows) => rows.filter((row) => row.id !== id));
    },
    [onChange, otherwise],
  );
  return { list, add, change, remove };
}
