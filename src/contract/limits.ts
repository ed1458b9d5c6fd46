/** Limits of a Secret, in bytes (Kubernetes: MaxSecretSize, TotalAnnotationSizeLimit). */

/** All values together; keys are not counted. */
export const MAX_DATA_BYTES = 1024 * 1024;

/** All annotations together, keys and values. */
export const MAX_ANNOTATION_BYTES = 256 * 1024;

/** A snapshot stores the type of its source as an annotation. Its other annotations need at most the rest. */
export const MAX_TYPE_BYTES = MAX_ANNOTATION_BYTES - 16 * 1024;

/**
 * etcd accepts requests of at most 1.5 MiB (the default of `--max-request-bytes`). For a larger one the cluster answers
 * 500, which leaves the outcome unknown. The difference is for the rest of the object and for a snapshot's metadata.
 */
export const MAX_STORED_BYTES = 1536 * 1024 - 64 * 1024;

/** A note on a change, in characters. */
export const MAX_NOTE_CHARACTERS = 256;

/** A description, in UTF-8. One from elsewhere may be longer; lists cut it. */
export const MAX_DESCRIPTION_BYTES = 4 * 1024;
