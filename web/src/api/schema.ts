// Made from the service's OpenAPI document by scripts/client-types.ts; not to be edited.
import type { AccessRules } from '../../../src/contract/access-rules.ts';

export type Error = { readonly error: string };

export type SessionUser = {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
};

export type Config = {
  readonly authDisabled: boolean;
  readonly oidcConfigured: boolean;
  readonly managedOnly: boolean;
  readonly restartEnabled: boolean;
  readonly consumersEnabled: boolean;
  readonly accessContact?: string;
  readonly displayName?: string;
  readonly version: string;
};

export type NamespaceRules =
  | (AccessRules & { readonly state: 'rules' })
  | { readonly state: 'open' | 'hidden' | 'unusable' };

export type SecretSummary = AccessRules & {
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  readonly keys: readonly string[];
  readonly keyCount: number;
  readonly binaryKeys: readonly string[];
  readonly description: string;
  readonly version: number;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly managedByService: boolean;
  readonly immutable: boolean;
  readonly deletionTimestamp?: string;
  readonly lastModifiedBy?: string;
  readonly lastModifiedAt?: string;
  readonly certificateNotAfter?: string;
  readonly valueExpiresAt?: string;
  readonly expiresAt?: string;
  readonly rotateEvery?: string;
  readonly rotationDueAt?: string;
  readonly controlledBy?: { readonly kind: string; readonly name?: string };
};

export type SecretDetail = SecretSummary & {
  readonly data: { readonly [key: string]: string };
  readonly binaryData: { readonly [key: string]: string };
};

export type Deleted = {
  readonly status: 'deleted';
  readonly name: string;
  readonly uid: string;
  readonly deleted: string;
  readonly history: 'cleaned' | 'retained';
};

export type DeletionPending = {
  readonly status: 'pending';
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly deletionTimestamp?: string;
  readonly history: 'cleaned' | 'retained';
};

export type KeyChanges = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

export type DeletedSecret = AccessRules & {
  readonly name: string;
  readonly uid: string;
  readonly type: string;
  readonly keys: readonly string[];
  readonly keyCount: number;
  readonly binaryKeys: readonly string[];
  readonly description: string;
  readonly version: number;
  readonly deletedBy?: string;
  readonly deletedAt?: string;
  readonly uncertain?: true;
  readonly expiresAt?: string;
};

export type Rollout = {
  readonly desired: number;
  readonly updated: number;
  readonly available: number;
  readonly done: boolean;
  readonly reason?: 'progressDeadlineExceeded' | 'onDelete';
};

export type Workload = {
  readonly kind: 'CronJob' | 'DaemonSet' | 'Deployment' | 'StatefulSet';
  readonly name: string;
};

/** Bodies, where there are any, and successful answers by method and path. */
export interface Operations {
  'GET /api/auth/me': { answer: { readonly user: SessionUser } };
  'POST /api/auth/logout': { answer: { readonly ok: true; readonly redirectTo?: string } };
  'POST /api/auth/code': { answer: { readonly code: string; readonly expiresIn: number } };
  'POST /api/auth/token': {
    answer: { readonly access_token: string; readonly token_type: 'Bearer'; readonly expires_in: number };
  };
  'GET /api/config': { answer: Config };
  'GET /api/access': {
    answer: {
      readonly admin: boolean;
      readonly level?: 'none' | 'read' | 'write' | 'manage';
      readonly by?: 'admin' | 'secret' | 'namespace' | 'open';
      readonly namespaceRules?: NamespaceRules;
      readonly machines?: readonly {
        readonly name: string;
        readonly issuer: string;
        readonly level: 'read' | 'write' | 'manage';
        readonly lastSeenAt?: string;
      }[];
    };
  };
  'GET /api/namespaces/{namespace}/secrets/{name}/access': {
    answer: {
      readonly level: 'none' | 'read' | 'write' | 'manage';
      readonly by: 'admin' | 'secret' | 'namespace' | 'open';
      readonly namespaceRules: NamespaceRules;
      readonly machines?: readonly {
        readonly name: string;
        readonly issuer: string;
        readonly level: 'read' | 'write' | 'manage';
        readonly lastSeenAt?: string;
      }[];
    };
  };
  'GET /api/namespaces': {
    answer: { readonly namespaces: readonly { readonly name: string; readonly canCreate: boolean }[] };
  };
  'GET /api/search': {
    answer: {
      readonly results: readonly SecretSummary[];
      readonly more: boolean;
      readonly skipped: readonly string[];
    };
  };
  'GET /api/expiring': { answer: { readonly items: readonly SecretSummary[]; readonly more: boolean } };
  'GET /api/namespaces/{namespace}/secrets': {
    answer: {
      readonly namespace: string;
      readonly secrets: readonly SecretSummary[];
      readonly canCreate: boolean;
      readonly total?: number;
      readonly continue?: string;
    };
  };
  'POST /api/namespaces/{namespace}/secrets': {
    body: Partial<AccessRules> & {
      readonly name: string;
      readonly type?: string;
      readonly data?: { readonly [key: string]: string };
      readonly stringData?: { readonly [key: string]: string };
      readonly setBinary?: { readonly [key: string]: string };
      readonly description?: string;
      readonly expiresAt?: string;
      readonly rotateEvery?: string;
      readonly changeNote?: string;
    };
    answer: { readonly secret: SecretSummary };
  };
  'GET /api/namespaces/{namespace}/secrets/{name}': {
    answer: { readonly secret: SecretDetail | SecretSummary };
  };
  'PUT /api/namespaces/{namespace}/secrets/{name}': {
    body: Partial<AccessRules> & {
      readonly resourceVersion: string;
      readonly data?: { readonly [key: string]: string };
      readonly description?: string;
      readonly expiresAt?: string;
      readonly rotateEvery?: string;
      readonly changeNote?: string;
      readonly recoverCounter?: boolean;
    };
    answer: { readonly secret: SecretDetail };
  };
  'PATCH /api/namespaces/{namespace}/secrets/{name}': {
    body: {
      readonly resourceVersion: string;
      readonly set?: { readonly [key: string]: string };
      readonly setBinary?: { readonly [key: string]: string };
      readonly remove?: readonly string[];
      readonly description?: string;
      readonly expiresAt?: string;
      readonly rotateEvery?: string;
      readonly changeNote?: string;
    };
    answer: { readonly secret: SecretSummary };
  };
  'DELETE /api/namespaces/{namespace}/secrets/{name}': { answer: Deleted | DeletionPending };
  'GET /api/namespaces/{namespace}/secrets/{name}/versions': {
    answer: {
      readonly name: string;
      readonly uid: string;
      readonly version: number;
      readonly changeNote?: string;
      readonly versions: readonly {
        readonly version: number;
        readonly resourceVersion: string;
        readonly createdAt: string;
        readonly changeNote?: string;
        readonly lastModifiedBy?: string;
        readonly lastModifiedAt?: string;
        readonly type: string;
        readonly keys: readonly string[];
        readonly keyCount: number;
        readonly binaryKeys: readonly string[];
        readonly changes?: KeyChanges;
      }[];
      readonly changes?: KeyChanges;
    };
  };
  'GET /api/namespaces/{namespace}/secrets/{name}/versions/{version}': {
    answer: {
      readonly version: {
        readonly version: number;
        readonly resourceVersion: string;
        readonly createdAt: string;
        readonly changeNote?: string;
        readonly lastModifiedBy?: string;
        readonly lastModifiedAt?: string;
        readonly type: string;
        readonly keys: readonly string[];
        readonly keyCount: number;
        readonly binaryKeys: readonly string[];
        readonly data: { readonly [key: string]: string };
        readonly binaryData: { readonly [key: string]: string };
      };
    };
  };
  'POST /api/namespaces/{namespace}/secrets/{name}/restore': {
    body: {
      readonly resourceVersion: string;
      readonly version: number;
      readonly sourceResourceVersion?: string;
      readonly keys?: readonly string[];
      readonly changeNote?: string;
      readonly recoverCounter?: boolean;
    };
    answer: { readonly secret: SecretDetail };
  };
  'GET /api/namespaces/{namespace}/deleted': {
    answer: {
      readonly namespace: string;
      readonly deleted: readonly DeletedSecret[];
      readonly continue?: string;
    };
  };
  'POST /api/namespaces/{namespace}/deleted/{uid}/restore': {
    body: { readonly name?: string };
    answer: { readonly secret: SecretSummary };
  };
  'DELETE /api/namespaces/{namespace}/deleted/{uid}': {
    answer: { readonly name: string; readonly uid: string; readonly history: 'cleaned' };
  };
  'GET /api/namespaces/{namespace}/secrets/{name}/consumers': {
    answer: {
      readonly consumers: readonly (Workload & {
        readonly uses: readonly ('env' | 'envFrom' | 'volume' | 'imagePullSecret')[];
        readonly rollout?: Rollout;
      })[];
    };
  };
  'POST /api/namespaces/{namespace}/secrets/{name}/restart': {
    body: { readonly consumers?: readonly Workload[] };
    answer: {
      readonly restarted: readonly Workload[];
      readonly failed: readonly (Workload & {
        readonly reason:
          | 'paused'
          | 'notFound'
          | 'replaced'
          | 'noConsumer'
          | 'conflict'
          | 'forbidden'
          | 'rejected'
          | 'unavailable'
          | 'uncertain';
      })[];
    };
  };
  'GET /api/openapi.json': { answer: { readonly openapi: string } };
}
