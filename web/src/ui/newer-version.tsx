import { Alert } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import type { SecretDetail } from '../api/secrets-api.ts';
import { When } from './when.tsx';
import { NEWER_VERSION_WORDS } from '../words/value-parts.ts';

export interface NewerVersionProps {
  /** The newer one. */
  readonly secret: SecretDetail;
  /** What one can do about it. */
  readonly children?: ReactNode;
}

/** What was opened has been replaced since. */
export function NewerVersion({ secret, children }: NewerVersionProps) {
  const { version, lastModifiedBy, lastModifiedAt } = secret;
  return (
    <Alert
      isInline
      isLiveRegion
      variant="warning"
      component="h2"
      title={NEWER_VERSION_WORDS.title}
      actionLinks={children}
    >
      <p>
        {NEWER_VERSION_WORDS.version(version, lastModifiedBy)}
        {lastModifiedAt !== undefined && (
          <>
            , <When time={lastModifiedAt} relative />
          </>
        )}
        .{children === undefined ? NEWER_VERSION_WORDS.valuesAreNew : ''}
      </p>
    </Alert>
  );
}
