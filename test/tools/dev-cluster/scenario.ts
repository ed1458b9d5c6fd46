import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Json } from '../../../hack/dev-cluster/json/json.ts';

/** A recorded answer: of a watch its events, of everything else its body (none when only the status counts). */
export interface RecordedAnswer {
  readonly status: number;
  readonly body?: Json;
  readonly events?: Json;
  readonly during?: readonly number[];
}

export interface Step {
  readonly id: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values for later steps, by slash-separated paths into the answer. */
  readonly pick?: Readonly<Record<string, string>>;
  /** Paths into the answer that are not compared. */
  readonly drop?: readonly string[];
  readonly statusOnly?: boolean;
  readonly repeat?: number;
  /** Sent again until this status comes. */
  readonly until?: number;
  readonly watch?: { readonly events: number; readonly during?: readonly Step[] };
  readonly answer: Json;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly steps: readonly Step[];
}

const FOLDER = join(import.meta.dirname, '../../data/cluster-api/scenarios');

/** All recorded scenarios, in the order of their names. */
export function recordedScenarios(): readonly Scenario[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => {
    const { about, steps } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Omit<Scenario, 'name'>;
    return { name: basename(file, '.json'), about, steps };
  });
}
