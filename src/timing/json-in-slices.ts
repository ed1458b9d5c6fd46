import { createEventLoopYielder } from './event-loop-yielder.ts';

/** Characters that are joined and encoded in one turn of the event loop, about a millisecond. */
const PIECE = 262_144;

/**
 * The bytes of a JSON text with a list in it, made in slices of the event loop.
 * @param head the text up to the bracket that opens the list
 * @param items the JSON of each item, which may be made as it is read
 * @param tail the text from the bracket that closes the list
 */
export async function jsonInSlices(head: string, items: Iterable<string>, tail: string): Promise<Buffer> {
  const yielder = createEventLoopYielder();
  const pieces: Buffer[] = [];
  let part = head;
  let separator = '';
  for (const json of items) {
    part += separator + json;
    separator = ',';
    if (part.length < PIECE) continue;
    pieces.push(Buffer.from(part));
    part = '';
    if (yielder.isDue()) await yielder.yieldNow();
  }
  return Buffer.concat([...pieces, Buffer.from(part + tail)]);
}
