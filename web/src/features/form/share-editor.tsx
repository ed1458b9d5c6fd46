import { Button } from '@patternfly/react-core';
import { Td, Th, Tr } from '@patternfly/react-table';
import { useRef } from 'react';
import { useFocusNext } from '../../ui/use-focus-next.ts';
import { idOf, sharesOf, withLevel, type Share } from '../../editing/sharing.ts';
import { FieldMessage } from '../../ui/text-field.tsx';
import { Select } from '../../ui/select.tsx';
import { SmallTable } from '../../ui/small-table.tsx';
import { AddShare, LEVEL_OPTIONS, useAddShare, useShareWarning, type AddShareOptions } from './add-share.tsx';

export interface ShareEditorProps extends AddShareOptions {
  readonly label: string;
  /** Whom the rules leave to the namespace, in words. */
  readonly rest?: string | undefined;
}

/** Who can do what: a row for each group and person, whichever lists of the API name them. */
export function ShareEditor({ label, rest, known, ...props }: ShareEditorProps) {
  const field = useRef<HTMLInputElement>(null);
  const adding = useAddShare({ known, ...props });
  const { settled, type } = adding;
  const shares = sharesOf(settled);
  const place = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext();
  const change = (share: Share, level: Share['level'] | 'none') => type({}, withLevel(settled, share, level));
  /** The keyboard goes on at the next row, or where a new one is added when that was the last. */
  const remove = (share: Share, index: number) => {
    focusNext(() => {
      const buttons = place.current?.querySelectorAll<HTMLElement>('button[aria-label^="Remove "]') ?? [];
      return buttons[Math.min(index, buttons.length - 1)] ?? field.current;
    });
    change(share, 'none');
  };
  return (
    <div ref={place}>
      {(shares.length > 0 || rest !== undefined) && (
        <SmallTable
          label={label}
          columns={['Group or person', 'Access']}
          actions="Actions"
          widths={['auto', '11rem']}
        >
          {rest !== undefined && (
            <Tr>
              <Th scope="row">{rest}</Th>
              <Td dataLabel="Access">by the namespace</Td>
              <Td />
            </Tr>
          )}
          {shares.map((share, index) => (
            <ShareRow
              key={idOf(share)}
              share={share}
              onLevel={(level) => change(share, level)}
              onRemove={() => remove(share, index)}
            />
          ))}
        </SmallTable>
      )}
      <AddShare field={field} known={known} adding={adding} />
    </div>
  );
}

interface ShareRowProps {
  readonly share: Share;
  readonly onLevel: (level: Share['level']) => void;
  readonly onRemove: () => void;
}

function ShareRow({ share, onLevel, onRemove }: ShareRowProps) {
  const { kind, entry, level } = share;
  const warning = useShareWarning([share]);
  return (
    <Tr>
      <Th scope="row">
        <span className="whole-name">{entry}</span>
        <span className="second-line">{kind === 'groups' ? 'group' : 'person'}</span>
        {warning !== undefined && <FieldMessage warning={warning} />}
      </Th>
      <Td dataLabel="Access">
        <Select label={`Access of ${entry}`} value={level} options={LEVEL_OPTIONS} onChange={onLevel} />
      </Td>
      <Td modifier="fitContent">
        <Button variant="link" size="sm" aria-label={`Remove ${entry}`} onClick={onRemove}>
          Remove
        </Button>
      </Td>
    </Tr>
  );
}
