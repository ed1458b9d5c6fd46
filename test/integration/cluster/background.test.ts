import { describe, expect, it } from 'vitest';
import { listAll } from '../../../src/informers/list-all.ts';
import { watchNamespaces } from '../../../src/cluster/stores/namespace-store.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { openGateway, READ } from './gateway-fixture.ts';
import { answer, type Play } from './scripted-server.ts';

const deadline = unhurriedCall();
const signal = new AbortController().signal;
const EMPTY = {
  kind: 'PartialObjectMetadataList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '1' },
  items: [],
};

/** Never answers a list, and answers everything else. */
const hangingLists: Play = (response, request) => {
  if (!request.path.includes('limit=')) answer(200, {})(response, request);
};

describe('what reflectors send', () => {
  it('holds up no read, however many lists wait for their answers', async () => {
    const { gateway, server } = await openGateway([hangingLists], { maxConnections: 1 });
    const lists = Promise.allSettled(
      Array.from({ length: 20 }, () => listAll(watchNamespaces(gateway), () => undefined, signal)),
    );
    await server.hasSeen(4);
    for (let read = 0; read < 5; read++) expect((await gateway.request(READ, deadline)).status).toBe(200);
    expect(server.seen.filter(({ path }) => path.includes('limit='))).toHaveLength(4);
    await gateway.close();
    expect((await lists).map(({ status }) => status)).not.toContain('fulfilled');
  });

  it('begins at most twenty times a second after the first twenty', async () => {
    const clock = createVirtualClock();
    const { gateway, server } = await openGateway([answer(200, EMPTY)], { clock });
    const done: number[] = [];
    const list = async (): Promise<void> => {
      await listAll(watchNamespaces(gateway), () => undefined, signal);
      done.push(clock.now());
    };
    const lists = Array.from({ length: 60 }, list);
    await server.hasSeen(20);
    expect(server.seen).toHaveLength(20);
    expect(Math.max(...clock.waits())).toBe(2_000);
    await clock.advance(2_000);
    await Promise.all(lists);
    expect(server.seen).toHaveLength(60);
  });

  it('waits for its turn again before it is tried again', async () => {
    const { gateway, waits } = await openGateway([answer(503, {}), answer(200, EMPTY)]);
    for (let turn = 0; turn < 20; turn++) await gateway.takeTurn(signal);
    const request = { ...READ, verb: 'list', isBackground: true } as const;
    await gateway.request(request, deadline);
    expect(waits).toHaveLength(2);
    await gateway.request({ ...request, isBackground: false }, deadline);
    expect(waits).toHaveLength(2);
  });
});
