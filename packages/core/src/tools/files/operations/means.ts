import type { Workspaces } from '../../../workspaces/index.ts'
import type { Places } from '../../threads/places.ts'
import type { Thread } from '../../threads/thread.ts'
import type { FileOpTracker } from '../file-op-tracker.ts'

/** What operations on files stand on. */
export interface FileMeans {
  workspaces: Workspaces
  tracker: FileOpTracker
  /** For searches, which have a thread each. */
  places: Places
  startPatternThread(signal: AbortSignal): Thread
}
