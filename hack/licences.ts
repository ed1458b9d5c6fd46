import { spelledOut } from '../src/contract/printable.ts';
import { checkLicences } from './dependencies/licences.ts';

// `make licences`: every package that the image ships, of the service and of the pages, has a licence on the list of
// hack/dependencies/licences.ts. Reads what is installed; needs no network.

for (const [what, folder] of [
  ['the service', '.'],
  ['the pages', 'web'],
] as const) {
  const { checked, problems } = checkLicences(folder);
  for (const problem of problems) console.error(`licences: ${what}: ${spelledOut(problem)}`);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`licences: ${what}: ${checked} packages, all allowed`);
}
