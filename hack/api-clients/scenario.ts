/** A value of a request: as it is, or of a variable of the sample. */
export type Value = { readonly variable: string } | string | number | boolean;

/** One request of a sample. What is sent, and where to, comes from the OpenAPI document. */
export interface Step {
  readonly operationId: string;
  readonly comment: string;
  readonly status: number;
  readonly path?: Readonly<Record<string, Value>>;
  readonly query?: Readonly<Record<string, Value>>;
  /** In place of the fields of the document's example; undefined leaves one out. */
  readonly body?: Readonly<Record<string, Value | undefined>>;
  /** The variable that a field of the response is kept in. */
  readonly keep?: readonly [variable: string, field: readonly string[]];
  /** The field that is printed; `[]` is each member of a list. */
  readonly print?: readonly string[];
}

export interface Section {
  readonly title: string;
  readonly text: string;
  readonly steps: readonly Step[];
}

const NAMESPACE: Value = { variable: 'NAMESPACE' };
const REVISION: Value = { variable: 'revision' };
const IN_NAMESPACE = { namespace: NAMESPACE };
const DATABASE = { namespace: NAMESPACE, name: 'database' };
const KEEP_REVISION = ['revision', ['secret', 'resourceVersion']] as const;

const LOAD: Step = {
  operationId: 'getSecret',
  comment: 'The values, and the revision that a write needs.',
  status: 200,
  path: DATABASE,
  keep: KEEP_REVISION,
};

/** What a client does with one Secret, in an order that works in an empty namespace. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Create',
    text: 'The response has no values. An existing name is 409.',
    steps: [
      {
        ...{ operationId: 'createSecret', comment: 'Version 1.', status: 201 },
        ...{ path: IN_NAMESPACE, keep: KEEP_REVISION },
      },
    ],
  },
  {
    title: 'List',
    text: 'Lists have no values. For many Secrets, read [pages](api.md#pages-of-a-list).',
    steps: [
      {
        ...{ operationId: 'listSecrets', comment: 'What you may see.', status: 200 },
        ...{ path: IN_NAMESPACE, print: ['secrets', '[]', 'name'] },
      },
    ],
  },
  {
    title: 'Read',
    text: 'Values are text in `data`; other bytes are base64 in `binaryData`.',
    steps: [{ ...LOAD, print: ['secret', 'keys'] }],
  },
  {
    title: 'Update',
    text: '`data` replaces all values; leave it out to keep them. The revision is the one that was loaded.',
    steps: [
      {
        ...{ operationId: 'updateSecret', comment: 'The state before becomes a version.', status: 200 },
        ...{ path: DATABASE, body: { resourceVersion: REVISION }, print: ['secret', 'version'] },
      },
    ],
  },
  {
    title: 'Handle a conflict',
    text: 'The Secret has changed since it was loaded: nothing was written. Load it again, apply the change to what is there now, and repeat.',
    steps: [
      {
        ...{ operationId: 'updateSecret', comment: 'The revision of before the update.', status: 409 },
        ...{ path: DATABASE, body: { resourceVersion: REVISION }, print: ['error'] },
      },
      LOAD,
      {
        ...{ operationId: 'updateSecret', comment: 'Once more.', status: 200, path: DATABASE },
        ...{ body: { resourceVersion: REVISION }, keep: KEEP_REVISION },
      },
    ],
  },
  {
    title: 'Restore a version',
    text: 'The current state is archived first, so a restore can be undone.',
    steps: [
      {
        ...{ operationId: 'listVersions', comment: 'The newest first.', status: 200, path: DATABASE },
        ...{ print: ['versions', '[]', 'version'] },
      },
      {
        ...{
          operationId: 'restoreVersion',
          comment: 'The values of version 1.',
          status: 200,
          path: DATABASE,
        },
        body: { resourceVersion: REVISION, version: 1, sourceResourceVersion: undefined },
        keep: KEEP_REVISION,
      },
    ],
  },
  {
    title: 'Delete, and restore what was deleted',
    text: 'With `archive` and `keepHistory` the Secret can be [restored](api.md#deleted-secrets). Without both, its history is removed with it.',
    steps: [
      {
        ...{ operationId: 'deleteSecret', comment: 'Archived, then deleted.', status: 200, path: DATABASE },
        query: { resourceVersion: REVISION, keepHistory: true, archive: true },
        keep: ['uid', ['uid']],
      },
      {
        ...{ operationId: 'restoreDeletedSecret', comment: 'As a new Secret.', status: 201 },
        path: { namespace: NAMESPACE, uid: { variable: 'uid' } },
        ...{ body: { name: 'database' }, print: ['secret', 'name'] },
      },
    ],
  },
];
