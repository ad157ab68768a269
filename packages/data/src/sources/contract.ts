import type { Principal } from '@dataagent/hub'
import type { DataSource, DataTable } from '@dataagent/schema'
import type { Engine, EngineSource } from '../engines/index.ts'
import type { SourceNotes } from '../ports.ts'

/** What an administrator says of a source. */
export interface NewSource {
  /** Default: a new one. */
  source_id?: string | undefined
  name: string
  description: string
  location: EngineSource
  notes?: SourceNotes | undefined
  enabled?: boolean | undefined
}

/** What of a source is changed; `location` left out stays as it was. */
export type SourceChange = Partial<Omit<NewSource, 'source_id'>>

/** A source that somebody may ask, ready for it. */
export interface OpenSource {
  source: DataSource
  notes: SourceNotes
  engine: Engine
}

/**
 * The sources of data. Each verb takes the principal who asks: `not_found` for what they may not
 * see, `forbidden` for what they may not do. What reaches a source leaves this room nowhere.
 */
export interface Sources extends AsyncDisposable {
  list(principal: Principal): Promise<DataSource[]>
  /** By id, or by name whatever its case. */
  open(principal: Principal, source: string): Promise<OpenSource>
  /** Tables as they may be seen: what is hidden is left out, what was said of them is told. */
  describe(
    principal: Principal,
    source: string,
    options?: { tables?: readonly string[]; signal?: AbortSignal },
  ): Promise<DataTable[]>
  /** All of it, what is hidden too, for administrators. */
  describeWhole(principal: Principal, source_id: string, signal?: AbortSignal): Promise<DataTable[]>
  create(principal: Principal, source: NewSource): Promise<DataSource>
  update(principal: Principal, source_id: string, change: SourceChange): Promise<DataSource>
  remove(principal: Principal, source_id: string): Promise<void>
  /** What was said of its tables, for administrators. */
  notes(principal: Principal, source_id: string): Promise<SourceNotes>
  /** Connects, and keeps what came of it in the source's `status`. */
  check(principal: Principal, source_id: string, signal?: AbortSignal): Promise<DataSource>
}
