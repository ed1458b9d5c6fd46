import { type Json } from '../../../hack/dev-cluster/json/json.ts';

/** How a watch came to its end. */
export type WatchEnd = 'ended' | 'cut';

/** Reads the events of a watch one by one. */
export class WatchReader {
  readonly status: number;
  readonly #abort: AbortController;
  readonly #lines: AsyncGenerator<Json>;

  constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.#abort = abort;
    this.#lines = linesOf(response);
  }

  /** The next `count` events; fewer when the watch ends before. */
  async take(count: number): Promise<readonly Json[]> {
    const events: Json[] = [];
    while (events.length < count) {
      const next = await this.#lines.next();
      if (next.done === true) break;
      events.push(next.value);
    }
    return events;
  }

  /** Reads on to the end, and returns whether it was a clean one. */
  async end(): Promise<{ readonly events: readonly Json[]; readonly how: WatchEnd }> {
    const events: Json[] = [];
    try {
      for await (const event of this.#lines) events.push(event);
      return { events, how: 'ended' };
    } catch {
      return { events, how: 'cut' };
    }
  }

  async close(): Promise<void> {
    await this.#lines.return(undefined);
    this.#abort.abort();
  }
}

async function* linesOf(response: Response): AsyncGenerator<Json> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Json;
  }
}
