import { Alert } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import type { DescribedSecret } from '../api/secrets-api.ts';
import { When } from './when.tsx';

export interface NewerVersionProps {
  /** The newer one. */
  readonly secret: DescribedSecret;
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
      title="A newer version was saved"
      actionLinks={children}
    >
      <p>
        It is version {version}
        {lastModifiedBy !== undefined && ', by '}
        <bdi>{lastModifiedBy}</bdi>
        {lastModifiedAt !== undefined && (
          <>
            , <When time={lastModifiedAt} relative />
          </>
        )}
        .{children === undefined ? ' The values below are the new ones.' : ''}
      </p>
    </Alert>
  );
}
