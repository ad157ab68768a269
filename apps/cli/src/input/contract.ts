/** What may be completed where the cursor is. */
export interface CompletionQuery {
  /** `argument`: of a command, whose name and words before are in `before`. */
  kind: 'command' | 'argument' | 'mention'
  /** What is typed of it so far, without its sign. */
  text: string
  before: string
}

export interface Completion {
  /** What is put in place of what was typed. */
  value: string
  label: string
  about?: string | undefined
}

/** Never rejects; gives an empty list where nothing fits or the platform is away. */
export type Complete = (
  query: CompletionQuery,
  signal: AbortSignal,
) => Promise<readonly Completion[]>
