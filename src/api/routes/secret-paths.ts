/** Where the Secrets of a namespace are, as Express patterns. */
export const COLLECTION = '/api/namespaces/:namespace/secrets';
export const NAMED = `${COLLECTION}/:name`;
