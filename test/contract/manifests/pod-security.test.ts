import { describe, expect, it } from 'vitest';
import { INSTALLATIONS, ofKind, podOf, type Container } from './installation.ts';

// The profile "restricted" of the Pod Security Standards, rule by rule:
// https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted

const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
];

describe.each([...INSTALLATIONS])('the pods of %s', (_folder, objects) => {
  const pod = podOf(objects);
  const containers: readonly Container[] = [...pod.containers, ...(pod.initContainers ?? [])];
  const contexts = containers.map(({ securityContext }) => securityContext ?? {});

  it('share nothing with the host', () => {
    expect([pod.hostNetwork, pod.hostPID, pod.hostIPC]).toEqual([undefined, undefined, undefined]);
    const hostPorts = containers.flatMap(({ ports }) => ports).filter((port) => 'hostPort' in port);
    expect(hostPorts).toEqual([]);
  });

  it('run as a user that is not root, whatever the image says', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532 });
    for (const context of contexts) {
      expect(context['runAsUser']).not.toBe(0);
      expect(context['runAsNonRoot']).not.toBe(false);
    }
  });

  it('use the default seccomp profile of the container runtime', () => {
    expect(pod.securityContext?.['seccompProfile']).toEqual({ type: 'RuntimeDefault' });
    for (const context of contexts) expect(context).not.toHaveProperty('seccompProfile');
  });

  it('cannot gain privileges, and have no capability', () => {
    for (const context of contexts) {
      expect(context).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
      expect(context['capabilities']).not.toHaveProperty('add');
      expect(context['privileged']).not.toBe(true);
      expect(context).not.toHaveProperty('procMount');
    }
  });

  it('have only volumes that hold nothing of the host', () => {
    const kinds = (pod.volumes ?? []).flatMap((volume) =>
      Object.keys(volume).filter((key) => key !== 'name'),
    );
    expect(kinds.filter((kind) => ![...VOLUMES, 'secret'].includes(kind))).toEqual([]);
  });

  it('cannot write to their root file system, beyond what the profile requires', () => {
    for (const context of contexts) expect(context['readOnlyRootFilesystem']).toBe(true);
  });

  it('would be let in: their namespace enforces the profile', () => {
    expect(ofKind(objects, 'Namespace').map(({ metadata }) => metadata.labels)).toEqual([
      expect.objectContaining({ 'pod-security.kubernetes.io/enforce': 'restricted' }),
    ]);
  });
});
