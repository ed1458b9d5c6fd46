import { PAGE_ROUTES } from '../../contract/page-routes.ts';
import { homePage, loginPage, STYLE } from './pages.ts';
import { identify, type Identification } from '../runner/authentication.ts';
import type { PageRoute } from '../runner/route.ts';
import { webPageRoutes, type WebPages } from './web-pages.ts';

const LOCAL_BUDGET_MS = 5_000;

/** The built pages, or two plain ones if the API was built without them. */
export function pageRoutes(
  identification: Identification,
  built: WebPages | undefined,
): readonly PageRoute[] {
  return built === undefined ? plainPageRoutes(identification) : webPageRoutes(built);
}

function plainPageRoutes(identification: Identification): readonly PageRoute[] {
  return [
    {
      method: 'GET',
      path: PAGE_ROUTES.namespaces,
      access: 'page',
      budgetMs: LOCAL_BUDGET_MS,
      async handle({ request, origin }) {
        const { user } = await identify(identification, request.headers.cookie, origin);
        if (user === undefined) return { redirectTo: PAGE_ROUTES.login, setCookies: [] };
        return { status: 200, type: 'html', text: homePage(user) };
      },
    },
    {
      method: 'GET',
      path: PAGE_ROUTES.login,
      access: 'page',
      budgetMs: LOCAL_BUDGET_MS,
      handle: ({ query }) => ({ status: 200, type: 'html', text: loginPage(query) }),
    },
    {
      method: 'GET',
      path: '/pages.css',
      access: 'page',
      budgetMs: LOCAL_BUDGET_MS,
      handle: () => ({ status: 200, type: 'css', text: STYLE }),
    },
  ];
}
