import { useLayoutEffect } from 'react';

/** What stays in sight while the page is hidden. */
export const SESSION_COVER = 'session-cover';

/**
 * Hides the page while the notice of this component is shown. By a class: a style sheet that looked for the notice itself
 * (`:has`) would have every change of a page calculated again for all of it.
 */
export function usePageHidden(): void {
  useLayoutEffect(() => {
    const { classList } = document.documentElement;
    classList.add('session-over');
    return () => classList.remove('session-over');
  }, []);
}
