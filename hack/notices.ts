import { join } from 'node:path';
import { bundledPackages } from './dependencies/bundled.ts';
import { shippedPackages } from './dependencies/licences.ts';
import { noticeOfNode, noticeOfPackage, noticesText } from './dependencies/notices.ts';

// Writes the licences and notices of everything that the image ships to standard output: of Node, of the packages in dist/, and of those
// of the pages.

const packages = [
  ...bundledPackages('.').map(({ path }) => path),
  ...shippedPackages('web').map((path) => join('web', path)),
];
console.log(noticesText([noticeOfNode(), ...packages.map(noticeOfPackage)]));
