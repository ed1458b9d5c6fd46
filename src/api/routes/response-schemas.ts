import * as z from 'zod';
import { isObject } from '../../contract/json-text.ts';

/**
 * The shapes of responses. Each is declared only once: handlers return the inferred types, and the OpenAPI document and
 * the types of the pages and of the tests are generated from the schemas. They are never used to build a response,
 * because zod's maps lose keys such as `__proto__`. Examples are those of single fields: tools compose a response of them.
 */

const text = z.string();
const namespace = text.meta({ examples: ['shared'] });
const name = text.meta({ examples: ['database'] });
const email = text.meta({ examples: ['developer-a@example.com'] });
const resourceVersion = text.meta({ examples: ['4711'] });
const optionalText = text.optional();
const texts = z.array(text);
const count = z.int().min(0);
const counter = z.int().min(1);
export const timestamp = z.iso
  .datetime()
  .meta({ description: 'RFC 3339, UTC.', examples: ['2026-03-04T05:06:07Z'] });
const optionalTimestamp = timestamp.optional();

type TextMap = Readonly<Record<string, string>>;

const textMap = z
  .custom<TextMap>(isObject)
  .meta({ override: { type: 'object', additionalProperties: { type: 'string' } } });

export const errorResponse = z
  .strictObject({ error: text.describe('What is wrong, for people.') })
  .meta({ id: 'Error' });

const failureHeaders = z.object({
  'X-Request-Id': text.meta({ description: 'Also in the log line.', header: { id: 'RequestId' } }),
  'WWW-Authenticate': optionalText.meta({ description: 'Of bearer tokens.', header: { id: 'Challenge' } }),
  'Retry-After': count.optional().meta({ description: 'Seconds to wait.', header: { id: 'RetryAfter' } }),
});

/** Those of a failure, by its status. */
export const failureHeadersOf = (status?: number): z.ZodObject =>
  failureHeaders.pick({
    'X-Request-Id': true,
    ...(status === 401 && { 'WWW-Authenticate': true }),
    ...((status === 429 || status === 503) && { 'Retry-After': true }),
  });

export const sessionUser = z
  .strictObject({
    sub: text.min(1).describe('The subject that the identity provider gave.'),
    email: email.min(1).describe('The identity; compared ignoring case.'),
    name: text.describe('For display only.'),
    groups: texts.describe('Compared exactly with access rules.'),
  })
  .meta({ id: 'SessionUser' });

export const meResponse = z.strictObject({ user: sessionUser });
export const signedOutResponse = z.strictObject({ user: z.null() });
export const logoutResponse = z.strictObject({
  ok: z.literal(true),
  redirectTo: optionalText.describe('With OIDC_RP_LOGOUT: where the browser signs out at the provider.'),
});

export const configResponse = z
  .strictObject({
    authDisabled: z.boolean().describe('Everyone is an administrator; for development.'),
    oidcConfigured: z.boolean().describe('Sign-in is possible.'),
    managedOnly: z.boolean().describe('Secrets that the service does not manage are hidden.'),
    restartEnabled: z.boolean().describe('Consumers can be restarted.'),
    consumersEnabled: z.boolean().describe('Consumers can be listed.'),
    accessContact: optionalText.describe('An email address or an https URL for people who need access.'),
    displayName: optionalText.describe('Whose service this is.'),
    version: text.describe('The version of the service.'),
  })
  .meta({ id: 'Config' });

const canCreate = z.boolean().describe('A hint from the namespace rules; creating checks them again.');

export const namespacesResponse = z.strictObject({
  namespaces: z.array(z.strictObject({ name: text, canCreate })).describe('Ordered by name.'),
});

const entries = texts.min(1).optional();
export const ruleLists = {
  allowedGroups: texts.meta({ description: 'Access rules: groups, exact.', examples: [['team-a']] }),
  allowedUsers: texts.describe('Access rules: emails, in any case.'),
  // Absent where they are empty.
  writerGroups: entries.describe('Access rules: groups that can write.'),
  writerUsers: entries.describe('Access rules: emails of those who can write.'),
  readerGroups: entries.describe('Access rules: groups that can read.'),
  readerUsers: entries.describe('Access rules: emails of those who can read.'),
};

/** Of every state of a Secret: live, archived or deleted. */
const stateFields = {
  type: text.meta({ examples: ['Opaque'] }),
  keys: texts.meta({ description: 'Names of all keys, text and binary.', examples: [['password']] }),
  keyCount: count.meta({ examples: [1] }),
  binaryKeys: texts.describe('Keys whose values are binary.'),
};

/** Who made a state, and when. */
const editFields = {
  lastModifiedBy: email.optional().describe('Lowercased email of who made this state.'),
  lastModifiedAt: optionalText.describe(
    'When it was made: RFC 3339, UTC, such as `2026-03-04T05:06:07.089Z`.',
  ),
};

const summaryFields = {
  namespace,
  name,
  ...stateFields,
  description: text.meta({ description: 'Empty when there is none.', examples: ['The orders database'] }),
  version: counter.describe('Application version counter; not the resourceVersion.'),
  resourceVersion: resourceVersion.describe('Opaque revision; update, restore and delete need it.'),
  creationTimestamp: timestamp,
  ...ruleLists,
  managedByService: z.boolean().describe('Created or adopted by the service.'),
  immutable: z.boolean().describe('Its values can never change.'),
  deletionTimestamp: optionalTimestamp.describe('Present only while deletion is pending.'),
  ...editFields,
  certificateNotAfter: optionalTimestamp.describe(
    'TLS types: when the first certificate of tls.crt expires.',
  ),
  valueExpiresAt: optionalTimestamp.describe(
    'When the first other certificate (PEM) or token (JWT) expires.',
  ),
  expiresAt: optionalTimestamp.describe('When it expires, as someone declared it.'),
  rotateEvery: optionalText.describe('How often its values are to be changed, as a duration such as `30d`.'),
  rotationDueAt: optionalTimestamp.describe(
    '`rotateEvery` after the last change of values; a restore is none.',
  ),
  controlledBy: z
    .strictObject({ kind: text, name: optionalText })
    .optional()
    .describe('The controller that will overwrite an edit, as far as it is recognized.'),
};

const valueFields = {
  data: textMap.meta({ description: 'Text values by key.', examples: [{ password: 'correct horse' }] }),
  binaryData: textMap.describe('Base64 of the values that are not text, by key; read-only.'),
};

const secretSummary = z.strictObject(summaryFields).meta({ id: 'SecretSummary' });
const secretDetail = z.strictObject({ ...summaryFields, ...valueFields }).meta({ id: 'SecretDetail' });

export const listResponse = z.strictObject({
  namespace,
  secrets: z.array(secretSummary).describe('Ordered by name, on pages by `sort`.'),
  canCreate,
  total: count.optional().describe('With `limit` only: how many Secrets all pages have together.'),
  continue: optionalText.describe('With `limit` only, and absent on the last page: leads to the next one.'),
});
export const searchResponse = z.strictObject({
  results: z
    .array(secretSummary)
    .describe('Exact names, then names that begin with a word, then others; each by name and namespace.'),
  more: z.boolean().describe('Whether more Secrets were found.'),
  skipped: texts.describe('Left out, ordered by name: policy unusable, too much memory, watching forbidden.'),
});
export const expiringResponse = z.strictObject({
  items: z
    .array(secretSummary)
    .describe('By the first of certificateNotAfter, valueExpiresAt, expiresAt and rotationDueAt.'),
  more: z.boolean().describe('Whether there may be more: too many, or in namespaces left out.'),
});
export const summaryResponse = z.strictObject({ secret: secretSummary });
export const detailResponse = z.strictObject({ secret: secretDetail });
export const readResponse = z.strictObject({
  secret: z
    .union([secretDetail, secretSummary])
    .describe('A SecretSummary with `values=false`, otherwise a SecretDetail.'),
});

const history = z.enum(['cleaned', 'retained']).describe('Whether the snapshots were removed or left alone.');

const identity = { name, uid: text.meta({ examples: ['7d0f4ad0-0f3c-4a4e-9f0c-7a1f5d0f3c55'] }) };

export const deletedResponse = z
  .strictObject({
    status: z.literal('deleted'),
    ...identity,
    deleted: text.describe('The name again.'),
    history,
  })
  .meta({ id: 'Deleted' });
export const pendingResponse = z
  .strictObject({
    status: z.literal('pending'),
    ...identity,
    resourceVersion,
    deletionTimestamp: optionalTimestamp,
    history,
  })
  .meta({ id: 'DeletionPending', description: 'The Secret still exists; finalizers hold it.' });

const deletedSecret = z
  .strictObject({
    ...identity,
    ...stateFields,
    description: text,
    version: counter.describe('The version that it had.'),
    ...ruleLists,
    deletedBy: email.optional().describe('Lowercased email; absent where it is unknown who deleted it.'),
    deletedAt: optionalText.describe('RFC 3339, UTC; absent where it is unknown.'),
    uncertain: z.literal(true).optional().describe('Perhaps someone else deleted it, in another state.'),
    expiresAt: optionalTimestamp.describe('When its snapshots are removed; absent: never.'),
  })
  .meta({ id: 'DeletedSecret' });

export const deletedListResponse = z.strictObject({
  namespace,
  deleted: z.array(deletedSecret).describe('The last deletion first.'),
  continue: optionalText.describe('With `limit`: for the next page, if there is one.'),
});
export const removedResponse = z.strictObject({ ...identity, history: z.literal('cleaned') });

const changes = z
  .strictObject({ added: texts, changed: texts, removed: texts })
  .meta({ id: 'KeyChanges', description: 'Names of keys; no values.' })
  .optional();

const versionFields = {
  version: counter,
  resourceVersion: resourceVersion.describe('The live revision that the snapshot archives.'),
  createdAt: timestamp,
  changeNote: optionalText.describe('The note of whoever made this version.'),
  ...editFields,
  ...stateFields,
};

export const versionsResponse = z.strictObject({
  ...identity,
  version: counter.describe('The live counter.'),
  changeNote: optionalText.describe('The note on the live version.'),
  versions: z
    .array(z.strictObject({ ...versionFields, changes: changes.describe('Against the next older version.') }))
    .describe('Newest first.'),
  changes: changes.describe('Of the live state, against the newest state that it has replaced.'),
});
export const versionResponse = z.strictObject({
  version: z.strictObject({ ...versionFields, ...valueFields }),
});

export const documentResponse = z.looseObject({ openapi: text }).describe('An OpenAPI 3.1 document.');
