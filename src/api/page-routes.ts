import { homePage, loginPage, STYLE } from './pages/pages.ts';
import type { Authentication } from './ports.ts';
import type { Route } from './routes.ts';
import { webPageRoutes, type WebPages } from './web-pages.ts';

const LOCAL_BUDGET_MS = 5_000;

/** The built pages, or, where the API was built without them, two plain ones. */
export function pageRoutes(authentication: Authentication, built: WebPages | undefined): readonly Route[] {
  return built === undefined ? plainPageRoutes(authentication) : webPageRoutes(built);
}

function plainPageRoutes(authentication: Authentication): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/',
      access: 'public',
      budgetMs: LOCAL_BUDGET_MS,
      async handle({ request }) {
        const user = await authentication.authenticate(request.headers.cookie);
        if (user === undefined) return { redirectTo: '/login', setCookies: [] };
        return { status: 200, type: 'html', text: homePage(user) };
      },
    },
    {
      method: 'GET',
      path: '/login',
      access: 'public',
      budgetMs: LOCAL_BUDGET_MS,
      handle: ({ query }) => Promise.resolve({ status: 200, type: 'html', text: loginPage(query) }),
    },
    {
      method: 'GET',
      path: '/pages.css',
      access: 'public',
      budgetMs: LOCAL_BUDGET_MS,
      handle: () => Promise.resolve({ status: 200, type: 'css', text: STYLE }),
    },
  ];
}
