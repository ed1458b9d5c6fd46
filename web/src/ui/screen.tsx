import { Breadcrumb, BreadcrumbItem, Content, PageSection, Spinner, Skeleton } from '@patternfly/react-core';
import { useEffect, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { headOf } from '../paths.ts';
import { SlowStatus } from './slow.tsx';

interface ScreenProps {
  /** What the tab is called where that is not the title. */
  readonly tabTitle?: string;
  /** Right of the title: labels and actions. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A screen: where one is and what it is called, as its address says, and what one can do. */
export function Screen({ tabTitle, aside, children }: ScreenProps) {
  const { title, crumbs } = headOf(useLocation().pathname);
  useTitle(tabTitle ?? title);
  return (
    <>
      <PageSection className="screen-head">
        {crumbs.length > 0 && (
          <Breadcrumb>
            {crumbs.map(({ text, to }) =>
              to === undefined ? (
                <BreadcrumbItem key={text} className="crumb" isActive>
                  {text}
                </BreadcrumbItem>
              ) : (
                <BreadcrumbItem
                  key={to}
                  className="crumb"
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

/** Until the answer is there, in a part of a screen or in a dialog. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <PageSection isFilled className="loading">
      <Spinner aria-label={`Loading ${what}`} />
      <SlowStatus what={what} />
    </PageSection>
  );
}

/** Names the tab, for whoever has many of them open. */
export function useTitle(title: string): void {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} · Secrets`;
    const main = document.getElementById('main');
    const screen = `${pathname} ${title}`;
    // The same screen, with its data: whoever has moved on with the keyboard is not taken back.
    if (main === null || main.dataset.screen === screen) return;
    main.dataset.screen = screen;
    // A new screen is announced, and the keyboard starts at its beginning.
    main.focus({ preventScroll: true });
  }, [title, pathname]);
}

/** Where the text of a skeleton would end, line by line. */
const WIDTHS = ['60%', '85%', '75%', '40%'];

/** A screen before its data: what it is called and how one gets back is in the address. */
export function ScreenSkeleton({ what }: { readonly what: string }) {
  return (
    <Screen>
      <div className="skeleton" aria-hidden>
        {WIDTHS.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
      <SlowStatus what={what} />
    </Screen>
  );
}
