import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { SecretRef } from '../api/secrets-api.ts';

export interface SecretItemsProps<Item extends SecretRef> {
  /** The id of a heading that says what they are. */
  readonly labelledBy: string;
  readonly secrets: readonly Item[];
  readonly pathOf: (secret: SecretRef) => string;
  readonly about: (secret: Item) => ReactNode;
}

/** Secrets of any namespace, each with its place and what there is to say of it. */
export function SecretItems<Item extends SecretRef>(props: SecretItemsProps<Item>) {
  const { labelledBy, secrets, pathOf, about } = props;
  return (
    <ul aria-labelledby={labelledBy} className="secret-items">
      {secrets.map((secret) => (
        <li key={pathOf(secret)}>
          <Link to={pathOf(secret)}>{secret.name}</Link> <span className="hint">in {secret.namespace}</span>{' '}
          {about(secret)}
        </li>
      ))}
    </ul>
  );
}
