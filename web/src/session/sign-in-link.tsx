import type { ReactNode } from 'react';
import { BEGIN_LOGIN_PATH } from '../../../src/contract/page-routes.ts';

/** In a tab of its own, so that this one keeps what is on it. */
export function SignInLink({ children }: { readonly children: ReactNode }) {
  return (
    <a className="pf-v6-c-button pf-m-primary" href={BEGIN_LOGIN_PATH} target="_blank" rel="noreferrer">
      <span className="pf-v6-c-button__text">{children}</span>
    </a>
  );
}
