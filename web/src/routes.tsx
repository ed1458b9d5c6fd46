import { createBrowserRouter } from 'react-router';
import { PAGE_ROUTES } from '../../src/contract/page-routes.ts';
import { Shell } from './shell/shell.tsx';
import { BrokenPage, UnknownPage } from './shell/broken-page.tsx';
import { LoginPage } from './session/login-page.tsx';

/** The addresses; every screen beyond the first is loaded when it is opened. */
export function createPages() {
  return createBrowserRouter([
    { path: PAGE_ROUTES.login, element: <LoginPage />, errorElement: <BrokenPage /> },
    {
      path: PAGE_ROUTES.namespaces,
      element: <Shell />,
      errorElement: <BrokenPage />,
      hydrateFallbackElement: <span />,
      children: [
        {
          index: true,
          lazy: async () => ({
            Component: (await import('./features/namespaces/namespaces-page.tsx')).NamespacesPage,
          }),
        },
        {
          path: PAGE_ROUTES.list,
          lazy: async () => ({ Component: (await import('./features/list/list-page.tsx')).ListPage }),
        },
        {
          path: PAGE_ROUTES.create,
          lazy: async () => ({ Component: (await import('./features/create/create-page.tsx')).CreatePage }),
        },
        {
          path: PAGE_ROUTES.detail,
          lazy: async () => ({ Component: (await import('./features/detail/detail-page.tsx')).DetailPage }),
        },
        {
          path: PAGE_ROUTES.edit,
          lazy: async () => ({ Component: (await import('./features/edit/edit-page.tsx')).EditPage }),
        },
        {
          path: PAGE_ROUTES.history,
          lazy: async () => ({
            Component: (await import('./features/history/history-page.tsx')).HistoryPage,
          }),
        },
        { path: '*', element: <UnknownPage /> },
      ],
    },
  ]);
}
