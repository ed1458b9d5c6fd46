import type { SampleRequest } from './requests.ts';

/** How samples are written in one language. */
export interface Language {
  readonly name: string;
  /** Of the code block. */
  readonly fence: string;
  /** What all samples use. */
  readonly setup: string;
  /** @param isFirst whether `keep` names a variable that is new */
  readonly render: (request: SampleRequest, isFirst: boolean) => string;
}
