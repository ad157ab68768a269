/** Something that goes wrong (F) or that somebody tries (T), and what is promised then. */
export interface Row {
  /** Tests carry it in their titles: `[F17]`, `[T35]`. */
  id: string
  what: string
  promise: string
  /** Why no test carries it. */
  none?: string
}
