import type { Mutant } from '../mutant.ts';

const WRITE_CHECKS = 'src/secrets/write-checks.ts';
const INPUT = 'src/secrets/input.ts';
const NAMES = 'src/contract/names.ts';
const TEXT = 'src/contract/text.ts';
const TYPES = 'src/contract/secret-types.ts';

export const SECRETS_CHECKS: readonly Mutant[] = [
  {
    file: TYPES,
    what: 'basic-auth needs both the username and the password',
    find: "data.has('username') || data.has('password')",
    replace: "data.has('username') && data.has('password')",
  },
  {
    file: TYPES,
    what: 'tls needs either the certificate or the key',
    find: "data.has('tls.crt') && data.has('tls.key')",
    replace: "data.has('tls.crt') || data.has('tls.key')",
  },
  {
    file: TYPES,
    what: 'an empty ssh key is a key',
    find: "(data.get('ssh-privatekey')?.byteLength ?? 0) > 0",
    replace: "data.has('ssh-privatekey')",
  },
  {
    file: TYPES,
    what: 'the neutral spelling of a type has no rules',
    find: '/^(?:kubernetes|platform)\\.io\\/(.+)$/',
    replace: '/^kubernetes\\.io\\/(.+)$/',
  },
  {
    file: WRITE_CHECKS,
    what: 'values of exactly 1 MiB are refused',
    find: 'dataBytes(data) <= MAX_DATA_BYTES',
    replace: 'dataBytes(data) < MAX_DATA_BYTES',
  },
  {
    file: WRITE_CHECKS,
    what: 'annotations of exactly 256 KiB are refused',
    find: 'annotated > MAX_ANNOTATION_BYTES',
    replace: 'annotated >= MAX_ANNOTATION_BYTES',
  },
  {
    file: WRITE_CHECKS,
    what: 'annotations are counted in characters',
    find: 'annotated += bytes;',
    replace: 'annotated += key.length + value.length;',
  },
  {
    file: WRITE_CHECKS,
    what: 'values are counted in characters',
    find: 'least <= MAX_DATA_BYTES && dataBytes(data) <= MAX_DATA_BYTES',
    replace: 'least <= MAX_DATA_BYTES',
  },
  {
    file: WRITE_CHECKS,
    what: 'the keys of data are counted once, though the cluster stores them twice',
    find: 'for (const key of data.keys()) stored += 2 * Buffer',
    replace: 'for (const key of data.keys()) stored += Buffer',
  },
  {
    file: INPUT,
    what: 'data is merged over stringData',
    find: '[...(request.data ?? []), ...(request.stringData ?? [])]',
    replace: '[...(request.stringData ?? []), ...(request.data ?? [])]',
  },
  {
    file: INPUT,
    what: 'stringData is not checked',
    find: "  checkData('stringData', request.stringData);\n",
    replace: '',
  },
  {
    file: INPUT,
    what: 'a blank revision is sent on',
    find: "resourceVersion.trim() === ''",
    replace: "resourceVersion === ''",
  },
  {
    file: INPUT,
    what: 'the allowed users of an update are not checked',
    find: 'given[list] && checkRuleList(list, given[list])',
    replace: "given[list] && (list === 'allowedUsers' ? given[list] : checkRuleList(list, given[list]))",
  },
  {
    file: INPUT,
    what: 'an empty list of allowed groups in an update is taken for one that was left out',
    find: 'given[list] && checkRuleList(list',
    replace: 'given[list]?.length === 0 ? undefined : given[list] && checkRuleList(list',
  },
  {
    file: TEXT,
    what: 'half a surrogate pair is stored as another character',
    find: "  if (!text.isWellFormed()) return 'unicode';\n",
    replace: '',
  },
  {
    file: NAMES,
    what: 'a name that only snapshots have can be taken',
    find: 'return SNAPSHOT_ENDING.test(name) ? SNAPSHOT_NAME_RULE : undefined;',
    replace: 'return undefined;',
  },
  {
    file: NAMES,
    what: 'a name of exactly 253 characters is refused',
    find: 'name.length <= 253',
    replace: 'name.length < 253',
  },
  {
    file: TYPES,
    what: 'the neutral spelling of a bootstrap token is for everyone',
    find: "  'bootstrap.platform.io/token',\n",
    replace: '',
  },
  {
    file: WRITE_CHECKS,
    what: 'bootstrap tokens outside their namespace are for admins alone',
    find: 'admin || namespace !== BOOTSTRAP_NAMESPACE || ',
    replace: 'admin || ',
  },
];
