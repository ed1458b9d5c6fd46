import { useEffect, useState, useCallback, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';

/** From where PatternFly lays the sidebar beside the page; below it lies above. */
const BESIDE = '(min-width: 75rem)';
const SIDEBAR_ID = 'page-sidebar';
const TOGGLE_ID = 'nav-toggle';

/** Open beside a wide page until it is closed; above a narrow one for one choice. */
export function useSidebar() {
  const isBeside = useMediaQuery(BESIDE);
  const { pathname } = useLocation();
  const [isWanted, setWanted] = useState(true);
  /** The address that the narrow page had when the sidebar was opened: another one closes it. */
  const [openedAt, setOpenedAt] = useState<string>();
  const isOverlay = !isBeside;
  const isOpen = isBeside ? isWanted : openedAt === pathname;
  useEffect(() => {
    if (!isOverlay || !isOpen) return;
    const close = () => setOpenedAt(undefined);
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      close();
      document.getElementById(TOGGLE_ID)?.focus();
    };
    const onPointer = ({ target }: PointerEvent) => {
      const isInside = target instanceof Element && target.closest(`#${SIDEBAR_ID}, #${TOGGLE_ID}`) !== null;
      if (!isInside) close();
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener('pointerdown', onPointer);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('pointerdown', onPointer);
    };
  }, [isOverlay, isOpen]);
  const toggle = () => {
    if (isBeside) setWanted(!isWanted);
    else setOpenedAt(isOpen ? undefined : pathname);
  };
  return { isOpen, isOverlay, toggle };
}

/** Whether the window is as the query says; `rem` in it follows the text size of the browser. */
function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
