import { createBrowserRouter, createPath } from 'react-router';
import type { ComponentType } from 'react';
import { ApiError } from './api/http-client.ts';
import { PAGE_ROUTES } from '../../src/contract/page-routes.ts';
import { HomePage } from './features/namespaces/home-page.tsx';
import { Shell, BrokenPage, UnknownPage } from './shell/shell.tsx';
import { ScreenSkeleton } from './ui/screen.tsx';
import { LoginPage } from './session/login-page.tsx';

/** The screens beyond the first, whose chunk is loaded when one is opened. */
const SCREENS: Readonly<Partial<Record<keyof typeof PAGE_ROUTES, () => Promise<ComponentType>>>> = {
  terminal: async () => (await import('./features/terminal/terminal-page.tsx')).TerminalPage,
  expiring: async () => (await import('./features/expiring/expiring-page.tsx')).ExpiringPage,
  list: async () => (await import('./features/list/list-page.tsx')).ListPage,
  create: async () => (await import('./features/create/create-page.tsx')).CreatePage,
  activity: async () => (await import('./features/activity/activity-page.tsx')).ActivityPage,
  deleted: async () => (await import('./features/deleted/deleted-page.tsx')).DeletedPage,
  detail: async () => (await import('./features/detail/detail-page.tsx')).DetailPage,
  edit: async () => (await import('./features/edit/edit-page.tsx')).EditPage,
  copy: async () => (await import('./features/copy/copy-page.tsx')).CopyPage,
  compare: async () => (await import('./features/compare/compare-page.tsx')).ComparePage,
  history: async () => (await import('./features/history/history-page.tsx')).HistoryPage,
  consumers: async () => (await import('./features/consumers/consumers-page.tsx')).ConsumersPage,
  access: async () => (await import('./features/access/access-page.tsx')).AccessPage,
};

/** The addresses, and what is shown at each. */
export function createPages() {
  const target = () =>
    createPath({ ...(router.state.navigation.location ?? router.state.location), hash: '' });
  const screen = (load: () => Promise<ComponentType>) => ({
    lazy: async () => ({ Component: await loadCode(load, target) }),
    // The frame is there before the code of its screen is.
    hydrateFallbackElement: <ScreenSkeleton what="the page" />,
  });
  const router = createBrowserRouter([
    { path: PAGE_ROUTES.login, element: <LoginPage />, errorElement: <BrokenPage /> },
    {
      path: PAGE_ROUTES.namespaces,
      element: <Shell />,
      errorElement: <BrokenPage />,
      children: [
        { index: true, element: <HomePage /> },
        ...Object.entries(SCREENS).map(([route, load]) => ({
          path: PAGE_ROUTES[route as keyof typeof SCREENS],
          ...screen(load),
        })),
        { path: '*', element: <UnknownPage /> },
      ],
    },
  ]);
  return router;
}

/** Of the session's storage: the address that was loaded again. */
const RELOADED_FOR = 'reloaded-for-code';

/**
 * Loads the code of a screen. After a rollout its file has another name, which only a new page has: that is loaded
 * once for an address. While the service cannot be reached, that is the error.
 * @param target the address that is being opened
 */
async function loadCode<Code>(load: () => Promise<Code>, target: () => string): Promise<Code> {
  try {
    const code = await load();
    sessionStorage.removeItem(RELOADED_FOR);
    return code;
  } catch (error) {
    if (!(await isReachable())) throw new ApiError(0, 'The service cannot be reached', undefined);
    const address = target();
    if (sessionStorage.getItem(RELOADED_FOR) === address) throw error;
    sessionStorage.setItem(RELOADED_FOR, address);
    window.location.assign(address);
    // Until the new page replaces this one.
    return new Promise(() => undefined);
  }
}

const isReachable = (): Promise<boolean> =>
  fetch('/api/config', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
