/** The rights of the service's own account on the development cluster: what the code uses, and no more. */
export const SERVICE_RULES = [
  {
    apiGroups: [''],
    resources: ['secrets'],
    // watch and patch are the reconciler's: it follows history objects, and puts lost marks back.
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
  // Of the replicas, the one that holds the Lease keeps the history in order.
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
] as const;
