import '@patternfly/react-core/dist/styles/base.css';
import './styles/base.css';
import './styles/list.css';
import './styles/detail.css';
import './styles/form.css';
import './styles/large-text.css';
import { QueryClientProvider, type QueryFunction, type QueryKey } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { ApiContext } from './api/api-context.ts';
import { PAGE_ROUTES } from '../../src/contract/page-routes.ts';
import { createQueryClient, READ_ONCE } from './api/queries.ts';
import { createSecretsApi } from './api/secrets-api.ts';
import { createApiClient } from './api/http-client.ts';
import { createPages } from './routes.tsx';
import { createSessionWatch, SessionWatchContext } from './api/session-watch.ts';
import { applyTheme, storedTheme } from './ui/theme.ts';
import { queryKeys } from './api/query-keys.ts';

applyTheme(storedTheme());
// For web/public/loading.js: the code has come.
document.documentElement.dataset.started = '';

const watch = createSessionWatch(new BroadcastChannel('session'));
const api = createSecretsApi(
  createApiClient(
    (input, init) => globalThis.fetch(input, init),
    () => watch.ended(),
  ),
  Date.now,
);
const queries = createQueryClient();
if (window.location.pathname !== PAGE_ROUTES.login) prefetch(window.location.pathname);
const root = document.getElementById('root');
if (root === null) throw new TypeError('the page has no root');

createRoot(root).render(
  <SessionWatchContext value={watch}>
    <ApiContext value={api}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={createPages()} />
      </QueryClientProvider>
    </ApiContext>
  </SessionWatchContext>,
);

/**
 * Requests what the frame and the first screen need while its code is still on its way. What fails is requested again by the screen,
 * which shows why.
 */
function prefetch(path: string): void {
  const request = <Data,>(queryKey: QueryKey, queryFn: QueryFunction<Data>, kept = {}) => {
    void queries.query({ ...kept, queryKey, queryFn }).catch(() => undefined);
  };
  request(queryKeys.me(), ({ signal }) => api.me(signal), READ_ONCE);
  const namespace = /^\/namespaces\/([a-z0-9-]+)$/.exec(path)?.[1];
  if (namespace !== undefined)
    request(queryKeys.list(namespace), ({ signal }) => api.listing(namespace, signal));
  // For the frame of every screen.
  request(queryKeys.namespaces(), ({ signal }) => api.namespaces(signal));
}
