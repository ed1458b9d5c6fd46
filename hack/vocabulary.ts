import { problemsIn, TREES } from './vocabulary/trees.ts';

// `make vocabulary`: no text of the project uses a word of hack/vocabulary/table.ts. Other trees can be named as arguments.

const named = process.argv.slice(2);
const { files, problems } = problemsIn(named.length > 0 ? named : TREES);
for (const problem of problems) console.error(`vocabulary: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`vocabulary: ${files} files, none with a word of hack/vocabulary/table.ts`);
