import type { FieldError, JsonObject } from '@dataagent/schema'

/**
 * Checks values against the JSON Schemas of servers. Nothing that a schema or a value holds can
 * stop the process, hold the loop for long or reach the network.
 */
export interface Validator extends AsyncDisposable {
  /**
   * Whether `schema` can be used at all: dialect, size, depth, expansion, patterns. `rejected` with
   * why, for the tool's owner.
   */
  judgeSchema(schema: JsonObject): SchemaJudgement
  /**
   * At once for a plain schema; in a worker under a time budget for one that is suspicious. `key`
   * is the definition's hash with `in` or `out`: what is compiled is kept under it.
   */
  validate(key: string, schema: JsonObject, value: unknown): Validation | Promise<Validation>
  close(): Promise<void>
}

export type SchemaJudgement =
  | { status: 'plain' }
  /** Checked in a worker: its cost may explode. */
  | { status: 'suspicious'; why: string }
  | { status: 'rejected'; why: string }

export type Validation =
  | { status: 'ok' }
  | { status: 'invalid'; errors: FieldError[] }
  /** The schema cannot be used, or the check took too long. */
  | { status: 'failed'; message: string }
