import { useLayoutEffect, type RefObject } from 'react';

/**
 * Keeps everything outside the dialog of this element from screen readers while the dialog is shown. PatternFly hides it when a
 * dialog opens and shows it again when any dialog closes, also one that this dialog has replaced.
 */
export function useHiddenBehind(content: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const hide = () => {
      for (const child of document.body.children) {
        if (!child.contains(content.current) && !child.hasAttribute('aria-hidden')) {
          child.setAttribute('aria-hidden', 'true');
        }
      }
    };
    const observer = new MutationObserver(hide);
    observer.observe(document.body, { attributeFilter: ['aria-hidden'], childList: true, subtree: true });
    // Disconnected before PatternFly shows the page again: pending records are dropped.
    return () => observer.disconnect();
  }, [content]);
}
