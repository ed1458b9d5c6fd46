/** What overwrites an edit, and what to change instead, by the kind of the controller. */
interface WriterWords {
  readonly when: string;
  readonly instead: (object: string) => string;
}

const IN_CLUSTER = {
  title: (object: string) => `Written by ${object}`,
  instead: (what: string) => (object: string) => `Change ${what} of ${object} instead.`,
};

const KINDS: ReadonlyMap<string, WriterWords> = new Map<string, WriterWords>([
  [
    'HelmRelease',
    { when: 'Its next upgrade overwrites an edit here.', instead: IN_CLUSTER.instead('the Helm values') },
  ],
  [
    'Kustomization',
    {
      when: 'Flux overwrites an edit here within minutes.',
      instead: IN_CLUSTER.instead('the source in Git'),
    },
  ],
  [
    'Application',
    {
      when: 'Argo CD overwrites an edit here with its next sync.',
      instead: IN_CLUSTER.instead('the source in Git'),
    },
  ],
  [
    'Certificate',
    {
      when: 'cert-manager overwrites an edit here when it renews the certificate.',
      instead: (object) => `Change ${object} instead.`,
    },
  ],
  [
    'ExternalSecret',
    {
      when: 'External Secrets overwrites an edit here with its next refresh.',
      instead: IN_CLUSTER.instead('the value in the store'),
    },
  ],
  [
    'SealedSecret',
    {
      when: 'Sealed Secrets overwrites an edit here.',
      instead: (object) => `Seal the new values, and apply ${object} instead.`,
    },
  ],
  [
    'VaultStaticSecret',
    {
      when: 'The Vault Secrets Operator overwrites an edit here with its next refresh.',
      instead: IN_CLUSTER.instead('the value in Vault'),
    },
  ],
  [
    'VaultDynamicSecret',
    {
      when: 'The Vault Secrets Operator replaces these credentials before they expire.',
      instead: (object) => `Change ${object} instead.`,
    },
  ],
]);

const ANY_KIND: WriterWords = {
  when: 'Its controller may overwrite an edit here.',
  instead: (object) => `Change ${object} instead.`,
};

export const WRITER_WORDS = {
  title: IN_CLUSTER.title,
  advice: (kind: string, object: string): string => {
    const { when, instead } = KINDS.get(kind) ?? ANY_KIND;
    return `${when} ${instead(object)}`;
  },
  helmRecord: {
    title: "Helm's own record of a release",
    advice:
      'Helm reads it at the next upgrade or rollback. Change the release with Helm; an edit here can make it unusable.',
  },
  bootstrapToken: {
    title: 'A bootstrap token',
    advice: 'New nodes join the cluster with it, and the cluster removes it when it expires.',
  },
  unmanaged: {
    title: 'Created outside this service',
    advice: 'No controller is recognized. Saving here adopts the Secret: it gets a version and a history.',
  },
};
