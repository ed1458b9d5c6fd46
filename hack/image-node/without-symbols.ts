/** Offsets and sizes of a 64-bit ELF file's header and of its program headers (man 5 elf). */
const HEADER = {
  programHeaders: 32,
  sectionHeaders: 40,
  programHeaderCount: 56,
  sectionHeaderCount: 60,
  sectionNames: 62,
};
const PROGRAM_HEADER = { size: 56, offset: 8, fileSize: 32 };
const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);

/**
 * A 64-bit, little-endian ELF program without what follows the last byte that is ever loaded: symbol tables for debuggers, debug
 * information and the table of sections. What remains are the program's first bytes as they are, but for the three fields of the
 * header that name the table of sections.
 * @returns undefined for a file of another kind
 */
export function withoutSymbols(program: Buffer): Buffer | undefined {
  if (!program.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const first = Number(program.readBigUInt64LE(HEADER.programHeaders));
  const count = program.readUInt16LE(HEADER.programHeaderCount);
  const ends = Array.from({ length: count }, (_, index) => {
    const header = first + index * PROGRAM_HEADER.size;
    const [offset, size] = [PROGRAM_HEADER.offset, PROGRAM_HEADER.fileSize].map((field) =>
      program.readBigUInt64LE(header + field),
    );
    return Number((offset ?? 0n) + (size ?? 0n));
  });
  const end = Math.max(first + count * PROGRAM_HEADER.size, ...ends);
  if (end > program.length) throw new Error('The program ends before its last segment');
  const rest = Buffer.from(program.subarray(0, end));
  rest.writeBigUInt64LE(0n, HEADER.sectionHeaders);
  rest.writeUInt16LE(0, HEADER.sectionHeaderCount);
  rest.writeUInt16LE(0, HEADER.sectionNames);
  return rest;
}
