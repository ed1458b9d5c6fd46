import type { ReactNode } from 'react';
import { Link } from 'react-router';

export interface LinkButtonProps {
  readonly to: string;
  readonly variant?: 'primary' | 'secondary' | 'link';
  readonly children: ReactNode;
}

/** A link that looks like a button: it goes somewhere, so it can be opened in a new tab. */
export function LinkButton({ to, variant = 'secondary', children }: LinkButtonProps) {
  return (
    <Link className={`link-button pf-v6-c-button pf-m-${variant}`} to={to}>
      <span className="pf-v6-c-button__text">{children}</span>
    </Link>
  );
}
