import { Alert, Button } from '@patternfly/react-core';
import { Facts } from '../../ui/facts.tsx';
import { Masked } from '../../ui/masked.tsx';
import type { Row } from '../../editing/draft.ts';
import { UNSAVABLE_VALUES_WORDS } from '../../words/edit.ts';

export interface UnsavableValuesProps {
  readonly rows: readonly Row[];
  readonly onDiscard?: () => void;
}

/** What someone typed for a Secret whose values were locked before the save: to be copied elsewhere. */
export function UnsavableValues({ rows, onDiscard }: UnsavableValuesProps) {
  if (rows.length === 0) return null;
  return (
    <Alert
      isInline
      variant="warning"
      component="h2"
      className="stranded"
      title={UNSAVABLE_VALUES_WORDS.title}
      actionLinks={
        onDiscard !== undefined && (
          <Button variant="secondary" onClick={onDiscard}>
            {UNSAVABLE_VALUES_WORDS.discard}
          </Button>
        )
      }
    >
      <p>{UNSAVABLE_VALUES_WORDS.advice}</p>
      <Facts
        label={UNSAVABLE_VALUES_WORDS.title}
        facts={rows.map(({ key, value }) => ({
          term: key,
          description: <Masked value={value} of={UNSAVABLE_VALUES_WORDS.mine(key)} />,
        }))}
      />
    </Alert>
  );
}
