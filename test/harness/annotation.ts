/** The annotation prefix of the services that the tests start: a run on someone's cluster has its own, which no installation reads. */
export const PREFIX = process.env['TEST_ANNOTATION_PREFIX'] ?? 'service.io';

/** The name of one of the service's labels or annotations. */
export const annotation = (key: string): string => `${PREFIX}/${key}`;
