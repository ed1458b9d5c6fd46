// Who may import whom: the rooms of src/ and the one room that each foreign library lives in.
// docs/architecture.md tells why; `make verify` runs this.

const ROOMS = [
  'calls',
  'timing',
  'text',
  'config',
  'errors',
  'observability',
  'secrets',
  'consumers',
  'access',
  'history',
  'auth',
  'informers',
  'cluster',
  'api',
];

/** A room may import itself and the rooms named here; compose.ts and main.ts stand above all rooms. */
const MAY_IMPORT = {
  errors: [],
  calls: [],
  timing: [],
  text: [],
  config: ['errors'],
  observability: ['errors', 'config'],
  access: ['errors'],
  history: ['errors', 'access'],
  secrets: ['errors', 'access', 'history'],
  consumers: ['errors', 'history', 'secrets'],
  auth: ['errors', 'config', 'access', 'observability'],
  informers: ['errors', 'observability', 'access', 'history', 'secrets'],
  cluster: ['errors', 'config', 'secrets', 'consumers', 'access', 'history', 'informers', 'observability'],
  api: ['errors', 'config', 'observability', 'secrets', 'consumers', 'access', 'history', 'auth'],
};

/** Foreign libraries and the only room that may know them. */
const HOME_OF = {
  express: 'api',
  'express-rate-limit': 'api',
  helmet: 'api',
  'zod-openapi': 'api',
  'openid-client': 'auth',
  jose: 'auth',
  '@kubernetes/client-node': 'cluster',
  undici: 'cluster',
  pino: 'observability',
  'prom-client': 'observability',
};

const roomRules = ROOMS.map((room) => ({
  name: `${room}-imports`,
  comment: `src/${room} may import only: ${[room, ...MAY_IMPORT[room]].join(', ')}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^src/',
    pathNot: [room, 'calls', 'timing', 'text', ...MAY_IMPORT[room]].map((name) => `^src/${name}/`),
  },
}));

const libraryRules = Object.entries(HOME_OF).map(([library, room]) => ({
  name: `${library}-lives-in-${room}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${room}/` },
  to: { path: `^node_modules/${library}/` },
}));

module.exports = {
  forbidden: [
    ...roomRules,
    ...libraryRules,
    {
      name: 'domain-is-not-technical',
      comment: 'The domain rooms import nothing from npm; of Node only what is pure computation.',
      severity: 'error',
      from: { path: '^src/(secrets|access|history)/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-no-pkg'] },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
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
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
