const FIRST_BLOCK_BYTES = 1_024;
const LARGEST_BLOCK_BYTES = 65_536;

/**
 * Bytes that arrive in pieces of any size, copied into blocks. Keeping the pieces would not bound the memory: each
 * piece, even one of a single byte, is an object of about a hundred bytes and may keep the whole read buffer of its
 * connection.
 */
export interface ByteBlocks {
  append(piece: Uint8Array): void;
  /** Returns the blocks in order and keeps none. Call it once, after the last piece. */
  take(): readonly Uint8Array[];
}

export function createByteBlocks(): ByteBlocks {
  const blocks: Uint8Array[] = [];
  let last = new Uint8Array(0);
  let used = 0;
  let total = 0;
  const addBlock = () => {
    last = new Uint8Array(Math.min(Math.max(total, FIRST_BLOCK_BYTES), LARGEST_BLOCK_BYTES));
    used = 0;
    blocks.push(last);
  };
  return {
    append(piece) {
      for (let at = 0; at < piece.byteLength;) {
        if (used === last.byteLength) addBlock();
        const part = piece.subarray(at, at + last.byteLength - used);
        last.set(part, used);
        at += part.byteLength;
        used += part.byteLength;
        total += part.byteLength;
      }
    },
    take() {
      if (blocks.length > 0) blocks[blocks.length - 1] = last.subarray(0, used);
      last = new Uint8Array(0);
      used = 0;
      return blocks.splice(0);
    },
  };
}
