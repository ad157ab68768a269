/** What the hub's process is told to do. */
export interface Order {
  work: Work
  count: number
}

export type Work =
  /** The same tool by the client alone. */
  | 'client call'
  | 'governed call'
  | 'list, new caller'
  | 'list, known caller'
  | 'decide, new caller'
  | 'decide, known caller'

/** What the hub's process is made with. */
export interface Setting {
  /** The server whose tool is called. */
  url: string
  /** Tools in the catalogue, all the caller's. */
  tools: number
  /** Rules of others in the same tenant. */
  rules: number
}
