// What the golden files of a version hold, as the requests that lead there. Every value is made up and harmless.

export const GOLDEN_NAMESPACE = 'golden';

/** `SERVICE_HISTORY_LIMIT` of the recording. */
export const GOLDEN_LIMIT = 10;

const text = (value: string): string => Buffer.from(value).toString('base64');
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('base64');

export interface GoldenRecipe {
  readonly name: string;
  /** The body of a POST to the service, or the object that kubectl creates. */
  readonly create: object;
  /** Bodies of PUTs to the service, without the revision. */
  readonly updates: readonly object[];
}

const ofType = (name: string, type: string, first: object, second: object): GoldenRecipe => ({
  name,
  create: { type, data: first },
  updates: [{ data: second }],
});

/** Own properties, whatever their names. */
const hostileKeys = (value: string): unknown =>
  JSON.parse(`{"__proto__": "${value}", "constructor": "${value}", "toString": "${value}"}`);

/** Created through the service. */
export const SERVICE_RECIPES: readonly GoldenRecipe[] = [
  {
    name: 'text',
    create: {
      data: { fruit: 'apple', empty: '' },
      description: 'Fruit of the week',
      allowedGroups: ['team-a', 'Team with spaces'],
      allowedUsers: ['Developer-B@example.com'],
    },
    updates: [
      { data: { fruit: 'Äpfel 🍎\r\n\tand pears', replacement: '\uFFFD', bom: '\uFEFFfirst' } },
      { description: '', allowedGroups: [], allowedUsers: [] },
      { data: {}, description: 'Nothing left', allowedUsers: ['developer-a@example.com'] },
    ],
  },
  {
    name: 'at-the-limit',
    create: { data: { count: '1' } },
    updates: Array.from({ length: GOLDEN_LIMIT + 2 }, (_, index) => ({ data: { count: `${index + 2}` } })),
  },
  { name: 'hostile-keys', create: { data: hostileKeys('one') }, updates: [{ data: hostileKeys('two') }] },
  { name: 'never-changed', create: { data: { fruit: 'fig' } }, updates: [] },
  {
    name: `${'long-'.repeat(50)}end`,
    create: { data: { fruit: 'long' } },
    updates: [{ data: { fruit: 'longer' } }],
  },
  ofType('custom-type', 'example.com/custom', { fruit: 'plum' }, { fruit: 'peach' }),
  ofType('basic-auth', 'kubernetes.io/basic-auth', { username: 'someone' }, { username: '', password: '' }),
  ofType('ssh-auth', 'kubernetes.io/ssh-auth', { 'ssh-privatekey': 'no key' }, { 'ssh-privatekey': 'none' }),
  ofType('tls', 'kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }, { 'tls.crt': 'a', 'tls.key': 'b' }),
  ofType(
    'docker-config-json',
    'kubernetes.io/dockerconfigjson',
    { '.dockerconfigjson': '{"auths":{}}' },
    { '.dockerconfigjson': 'null' },
  ),
  ofType(
    'docker-cfg',
    'kubernetes.io/dockercfg',
    { '.dockercfg': '{}' },
    { '.dockercfg': '{"registry.example.com":{}}' },
  ),
  ofType('bootstrap-token', 'bootstrap.kubernetes.io/token', { note: 'one' }, { note: 'two' }),
];

/** Created with kubectl, and adopted by the first update. */
export const NATIVE_RECIPES: readonly GoldenRecipe[] = [
  {
    name: 'binary',
    create: { data: { blob: EVERY_BYTE, fruit: text('kiwi') } },
    updates: [{ description: 'Every byte' }, { description: 'Every byte, twice described' }],
  },
  {
    name: 'adopted',
    create: {
      metadata: { labels: { app: 'shop' }, annotations: { 'example.com/note': 'kept' } },
      data: { fruit: text('melon') },
    },
    updates: [{ data: { fruit: 'honeydew' } }],
  },
  {
    name: 'adopted-with-counter-0',
    create: {
      metadata: { annotations: { 'service.io/version': '0' } },
      data: { fruit: text('lime') },
    },
    updates: [{ data: { fruit: 'lemon' } }],
  },
  {
    name: 'not-adopted-with-counter-0',
    create: { metadata: { annotations: { 'service.io/version': '0' } }, data: { fruit: text('sloe') } },
    updates: [],
  },
  { name: 'not-adopted', create: { data: { fruit: text('date') } }, updates: [] },
  {
    name: 'immutable',
    create: { immutable: true, data: { fruit: text('stone fruit') } },
    updates: [{ description: 'Set in stone' }],
  },
  {
    name: 'service-account-token',
    create: {
      type: 'kubernetes.io/service-account-token',
      metadata: { annotations: { 'kubernetes.io/service-account.name': 'builder' } },
      data: { note: text('no token') },
    },
    updates: [],
  },
];

/** Deleted through the service with `keepHistory=true` after their updates; the time to live of orphans is set. */
export const ORPHANED_WITH_TIME = 'orphaned-and-stamped';
/** Deleted with kubectl after their updates, and created again; no time to live of orphans is set. */
export const ORPHANED_AND_RECREATED = 'orphaned-and-recreated';
/** An update that was refused by the cluster after its archive: the snapshot's source is still live. */
export const BROKEN_OFF = 'broken-off';
/** The labels of its first snapshot are removed with kubectl after all replicas have ended. */
export const WITHOUT_LABELS = 'without-labels';
