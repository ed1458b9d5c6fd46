/** A word that the project does not use. `pattern` is global; one without the flag `i` is an identifier as it is written. */
export interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** The left side is found nowhere; the right side is what the same thing is called. */
export const RULES: readonly Rule[] = [
  // Names
  { pattern: /\brooms?\b/gi, instead: 'module, space, capacity' },
  { pattern: /\bhouses?\b/gi, instead: 'layout, project' },
  { pattern: /\bgrounds?\b/gi, instead: 'fixture, reason' },
  { pattern: /(?:[:<|]|type|interface) ?\bCall\b|\bstartCall\b/g, instead: 'Deadline' },
  {
    pattern: /(?:[:<|{,]|type|interface) ?\b(?:Exchange|Answer)\b/g,
    instead: 'RequestContext, RouteResponse, ApiResponse',
  },
  { pattern: /\bopen secret\b/gi, instead: 'AuthorizedSecret' },
  { pattern: /\bwitness(?:es|ed|ing)?\b/gi, instead: 'cache-notifying store, observed' },
  { pattern: /\brevision gates?\b/gi, instead: 'consistency gate' },
  { pattern: /\b(?:doubt(?:s|ed|ful|less)?|undoubted(?:ly)?)\b/gi, instead: 'uncertain, markUncertain()' },
  { pattern: /\bis uncertain\b\(/gi, instead: 'markUncertain()' },
  { pattern: /\bsaw gone\b/gi, instead: 'noteDeleted' },
  { pattern: /\bwrote[(:]/gi, instead: 'noteWritten' },
  { pattern: /\bMoments?\b/g, instead: 'ObservationStart' },
  { pattern: /\bbreathers?\b/gi, instead: 'event-loop yielder' },
  { pattern: /\bmarks?\b/gi, instead: 'snapshot metadata, marker, label' },
  { pattern: /\bfindings?\b/gi, instead: 'parsed, problem, result' },
  { pattern: /\bTracked\b/g, instead: 'IndexedSnapshot' },
  { pattern: /\bcensus(?:es)?\b/gi, instead: 'snapshot statistics' },
  { pattern: /\bcontenders?\b/gi, instead: 'LeaderElector, candidate' },
  { pattern: /\blead\(/g, instead: 'onStartedLeading' },
  { pattern: /\bact ms\b/gi, instead: 'renewDeadline' },
  { pattern: /(?:[:<|{,]|type|interface) ?\bPart\b/g, instead: 'Component' },
  { pattern: /\bhttp[- ]form\b/gi, instead: 'request-url' },
  { pattern: /\bnative[- ]objects?\b/gi, instead: 'raw object' },
  { pattern: /\bjoined lines\b/gi, instead: 'batched output' },
  { pattern: /\bstamp(?:s|ed|ing)?\b/gi, instead: 'managed annotations, timestamp' },
  { pattern: /\bspares?\b/gi, instead: 'keepVersion, extra' },
  { pattern: /\bunsaved\b/gi, instead: 'isDirty, confirmedNotSaved' },
  { pattern: /\bfates?\b/gi, instead: 'DeleteOutcome, outcome' },
  { pattern: /\b(?:Standing|Says|Taken)\b/g, instead: 'SaveState, FieldMessage, ImportSummary' },
  { pattern: /\bcallSpent\b/g, instead: 'deadlineExceeded' },
  { pattern: /\brightMissing\b/g, instead: 'rbacForbidden' },
  { pattern: /\b(?:WatchedPlace|byPlace)\b/g, instead: 'WatchedScope, byScope' },
  { pattern: /\bsawLive\b/g, instead: 'noteRead' },

  // Language
  { pattern: /\banew\b/gi, instead: 'again' },
  { pattern: /\b(?:some|every|any)body\b/gi, instead: 'someone, everyone, anyone' },
  { pattern: /\bnobody\b/gi, instead: 'no one' },
  { pattern: /\bany ?more\b/gi, instead: 'no longer' },
  { pattern: /\bbeside the service\b/gi, instead: 'outside the service' },
  { pattern: /\black(?:s|ed|ing)? (?:a|the|any|its|some) rights?\b/gi, instead: 'is forbidden' },
  { pattern: /\b(?:hears?|heard)\b/gi, instead: 'receives, received' },
  { pattern: /\bnot get on\b/gi, instead: 'is stuck' },
  { pattern: /\bfor want of\b/gi, instead: 'without' },
  { pattern: /\bfor good\b/gi, instead: 'permanently' },
  { pattern: /\bthis minute\b/gi, instead: 'just now' },
  { pattern: /\b(?:tells?|told|telling)\b/gi, instead: 'returns, logs, shows, reports, distinguishes' },
  { pattern: /\b(?:asks?|asked|asking)\b/gi, instead: 'requests, reads, sends, calls' },
  { pattern: /\b(?:bears?|bearing|borne)\b/gi, instead: 'has, carries' },
  { pattern: /\bknows\b/gi, instead: 'has, handles, reads' },
];

/** Phrases in which a word of the table has its usual meaning. */
export const USUAL: readonly { readonly phrase: string; readonly why: string }[] = [
  { phrase: 'byte order mark', why: 'the name of U+FEFF in the Unicode Standard' },
  { phrase: 'question mark', why: 'punctuation' },
  { phrase: 'quotation mark', why: 'punctuation' },
  { phrase: 'exclamation mark', why: 'punctuation' },
  { phrase: 'markUncertain', why: 'the method of the consistency gate' },
  { phrase: 'orphaned-and-stamped', why: 'a Secret of the recordings in test/data/golden' },
  { phrase: 'for good reason', why: 'not "permanently"' },
  { phrase: 'unsaved edits', why: 'what a page calls edits that a person has not saved' },
  { phrase: 'unsaved-edits', why: 'the file of the same' },
  { phrase: 'ask an administrator', why: 'said to a person' },
  { phrase: 'ask the administrator', why: 'said to a person' },
  { phrase: 'ask your administrator', why: 'said to a person' },
  { phrase: 'tell an administrator', why: 'said to a person' },
  { phrase: 'tell the administrator', why: 'said to a person' },
];
