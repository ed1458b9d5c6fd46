/** The addresses of the pages, with the parameters as Express and React Router both write them. */
export const PAGE_ROUTES = {
  namespaces: '/',
  login: '/login',
  terminal: '/cli',
  expiring: '/expiring',
  list: '/namespaces/:namespace',
  create: '/namespaces/:namespace/create',
  activity: '/namespaces/:namespace/activity',
  deleted: '/namespaces/:namespace/deleted',
  detail: '/namespaces/:namespace/secrets/:name',
  edit: '/namespaces/:namespace/secrets/:name/edit',
  copy: '/namespaces/:namespace/secrets/:name/copy',
  compare: '/namespaces/:namespace/secrets/:name/compare',
  history: '/namespaces/:namespace/secrets/:name/history',
  consumers: '/namespaces/:namespace/secrets/:name/consumers',
  access: '/namespaces/:namespace/secrets/:name/access',
} as const;

/** Where a browser begins to sign in. */
export const BEGIN_LOGIN_PATH = '/api/auth/login';
