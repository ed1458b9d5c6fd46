import { readFileSync } from 'node:fs';
import * as z from 'zod';

const step = z.object({
  id: z.string(),
  method: z.string().optional(),
  path: z.string(),
  body: z.unknown().optional(),
  answer: z.object({ status: z.int() }),
});

/** One request to a real cluster, and what it answered. */
export type RecordedStep = z.output<typeof step>;

/** The steps of one recorded scenario. */
export function recordedSteps(scenario: string): readonly RecordedStep[] {
  const file = new URL(`../../data/cluster-api/scenarios/${scenario}.json`, import.meta.url);
  return z.object({ steps: z.array(step) }).parse(JSON.parse(readFileSync(file, 'utf8'))).steps;
}

const secretBody = z.object({
  metadata: z.object({ name: z.string().optional() }),
  type: z.string().optional(),
  // Not a record: zod's would lose `__proto__`.
  data: z.custom<Readonly<Record<string, unknown>>>((value) => typeof value === 'object' && value !== null),
});

export interface RecordedCreation {
  readonly id: string;
  readonly name: string | undefined;
  readonly type: string;
  /** Base64 by key; undefined when some value is not a string. */
  readonly data: ReadonlyMap<string, string> | undefined;
  readonly status: number;
}

/** The recorded attempts to create a Secret in the namespace of the run. */
export function recordedCreations(scenario: string): readonly RecordedCreation[] {
  return recordedSteps(scenario)
    .filter(({ method, path }) => method === 'POST' && path === '/api/v1/namespaces/${run}/secrets')
    .flatMap(({ id, body, answer }) => {
      const parsed = secretBody.safeParse(body);
      if (!parsed.success) return [];
      const { metadata, type = '', data } = parsed.data;
      const entries = Object.entries(data);
      const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      return [
        {
          id,
          name: metadata.name,
          type,
          data: texts.length === entries.length ? new Map(texts) : undefined,
          status: answer.status,
        },
      ];
    });
}

export function decoded(data: ReadonlyMap<string, string>): ReadonlyMap<string, Uint8Array> {
  return new Map([...data].map(([key, value]) => [key, Buffer.from(value, 'base64')]));
}
