import { EmptyState, EmptyStateBody, EmptyStateFooter, type EmptyStateProps } from '@patternfly/react-core';
import type { ReactNode } from 'react';

export interface EmptyProps extends Pick<EmptyStateProps, 'icon' | 'status' | 'headingLevel'> {
  readonly title: string;
  readonly body: ReactNode;
  /** What one can do about it. */
  readonly children?: ReactNode;
}

/** In the place of what could be shown: why there is nothing. */
export function Empty({ title, body, headingLevel = 'h2', children, ...look }: EmptyProps) {
  return (
    <EmptyState {...look} titleText={title} headingLevel={headingLevel}>
      <EmptyStateBody>{body}</EmptyStateBody>
      {children !== undefined && <EmptyStateFooter>{children}</EmptyStateFooter>}
    </EmptyState>
  );
}
