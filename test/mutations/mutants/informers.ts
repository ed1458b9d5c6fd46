import type { Mutant } from '../mutant.ts';

const REFLECTOR = 'src/informers/reflector.ts';

export const INFORMERS: readonly Mutant[] = [
  {
    file: REFLECTOR,
    what: 'what a watch brings while a list arrives counts as the state of the store',
    find: 'const isFollowed = this.#arriving === undefined;',
    replace: 'const isFollowed = true as boolean;',
  },
  {
    file: REFLECTOR,
    what: 'after a restore of the storage the watch continues from a revision of before',
    find: "    this.#relist('restored');\n    this.#interruption.abort();",
    replace: '    this.#interruption.abort();',
  },
  {
    file: REFLECTOR,
    what: 'what was read before a restore of the storage is still shown',
    find: '      this.#store.clear();\n      this.#synced = false;',
    replace: '      this.#synced = true;',
  },
];
