import type { Recording } from '../recording.ts';
import { judgeDeleted } from './deleted.ts';
import { judgeHistory } from './history.ts';
import { judgeLists } from './lists.ts';
import { judgeReads } from './reads.ts';
import { buildTimeline } from './timeline.ts';
import type { Violation } from './violation.ts';
import { judgeWrites, replacementsOf } from './writes.ts';

/** Everything that a recording shows to have been promised and not kept. Pure: the same recording, the same verdict. */
export function judge(recording: Recording): readonly Violation[] {
  const timeline = buildTimeline(recording);
  return [
    ...judgeWrites(recording, timeline),
    ...judgeHistory(recording, timeline, replacementsOf(recording, timeline)),
    ...judgeDeleted(recording, timeline),
    ...judgeReads(recording, timeline),
    ...judgeLists(recording),
  ];
}
