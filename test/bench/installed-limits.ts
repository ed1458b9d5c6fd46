import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ServiceProcess } from '../harness/service-process.ts';

const MANIFEST = new URL('../../kustomize/base/deployment.yaml', import.meta.url);
const MIB = 2 ** 20;

/** What the installation's own manifest allows a replica. */
export interface Limits {
  readonly memoryBytes: number;
  readonly nodeOptions: string;
}

export function installedLimits(): Limits {
  const manifest = parse(readFileSync(MANIFEST, 'utf8')) as {
    spec: {
      template: {
        spec: {
          containers: {
            env: { name: string; value?: string }[];
            resources: { limits: { memory: string } };
          }[];
        };
      };
    };
  };
  const container = manifest.spec.template.spec.containers[0];
  const memory = /^(\d+)Gi$/.exec(container?.resources.limits.memory ?? '')?.[1];
  const nodeOptions = container?.env.find(({ name }) => name === 'NODE_OPTIONS')?.value;
  if (memory === undefined || nodeOptions === undefined)
    throw new Error(`${MANIFEST.pathname} has other limits`);
  return { memoryBytes: Number(memory) * 1_024 * MIB, nodeOptions };
}

/** A figure of the process in bytes, from the kernel. */
export function memoryOf({ pid }: ServiceProcess, figure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${figure}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN) * 1_024;
}
