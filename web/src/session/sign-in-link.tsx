import type { ReactNode } from 'react';

/** In a tab of its own, so that this one keeps what is on it. */
export function SignInLink({ children }: { readonly children: ReactNode }) {
  return (
    <a className="pf-v6-c-button pf-m-primary" href="/api/auth/login" target="_blank" rel="noreferrer">
      <span className="pf-v6-c-button__text">{children}</span>
    </a>
  );
}
