import { Alert, Button } from '@patternfly/react-core';
import { useState } from 'react';
import { useConfig } from '../../api/queries.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { RestartDialog } from './restart-dialog.tsx';

/** What a navigation carries to the detail page when other values were saved; no value, no name. */
export const VALUES_CHANGED = 'values-changed';

export interface RestartOfferProps {
  readonly secret: SecretRef;
  readonly onDone: () => void;
}

/** After a change of values: what runs already may still work with the old ones. */
export function RestartOffer({ secret, onDone }: RestartOfferProps) {
  const { data } = useConfig();
  const [open, setOpen] = useState(false);
  if (data?.restartEnabled !== true) return null;
  return (
    <div className="situation">
      <Alert
        isInline
        variant="info"
        component="h2"
        title="The values have changed"
        actionLinks={
          <>
            <Button variant="secondary" onClick={() => setOpen(true)}>
              Choose workloads to restart
            </Button>
            <Button variant="link" onClick={onDone}>
              Not now
            </Button>
          </>
        }
      >
        <p>Workloads that read this Secret when they start still have the old values.</p>
      </Alert>
      {open && (
        <RestartDialog
          secret={secret}
          onClose={() => {
            setOpen(false);
            onDone();
          }}
        />
      )}
    </div>
  );
}
