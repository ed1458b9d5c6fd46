import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { ListItem } from './list-item.ts';

/** Characters that are joined and encoded in one turn of the event loop, about a millisecond. */
const PIECE = 262_144;

/** The body of a list, exactly as `JSON.stringify` would write it. */
export async function serializeList(
  namespace: string,
  items: readonly ListItem[],
  canCreate: boolean,
): Promise<Buffer> {
  const yielder = createEventLoopYielder();
  const pieces: Buffer[] = [];
  let part = [`{"namespace":${JSON.stringify(namespace)},"secrets":[`];
  let length = 0;
  for (const [index, { json }] of items.entries()) {
    part.push(index === 0 ? json : `,${json}`);
    length += json.length;
    if (length < PIECE) continue;
    pieces.push(Buffer.from(part.join('')));
    part = [];
    length = 0;
    if (yielder.isDue()) await yielder.yieldNow();
  }
  part.push(`],"canCreate":${canCreate}}`);
  return Buffer.concat([...pieces, Buffer.from(part.join(''))]);
}
