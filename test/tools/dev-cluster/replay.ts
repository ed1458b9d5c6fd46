import { randomBytes } from 'node:crypto';
import { at, isObject, textAt, withPath, type Json } from '../../../hack/dev-cluster/json/json.ts';
import { type ClusterClient, type Received } from './cluster-client.ts';
import { Mask, without, withoutListRevision } from './mask.ts';
import { type RecordedAnswer, type Scenario, type Step } from './scenario.ts';
import { filled, filledText, type Variables } from './variables.ts';

/** A fresh namespace's name, without digits: a revision must not be found in it. */
function runName(): string {
  return `r${Array.from(randomBytes(10), (byte) => String.fromCharCode(97 + (byte % 26))).join('')}`;
}

/** Plays a scenario against a cluster; answers what came back, masked like the recording, step by step. */
export async function replay(scenario: Scenario, client: ClusterClient): Promise<readonly Json[]> {
  const variables: Variables = new Map([['run', runName()]]);
  const mask = new Mask(variables);
  const answers: RecordedAnswer[] = [];
  for (const step of scenario.steps) answers.push(await playStep(step, client, variables, mask));
  return answers.map((answer) => mask.numbered(JSON.parse(JSON.stringify(answer)) as Json));
}

async function playStep(
  step: Step,
  client: ClusterClient,
  variables: Variables,
  mask: Mask,
): Promise<RecordedAnswer> {
  if (step.watch !== undefined) return playWatch(step, step.watch, client, variables, mask);
  let received = await send(step, client, variables);
  for (let turn = 1; turn < (step.repeat ?? 1); turn++) received = await send(step, client, variables);
  while (step.until !== undefined && received.status !== step.until)
    received = await send(step, client, variables);
  for (const [name, path] of Object.entries(step.pick ?? {})) {
    const picked = at(received.body, ...path.split('/'));
    variables.set(name, typeof picked === 'string' ? picked : '');
  }
  if (step.statusOnly === true) return { status: received.status };
  const compared = (step.drop ?? []).reduce(
    (body, path) => without(body, path.split('/')),
    withoutListRevision(received.body),
  );
  return { status: received.status, body: mask.masked(compared) };
}

function send(step: Step, client: ClusterClient, variables: Variables): Promise<Received> {
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => [
    name,
    filledText(value, variables),
  ]);
  return client.send(step.method ?? 'GET', filledText(step.path, variables), {
    ...(step.body === undefined ? {} : { body: filled(step.body, variables) }),
    headers: Object.fromEntries(headers) as Record<string, string>,
  });
}

async function playWatch(
  step: Step,
  { events, during = [] }: NonNullable<Step['watch']>,
  client: ClusterClient,
  variables: Variables,
  mask: Mask,
): Promise<RecordedAnswer> {
  const watch = await client.watch(filledText(step.path, variables));
  const statuses: number[] = [];
  for (const inner of during) statuses.push((await playStep(inner, client, variables, mask)).status);
  const seen = await watch.take(events);
  await watch.close();
  return { status: watch.status, events: mask.masked(seen.map(withoutBookmarkRevision)), during: statuses };
}

function withoutBookmarkRevision(event: Json): Json {
  if (!isObject(event) || textAt(event, 'type') !== 'BOOKMARK') return event;
  return withPath(event, ['object', 'metadata', 'resourceVersion'], '<list>');
}
