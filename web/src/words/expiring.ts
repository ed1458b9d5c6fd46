/** What the view of certificates that expire says. */
export const EXPIRING_WORDS = {
  title: 'Expiring',
  lead: 'Certificates in the namespaces that you can see that have expired, or will within 30 days.',
  what: 'the certificates',
  refresh: 'Refresh the certificates',
  refreshFailed: "Couldn't refresh the certificates",
  groups: { expired: 'Expired', week: 'Within 7 days', month: 'Within 30 days' },
  secret: 'Secret',
  namespace: 'Namespace',
  expires: 'Expires',
  changed: 'Changed',
  none: 'Nothing expires within 30 days',
  noneHint: 'Every certificate that you can see is valid for longer.',
  reading: 'There are many certificates: their namespaces are read one after the other.',
  missing: (namespaces: string) => `Not included, because they could not be read: ${namespaces}.`,
  hasMore: 'Only the first 200 namespaces are included.',
  andMore: (count: string) => `and ${count} more`,
};
