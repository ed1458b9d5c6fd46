import { Breadcrumb, BreadcrumbItem, Content, PageSection, Spinner } from '@patternfly/react-core';
import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';

export interface Crumb {
  readonly text: string;
  /** Without one it is the page itself. */
  readonly to?: string;
}

export interface ScreenProps {
  readonly title: string;
  readonly crumbs?: readonly Crumb[];
  /** Right of the title: labels and actions. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A screen: where one is, what it is called, what one can do. The title holds names, never values. */
export function Screen({ title, crumbs = [], aside, children }: ScreenProps) {
  useTitle(title);
  return (
    <>
      <PageSection className="screen-head">
        {crumbs.length > 0 && (
          <Breadcrumb>
            {crumbs.map(({ text, to }) =>
              to === undefined ? (
                <BreadcrumbItem key={text} isActive>
                  {text}
                </BreadcrumbItem>
              ) : (
                <BreadcrumbItem
                  key={to}
                  render={({ className }) => (
                    <Link className={className} to={to}>
                      {text}
                    </Link>
                  )}
                />
              ),
            )}
          </Breadcrumb>
        )}
        <div className="screen-title">
          <Content component="h1">{title}</Content>
          {aside}
        </div>
      </PageSection>
      <PageSection isFilled className="screen-body">
        {children}
      </PageSection>
    </>
  );
}

const SLOW_MS = 3_000;

/** Until the answer is there. */
export function Loading({ what }: { readonly what: string }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setSlow(true), SLOW_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <PageSection isFilled className="loading">
      <Spinner aria-label={`Loading ${what}`} />
      <p role="status">{isSlow ? `Still loading ${what}: the cluster is slow to answer.` : ''}</p>
    </PageSection>
  );
}

/** Names the tab, for whoever has many of them open. */
export function useTitle(title: string): void {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} · Secrets`;
    // A new screen is announced, and the keyboard starts at its beginning.
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [title, pathname]);
}
