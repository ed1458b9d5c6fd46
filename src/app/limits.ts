/** Within the usual grace period of 30 seconds, with time left for the process to end. */
export const STOP_DEADLINE_MS = 25_000;
/**
 * How long readiness fails, in production, before connections are refused. Ingress controllers check only every few
 * seconds, and all of them must have noticed.
 */
export const READINESS_LEAD_MS = 5_000;
/**
 * Ingress controllers keep a few hundred idle connections open. Each costs some 20 KiB.
 */
export const MAX_API_CONNECTIONS = 1_000;
/**
 * One address takes no more of them, so that the others get in. An ingress is one address: it needs fewer, and its own
 * clients are its own to bound.
 */
export const MAX_ADDRESS_CONNECTIONS = 750;
/** The kubelet's probes and a few scrapers. */
export const MAX_OPS_CONNECTIONS = 64;
/** The time limit of one readiness check of the cluster. */
export const PROBE_BUDGET_MS = 3_000;
/** How long its result is kept, so that frequent probes do not add load. */
export const PROBE_TTL_MS = 2_000;
/** How often the files of the TLS certificate are read again. A kubelet takes about a minute to renew a mounted Secret. */
export const CERTIFICATE_CHECK_MS = 10_000;
