import { Alert, Button } from '@patternfly/react-core';
import { Facts } from '../../ui/facts.tsx';
import { Masked } from '../../ui/masked.tsx';
import type { Row } from '../../editing/draft.ts';

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
      title="Your values, which can no longer be saved"
      actionLinks={
        onDiscard !== undefined && (
          <Button variant="secondary" onClick={onDiscard}>
            Discard these values
          </Button>
        )
      }
    >
      <p>Copy what you still need: they are only on this page, and are lost when you leave it.</p>
      <Facts
        label="Your values, which can no longer be saved"
        facts={rows.map(({ key, value }) => ({
          term: key,
          description: <Masked value={value} of={`${key} (mine)`} />,
        }))}
      />
    </Alert>
  );
}
