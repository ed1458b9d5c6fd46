import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { withoutSymbols } from './image-node/without-symbols.ts';

// Writes the Node that runs this into a file, without what only debuggers read:
//   node hack/image-node.ts <file>
// docs/adr/0005-an-image-without-a-shell.md has the reasons, and how to compare the two.

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('usage: node hack/image-node.ts <file>');
const program = readFileSync(process.execPath);
const slim = withoutSymbols(program);
if (slim === undefined) {
  // On macOS, where the steps of the image are only replayed.
  copyFileSync(process.execPath, target);
  console.log(`${target} is ${process.execPath} as it is: it is no ELF program`);
} else {
  writeFileSync(target, slim, { mode: 0o755 });
  console.log(`${target}: ${slim.length} of ${program.length} bytes`);
}
