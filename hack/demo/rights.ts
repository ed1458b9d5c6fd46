/** The rights of the service's own account on the development cluster: what the code uses, and no more. */
export const SERVICE_RULES = [
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'create', 'update', 'delete'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
] as const;
