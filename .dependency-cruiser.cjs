// Which module of src/, web/src/, cli/src/ and hack/ may import which, and the one module that each foreign library is confined to.
// docs/architecture.md gives the reasons; `make verify` runs this.

/** The edges that exist. A module may also import itself; nothing imports main.ts, cmd/ or app/. */
const MAY_IMPORT = {
  contract: [],
  timing: ['errors'],
  errors: [],
  config: ['contract'],
  kube: ['contract', 'errors', 'timing'],
  observability: ['contract', 'errors'],
  access: ['contract', 'errors', 'timing'],
  history: ['contract', 'controller', 'errors', 'kube', 'observability', 'timing'],
  secrets: ['access', 'contract', 'errors', 'history', 'kube', 'timing'],
  lists: ['access', 'contract', 'errors', 'history', 'kube', 'secrets', 'timing'],
  workloads: ['errors', 'kube', 'secrets', 'timing'],
  informers: ['errors', 'kube', 'observability', 'timing'],
  controller: ['errors', 'kube', 'observability', 'timing'],
  caches: [
    'access',
    'contract',
    'errors',
    'history',
    'informers',
    'kube',
    'lists',
    'observability',
    'secrets',
    'timing',
  ],
  cluster: ['access', 'config', 'errors', 'history', 'informers', 'kube', 'secrets', 'timing', 'workloads'],
  auth: ['access', 'config', 'contract', 'errors', 'observability', 'timing'],
  server: ['errors', 'observability', 'timing'],
  api: [
    'access',
    'auth',
    'contract',
    'errors',
    'kube',
    'lists',
    'observability',
    'secrets',
    'server',
    'timing',
    'workloads',
  ],
  app: [
    'access',
    'api',
    'auth',
    'caches',
    'cluster',
    'config',
    'contract',
    'controller',
    'errors',
    'history',
    'informers',
    'kube',
    'lists',
    'observability',
    'secrets',
    'server',
    'timing',
    'workloads',
  ],
  cmd: [
    'access',
    'auth',
    'cluster',
    'config',
    'contract',
    'errors',
    'history',
    'informers',
    'kube',
    'observability',
    'timing',
  ],
};

/**
 * The edges between the modules of web/src/. A feature imports another where its screen holds a part of it. Only main.tsx and
 * routes.tsx put screens together.
 */
const WEB_MAY_IMPORT = {
  'paths.ts': ['api'],
  api: [],
  values: ['api'],
  editing: ['api', 'values'],
  places: ['api'],
  ui: ['api', 'editing', 'paths.ts', 'values'],
  session: ['api', 'ui'],
  shell: ['api', 'features/search', 'paths.ts', 'places', 'session', 'ui', 'values'],
  'features/access': ['api', 'editing', 'features/secret', 'paths.ts', 'ui', 'values'],
  'features/consumers': ['api', 'features/restart', 'features/secret', 'ui'],
  'features/activity': ['api', 'features/history', 'paths.ts', 'ui', 'values'],
  'features/bulk': ['api', 'editing', 'features/form', 'ui', 'values'],
  'features/copy': ['api', 'editing', 'features/create', 'features/form', 'paths.ts', 'ui'],
  'features/create': ['api', 'editing', 'features/form', 'paths.ts', 'ui', 'values'],
  'features/delete': ['api', 'features/bulk', 'features/deleted', 'paths.ts', 'ui', 'values'],
  'features/deleted': ['api', 'editing', 'paths.ts', 'ui', 'values'],
  'features/detail': ['api', 'features/restart', 'features/secret', 'ui', 'values'],
  'features/edit': ['api', 'editing', 'features/form', 'features/restart', 'paths.ts', 'ui', 'values'],
  'features/expiring': ['api', 'paths.ts', 'ui', 'values'],
  'features/terminal': ['api', 'ui'],
  'features/form': ['api', 'editing', 'ui', 'values'],
  'features/history': [
    'api',
    'editing',
    'features/detail',
    'features/form',
    'features/restart',
    'features/secret',
    'ui',
    'values',
  ],
  'features/list': [
    'api',
    'editing',
    'features/bulk',
    'features/delete',
    'paths.ts',
    'places',
    'ui',
    'values',
  ],
  'features/namespaces': ['api', 'paths.ts', 'places', 'session', 'ui', 'values'],
  'features/restart': ['api', 'ui', 'values'],
  'features/search': ['api', 'editing', 'paths.ts', 'places', 'ui', 'values'],
  'features/secret': [
    'api',
    'editing',
    'features/delete',
    'features/restart',
    'paths.ts',
    'places',
    'ui',
    'values',
  ],
};

/** The same for the folders of hack/. What lies in hack/ itself is a command, or a part of several. */
const HACK_MAY_IMPORT = {
  alerts: ['src/observability/'],
  bundle: [],
  demo: ['hack/dev-idp/', 'hack/manifests/', 'hack/sign-in-over-http.ts'],
  dependencies: [],
  'dev-cluster': ['hack/linear-regex/'],
  'dev-idp': [],
  e2e: [
    'hack/dev-idp/',
    'hack/is-listening.ts',
    'hack/manifests/',
    'hack/processes.ts',
    'src/access/',
    'src/cluster/',
    'src/history/',
    'src/informers/',
    'src/kube/',
    'src/timing/',
    'test/harness/',
  ],
  'image-check': ['hack/dependencies/', 'hack/dev-cluster/', 'hack/image-node/', 'test/fakes/'],
  'image-node': [],
  'linear-regex': [],
  manifests: [],
  openapi: ['src/api/'],
  release: [],
  rights: ['hack/demo/', 'hack/manifests/'],
  vocabulary: [],
};

/** Foreign libraries and the only modules that may import them. */
const HOME_OF = {
  express: '(api|server)',
  'express-rate-limit': 'server',
  helmet: 'server',
  'zod-openapi': 'api',
  'openid-client': 'auth',
  jose: 'auth',
  '@kubernetes/client-node': 'cluster',
  undici: 'cluster',
  pino: 'observability',
  'prom-client': 'observability',
  '@opentelemetry': 'observability',
};

const moduleRules = Object.entries(MAY_IMPORT).map(([module, others]) => ({
  name: `${module}-imports`,
  comment: `src/${module} may import only: ${[module, ...others].join(', ')}`,
  severity: 'error',
  from: { path: `^src/${module}/` },
  to: { path: '^src/', pathNot: [module, ...others].map((name) => `^src/${name}/`) },
}));

const webRules = Object.entries(WEB_MAY_IMPORT).map(([module, others]) => ({
  name: `web-${module}-imports`,
  comment: `web/src/${module} may import only: ${[module, ...others].join(', ')}`,
  severity: 'error',
  from: { path: `^web/src/${module}(/|$)` },
  to: { path: '^web/src/', pathNot: [module, ...others].map((name) => `^web/src/${name}(/|$)`) },
}));

const hackRules = Object.entries(HACK_MAY_IMPORT).map(([folder, others]) => ({
  name: `hack-${folder}-imports`,
  comment: `hack/${folder} may import only: ${[`hack/${folder}/`, ...others].join(', ')}`,
  severity: 'error',
  from: { path: `^hack/${folder}/` },
  to: { path: '^(src|test|hack|web)/', pathNot: [`hack/${folder}/`, ...others].map((path) => `^${path}`) },
}));

const libraryRules = Object.entries(HOME_OF).map(([library, module]) => ({
  name: `${library}-only-in-${module}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${module}/` },
  to: { path: `^node_modules/${library}/` },
}));

module.exports = {
  forbidden: [
    ...moduleRules,
    ...webRules,
    ...hackRules,
    ...libraryRules,
    {
      name: 'cli-imports',
      comment:
        'The command line is a client: it shares rules and the types of the API, and no code of the service.',
      severity: 'error',
      from: { path: '^cli/src/' },
      to: { path: '^(src|test|hack|web)/', pathNot: ['^src/contract/', '^web/src/api/schema[.]ts$'] },
    },
    {
      name: 'no-imports-of-cli',
      severity: 'error',
      from: { path: '^(src|web|hack)/' },
      to: { path: '^cli/' },
    },
    {
      name: 'domain-is-not-technical',
      comment: 'The domain modules import nothing from npm; of Node only what is pure computation.',
      severity: 'error',
      from: { path: '^src/(access|contract|history|kube|lists|secrets|timing|workloads)/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-no-pkg'] },
    },
    {
      name: 'history-through-its-doors',
      comment:
        'Other modules use the history through history.ts, the controller of the reconciler, and the ports.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/history/' },
      to: {
        path: '^src/history/',
        pathNot: '^src/history/(history|ports|reconciler/controller)[.]ts$',
      },
    },
    {
      name: 'history-imports-downward',
      comment:
        'In history: the reconciler, the inspection and the installation use snapshots, not the reverse.',
      severity: 'error',
      from: { path: '^src/history/(snapshot|inspection|installation)/' },
      to: { path: '^src/history/(reconciler/|history[.]ts)' },
    },
    {
      name: 'history-snapshot-is-at-the-bottom',
      severity: 'error',
      from: { path: '^src/history/snapshot/' },
      to: { path: '^src/history/(inspection|installation)/' },
    },
    {
      name: 'cluster-imports-downward',
      comment:
        'In cluster: stores import transport and objects, transport imports credentials, all may import objects.',
      severity: 'error',
      from: { path: '^src/cluster/(objects|credentials|transport)/' },
      to: { path: '^src/cluster/(stores/|[^/]+$)' },
    },
    {
      name: 'cluster-objects-and-credentials-import-downward',
      severity: 'error',
      from: { path: '^src/cluster/(objects|credentials)/' },
      to: { path: '^src/cluster/transport/' },
    },
    {
      name: 'auth-imports-downward',
      comment: 'In auth: the doctor tries logins, a login makes a session.',
      severity: 'error',
      from: { path: '^src/auth/(session|login)/' },
      to: { path: '^src/auth/(doctor/|[^/]+$)' },
    },
    {
      name: 'auth-session-is-below-login',
      severity: 'error',
      from: { path: '^src/auth/session/' },
      to: { path: '^src/auth/login/' },
    },
    {
      name: 'auth-through-its-doors',
      comment: "The service enters auth through three files; the operators' command alone enters the doctor.",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(auth|cmd)/' },
      to: {
        path: '^src/auth/',
        pathNot: '^src/auth/(authentication|session/(revocations|sessions))[.]ts$',
      },
    },
    {
      name: 'auth-doctor-is-for-its-command',
      severity: 'error',
      from: { path: '^src/cmd/' },
      to: { path: '^src/auth/', pathNot: '^src/auth/(doctor/|authentication[.]ts$)' },
    },
    {
      name: 'server-through-its-door',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/server/' },
      to: { path: '^src/server/', pathNot: '^src/server/server[.]ts$' },
    },
    {
      name: 'api-imports-downward',
      comment: 'In api: the app puts the routes together, and routes are records of the runner.',
      severity: 'error',
      from: { path: '^src/api/(routes|runner)/' },
      to: { path: '^src/api/[^/]+$' },
    },
    {
      name: 'api-runner-is-below-routes',
      severity: 'error',
      from: { path: '^src/api/runner/' },
      to: { path: '^src/api/routes/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'web-module-is-listed',
      comment: 'A module of web/src is listed above, with what it may import.',
      severity: 'error',
      from: {
        path: '^web/src/',
        pathNot: [
          '^web/src/(main|routes)\\.tsx$',
          ...Object.keys(WEB_MAY_IMPORT).map((module) => `^web/src/${module}(/|$)`),
        ],
      },
      to: { path: '^web/src/' },
    },
    {
      name: 'hack-command-imports',
      comment:
        'A command of hack/ imports of the service only what makes sessions, and the rules of src/contract.',
      severity: 'error',
      from: { path: '^hack/[^/]+\\.ts$' },
      to: { path: '^(src|test|web)/', pathNot: '^src/(auth|contract)/' },
    },
    {
      name: 'web-shares-the-contract-alone',
      comment:
        'The pages run in a browser: of the service they import the rules of src/contract, and nothing else.',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(src|hack|test|node_modules)/', pathNot: '^src/contract/' },
    },
    {
      name: 'src-stands-alone',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(hack|test)/' },
    },
    {
      name: 'no-dev-dependency-in-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
