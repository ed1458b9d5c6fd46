import type { Clock } from '../timing/clock.ts';

/** How long a refusal is remembered: a server that is upgraded is noticed, and one that is not costs little. */
const REFUSED_MS = 10 * 60_000;
/** So many streaming lists that end early are taken for a refusal: a proxy, or a server that drops slow watches. */
const MAX_CUT = 2;

/** Decides for one reflector whether the next list is a streaming one. */
export interface StreamingLists {
  readonly areWorthTrying: () => boolean;
  /** The cluster does not support them. */
  refused(): void;
  opened(): void;
  /** One was not opened, or ended before its objects did. */
  failed(): void;
  completed(): void;
}

export function createStreamingLists({ now }: Pick<Clock, 'now'>): StreamingLists {
  let notBefore = -Infinity;
  let cuts = 0;
  let isOpen = false;
  const refused = (): void => {
    notBefore = now() + REFUSED_MS;
    cuts = 0;
  };
  return {
    areWorthTrying: () => now() >= notBefore,
    refused,
    opened: () => {
      isOpen = true;
    },
    failed: () => {
      if (isOpen && ++cuts >= MAX_CUT) refused();
      isOpen = false;
    },
    completed: () => {
      isOpen = false;
      cuts = 0;
    },
  };
}
