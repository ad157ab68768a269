import type { Draft } from './draft.ts'
import type { Problems } from './draft-problems.ts'

/** What every part of the form is given. */
export interface PartProps {
  draft: Draft
  problems: Problems
  onChange(draft: Draft): void
}
