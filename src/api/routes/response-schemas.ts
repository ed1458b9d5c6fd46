import * as z from 'zod';
import { WORKLOAD_KINDS } from '../../workloads/ports.ts';
import { FAILURES } from '../../workloads/restart-one.ts';
import { USES } from '../../workloads/uses.ts';

/**
 * The shapes of answers, for the OpenAPI document and for the tests that hold real answers to it. They are
 * never used to build an answer: zod's maps lose keys such as `__proto__`.
 */

const timestamp = z.iso.datetime().meta({ description: 'RFC 3339, UTC.' });
const textMap = z.unknown().meta({ override: { type: 'object', additionalProperties: { type: 'string' } } });

export const errorAnswer = z.strictObject({ error: z.string() }).meta({ id: 'Error' });

export const sessionUser = z
  .strictObject({
    sub: z.string().min(1),
    email: z.string().min(1),
    name: z.string(),
    groups: z.array(z.string()),
  })
  .meta({ id: 'SessionUser' });

export const meAnswer = z.strictObject({ user: sessionUser });
export const nobodyAnswer = z.strictObject({ user: z.null() });
/** `redirectTo` with OIDC_RP_LOGOUT alone: where the browser signs out at the provider, too. */
export const logoutAnswer = z.strictObject({ ok: z.literal(true), redirectTo: z.string().optional() });

export const configAnswer = z
  .strictObject({
    authDisabled: z.boolean(),
    oidcConfigured: z.boolean(),
    managedOnly: z.boolean(),
    restartEnabled: z.boolean(),
    version: z.string(),
  })
  .meta({ id: 'Config' });

export const namespacesAnswer = z.strictObject({
  namespaces: z.array(z.strictObject({ name: z.string(), canCreate: z.boolean() })),
});

const summaryFields = {
  namespace: z.string(),
  name: z.string(),
  type: z.string(),
  keys: z.array(z.string()).meta({ description: 'Names of all keys, text and binary.' }),
  keyCount: z.int().min(0),
  description: z.string(),
  version: z.int().min(1).meta({ description: 'Application version counter; not the resourceVersion.' }),
  resourceVersion: z.string().meta({ description: 'Opaque revision; update, restore and delete need it.' }),
  creationTimestamp: timestamp,
  allowedGroups: z.array(z.string()),
  allowedUsers: z.array(z.string()),
  managedByService: z.boolean(),
  immutable: z.boolean(),
  binaryKeys: z.array(z.string()).meta({ description: 'Keys whose values are binary.' }),
  deletionTimestamp: timestamp.optional().meta({ description: 'Present only while deletion is pending.' }),
  lastModifiedBy: z.string().optional().meta({ description: 'Lowercased email of the last editor.' }),
  lastModifiedAt: z.string().optional().meta({ description: 'RFC 3339, UTC.' }),
};

const valueFields = {
  data: textMap.meta({ description: 'Text values by key.' }),
  binaryData: textMap.meta({ description: 'Base64 of the values that are not text, by key; read-only.' }),
};

const secretSummary = z.strictObject(summaryFields).meta({ id: 'SecretSummary' });
const secretDetail = z.strictObject({ ...summaryFields, ...valueFields }).meta({ id: 'SecretDetail' });

export const listAnswer = z.strictObject({
  namespace: z.string(),
  secrets: z.array(secretSummary),
  canCreate: z.boolean().meta({ description: 'A hint from the namespace rules; creating asks again.' }),
});
export const summaryAnswer = z.strictObject({ secret: secretSummary });
export const detailAnswer = z.strictObject({ secret: secretDetail });

const history = z.enum(['cleaned', 'retained']);

export const deletedAnswer = z
  .strictObject({
    status: z.literal('deleted'),
    name: z.string(),
    deleted: z.string(),
    uid: z.string(),
    history,
  })
  .meta({ id: 'Deleted' });
export const pendingAnswer = z
  .strictObject({
    status: z.literal('pending'),
    name: z.string(),
    uid: z.string(),
    resourceVersion: z.string(),
    deletionTimestamp: timestamp.optional(),
    history,
  })
  .meta({ id: 'DeletionPending', description: 'The Secret is still there; finalizers hold it.' });

const keyChanges = z
  .strictObject({ added: z.array(z.string()), changed: z.array(z.string()), removed: z.array(z.string()) })
  .meta({ id: 'KeyChanges', description: 'Names of keys; no values.' });

const versionFields = {
  version: z.int().min(1),
  resourceVersion: z.string().meta({ description: 'The live revision that the snapshot archives.' }),
  createdAt: timestamp,
  lastModifiedBy: z.string().optional(),
  lastModifiedAt: z.string().optional().meta({ description: 'When this version was made.' }),
  type: z.string(),
  keys: z.array(z.string()),
  keyCount: z.int().min(0),
  binaryKeys: z.array(z.string()),
};
const changes = keyChanges.optional();

export const versionsAnswer = z.strictObject({
  name: z.string(),
  uid: z.string(),
  version: z.int().min(1).meta({ description: 'The live counter.' }),
  versions: z
    .array(
      z.strictObject({
        ...versionFields,
        changes: changes.meta({ description: 'Against the next older archived version.' }),
      }),
    )
    .meta({ description: 'Newest first.' }),
  changes: changes.meta({ description: 'Of the live state, against the newest state that it has replaced.' }),
});
export const versionAnswer = z.strictObject({
  version: z.strictObject({ ...versionFields, ...valueFields }),
});

const workload = { kind: z.enum(WORKLOAD_KINDS), name: z.string() };

export const consumersAnswer = z.strictObject({
  consumers: z
    .array(
      z.strictObject({
        ...workload,
        uses: z.array(z.enum(USES)).min(1),
      }),
    )
    .meta({ description: 'Ordered by kind and name.' }),
});
export const restartAnswer = z.strictObject({
  restarted: z.array(z.strictObject(workload)),
  failed: z.array(
    z.strictObject({
      ...workload,
      reason: z.enum(FAILURES),
    }),
  ),
});

export const documentAnswer = z.looseObject({ openapi: z.string() }).meta({ description: 'OpenAPI 3.1.' });
