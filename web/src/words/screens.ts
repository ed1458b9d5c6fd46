/** What screens are called, also before their data is there. */
export const SCREEN_WORDS = {
  documentTitle: (title: string) => `${title} · Secrets`,
  namespaces: 'Namespaces',
  create: 'Create a Secret',
  createCrumb: 'Create',
  deleted: (namespace: string) => `Deleted in ${namespace}`,
  deletedCrumb: 'Deleted',
  edit: (name: string) => `Edit ${name}`,
  editCrumb: 'Edit',
  copy: (name: string) => `Copy ${name}`,
  copyCrumb: 'Copy',
  loading: (what: string) => `Loading ${what}`,
  slow: (what: string) => `Still loading ${what}: the cluster is slow to answer.`,
  slowWrite: 'The cluster is slow to answer. Your request was sent: wait here until the outcome is known.',
};

export const ROUTES_WORDS = {
  thePage: 'the page',
};
