import {
  BOOLEAN,
  BYTES_MAP,
  message,
  messages,
  NUMBER,
  TEXT,
  TEXT_MAP,
  TEXTS,
  TIME,
  type Message,
} from './message.ts';

// Numbers and names of the fields are those of the generated.proto files of k8s.io/api and k8s.io/apimachinery.

const OWNER_REFERENCE: Message = {
  1: ['kind', TEXT],
  3: ['name', TEXT],
  4: ['uid', TEXT],
  5: ['apiVersion', TEXT],
  6: ['controller', BOOLEAN],
  7: ['blockOwnerDeletion', BOOLEAN],
};

const META = message({
  1: ['name', TEXT],
  2: ['generateName', TEXT],
  3: ['namespace', TEXT],
  5: ['uid', TEXT],
  6: ['resourceVersion', TEXT],
  8: ['creationTimestamp', TIME],
  9: ['deletionTimestamp', TIME],
  10: ['deletionGracePeriodSeconds', NUMBER],
  11: ['labels', TEXT_MAP],
  12: ['annotations', TEXT_MAP],
  13: ['ownerReferences', messages(OWNER_REFERENCE)],
  14: ['finalizers', TEXTS],
});

/** The fields of an object beside its metadata. */
const object = (fields: Message = {}): Message => ({ 1: ['metadata', META], ...fields });

const ROLE = object({
  2: [
    'rules',
    messages({
      1: ['verbs', TEXTS],
      2: ['apiGroups', TEXTS],
      3: ['resources', TEXTS],
      4: ['resourceNames', TEXTS],
      5: ['nonResourceURLs', TEXTS],
    }),
  ],
});

const BINDING = object({
  2: [
    'subjects',
    messages({ 1: ['kind', TEXT], 2: ['apiGroup', TEXT], 3: ['name', TEXT], 4: ['namespace', TEXT] }),
  ],
  3: ['roleRef', message({ 1: ['apiGroup', TEXT], 2: ['kind', TEXT], 3: ['name', TEXT] })],
});

/** With what kubectl sets in a pod that it makes itself. */
const POD_TEMPLATE = message(
  object({
    2: [
      'spec',
      message({
        2: [
          'containers',
          messages({
            1: ['name', TEXT],
            2: ['image', TEXT],
            3: ['command', TEXTS],
            4: ['args', TEXTS],
            6: [
              'ports',
              messages({ 1: ['name', TEXT], 3: ['containerPort', NUMBER], 4: ['protocol', TEXT] }),
            ],
          }),
        ],
        3: ['restartPolicy', TEXT],
      }),
    ],
  }),
);

const RESOURCE_ATTRIBUTES = message({
  1: ['namespace', TEXT],
  2: ['verb', TEXT],
  3: ['group', TEXT],
  4: ['version', TEXT],
  5: ['resource', TEXT],
  6: ['subresource', TEXT],
  7: ['name', TEXT],
});
const NON_RESOURCE_ATTRIBUTES = message({ 1: ['path', TEXT], 2: ['verb', TEXT] });
const ATTRIBUTES: Message = {
  1: ['resourceAttributes', RESOURCE_ATTRIBUTES],
  2: ['nonResourceAttributes', NON_RESOURCE_ATTRIBUTES],
};

const RBAC = 'rbac.authorization.k8s.io/v1';
const AUTHORIZATION = 'authorization.k8s.io/v1';

/** What kubectl sends encoded, by apiVersion and kind: what its `create` and `auth` commands make themselves. */
export const MESSAGES: ReadonlyMap<string, Message> = new Map<string, Message>([
  [
    'v1 Namespace',
    object({ 2: ['spec', message({ 1: ['finalizers', TEXTS] })], 3: ['status', message({})] }),
  ],
  [
    'v1 ConfigMap',
    object({ 2: ['data', TEXT_MAP], 3: ['binaryData', BYTES_MAP], 4: ['immutable', BOOLEAN] }),
  ],
  [
    'v1 Secret',
    object({
      2: ['data', BYTES_MAP],
      3: ['type', TEXT],
      4: ['stringData', TEXT_MAP],
      5: ['immutable', BOOLEAN],
    }),
  ],
  [
    'v1 ServiceAccount',
    object({
      2: ['secrets', messages({ 3: ['name', TEXT] })],
      3: ['imagePullSecrets', messages({ 1: ['name', TEXT] })],
      4: ['automountServiceAccountToken', BOOLEAN],
    }),
  ],
  [
    'v1 DeleteOptions',
    {
      2: ['preconditions', message({ 1: ['uid', TEXT], 2: ['resourceVersion', TEXT] })],
      5: ['dryRun', TEXTS],
    },
  ],
  [
    'apps/v1 Deployment',
    object({
      2: [
        'spec',
        message({
          1: ['replicas', NUMBER],
          2: ['selector', message({ 1: ['matchLabels', TEXT_MAP] })],
          3: ['template', POD_TEMPLATE],
        }),
      ],
    }),
  ],
  [
    'batch/v1 CronJob',
    object({
      2: [
        'spec',
        message({
          1: ['schedule', TEXT],
          3: ['concurrencyPolicy', TEXT],
          4: ['suspend', BOOLEAN],
          5: ['jobTemplate', message(object({ 2: ['spec', message({ 6: ['template', POD_TEMPLATE] })] }))],
        }),
      ],
    }),
  ],
  [
    'authentication.k8s.io/v1 TokenRequest',
    object({
      2: [
        'spec',
        message({
          1: ['audiences', TEXTS],
          3: [
            'boundObjectRef',
            message({ 1: ['kind', TEXT], 2: ['apiVersion', TEXT], 3: ['name', TEXT], 4: ['uid', TEXT] }),
          ],
          4: ['expirationSeconds', NUMBER],
        }),
      ],
    }),
  ],
  [`${RBAC} Role`, ROLE],
  [`${RBAC} ClusterRole`, ROLE],
  [`${RBAC} RoleBinding`, BINDING],
  [`${RBAC} ClusterRoleBinding`, BINDING],
  [`${AUTHORIZATION} SelfSubjectAccessReview`, object({ 2: ['spec', message(ATTRIBUTES)] })],
  [
    `${AUTHORIZATION} SubjectAccessReview`,
    object({ 2: ['spec', message({ ...ATTRIBUTES, 3: ['user', TEXT], 4: ['groups', TEXTS] })] }),
  ],
  [`${AUTHORIZATION} SelfSubjectRulesReview`, object({ 2: ['spec', message({ 1: ['namespace', TEXT] })] })],
]);
