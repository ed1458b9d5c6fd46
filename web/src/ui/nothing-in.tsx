import type { ReactNode } from 'react';
import { useNamespaceAccess, useNamespaces } from '../api/queries.ts';
import { Empty } from './empty.tsx';
import { LinkButton } from './link-button.tsx';
import { NoAccess } from './no-access.tsx';

interface NothingInProps {
  readonly namespace: string;
  /** Left out: nothing was found. */
  readonly isNothing?: boolean;
  /** For a namespace that one may see, whatever it has. */
  readonly children: ReactNode;
}

/** Nothing of a namespace is shown: it does not exist, one has no access to it, or there is nothing. */
export function NothingIn({ namespace, isNothing = true, children }: NothingInProps) {
  const namespaces = useNamespaces().data;
  const level = useNamespaceAccess(namespace).data?.level;
  if (!isNothing) return children;
  // An address can name anything, and the list of a namespace that does not exist is empty.
  if (namespaces?.some(({ name }) => name === namespace) === false) {
    return (
      <Empty
        title="Namespace not found"
        body="Check the address for a typo, or choose a namespace from the list."
      >
        <LinkButton to="/" variant="primary">
          Show namespaces
        </LinkButton>
      </Empty>
    );
  }
  return level === 'none' ? <NoAccess /> : children;
}
