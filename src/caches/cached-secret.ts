import {
  summarize,
  type ListItem,
  type SearchableItem,
  type SummarizedSecret,
} from '../secrets/list-item.ts';
import type { StoredSecret } from '../kube/secret.ts';
import { Listed } from '../informers/listed-values.ts';
import { keptRevision, type KeptRevision } from './revision-form.ts';
import type { SharedValues } from './shared-values.ts';
import { createSummaryForms, type SummaryForm } from './summary-form.ts';

/** What is kept of a live Secret: its list item, and its sizes. */
export interface CachedSecret extends SearchableItem {
  readonly kind: 'live';
  /** Whether deletion waits for finalizers. */
  readonly terminating: boolean;
  /** As JSON with its values, for the budget of a list. */
  readonly bytes: number;
  /** Characters of the summary. */
  readonly length: number;
}

export type KeepLive = (secret: StoredSecret & { readonly bytes: number }) => CachedSecret;

/** Summaries that have a form of their own, such as one with a thousand keys, are not remembered for others. */
const MOST_FORMS = 10_000;

/**
 * Makes the function that reduces a Secret to what is kept of it. Most of a summary is the same as in others: that is
 * kept once, and the summary is put together when it is read.
 */
export function createKeepLive(shared: SharedValues, mostForms = MOST_FORMS): KeepLive {
  const forms = createSummaryForms(mostForms);
  return (secret) => {
    const summarized = summarize(secret);
    const { form, own } = forms.cut(summarized.summary);
    const common = { namespace: shared.text(secret.namespace), rules: shared.rules(summarized.rules) };
    return new Compact({ ...summarized, ...common, bytes: secret.bytes }, form, own);
  };
}

const LIVE = 'live';

/** One object for each live Secret of the cluster, so what is the same in many is read from the form. */
class Compact extends Listed implements CachedSecret {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly rules: ListItem['rules'];
  readonly notAfter: number | undefined;
  readonly bytes: number;
  readonly #revision: KeptRevision;
  readonly #form: SummaryForm;
  readonly #own: string;

  constructor(secret: SummarizedSecret & { readonly bytes: number }, form: SummaryForm, own: string) {
    super();
    this.namespace = secret.namespace;
    this.name = secret.name;
    this.uid = secret.uid;
    this.rules = secret.rules;
    this.notAfter = secret.notAfter;
    this.bytes = secret.bytes;
    this.#revision = keptRevision(secret.resourceVersion);
    this.#form = form;
    this.#own = own;
  }

  get kind(): typeof LIVE {
    return LIVE;
  }

  get resourceVersion(): string {
    return String(this.#revision);
  }

  get managed(): boolean {
    return this.#form.managed;
  }

  get terminating(): boolean {
    return this.#form.terminating;
  }

  get type(): string {
    return this.#form.type;
  }

  get json(): string {
    return this.#form.join(this, this.#own);
  }

  hasWord(word: string): boolean {
    return this.name.toLowerCase().includes(word) || this.#form.hasWord(this.#own, word);
  }

  changedMs(): number {
    return this.#form.changedMs(this.#own);
  }

  get length(): number {
    const { namespace, name, resourceVersion } = this;
    return this.#form.length + namespace.length + name.length + resourceVersion.length + this.#own.length;
  }
}
