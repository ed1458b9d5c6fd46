import { Label, LabelGroup } from '@patternfly/react-core';
import { useEffect, useRef } from 'react';

export interface AccessChipsProps {
  readonly label: string;
  readonly entries: readonly string[];
  readonly onRemove: (index: number) => void;
  /** The last one has been removed: whoever did has nothing left to stand on. */
  readonly onEmpty: () => void;
}

/** The entries of a list. The keyboard goes on at the next one when one is removed. */
export function AccessChips({ label, entries, onRemove, onEmpty }: AccessChipsProps) {
  const chips = useRef<HTMLDivElement>(null);
  const removed = useRef<number>(undefined);
  useEffect(() => {
    if (removed.current === undefined) return;
    const buttons = chips.current?.querySelectorAll<HTMLElement>('.pf-v6-c-label__actions button') ?? [];
    const next = buttons[Math.min(removed.current, buttons.length - 1)];
    removed.current = undefined;
    if (next === undefined) onEmpty();
    else next.focus();
  });
  return (
    <div ref={chips}>
      {entries.length > 0 && (
        <LabelGroup numLabels={50} aria-label={label}>
          {entries.map((entry, index) => (
            <Label
              className="chip"
              key={`${index} ${entry}`}
              closeBtnAriaLabel={`Remove ${entry}`}
              onClose={() => {
                removed.current = index;
                onRemove(index);
              }}
            >
              <span className="whole-name">{entry}</span>
            </Label>
          ))}
        </LabelGroup>
      )}
    </div>
  );
}
