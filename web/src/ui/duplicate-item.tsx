import { DropdownItem } from '@patternfly/react-core';
import { useNavigate } from 'react-router';
import { useNamespaceAccess } from '../api/queries.ts';
import type { SecretRef } from '../api/secrets-api.ts';
import { allows } from '../editing/rules.ts';
import { copyPath, DUPLICATE_HASH } from '../paths.ts';

/** In the menu of a Secret: a copy beside it, for those who can create Secrets there. */
export function DuplicateItem({ secret }: { readonly secret: SecretRef }) {
  const navigate = useNavigate();
  const { data: within } = useNamespaceAccess(secret.namespace);
  if (!allows(within?.level, 'write')) return null;
  return (
    <DropdownItem onClick={() => void navigate(copyPath(secret) + DUPLICATE_HASH)}>Duplicate</DropdownItem>
  );
}
