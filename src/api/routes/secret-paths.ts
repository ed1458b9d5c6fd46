/** The Express patterns of the Secrets of a namespace. */
export const COLLECTION = '/api/namespaces/:namespace/secrets';
export const NAMED = `${COLLECTION}/:name`;
export const DELETED = '/api/namespaces/:namespace/deleted';
