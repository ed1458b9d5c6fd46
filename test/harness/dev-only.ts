/**
 * Whether the tests run on their own development cluster. Suites that need its faults, its request log or a proxy
 * in front of it are registered with `describe.runIf(ON_DEV_CLUSTER)`; on a cluster of TEST_KUBECONFIG they are left out.
 */
export const ON_DEV_CLUSTER = (process.env['TEST_KUBECONFIG'] ?? '') === '';
