import fc from 'fast-check'
import type { JsonObject, JsonValue } from './parse-json.ts'

/** Generators for the property tests of this package. */

const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,20}$/)
const count = fc.maxSafeNat()

/** Every UTF-16 string: NUL, lone surrogates, separators that JavaScript once could not quote. */
export const anyString = fc.oneof(
  fc.string(),
  fc.array(fc.nat(0xffff), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('', '\0', '\ud800', '\udc00\ud800', '\u2028', '订单', '😀'),
)

const anyKey = fc.oneof(
  anyString,
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'event_type'),
)

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, 2 ** 53 + 2, 1e308, 5e-324, -1e21, 0.1),
)

const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.oneof(anyString, anyNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.array(fc.tuple(anyKey, tie('tree')), { maxLength: 5 }).map(Object.fromEntries),
  ),
}))

/** `value` inside `levels` arrays and objects, the objects with the one key. */
export function nest(value: unknown, levels: number, key = 'a'): unknown {
  let nested = value
  for (let level = 0; level < levels; level++) nested = level % 2 ? [nested] : { [key]: nested }
  return nested
}

/** Text with an escaped key is read by other code than text without. */
const plainOrEscapedKey = fc.constantFrom('a', 'a"b', '\\')
const levels = fc.oneof(fc.integer({ min: 1, max: 63 }), fc.constantFrom(62, 63))

const deepObject: fc.Arbitrary<JsonObject> = fc
  .tuple(levels, plainOrEscapedKey)
  .map(([inside, key]) => ({ [key]: nest(1, inside, key) as JsonValue }))

/** Every JSON value: odd strings, keys and numbers, and nesting up to the limit. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.oneof({ weight: 9, arbitrary: tree }, deepObject)
export const anyJsonObject: fc.Arbitrary<JsonObject> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.array(fc.tuple(anyKey, tree), { maxLength: 5 }).map(Object.fromEntries),
  },
  deepObject,
)

const plain = { noNullPrototype: true } as const
const extra = fc.dictionary(
  anyString.map((name) => `x${name}`),
  anyJson,
  { maxKeys: 3 },
)

/** With fields that this version does not know. */
function open<T extends object>(known: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.tuple(known, extra).map(([own, more]) => ({ ...own, ...more }))
}

const decision = open(
  fc.record(
    {
      type: fc.constantFrom('approve', 'reject'),
      message: anyString,
      args: anyJsonObject,
      scope: fc.constantFrom('once', 'tool', 'server', 'always'),
      on_reject: fc.constantFrom('end', 'tell'),
    },
    { ...plain, requiredKeys: ['type', 'message'] },
  ),
)

const queryRef = fc.integer({ min: 1, max: 999 }).map((number) => `q${number}`)
const columnName = fc.string({ minLength: 1, maxLength: 20 })
const chart = fc.record(
  {
    type: fc.constantFrom('bar', 'line', 'heatmap'),
    x: columnName,
    y: fc.array(columnName, { minLength: 1, maxLength: 3 }),
  },
  plain,
)
const span = { from: count, to: count, text: anyString }
const anyQuery = fc.record(
  {
    ...{ query_id: id, ref: queryRef, source_id: id, source_name: anyString, sql: anyString },
    columns: fc.array(
      fc.record(
        { name: anyString, type: anyString, kind: fc.constantFrom('integer', 'text') },
        plain,
      ),
    ),
    rows: fc.array(fc.array(fc.oneof(anyString, count, fc.boolean(), fc.constant(null)))),
    row_count: fc.option(count),
    ...{ kept_rows: count, elapsed_ms: count, as_of: count },
  },
  plain,
)

/** The fields of each kind besides `event_type` and `timestamp`; `optional` may be absent. */
const fieldsByType: Record<string, { required: Fields; optional?: Fields }> = {
  text: {
    required: { content: anyString, is_final: fc.boolean() },
    optional: { restarts: fc.constant(true) },
  },
  tool_call: {
    required: { tool_name: anyString, tool_args: anyJsonObject, tool_call_id: anyString },
    optional: { server_id: id, wire_name: anyString, wire_args: anyJsonObject },
  },
  tool_result: {
    required: {
      tool_call_id: anyString,
      result: anyJson,
      status: fc.constantFrom('success', 'error'),
    },
    optional: {
      outcome: fc.constantFrom('ok', 'unknown_outcome'),
      duration_ms: count,
      untrusted: fc.array(id),
    },
  },
  hitl_request: {
    required: {
      approval_id: id,
      action_request: open(
        fc.record({ name: anyString, args: anyJsonObject, description: anyString }, plain),
      ),
    },
    optional: { tool_call_id: anyString, expires_at: count },
  },
  todo_update: {
    required: {
      todos: fc.array(
        open(
          fc.record(
            {
              content: anyString,
              status: fc.constantFrom('pending', 'in_progress', 'completed'),
            },
            plain,
          ),
        ),
      ),
    },
  },
  file_operation: {
    required: {
      operation: fc.constantFrom('read', 'write', 'edit', 'delete'),
      path: anyString,
      diff: anyString,
      additions: count,
      deletions: count,
    },
    optional: { tool_call_id: anyString },
  },
  error: {
    required: { error: anyString, recoverable: fc.boolean() },
    optional: { error_code: anyString, reference: anyString },
  },
  done: { required: { cancelled: fc.boolean() } },
  user_message: { required: { message_id: id, content: anyString } },
  tool_started: {
    required: { tool_call_id: anyString, tool_name: anyString },
    optional: { call_id: anyString, idempotent: fc.boolean() },
  },
  approval_decided: {
    required: {
      approval_id: id,
      decision,
      via: fc.constantFrom('person', 'expiry', 'withdrawal'),
      decided_by: fc.option(id),
    },
  },
  session_state: { required: { status: fc.constantFrom('idle', 'running', 'waiting_approval') } },
  usage: {
    required: {
      model: anyString,
      tool_mode: fc.constantFrom('always', 'intent', 'search'),
      prompt_tokens: count,
      completion_tokens: count,
      always_prompt_tokens: count,
    },
    optional: { cached_tokens: count, cost: fc.double({ min: 0, max: 9, noNaN: true }) },
  },
  summary: {
    required: { content: anyString, through_seq: count },
    optional: { untrusted: fc.array(id) },
  },
  reasoning: {
    required: { content: anyString },
    optional: { signature: anyString, redacted: anyString },
  },
  tools_matched: {
    required: {
      matches: fc.array(
        open(
          fc.record(
            {
              by: fc.constantFrom('keyword', 'name'),
              word: anyString,
              server_id: id,
              server_name: anyString,
            },
            { ...plain, requiredKeys: ['by', 'word'] },
          ),
        ),
      ),
      tool_mode: fc.constantFrom('always', 'intent', 'search'),
      matched: count,
      offered: count,
    },
  },
  result_block: {
    required: {
      block: fc.oneof(
        open(
          fc.record(
            {
              kind: fc.constant('chart'),
              query_id: id,
              ref: queryRef,
              // Not open: a field that it does not know could be called `x`.
              chart,
            },
            plain,
          ),
        ),
        open(
          fc.record(
            {
              ...{ kind: fc.constant('export'), query_id: id, ref: queryRef, path: anyString },
              ...{ format: fc.constantFrom('csv', 'xlsx', 'parquet'), rows: count, bytes: count },
            },
            plain,
          ),
        ),
        open(fc.record({ kind: fc.constant('query'), query: open(anyQuery) }, plain)),
      ),
    },
    optional: { tool_call_id: anyString },
  },
  citations: {
    required: {
      cited: fc.array(open(fc.record({ ...span, ref: queryRef, query_id: id }, plain))),
      dangling: fc.array(open(fc.record(span, plain))),
      uncovered: fc.array(open(fc.record(span, plain))),
    },
  },
}

type Fields = Record<string, fc.Arbitrary<unknown>>

/** The kinds that `anyEventOf` can make. */
export const generatedTypes = Object.keys(fieldsByType)

/** Any event of one kind, some with fields that this version does not know. */
export function anyEventOf(event_type: string): fc.Arbitrary<Record<string, unknown>> {
  const { required = {}, optional = {} } = fieldsByType[event_type] ?? {}
  const fields: Fields = { event_type: fc.constant(event_type), timestamp: count, ...required }
  return open(fc.record({ ...fields, ...optional }, { requiredKeys: Object.keys(fields) }))
}
