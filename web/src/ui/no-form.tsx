import { Alert } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import type { SecretRef } from '../api/secrets-api.ts';
import { detailPath } from '../paths.ts';
import { LinkButton } from './link-button.tsx';

export interface NoFormProps {
  readonly secret: SecretRef;
  readonly title: string;
  /** Why there is no form to fill in. */
  readonly children: ReactNode;
}

/** In the place of a form of a Secret. */
export function NoForm({ secret, title, children }: NoFormProps) {
  return (
    <>
      <Alert isInline variant="info" component="h2" title={title}>
        <p>{children}</p>
      </Alert>
      <div className="actions form-end">
        <LinkButton to={detailPath(secret)}>Back to the Secret</LinkButton>
      </div>
    </>
  );
}
