import { createBrowserRouter } from 'react-router';
import { Shell } from './shell/shell.tsx';
import { BrokenPage, UnknownPage } from './shell/broken-page.tsx';
import { LoginPage } from './pages/login-page.tsx';

const SECRET = 'namespaces/:namespace/secrets/:name';

/** The addresses; every screen beyond the first is loaded when it is opened. */
export function createPages() {
  return createBrowserRouter([
    { path: '/login', element: <LoginPage />, errorElement: <BrokenPage /> },
    {
      path: '/',
      element: <Shell />,
      errorElement: <BrokenPage />,
      hydrateFallbackElement: <span />,
      children: [
        {
          index: true,
          lazy: async () => ({ Component: (await import('./pages/namespaces-page.tsx')).NamespacesPage }),
        },
        {
          path: 'namespaces/:namespace',
          lazy: async () => ({ Component: (await import('./pages/list-page.tsx')).ListPage }),
        },
        {
          path: 'namespaces/:namespace/create',
          lazy: async () => ({ Component: (await import('./pages/create-page.tsx')).CreatePage }),
        },
        {
          path: SECRET,
          lazy: async () => ({ Component: (await import('./pages/detail-page.tsx')).DetailPage }),
        },
        {
          path: `${SECRET}/edit`,
          lazy: async () => ({ Component: (await import('./pages/edit-page.tsx')).EditPage }),
        },
        {
          path: `${SECRET}/history`,
          lazy: async () => ({ Component: (await import('./pages/history-page.tsx')).HistoryPage }),
        },
        { path: '*', element: <UnknownPage /> },
      ],
    },
  ]);
}
