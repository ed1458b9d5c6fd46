import { createBrowserRouter, type LazyRouteFunction, type RouteObject } from 'react-router';
import type { ComponentType } from 'react';
import { loadCode } from './shell/load-code.ts';
import { PAGE_ROUTES } from '../../src/contract/page-routes.ts';
import { Shell, Starting } from './shell/shell.tsx';
import { BrokenPage, UnknownPage } from './shell/broken-page.tsx';
import { LoginPage } from './session/login-page.tsx';

/** The addresses; every screen beyond the first is loaded when it is opened. */
export function createPages() {
  const target = () => (router.state.navigation.location ?? router.state.location).pathname;
  const screen =
    (load: () => Promise<ComponentType>): LazyRouteFunction<RouteObject> =>
    async () => ({ Component: await loadCode(load, target) });
  const router = createBrowserRouter([
    { path: PAGE_ROUTES.login, element: <LoginPage />, errorElement: <BrokenPage /> },
    {
      path: PAGE_ROUTES.namespaces,
      element: <Shell />,
      errorElement: <BrokenPage />,
      hydrateFallbackElement: <Starting />,
      children: [
        {
          index: true,
          lazy: screen(
            async () => (await import('./features/namespaces/namespaces-page.tsx')).NamespacesPage,
          ),
        },
        {
          path: PAGE_ROUTES.list,
          lazy: screen(async () => (await import('./features/list/list-page.tsx')).ListPage),
        },
        {
          path: PAGE_ROUTES.create,
          lazy: screen(async () => (await import('./features/create/create-page.tsx')).CreatePage),
        },
        {
          path: PAGE_ROUTES.detail,
          lazy: screen(async () => (await import('./features/detail/detail-page.tsx')).DetailPage),
        },
        {
          path: PAGE_ROUTES.edit,
          lazy: screen(async () => (await import('./features/edit/edit-page.tsx')).EditPage),
        },
        {
          path: PAGE_ROUTES.history,
          lazy: screen(async () => (await import('./features/history/history-page.tsx')).HistoryPage),
        },
        { path: '*', element: <UnknownPage /> },
      ],
    },
  ]);
  return router;
}
