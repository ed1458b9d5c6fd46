import { noticesText } from './dependencies/notices.ts';

// Writes the licences and notices of everything that the image ships to standard output.

console.log(noticesText(['.', 'web']));
