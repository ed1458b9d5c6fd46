import { createBrowserRouter } from 'react-router';
import type { ComponentType } from 'react';
import { loadCode } from './shell/load-code.ts';
import { PAGE_ROUTES } from '../../src/contract/page-routes.ts';
import { Shell } from './shell/shell.tsx';
import { ScreenSkeleton } from './ui/screen-skeleton.tsx';
import { BrokenPage, UnknownPage } from './shell/broken-page.tsx';
import { LoginPage } from './session/login-page.tsx';

/** The addresses; every screen beyond the first is loaded when it is opened. */
export function createPages() {
  const target = () => (router.state.navigation.location ?? router.state.location).pathname;
  const screen = (load: () => Promise<ComponentType>) => ({
    lazy: async () => ({ Component: await loadCode('screen', load, target) }),
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
        {
          index: true,
          ...screen(async () => (await import('./features/namespaces/namespaces-page.tsx')).NamespacesPage),
        },
        {
          path: PAGE_ROUTES.expiring,
          ...screen(async () => (await import('./features/expiring/expiring-page.tsx')).ExpiringPage),
        },
        {
          path: PAGE_ROUTES.list,
          ...screen(async () => (await import('./features/list/list-page.tsx')).ListPage),
        },
        {
          path: PAGE_ROUTES.create,
          ...screen(async () => (await import('./features/create/create-page.tsx')).CreatePage),
        },
        {
          path: PAGE_ROUTES.deleted,
          ...screen(async () => (await import('./features/deleted/deleted-page.tsx')).DeletedPage),
        },
        {
          path: PAGE_ROUTES.detail,
          ...screen(async () => (await import('./features/detail/detail-page.tsx')).DetailPage),
        },
        {
          path: PAGE_ROUTES.edit,
          ...screen(async () => (await import('./features/edit/edit-page.tsx')).EditPage),
        },
        {
          path: PAGE_ROUTES.copy,
          ...screen(async () => (await import('./features/copy/copy-page.tsx')).CopyPage),
        },
        {
          path: PAGE_ROUTES.history,
          ...screen(async () => (await import('./features/history/history-page.tsx')).HistoryPage),
        },
        {
          path: PAGE_ROUTES.consumers,
          ...screen(async () => (await import('./features/consumers/consumers-page.tsx')).ConsumersPage),
        },
        {
          path: PAGE_ROUTES.access,
          ...screen(async () => (await import('./features/access/access-page.tsx')).AccessPage),
        },
        { path: '*', element: <UnknownPage /> },
      ],
    },
  ]);
  return router;
}
